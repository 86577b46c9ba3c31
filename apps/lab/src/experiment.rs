//! What an experiment is.

use crate::{Claim, LabError, Plot, Shard, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// One document's question, as cases to run and claims to judge. To add an experiment, implement this and enter
/// it in `registry.rs`; parameters go to a TOML file below `experiments/`.
pub trait Experiment: Sized + Sync {
    /// What people type.
    const NAME: &'static str;
    /// Whose claims these are.
    const SOURCE: &'static str;
    /// One line for people.
    const ABOUT: &'static str;

    /// What one case is run with.
    type Case: Sync;
    /// What one case comes to: counts, and nothing that differs between two runs of it.
    type Row: Serialize + DeserializeOwned + Send;

    /// Reads settings and whatever files the request names.
    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError>;

    /// Everything that decides what the rows will be, other than the code.
    fn settings(&self) -> serde_json::Value;

    /// Every planner in use, so that rows of another version of them are told apart.
    fn planners(&self) -> Vec<String>;

    /// All cases. Their order is the order of the rows, and shards are dealt out by it.
    fn cases(&self) -> Vec<Case<Self::Case>>;

    /// Runs one case. The same case gives the same row, whatever ran before or beside it.
    fn run(&self, case: &Self::Case) -> Result<Self::Row, LabError>;

    /// What the rows of all cases say.
    fn conclude(&self, rows: &[Self::Row]) -> Conclusion;
}

/// A piece of work with the name that its row is kept under.
#[derive(Clone, Debug)]
pub struct Case<T> {
    /// Unlike that of any other case, and the same in every run.
    pub key: String,
    /// What to run.
    pub what: T,
}

/// What an experiment comes to.
#[derive(Clone, Debug, Default)]
pub struct Conclusion {
    /// As the document has them.
    pub tables: Vec<Table>,
    /// Pictures.
    pub plots: Vec<Plot>,
    /// Verdicts.
    pub claims: Vec<Claim>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Few cases, for a first look.
    pub quick: bool,
    /// A folder with the documents' own maps (`maps/NAME.map`).
    pub originals: Option<PathBuf>,
    /// A folder with benchmark maps and scenarios (`maps/NAME.map`, `scens/NAME-random-K.scen`).
    pub data: Option<PathBuf>,
    /// Which part of the cases.
    pub shard: Option<Shard>,
    /// Where a folder with the experiment's name is made.
    pub out: PathBuf,
}

/// Hears how far a run is.
pub trait Watch: Sync {
    /// Of `cases` cases, `done` have a row already.
    fn begin(&self, _cases: usize, _done: usize) {}
    /// One more has a row.
    fn finished(&self, _key: &str) {}
    /// Something to tell.
    fn note(&self, _text: &str) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {}
