//! Throng moves many units through one world without jams or collisions.
//!
//! This is the crate to depend on. A [`Session`] runs a world tick by tick; [`solve`] answers one-shot
//! problems; a [`continuous::World`] does the same for bodies in continuous space, also those of a grid ([`space`]);
//! everything else is re-exported from the crates below.
//!
//! ```
//! use throng::{Options, Session, Setup};
//! use throng::core::{Agent, Cell, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
//!
//! // Two units want to pass each other in a corridor with one bay.
//! let grid = Grid::from_rows(&["@@.@@", "....."])?;
//! let agents = vec![
//!     Agent::new(0, Cell::new(0, 1), Task::Goal(Cell::new(4, 1))),
//!     Agent::new(1, Cell::new(4, 1), Task::Goal(Cell::new(0, 1))),
//! ];
//! let scenario = Scenario::new("corridor", grid, Rules::default(), agents)?;
//! let mut session = Session::new(Setup::new(scenario), &Options::planner("whca(window=8)"))?;
//! while !session.is_done() && session.state().tick < 100 {
//!     for event in session.tick(&Unlimited, &mut Unobserved) {
//!         println!("{event:?}");
//!     }
//! }
//! assert!(session.is_done());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod catalogue;
mod crowds;
mod delays;
pub mod errands;
mod error;
mod exploring;
mod field;
pub mod group;
mod group_orders;
mod groups;
mod knowing;
mod learned;
mod observers;
mod orders;
mod peers;
mod reach;
mod replanning;
mod rollout;
mod session;
mod snapshot;
mod solve;
pub mod space;
mod terrain;
mod way;
mod why;
mod yielding;

pub use bounds::LowerBounds;
pub use catalogue::{ParameterInfo, PlannerInfo, catalogue};
pub use error::Error;
pub use group_orders::GroupError;
pub use observers::Observers;
pub use orders::{NewUnit, OrderError, UnitId};
pub use reach::{NoWay, Unreachable};
pub use session::{Options, Session};
pub use solve::{Solution, solve, solve_from};
pub use terrain::unreachable;
pub use throng_core::Setup;
pub use why::{Chain, History, Period};

pub use throng_check as check;
pub use throng_continuous as continuous;
pub use throng_core as core;
pub use throng_formats as formats;
pub use throng_planners as planners;
pub use throng_search as search;
pub use throng_sim as sim;
pub use throng_worlds as worlds;

/// The pages whose examples are run as they stand.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/roguelike.md")]
    mod roguelike {}
}
