//! What Jansen and Sturtevant's article on direction maps promises: its figures 5, 6 and 8 and its three tables; and
//! what it leaves for later, traffic that never ends.

mod figures;
mod lifelong;
mod patrols;
mod sums;

pub(crate) use figures::{Abstraction, Coherence, Map, Weight, Windows};
pub(crate) use lifelong::Lifelong;
pub(crate) use patrols::Patrols;

/// Whose claims these are.
const SOURCE: &str = "Jansen and Sturtevant, Direction Maps for Cooperative Pathfinding (2008)";
