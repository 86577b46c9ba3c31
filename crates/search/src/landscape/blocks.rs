//! What is unknown draws: blocks of cells, each a hill as long as most of it is unknown.

use super::{Hill, Hills};
use throng_core::{Cell, CellId, Grid};

/// The map in square blocks. A block is unknown as long as at least half of its cells are; then a hill stands in its
/// middle.
#[derive(Clone, Debug)]
pub struct Blocks {
    side: usize,
    columns: usize,
    /// By block: unknown cells, and cells.
    unknown: Vec<(u32, u32)>,
    hills: Hills,
}

impl Blocks {
    /// All of the map is unknown, in blocks of `side` cells (at least 1).
    #[must_use]
    pub fn new(grid: &Grid, side: usize, hill: Hill) -> Self {
        let side = side.max(1);
        let (columns, rows) = (grid.width().div_ceil(side), grid.height().div_ceil(side));
        let middles = |count: usize| (0..count).map(|k| (k * side + side / 2) as i32).collect::<Vec<_>>();
        let mut blocks = Self {
            side,
            columns,
            unknown: Vec::with_capacity(columns * rows),
            hills: Hills::at_crossings(grid, hill, &middles(columns), &middles(rows)),
        };
        for block in 0..columns * rows {
            let (x, y) = (block % columns * side, block / columns * side);
            let cells = ((grid.width() - x).min(side) * (grid.height() - y).min(side)) as u32;
            blocks.unknown.push((cells, cells));
        }
        blocks
    }

    /// A cell is known from now on. To be told once of each.
    pub fn reveal(&mut self, grid: &Grid, cell: Cell) {
        self.count_again(grid, cell, |unknown, _| unknown.saturating_sub(1));
    }

    /// A cell has been forgotten. To be told once of each that was known.
    pub fn conceal(&mut self, grid: &Grid, cell: Cell) {
        self.count_again(grid, cell, |unknown, cells| (unknown + 1).min(cells));
    }

    /// Counts the unknown cells of a block anew, and puts its hill up or takes it away.
    fn count_again(&mut self, grid: &Grid, cell: Cell, count: impl Fn(u32, u32) -> u32) {
        if !grid.contains(cell) {
            return;
        }
        let block = cell.y as usize / self.side * self.columns + cell.x as usize / self.side;
        let (unknown, cells) = &mut self.unknown[block];
        let before = 2 * *unknown >= *cells;
        *unknown = count(*unknown, *cells);
        let after = 2 * *unknown >= *cells;
        if before != after {
            self.hills.add(grid, self.middle(block), if after { 1 } else { -1 });
        }
    }

    /// How strongly the unknown draws at a cell.
    #[must_use]
    pub fn height(&self, id: CellId) -> i32 {
        self.hills.height(id)
    }

    /// Blocks that are unknown still.
    #[must_use]
    pub fn count(&self) -> usize {
        self.unknown.iter().filter(|(unknown, cells)| 2 * unknown >= *cells).count()
    }

    fn middle(&self, block: usize) -> Cell {
        let at = |index: usize| (index * self.side + self.side / 2) as i32;
        Cell::new(at(block % self.columns), at(block / self.columns))
    }
}
