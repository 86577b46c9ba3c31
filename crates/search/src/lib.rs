//! The searches that planners are made of.
//!
//! Everything here works on any [`Graph`] with a dense index; [`GridGraph`] is the fast, usual case, [`GaitGraph`]
//! and [`CarGraph`] are for units whose next move depends on their last.
//!
//! * [`BucketQueue`]: the open list, for integer keys that never fall.
//! * [`AStar`]: A* and Dijkstra on dense arrays that are stamped instead of cleared.
//! * [`TrueDistance`]: the backwards search that can be resumed, and [`DistanceFields`], which shares
//!   such searches between units with one goal and bounds their memory.
//! * [`Nearness`]: the same for who only asks which steps lead nearer, on [`OpenCells`]: two bits a cell.
//! * [`DStarLite`]: the way of one unit, repaired when edges change.
//! * [`reservations`]: who will be where, when.
//! * [`SpaceTime`]: A* in space and time around the reservations of others, a window deep.
//! * [`IntervalSearch`]: the same without a horizon, from one free interval of a node to the next.
//! * [`abstraction`]: the map in ever coarser levels.
//! * [`Crossings`]: where roads meet.
//! * [`directions`]: how units have moved through each cell, learned, and what it costs to go against it.
//! * [`landscape`]: fields that many units walk down: steps to targets, draw, repulsion.
//! * [`vision`]: which cells a unit sees.

pub mod abstraction;
mod astar;
mod crossings;
pub mod directions;
mod distance;
mod dstar;
mod effort;
mod fields;
mod graph;
mod heuristic;
mod intervals;
pub mod landscape;
mod nearness;
mod open_cells;
mod queue;
pub mod reservations;
mod spacetime;
pub mod vision;
mod workers;

pub use astar::{AStar, SavedAStar};
pub use crossings::Crossings;
pub use distance::{Past, TrueDistance};
pub use dstar::{DStarLite, WayFound};
pub use fields::{DistanceFields, FieldKey, MOST_CHANGES, SavedField};
pub use graph::{CarGraph, CarShape, Edge, GaitGraph, Graph, GridGraph};
pub use heuristic::{Estimate, Heuristic};
pub use intervals::{IntervalSearch, Trip};
pub use nearness::{Allowance, Nearness, NearnessPast};
pub use open_cells::{NOWHERE, OpenCells};
pub use queue::BucketQueue;
pub use spacetime::{Ending, Found, Ground, Query, SavedSearch, SpaceTime, Step};
pub use workers::Workers;
