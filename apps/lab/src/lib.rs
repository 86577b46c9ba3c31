//! Experiments: what the sources of Throng claim, measured.
//!
//! An [`Experiment`] is a list of cases, each an independent piece of work with a key; a row of counts for each;
//! and what all rows together say: tables, plots and a verdict on every claim. [`run`] does the cases that a
//! folder has no row for yet and keeps each row as soon as it is there, so a run that was killed goes on where it
//! was, and several processes can share the work ([`Shard`]).
//!
//! Worlds move through [`throng::Session`] and [`throng::solve`] only, as for everybody else.

mod astengo;
mod atlas;
mod budget;
mod changing;
mod claim;
mod cluster;
mod deadline;
mod error;
mod experiment;
mod files;
mod guidance;
mod jansen;
mod journal;
mod lateness;
mod mapf;
mod mixed;
mod npc;
mod observers;
mod outcome;
mod plot;
mod probe;
mod registry;
mod report;
mod run;
mod settings;
mod shard;
mod silver;
mod space;
mod stats;
mod sturtevant;
mod table;
mod trial;
mod weights;

pub use claim::Claim;
pub use cluster::{Cluster, script};
pub use deadline::Deadline;
pub use error::LabError;
pub use experiment::{Case, Conclusion, Experiment, Request, Silent, Watch};
pub use npc::{Learned, Tried, learn};
pub use outcome::Outcome;
pub use plot::{Arrow, Arrows, Boxes, Heat, Lines, Plot, Series};
pub use registry::{Entry, all, find, merge, run};
pub use run::{conduct, gather};
pub use shard::Shard;
pub use table::Table;
pub use weights::expand;
