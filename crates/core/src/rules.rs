//! The rules of motion and conflict that one scenario is played by.

/// How many neighbours a cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Connectivity {
    /// North, east, south, west.
    #[default]
    Four,
    /// The four diagonals too; a diagonal needs both straight neighbours passable.
    Eight,
}

impl Connectivity {
    /// The bits of [`Grid::exits`](crate::Grid::exits) that may be used.
    #[must_use]
    #[inline]
    pub const fn mask(self) -> u8 {
        match self {
            Self::Four => 0x0f,
            Self::Eight => 0xff,
        }
    }
}

/// How long a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Timing {
    /// Every move and every wait takes one tick; every period is 1. The rule of the MAPF benchmark.
    #[default]
    Uniform,
    /// A straight step takes `period` ticks, a diagonal round(period·√2), a wait one tick.
    Metric,
}

/// Connectivity, timing and what counts as a conflict.
///
/// Between two 1×1 bodies under uniform timing the graph rules hold: no two in one cell, no swap, no
/// crossing diagonals; following and rotating are legal. Everywhere else the footprint rule holds: a
/// mover occupies every cell of its source, target and sweep until it has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// Four or eight moves.
    pub connectivity: Connectivity,
    /// Uniform or metric.
    pub timing: Timing,
    /// Under uniform timing: hold both cells of a move for both ticks (the footprint rule for all).
    pub hold_both: bool,
    /// Under the footprint rule: a cell may be entered while its occupant leaves it with the same
    /// heading and arrives no later.
    pub follow: bool,
}

impl Rules {
    /// Whether two 1×1 bodies are judged by the graph rules.
    #[must_use]
    #[inline]
    pub const fn graph_rules(&self) -> bool {
        matches!(self.timing, Timing::Uniform) && !self.hold_both
    }
}
