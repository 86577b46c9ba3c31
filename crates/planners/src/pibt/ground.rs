//! The map as units of one cell walk it, one step a tick.

use super::corridors::Corridors;
use throng_core::{Action, Cell, CellId, Dir, Grid, Rules};
use throng_search::OpenCells;

/// The open cells.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) cells: OpenCells,
    pub(super) corridors: Corridors,
}

impl Ground {
    pub(crate) fn new(grid: &Grid, rules: Rules) -> Self {
        let cells = OpenCells::new(grid, rules.connectivity);
        Self { corridors: Corridors::new(&cells), cells }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of a cell of the grid.
    #[inline]
    pub(crate) fn number(&self, id: CellId) -> u32 {
        self.cells.number(id)
    }

    /// The cells one step away.
    #[inline]
    pub(crate) fn beside(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let wall = self.cells.wall();
        self.cells.beside(at).iter().copied().filter(move |&cell| cell != wall)
    }

    /// The two cells that a diagonal passes between, if the step from `a` to `b` is one.
    #[inline]
    pub(crate) fn corners(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let beside = self.cells.beside(a);
        let dir = beside.get(4..)?.iter().position(|&cell| cell == b)?;
        // NE, SE, SW, NW pass between N and E, E and S, S and W, W and N.
        let sides = [(0, 1), (1, 2), (2, 3), (3, 0)][dir];
        Some((beside[sides.0], beside[sides.1]))
    }

    /// The move from one cell to one beside it.
    pub(crate) fn action(&self, from: u32, to: u32) -> Action {
        let dir = self.cells.beside(from).iter().position(|&cell| cell == to);
        dir.filter(|_| from != to).map_or(Action::Wait, |dir| Action::Go(Dir::ALL[dir]))
    }

    pub(crate) fn place(&self, cell: u32) -> Cell {
        self.cells.place(cell)
    }
}
