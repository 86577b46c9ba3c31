//! The corpus: reads and writes `testdata/corpus/*.toml`.

use crate::{Case, Expected};
use serde::Deserialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Why the corpus cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CorpusError {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("{path}: {source}")]
    Syntax { path: PathBuf, source: Box<toml::de::Error> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// Where the corpus is.
#[must_use]
pub fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus")
}

/// All cases, file by file in the order of their names.
///
/// # Panics
/// If the corpus cannot be read; the message names the file and what is wrong with it.
#[must_use]
pub fn corpus() -> Vec<Case> {
    let all = || {
        let mut cases = Vec::new();
        for path in files()? {
            cases.extend(read_cases(&path)?);
        }
        Ok::<_, CorpusError>(cases)
    };
    all().unwrap_or_else(|e| panic!("{e}"))
}

/// The files of the corpus by name.
pub fn files() -> Result<Vec<PathBuf>, CorpusError> {
    let path = corpus_folder();
    let fail = |source| CorpusError::File { path: path.clone(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&path).map_err(fail)? {
        let file = entry.map_err(fail)?.path();
        if file.extension().is_some_and(|e| e == "toml") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// The cases of one file.
pub fn read_cases(path: &Path) -> Result<Vec<Case>, CorpusError> {
    let fail = |source| CorpusError::File { path: path.into(), source };
    let text = std::fs::read_to_string(path).map_err(fail)?;
    let cases: Cases = toml::from_str(&text)
        .map_err(|source| CorpusError::Syntax { path: path.into(), source: Box::new(source) })?;
    Ok(cases.case)
}

/// Writes one file.
pub fn write_cases(path: &Path, cases: &[Case]) -> Result<(), CorpusError> {
    let text: Vec<String> = cases.iter().map(to_toml).collect();
    std::fs::write(path, text.join("\n")).map_err(|source| CorpusError::File { path: path.into(), source })
}

fn to_toml(case: &Case) -> String {
    let mut text = String::new();
    let mut line = |content: String| {
        let _ = writeln!(text, "{content}");
    };
    line("[[case]]".into());
    line(format!("name = {:?}", case.name));
    line(format!("about = {:?}", case.about));
    line(format!("connectivity = {:?}", case.connectivity));
    line(format!("map = \"\"\"\n{}\n\"\"\"", case.map.trim_end()));
    line("units = [".into());
    for unit in &case.units {
        let task = match (&unit.goal, &unit.goals, &unit.patrol) {
            (Some(goal), ..) => format!("goal = {goal:?}"),
            (_, Some(goals), _) => format!("goals = {goals:?}"),
            (.., patrol) => {
                let rounds = unit.rounds.map_or(String::new(), |r| format!(", rounds = {r}"));
                format!("patrol = {:?}{rounds}", patrol.unwrap_or_default())
            }
        };
        line(format!("  {{ start = {:?}, {task} }},", unit.start));
    }
    line("]".into());
    for (moves, expected) in [(4, case.expected.four), (8, case.expected.eight)] {
        if let Some(expected) = expected {
            line(format!("expected.{moves} = {}", inline(&expected)));
        }
    }
    text
}

fn inline(expected: &Expected) -> String {
    let Expected { feasible, soc, makespan, soc_lb, makespan_lb } = *expected;
    let numbers = [("soc", soc), ("makespan", makespan), ("soc_lb", soc_lb), ("makespan_lb", makespan_lb)];
    let known = numbers.into_iter().filter_map(|(name, n)| Some(format!(", {name} = {}", n?)));
    format!("{{ feasible = {feasible}{} }}", known.collect::<String>())
}
