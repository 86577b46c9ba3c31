//! The list. A new experiment is one more entry.

use crate::astengo::{Delays, Flocks};
use crate::budget::Budgets;
use crate::changing::Dynamic;
use crate::guidance::Guidance;
use crate::jansen::{Abstraction, Coherence, Lifelong, Map, Patrols, Weight, Windows};
use crate::lateness::Lateness;
use crate::mapf::Benchmark;
use crate::npc::{Better, Expeditions, Goal, Whole};
use crate::silver::{Crowd, Heuristic, Interleave};
use crate::space::Continuous;
use crate::sturtevant::{Beyond, Crossing, First, Levels, Memory, Quality, Refining, Steady};
use crate::{Experiment, LabError, Outcome, Request, Watch, conduct, gather};
use std::path::PathBuf;

/// An experiment by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What people type.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whose claims it judges.
    pub source: &'static str,
    run: fn(&Request, &dyn Watch) -> Result<Outcome, LabError>,
    gather: fn(&Request, &[PathBuf], &dyn Watch) -> Result<Outcome, LabError>,
}

const ALL: &[Entry] = &[
    entry::<Heuristic>(),
    entry::<Interleave>(),
    entry::<Crowd>(),
    entry::<Budgets>(),
    entry::<Levels>(),
    entry::<Refining>(),
    entry::<Crossing<Memory>>(),
    entry::<Crossing<First>>(),
    entry::<Crossing<Steady>>(),
    entry::<Crossing<Quality>>(),
    entry::<Beyond>(),
    entry::<Patrols<Weight>>(),
    entry::<Patrols<Map>>(),
    entry::<Patrols<Windows>>(),
    entry::<Patrols<Coherence>>(),
    entry::<Patrols<Abstraction>>(),
    entry::<Lifelong>(),
    entry::<Guidance>(),
    entry::<Lateness>(),
    entry::<Delays>(),
    entry::<Flocks>(),
    entry::<Continuous>(),
    entry::<Dynamic>(),
    entry::<Expeditions<Whole>>(),
    entry::<Expeditions<Goal>>(),
    entry::<Expeditions<Better>>(),
    entry::<Benchmark>(),
];

const fn entry<E: Experiment>() -> Entry {
    Entry { name: E::NAME, about: E::ABOUT, source: E::SOURCE, run: conduct::<E>, gather: gather::<E> }
}

/// All experiments.
#[must_use]
pub const fn all() -> &'static [Entry] {
    ALL
}

/// The experiment of this name.
pub fn find(name: &str) -> Result<Entry, LabError> {
    let unknown = || LabError::Unknown { name: name.to_owned() };
    ALL.iter().find(|entry| entry.name == name).copied().ok_or_else(unknown)
}

/// Runs an experiment by name, as far as it was not run before.
pub fn run(name: &str, request: &Request, watch: &dyn Watch) -> Result<Outcome, LabError> {
    (find(name)?.run)(request, watch)
}

/// Puts the rows of an experiment together that were made elsewhere, and concludes if none is missing. Runs nothing.
pub fn merge(
    name: &str,
    request: &Request,
    folders: &[PathBuf],
    watch: &dyn Watch,
) -> Result<Outcome, LabError> {
    (find(name)?.gather)(request, folders, watch)
}

pub(crate) fn names() -> String {
    ALL.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}
