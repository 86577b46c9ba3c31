//! The judge of continuous space: bodies and how they move in, violations out.
//!
//! Time goes in steps, and within a step every body moves in a straight line at one speed. A body that turns meanwhile
//! holds all that it covers at any angle on its way, for all of the step, just as a unit on a grid holds all cells of its move;
//! where nobody turns, this is exact. Doors close and open between two steps. So two bodies are judged by the exact time at which they are closest, and never by
//! samples: see [`closest`].

mod closest;
mod doors;
mod judge;
mod solid;
mod trace;

pub use closest::{Closest, closest};
pub use judge::{Mover, SpaceJudge, SpaceReport, SpaceViolation};
pub use solid::Solid;
pub use trace::{SpaceVerdict, check_space_trace};
