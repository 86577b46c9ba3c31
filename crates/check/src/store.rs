//! What a scenario has in store, held against the changes that a trace tells of.

use crate::{Judge, Violation};
use throng_core::{Cell, TerrainChange, TerrainEvent, Tick, Trace};

/// Whether terrain may change otherwise than the scenario has it in store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByHand {
    Allowed,
    Refused,
}

/// What has to happen yet.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// Cells that are to close as soon as nobody is on them.
    waiting: Vec<Cell>,
}

impl Store {
    /// Changes the terrain as the trace says, and finds what the scenario had in store for this tick and did not happen.
    /// Whatever is done by hand is done before that.
    pub(crate) fn happen(
        &mut self,
        judge: &mut Judge<'_>,
        due: &[TerrainEvent],
        trace: &Trace,
        tick: Tick,
        by_hand: ByHand,
    ) {
        let told = trace.changes_at(tick);
        let mut opens: Vec<Cell> = Vec::new();
        for TerrainEvent { close, open, .. } in due {
            self.waiting.retain(|cell| !open.contains(cell));
            opens.extend(open);
            self.waiting.extend(close);
        }
        for &change in told {
            let in_store = if change.open { &opens } else { &self.waiting };
            if by_hand == ByHand::Refused && !in_store.contains(&change.cell) {
                let TerrainChange { cell, open, .. } = change;
                judge.found(Violation::NotInStore { tick, cell, open });
            }
            judge.change(change);
        }
        // To open a cell by hand calls off its closing, unless that came only afterwards.
        let called_off = |cell: &Cell| told.iter().any(|change| change.open && change.cell == *cell);
        self.waiting.retain(|cell| {
            judge.is_open(*cell) && (!called_off(cell) || due.iter().any(|event| event.close.contains(cell)))
        });
        opens.retain(|cell| !self.waiting.contains(cell) && !judge.is_open(*cell));
        // Whoever opened a cell and closed it at once did both, of which the last is left to see.
        opens.retain(|cell| !due.iter().any(|event| event.close.contains(cell)));
        for cell in opens {
            judge.found(Violation::Missed { tick, cell, open: true });
            judge.change(TerrainChange { tick, cell, open: true });
        }
        for cell in core::mem::take(&mut self.waiting) {
            if judge.is_covered(cell) {
                self.waiting.push(cell);
            } else if judge.is_open(cell) {
                judge.found(Violation::Missed { tick, cell, open: false });
                judge.change(TerrainChange { tick, cell, open: false });
            }
        }
    }
}
