//! Two units in each other's way.

use crate::{AgentId, Cell, Tick};
use core::fmt;

/// How two units conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ConflictKind {
    /// Graph rules: both in one cell at the same tick.
    SameCell,
    /// Graph rules: they exchange their cells.
    Swap,
    /// Graph rules: diagonals with the same midpoint.
    Crossing,
    /// Footprint rule: what they cover intersects.
    Overlap,
}

/// A conflict with everything that a person needs to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflict {
    /// How.
    pub kind: ConflictKind,
    /// Who, the lower number first.
    pub agents: [AgentId; 2],
    /// When: the first tick at which both are in the way. For moves it is the tick at which they
    /// begin, for [`ConflictKind::SameCell`] the tick at which both stand there.
    pub tick: Tick,
    /// Where. For [`ConflictKind::SameCell`] and [`ConflictKind::Overlap`] twice the shared cell, otherwise the cell that
    /// each agent comes from.
    pub cells: [Cell; 2],
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, agents: [a, b], tick, cells: [p, q] } = self;
        match kind {
            ConflictKind::SameCell => write!(f, "tick {tick}: agents {a} and {b} are both in {p}"),
            ConflictKind::Swap => write!(f, "tick {tick}: agents {a} and {b} swap {p} and {q}"),
            ConflictKind::Crossing => {
                write!(f, "tick {tick}: agents {a} from {p} and {b} from {q} cross on diagonals")
            }
            ConflictKind::Overlap => write!(f, "tick {tick}: agents {a} and {b} both cover {p}"),
        }
    }
}
