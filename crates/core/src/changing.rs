//! Worlds that change: cells that close and open, as a scenario has it in store and as it happened.

use crate::{Cell, Tick};

/// Cells that close and open at a tick.
///
/// It happens before anybody decides in that tick. Nobody is ever walled in: a cell that a unit covers then, moves in progress
/// included, closes as soon as it is free, unless it is to open again before that.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainEvent {
    /// When.
    pub at: Tick,
    /// What closes.
    pub close: Vec<Cell>,
    /// What opens.
    pub open: Vec<Cell>,
}

/// A cell that has closed or opened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainChange {
    /// Before anything of this tick began.
    pub tick: Tick,
    /// Which cell.
    pub cell: Cell,
    /// Whether it is open now.
    pub open: bool,
}
