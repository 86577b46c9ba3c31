//! Tan, Ho, Tan and Koh, "Multi-Agents Pathfinding": units that see an unknown world, or look for something in it.

mod better;
mod document;
mod expedition;
mod learn;
mod least;
mod start;
mod sums;

pub(crate) use better::Better;
pub(crate) use document::{Goal, Whole};
pub(crate) use expedition::Expeditions;
pub use learn::{Learned, Tried, learn};

const SOURCE: &str = "Tan, Ho, Tan and Koh, Multi-Agents Pathfinding (2024)";
