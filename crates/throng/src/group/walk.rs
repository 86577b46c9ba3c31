//! What a unit can walk to round those who stay.

use super::room::cells;
use super::spread::Spread;
use super::{Place, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, Grid, Rules};

/// What a unit can walk to round those who stay.
#[derive(Default)]
pub(crate) struct Walk(Spread);

impl Walk {
    /// Whether a unit can walk from one place to another without anybody moving who stands on `closed` cells, if
    /// `most` nodes show that, and how many it took. Afterwards [`Self::reaches`] knows what else it can walk to.
    pub(crate) fn is_open(
        &mut self,
        grid: &Grid,
        rules: Rules,
        (from, to): (Place, Cell),
        closed: impl Fn(Cell) -> bool,
        most: u64,
    ) -> (Option<bool>, u64) {
        let (Some(node), Some(aim)) = (from.node(grid), grid.id(to)) else { return (Some(false), 0) };
        let enter = |node| cells(grid, node, from.body).all(|id| !closed(grid.cell(id)));
        let (mut visited, mut whole) = (0, true);
        self.0.run(&ground(grid, rules, from.body), [node], enter, |known, _, level| {
            let more = visited + level.len() as u64;
            whole = more <= most;
            if known.distance(aim.0).is_some() || !whole {
                return ControlFlow::Break(());
            }
            visited = more;
            ControlFlow::Continue(())
        });
        let open = self.0.distance(aim.0).is_some();
        ((open || whole).then_some(open), visited)
    }

    /// Whether the unit of the last [`Self::is_open`] can walk to `cell`.
    pub(crate) fn reaches(&self, grid: &Grid, cell: Cell) -> bool {
        grid.id(cell).is_some_and(|id| self.0.distance(id.0).is_some())
    }
}
