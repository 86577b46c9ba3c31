//! The words and the contracts of Throng.
//!
//! Everything that crates exchange is defined here: the [`Grid`] and its [`Cell`]s, the [`Rules`] of
//! motion and conflict, [`Agent`]s with their [`Task`]s, the validated [`Scenario`], [`Plan`]s and
//! [`Trace`]s, and the two contracts [`Planner`] and [`Controller`] that planners and simulation
//! meet at. There is no I/O here, no threads, no clock and no planner.

mod action;
mod agent;
mod cell;
mod changing;
mod conflict;
mod contract;
mod delay;
mod directions;
mod errand;
mod event;
mod explain;
mod faults;
mod flock;
mod footprint;
mod grid;
mod hash;
mod motion;
mod plan;
mod random;
mod regions;
mod rules;
mod scenario;
mod setup;
mod sight;
mod sighting;
mod source;
pub mod space;
mod state;
mod stream;
mod support;
mod terrain;
mod trace;
#[cfg(feature = "serde")]
mod wire;

pub use action::{Action, Bend, MAX_RADIUS};
pub use agent::{Agent, AgentId, Task, Waypoints};
pub use cell::{Cell, CellId, Dir};
pub use changing::{TerrainChange, TerrainEvent};
pub use conflict::{Conflict, ConflictKind};
pub use contract::{
    Budget, Change, Controller, Expansions, Field, Observer, Outcome, Planner, Reason, Rest, SearchKind,
    Share, SnapshotError, Unlimited, Unobserved, View,
};
pub use delay::{Delay, Delays};
pub use directions::{DirectionVector, Directions, DirectionsError};
pub use errand::{Errand, ErrandId, ErrandNote, Errands, Fate, Job, News};
pub use event::Event;
pub use explain::{Cause, Explanation};
pub use flock::{Flock, Member};
pub use footprint::Footprint;
pub use grid::{Grid, GridError, MAX_CELLS};
pub use hash::StateHash;
pub use motion::{Actions, Motion};
pub use plan::{Path, Plan};
pub use random::{Draw, Random, stream};
pub use regions::{Regions, neighbours};
pub use rules::{Connectivity, Rules, Timing};
pub use scenario::{Scenario, ScenarioError};
pub use setup::Setup;
pub use sight::{Seen, Sight};
pub use sighting::Sighting;
pub use source::Source;
pub use state::{State, Tick, Unit, reached};
pub use stream::{Brings, Places, StopFault, StopsOf, Stream, Supply};
pub use support::{Guarantee, Need, Support};
pub use terrain::TerrainPolicy;
pub use trace::{Deed, Trace};
