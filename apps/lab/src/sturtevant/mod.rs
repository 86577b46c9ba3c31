//! What Sturtevant and Buro's article on map abstraction promises.

mod beyond;
mod crossing;
mod figures;
mod levels;
mod refining;

pub(crate) use beyond::Beyond;
pub(crate) use crossing::Crossing;
pub(crate) use figures::{First, Memory, Quality, Steady};
pub(crate) use levels::Levels;
pub(crate) use refining::Refining;

/// Whose claims these are.
const SOURCE: &str = "Sturtevant and Buro, Improving Collaborative Pathfinding Using Map Abstraction (2006)";
