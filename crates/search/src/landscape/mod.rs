//! A landscape that many units walk down: how far it is to the next target, what draws them, what keeps them apart.
//!
//! * [`Heat`]: steps to the nearest of any number of targets.
//! * [`Hills`]: a sum of hills that fall off evenly: the draw of unknown [`Blocks`], goals, resources, dangers, and the
//!   room that units keep between them.
//! * [`Margin`]: the room that is kept from walls.
//! * [`Frontier`]: where what has been seen ends.
//! * [`Slope`]: the way down over a weighted sum of them.
//! * [`flee`], [`kite`], [`auto_explore`], [`Suspicion`]: what roguelikes do with such maps.
//!
//! All are integers and can be changed in part; that gives exactly what making them anew gives.

mod blocks;
mod frontier;
mod heat;
mod hills;
mod margin;
mod recipes;
mod slope;
#[cfg(test)]
mod tests;

pub use blocks::Blocks;
pub use frontier::Frontier;
pub use heat::Heat;
pub use hills::{Hill, Hills};
pub use margin::Margin;
pub use recipes::{Descent, Suspicion, auto_explore, flee, kite};
pub use slope::{Slope, Weights};
