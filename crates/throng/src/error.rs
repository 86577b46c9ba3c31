//! What can go wrong before anything runs.

use throng_core::{DirectionsError, Need, ScenarioError, SnapshotError};
use throng_formats::FormatError;
use throng_planners::registry::SpecError;

/// Why a session or a solution could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The planner's name or a parameter is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The planner cannot do what the scenario needs.
    #[error("planner {planner} does not support {need}, which this scenario needs (see `throng planners`)")]
    Unsupported {
        /// The planner.
        planner: String,
        /// What it lacks.
        need: Need,
    },
    /// A planner that plans for everybody at once was given some of the units.
    #[error("planner {planner} plans for everybody at once and cannot share a world with {other}")]
    OneShotShared {
        /// The planner.
        planner: String,
        /// The other one.
        other: String,
    },
    /// No planner was named.
    #[error("no planner: the scenario names none, so one must be given")]
    NoPlanner,
    /// A plan to begin with was given to a planner that makes its own.
    #[error("planner {planner} begins with no plan of others (`lns` does)")]
    NoUseForPlan {
        /// The planner.
        planner: String,
    },
    /// A plan for the whole time was asked for in a world that changes.
    #[error("cells of this world close and open as it runs, so that no plan can be made in advance")]
    Changing,
    /// The scenario does not allow what was asked.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A unit has a goal that it cannot get to.
    #[error(transparent)]
    Unreachable(#[from] crate::Unreachable),
    /// An errand that the scenario has in store cannot be done.
    #[error(transparent)]
    Errand(#[from] crate::errands::ErrandError),
    /// The direction map to begin with is for another map.
    #[error(transparent)]
    Directions(#[from] DirectionsError),
    /// An order was refused.
    #[error(transparent)]
    Order(crate::OrderError),
    /// A snapshot cannot be taken up.
    #[error("{}", told(.0))]
    Snapshot(#[from] SnapshotError),
    /// The scenario inside a snapshot cannot be read.
    #[error("the scenario in the snapshot: {0}")]
    Format(#[from] FormatError),
}

fn told(error: &SnapshotError) -> String {
    match error {
        SnapshotError::Unreadable(why) => {
            format!("this is no saved session of this version, or it is cut short or damaged: {why}")
        }
        SnapshotError::Mismatch(_) => error.to_string(),
    }
}
