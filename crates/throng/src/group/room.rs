//! Which cells are still free to rest on.

use throng_core::{Cell, CellId, Dir, Grid};

/// Cells that bodies have been given, and those that nobody may be given.
pub(super) struct Room<'a, F> {
    grid: &'a Grid,
    taken: Vec<bool>,
    excluded: F,
}

impl<'a, F: Fn(Cell) -> bool> Room<'a, F> {
    pub(super) fn new(grid: &'a Grid, excluded: F) -> Self {
        Self { grid, taken: vec![false; grid.len()], excluded }
    }

    /// Takes the place for a body with its smallest corner at `node`, where it must fit; answers whether all of it
    /// was free.
    pub(super) fn take(&mut self, node: u32, body: u8) -> bool {
        let free = cells(self.grid, node, body)
            .all(|id| !self.taken[id.index()] && !(self.excluded)(self.grid.cell(id)));
        if free {
            cells(self.grid, node, body).for_each(|id| self.taken[id.index()] = true);
        }
        free
    }
}

/// The cells of a body that fits at `node`, row by row.
pub(super) fn cells(grid: &Grid, node: u32, body: u8) -> impl Iterator<Item = CellId> + use<> {
    let (row, side) = (grid.offset(Dir::S) as u32, u32::from(body));
    (0..side).flat_map(move |y| (0..side).map(move |x| CellId(node + y * row + x)))
}
