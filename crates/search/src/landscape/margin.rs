//! The room that is kept from walls.

use super::Hill;
use throng_core::{Cell, CellId, Grid, Seen};

/// A height for every cell, by how far the nearest wall is: that of a hill whose middle is there. Many walls behind each other repel
/// no more than the first of them.
#[derive(Clone, Debug)]
pub struct Margin {
    hill: Hill,
    walls: Seen,
    heights: Vec<i32>,
}

impl Margin {
    /// Without any walls. Heights are those of `hill`, whose peak is not below zero.
    #[must_use]
    pub fn new(grid: &Grid, hill: Hill) -> Self {
        let hill = Hill { peak: hill.peak.max(0), ..hill };
        Self { hill, walls: Seen::none(grid.len()), heights: vec![0; grid.len()] }
    }

    /// How strongly walls repel here.
    #[must_use]
    pub fn height(&self, id: CellId) -> i32 {
        self.heights[id.index()]
    }

    /// A cell is a wall from now on, or is none any more.
    pub fn set(&mut self, grid: &Grid, id: CellId, wall: bool) {
        if self.walls.contains(id) == wall {
            return;
        }
        if wall {
            self.walls.insert(id);
        } else {
            self.walls.remove(id);
        }
        let middle = grid.cell(id);
        for (dx, dy, near) in self.around(grid, middle) {
            let height = self.hill.height(dx, dy);
            if wall {
                let here = &mut self.heights[near.index()];
                *here = height.max(*here);
            } else if height > 0 && self.heights[near.index()] == height {
                // It may have been the nearest wall of this cell.
                let others = self.around(grid, grid.cell(near));
                let others = others.filter(|(.., other)| self.walls.contains(*other));
                let highest = others.map(|(dx, dy, _)| self.hill.height(dx, dy)).max();
                self.heights[near.index()] = highest.unwrap_or(0);
            }
        }
    }

    /// The cells that a hill may reach, and how far they are from its middle.
    fn around<'a>(&self, grid: &'a Grid, middle: Cell) -> impl Iterator<Item = (i32, i32, CellId)> + use<'a> {
        let reach = self.hill.radius.clamp(1, Hill::MAX_RADIUS) as i32 - 1;
        let square = (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| (dx, dy)));
        square.filter_map(move |(dx, dy)| Some((dx, dy, grid.id(Cell::new(middle.x + dx, middle.y + dy))?)))
    }
}
