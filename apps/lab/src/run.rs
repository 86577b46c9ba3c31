//! Runs the cases that have no row yet, and concludes once all have one.

use crate::journal::{Header, Journal, Line};
use crate::{Case, Experiment, LabError, Outcome, Request, Watch, probe, report};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Runs an experiment as far as it was not run before. Cases run beside each other on all cores.
pub fn conduct<E: Experiment>(request: &Request, watch: &dyn Watch) -> Result<Outcome, LabError> {
    let experiment = E::open(request, watch)?;
    let (folder, header) = prepare(request, &experiment)?;
    let mut journal = Journal::open(&folder, request.shard, &header, watch)?;

    let cases = experiment.cases();
    let mut known = std::mem::take(&mut journal.known);
    let mine = |place: usize| request.shard.is_none_or(|shard| shard.holds(place));
    let todo: Vec<_> = cases
        .iter()
        .enumerate()
        .filter(|(place, case)| mine(*place) && !known.contains_key(&case.key))
        .collect();
    let wanted = (0..cases.len()).filter(|&place| mine(place)).count();
    watch.begin(wanted, wanted - todo.len());
    let fresh = Mutex::new(BTreeMap::new());
    todo.par_iter().try_for_each(|(_, case)| {
        let line = measure(&experiment, case)?;
        journal.append(&line)?;
        watch.finished(&case.key);
        fresh.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(line.key.clone(), line);
        Ok::<(), LabError>(())
    })?;
    known.extend(fresh.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));

    finish(&experiment, &folder, request.shard.is_none(), known)
}

/// Puts rows together that shards have left in other folders, and concludes if none is missing. Runs nothing. Rows for one case
/// from two places have to say the same.
pub fn gather<E: Experiment>(
    request: &Request,
    folders: &[PathBuf],
    watch: &dyn Watch,
) -> Result<Outcome, LabError> {
    let experiment = E::open(request, watch)?;
    let (folder, header) = prepare(request, &experiment)?;
    let mut journal = Journal::open(&folder, None, &header, watch)?;
    for from in folders {
        journal.take_in(&from.join(E::NAME), &header)?;
    }
    let known = std::mem::take(&mut journal.known);
    finish(&experiment, &folder, true, known)
}

/// The folder of an experiment, made if need be, and what all rows in it are rows of.
fn prepare<E: Experiment>(request: &Request, experiment: &E) -> Result<(PathBuf, Header), LabError> {
    let header = Header {
        experiment: E::NAME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: experiment.settings(),
        engine: probe::fingerprint(&experiment.planners())?,
        quick: request.quick,
    };
    let folder = request.out.join(E::NAME);
    fs::create_dir_all(&folder).map_err(|why| LabError::Write { path: folder.clone(), why })?;
    Ok((folder, header))
}

/// The rows in the order of the cases, and what they say if that is asked for and none is missing.
fn finish<E: Experiment>(
    experiment: &E,
    folder: &Path,
    whole: bool,
    mut known: BTreeMap<String, Line>,
) -> Result<Outcome, LabError> {
    let cases = experiment.cases();
    let missing = cases.iter().filter(|case| !known.contains_key(&case.key)).map(|case| case.key.clone());
    let missing: Vec<String> = missing.collect();
    let lines: Vec<Line> = cases.iter().filter_map(|case| known.remove(&case.key)).collect();
    let mut outcome = Outcome::new(E::NAME, cases.len(), lines);
    outcome.missing = missing;
    if whole && outcome.is_complete() {
        conclude(experiment, folder, &mut outcome)?;
    }
    Ok(outcome)
}

fn measure<E: Experiment>(experiment: &E, case: &Case<E::Case>) -> Result<Line, LabError> {
    let begin = Instant::now();
    let row = experiment.run(&case.what)?;
    let ms = begin.elapsed().as_micros() as f64 / 1000.0;
    let row = serde_json::to_value(row).expect("numbers, strings and lists always have a JSON form");
    Ok(Line { key: case.key.clone(), ms, row })
}

/// Reads the rows back, so that what is concluded depends on what is on disk and on nothing else.
fn conclude<E: Experiment>(experiment: &E, folder: &Path, outcome: &mut Outcome) -> Result<(), LabError> {
    let row = |line: &Line| {
        serde_json::from_value::<E::Row>(line.row.clone()).map_err(|why| LabError::Shape {
            path: folder.to_owned(),
            key: line.key.clone(),
            why: why.to_string(),
        })
    };
    let rows = outcome.lines.iter().map(row).collect::<Result<Vec<_>, _>>()?;
    report::write(folder, E::ABOUT, E::SOURCE, outcome, experiment.conclude(&rows))
}
