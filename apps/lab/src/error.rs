//! Why an experiment did not run.

use crate::registry;
use std::io;
use std::path::PathBuf;
use throng::core::{GridError, ScenarioError};
use throng::formats::FormatError;
use throng::worlds::generate::GenerateError;
use throng::worlds::{UnitsError, UnknownBuiltin};

/// Why an experiment did not run. Claims that do not hold are results, not errors.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LabError {
    #[error("no experiment {name:?}: there are {}", registry::names())]
    Unknown { name: String },
    #[error("nothing can be learned for {planner:?}: expected explore")]
    NothingToLearn { planner: String },
    #[error("{text:?} is no shard: expected I/N with I from 1 to N, for example 1/4")]
    BadShard { text: String },
    #[error("no scripts for {text:?}: there are those for slurm and hq")]
    NoCluster { text: String },
    #[error("{}: cannot read it: {why}", path.display())]
    Read { path: PathBuf, why: io::Error },
    #[error("{}: no map there: expected files NAME.map", path.display())]
    NoMaps { path: PathBuf },
    #[error("{}: cannot write it: {why}", path.display())]
    Write { path: PathBuf, why: io::Error },
    #[error("{}: {why}", path.display())]
    Format { path: PathBuf, why: Box<FormatError> },
    #[error("{}, line {line}: {why}", path.display())]
    Weights { path: PathBuf, line: usize, why: String },
    #[error("{}, line {line}: not a row of this experiment: {why}", path.display())]
    BadRow { path: PathBuf, line: usize, why: String },
    #[error("{}: the row of {key} is not one of this experiment: {why}", path.display())]
    Shape { path: PathBuf, key: String, why: String },
    #[error("{}: its rows come from {what}", path.display())]
    Foreign { path: PathBuf, what: &'static str },
    #[error("{}: its row of {key} says something else than another one that is there", path.display())]
    Differs { path: PathBuf, key: String },
    #[error("{}: another run is writing to it", path.display())]
    Busy { path: PathBuf },
    #[error("the settings of {experiment} are wrong: {why}")]
    Settings { experiment: &'static str, why: String },
    #[error("world {world:?}: {why}")]
    Units { world: String, why: UnitsError },
    #[error("{}: cannot draw it: {why}", path.display())]
    Draw { path: PathBuf, why: String },
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Builtin(#[from] UnknownBuiltin),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Engine(#[from] throng::Error),
}

impl LabError {
    /// What a person can do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } => Some("`throng lab list` tells what each of them is about"),
            Self::Foreign { .. } | Self::Shape { .. } => {
                Some("choose another folder with --out, or delete this one to begin anew")
            }
            // It says what all rows are rows of.
            Self::BadRow { line: 1, .. } => Some("delete that file to begin anew"),
            Self::BadRow { .. } => Some("remove that line to run its case again, or delete the folder"),
            Self::Differs { .. } => Some("one of them is damaged: run that case again from an empty folder"),
            Self::Busy { .. } => Some("choose another --out, or share the work with --shard I/N"),
            _ => None,
        }
    }
}
