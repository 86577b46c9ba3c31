//! What Silver's article on cooperative pathfinding promises. It has no tables, so its sentences are the claims.

mod crowd;
mod figures;
mod heuristic;
mod interleave;

pub(crate) use crowd::Crowd;
pub(crate) use heuristic::Heuristic;
pub(crate) use interleave::Interleave;

/// Whose claims these are.
const SOURCE: &str = "Silver, Cooperative Pathfinding (2005)";
