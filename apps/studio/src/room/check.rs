//! Whether a draft can run, by who would run it.

use super::draft::Draft;
use super::shapes;
use crate::Refusal;
use throng::core::{ScenarioError, Setup};
use throng::formats::FormatError;
use throng::formats::scenario::{self, Faults, Lines};
use throng::planners::registry::{self, Context};
use throng::{Error, Options, Session, unreachable};

/// So many errors are told one by one.
const MOST: usize = 20;

/// What came of it.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The scenario, if it is one.
    pub(crate) setup: Option<Setup>,
    /// What keeps it from running: all of it, those aside that are too many.
    pub(crate) errors: Vec<Refusal>,
}

impl Checked {
    pub(crate) fn of(draft: &Draft) -> Self {
        let (setup, mut errors) = look(draft);
        if errors.len() > MOST {
            let more = errors.len() - MOST;
            errors.truncate(MOST);
            errors.push(Refusal::new(format!("and {more} more")));
        }
        Self { setup, errors }
    }
}

fn look(draft: &Draft) -> (Option<Setup>, Vec<Refusal>) {
    let text = draft.text();
    let (setup, lines) = match scenario::parse_all(&text, &mut scenario::no_files) {
        Ok(read) => read,
        Err(Faults { first: FormatError::Toml { .. }, .. }) => return (None, of_shapes(&text)),
        Err(faults) => return (None, told(faults).collect()),
    };
    if setup.scenario.agents().is_empty() {
        return (Some(setup), vec![Refusal::new("there are no units yet")]);
    }
    let options = Options { seed: draft.settings.seed, ..Options::default() };
    let errors = match Session::new(setup.clone(), &options) {
        Ok(_) => Vec::new(),
        Err(why) => {
            let goals = unreachable(&setup.scenario).into_iter().map(|why| {
                let line = lines.units.get(why.agent.index()).copied();
                Refusal::at(line, why)
            });
            of_planners(&setup, &lines, &why).into_iter().chain(goals).collect()
        }
    };
    (Some(setup), errors)
}

fn told(faults: Faults) -> impl Iterator<Item = Refusal> {
    std::iter::once(faults.first).chain(faults.others).map(Refusal::from)
}

/// Of a text that is not of the format: what is wrong with each unit, event and source, and what with all others if those are
/// left out that cannot be read.
fn of_shapes(text: &str) -> Vec<Refusal> {
    let mended = shapes::mend(text);
    let mut errors: Vec<Refusal> = mended.faults.into_iter().map(Refusal::from).collect();
    let stands_in = |unit: throng::core::AgentId| mended.units.contains(&unit.index());
    let is_own = |why: &FormatError| match why {
        FormatError::Scenario { why: ScenarioError::SharedStart { first, agent, .. }, .. } => {
            !stands_in(*first) && !stands_in(*agent)
        }
        FormatError::Scenario { why, .. } => !why.agent().is_some_and(stands_in),
        _ => true,
    };
    if let Err(Faults { first, others }) = scenario::parse_all(&mended.text, &mut scenario::no_files) {
        errors.extend(std::iter::once(first).chain(others).filter(is_own).map(Refusal::from));
    }
    errors.sort_by_key(|why| why.line);
    errors
}

/// What is wrong with who plans; nothing if it is the goals that are.
fn of_planners(setup: &Setup, lines: &Lines, why: &Error) -> Vec<Refusal> {
    match why {
        Error::Unreachable(_) => Vec::new(),
        Error::Unsupported { planner, .. } | Error::OneShotShared { planner, .. } => {
            vec![Refusal::at(lines.of_planner(setup, planner), why)]
        }
        Error::Spec(_) => {
            let mut specs: Vec<&String> =
                setup.planner.iter().chain(setup.unit_planners.iter().map(|(_, spec)| spec)).collect();
            specs.sort();
            specs.dedup();
            let wrong = |spec: &String| {
                let why = registry::fits(spec, &setup.scenario, &Context::default()).err()?;
                Some(Refusal::at(lines.of_planner(setup, spec), why))
            };
            let mut wrong: Vec<Refusal> = specs.into_iter().filter_map(wrong).collect();
            wrong.sort_by_key(|why| why.line);
            if wrong.is_empty() { vec![Refusal::new(why.to_string())] } else { wrong }
        }
        why => vec![Refusal::new(why.to_string())],
    }
}
