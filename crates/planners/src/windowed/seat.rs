//! What one unit has planned and reserved.

use throng_core::{CellId, Reason, Tick};
use throng_search::Step;

/// A unit's place in the cooperation.
#[derive(Clone, Debug, Default)]
pub(super) struct Seat {
    /// Its reserved steps without gaps, begun ones first; steps that are over are dropped.
    pub path: Vec<Step>,
    /// How many steps of `path` are over.
    pub done: usize,
    /// Where the path leads.
    pub goal: CellId,
    /// Whether this controller moves it.
    pub mine: bool,
    /// Whether its path came from a search; otherwise it stands and holds its cell.
    pub planned: bool,
    /// Since when it has held its cell for want of a path.
    pub held_since: Option<Tick>,
    /// Its goal cannot be reached at all.
    pub hopeless: Option<Reason>,
    /// Queued to plan in this tick.
    pub queued: bool,
}

impl Seat {
    /// Steps that are not over.
    pub(super) fn ahead(&self) -> &[Step] {
        &self.path[self.done..]
    }

    /// Until when it has a path.
    pub(super) fn end(&self) -> Option<Tick> {
        self.path.last().map(Step::end)
    }
}
