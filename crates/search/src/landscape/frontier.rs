//! Where the known world ends.

use throng_core::{CellId, Dir, Grid, Seen};

/// The frontier: cells that have been seen, are open, and have a cell beside them that has not been seen.
///
/// Beside is one of four: where walls meet, what is behind the corner is never seen, and nobody need be sent to look.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    edge: Vec<bool>,
    count: usize,
}

impl Frontier {
    /// Of a world of which nothing has been seen.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        Self { edge: vec![false; grid.len()], count: 0 }
    }

    /// Whether a cell is part of it.
    #[must_use]
    #[inline]
    pub fn contains(&self, id: CellId) -> bool {
        self.edge[id.index()]
    }

    /// How many cells it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is nothing left to see for anybody who walks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Its cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let places = self.edge.iter().enumerate().filter(|(_, is)| **is);
        places.map(|(place, _)| CellId(place as u32))
    }

    /// Looks again at a cell that has been seen or forgotten, or has closed or opened; tells of every cell that is part
    /// of it from now on or is no longer.
    pub fn update(
        &mut self,
        grid: &Grid,
        is_seen: impl Fn(CellId) -> bool,
        id: CellId,
        mut changed: impl FnMut(CellId, bool),
    ) {
        for cell in core::iter::once(id).chain(beside(grid, id)) {
            let open = is_seen(cell) && grid.is_open_id(cell);
            let is = open && beside(grid, cell).any(|next| !is_seen(next));
            if core::mem::replace(&mut self.edge[cell.index()], is) != is {
                self.count = if is { self.count + 1 } else { self.count - 1 };
                changed(cell, is);
            }
        }
    }

    /// The frontier of what has been seen.
    #[must_use]
    pub fn of(grid: &Grid, seen: &Seen) -> Self {
        let mut frontier = Self::new(grid);
        for id in grid.open_ids().filter(|&id| seen.contains(id)) {
            let is = beside(grid, id).any(|next| !seen.contains(next));
            frontier.edge[id.index()] = is;
            frontier.count += usize::from(is);
        }
        frontier
    }
}

/// The cells beside one on the map, walls or not.
pub(super) fn beside(grid: &Grid, id: CellId) -> impl Iterator<Item = CellId> + '_ {
    let cell = grid.cell(id);
    [Dir::N, Dir::E, Dir::S, Dir::W].into_iter().filter_map(move |dir| grid.id(cell.step(dir)))
}
