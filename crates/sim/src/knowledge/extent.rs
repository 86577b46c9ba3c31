//! How far what has been seen goes: which of its cells hang together, and how many of those lie at its edge.
//!
//! Scratch: it follows from what has been seen, so it is made when somebody first asks and kept up from then on. Cells that
//! are seen join regions in next to no time; where one closes or is forgotten, regions may fall apart, and all is made anew
//! when somebody asks again.

use throng_core::{CellId, Dir, Grid, Seen};
use throng_search::landscape::Frontier;

#[derive(Clone, Debug)]
pub(super) struct Extent {
    frontier: Frontier,
    /// By cell: another one of its region, and itself if nothing leads on. Not part of any: [`NOBODY`].
    parent: Vec<u32>,
    /// By cell that is its own parent: cells of its region that belong to the frontier.
    edges: Vec<u32>,
    stale: bool,
}

const NOBODY: u32 = u32::MAX;

impl Extent {
    pub(super) fn new(grid: &Grid, seen: &Seen) -> Self {
        let mut extent =
            Self { frontier: Frontier::new(grid), parent: Vec::new(), edges: Vec::new(), stale: true };
        extent.refresh(grid, seen);
        extent
    }

    /// Makes all of it anew, if it has to be.
    pub(super) fn refresh(&mut self, grid: &Grid, seen: &Seen) {
        if !core::mem::take(&mut self.stale) {
            return;
        }
        self.frontier = Frontier::of(grid, seen);
        self.parent.clear();
        self.parent.resize(grid.len(), NOBODY);
        self.edges.clear();
        self.edges.resize(grid.len(), 0);
        for id in grid.open_ids().filter(|&id| seen.contains(id)) {
            self.edges[id.index()] = u32::from(self.frontier.contains(id));
            self.join(grid, id);
        }
    }

    /// A cell is seen, or seen to be otherwise; `grid` and `seen` have it already.
    pub(super) fn note(&mut self, grid: &Grid, seen: &Seen, id: CellId) {
        if self.stale {
            return;
        }
        let (is, was) = (grid.is_open_id(id) && seen.contains(id), self.parent[id.index()] != NOBODY);
        if was && !is {
            self.stale = true;
            return;
        }
        if is && !was {
            self.join(grid, id);
        }
        let Self { frontier, parent, edges, .. } = self;
        frontier.update(
            grid,
            |cell| seen.contains(cell),
            id,
            |cell, is| {
                if parent[cell.index()] != NOBODY {
                    let edges = &mut edges[root(parent, cell.0) as usize];
                    *edges = if is { *edges + 1 } else { edges.saturating_sub(1) };
                }
            },
        );
    }

    /// A cell is forgotten.
    pub(super) const fn forget(&mut self) {
        self.stale = true;
    }

    pub(super) const fn is_stale(&self) -> bool {
        self.stale
    }

    /// How many cells of the frontier can be walked to from a cell that has been seen, and how many there are at all.
    pub(super) fn edges(&self, from: CellId) -> Option<(u32, u32)> {
        let mut id = from.0;
        while *self.parent.get(id as usize)? != id {
            id = self.parent[id as usize];
        }
        Some((self.edges[id as usize], self.frontier.len() as u32))
    }

    /// Makes a cell part of the regions beside it.
    fn join(&mut self, grid: &Grid, id: CellId) {
        self.parent[id.index()] = id.0;
        let exits = grid.exits(id);
        for dir in [Dir::N, Dir::E, Dir::S, Dir::W].into_iter().filter(|&dir| exits >> dir as u8 & 1 != 0) {
            let other = grid.neighbour(id, dir);
            if self.parent[other.index()] == NOBODY {
                continue;
            }
            let (a, b) = (root(&mut self.parent, id.0), root(&mut self.parent, other.0));
            if a != b {
                // Which one leads makes no difference but for how long the ways become, which are made short again.
                let (into, from) = if a < b { (a, b) } else { (b, a) };
                self.parent[from as usize] = into;
                self.edges[into as usize] += core::mem::take(&mut self.edges[from as usize]);
            }
        }
    }
}

/// The cell that stands for all of a region.
fn root(parent: &mut [u32], mut id: u32) -> u32 {
    while parent[id as usize] != id {
        // Halves the way for whoever asks next.
        parent[id as usize] = parent[parent[id as usize] as usize];
        id = parent[id as usize];
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_core::Cell;

    proptest! {
        /// Cells seen, forgotten, closed and opened one by one give what making it anew gives, and what a flood finds.
        #[test]
        fn kept_up_it_is_as_made_anew(
            steps in prop::collection::vec((0..7i32, 0..6i32, 0..6u8), 1..80),
        ) {
            let mut grid = Grid::from_rows(&[".......", ".@@.@..", "...@...", ".@....@", "..@@...", "......."]).unwrap();
            let mut seen = Seen::none(grid.len());
            let mut extent = Extent::new(&grid, &seen);
            for (x, y, kind) in steps {
                let id = grid.id(Cell::new(x, y)).unwrap();
                match kind {
                    0 => {
                        seen.remove(id);
                        extent.forget();
                    }
                    1 => {
                        grid.set_letter(id, b'@').unwrap();
                        seen.insert(id);
                        extent.note(&grid, &seen, id);
                    }
                    2 => {
                        grid.set_letter(id, b'.').unwrap();
                        seen.insert(id);
                        extent.note(&grid, &seen, id);
                    }
                    _ => {
                        seen.insert(id);
                        extent.note(&grid, &seen, id);
                    }
                }
                extent.refresh(&grid, &seen);
                let anew = Extent::new(&grid, &seen);
                for from in grid.open_ids() {
                    prop_assert_eq!(extent.edges(from), anew.edges(from));
                    prop_assert_eq!(extent.edges(from).map(|(near, _)| near), flooded(&grid, &seen, from));
                }
            }
        }
    }

    /// The same by walking everywhere.
    fn flooded(grid: &Grid, seen: &Seen, from: CellId) -> Option<u32> {
        let mut known = vec![from];
        let beside = |id: CellId| {
            Dir::ALL
                .into_iter()
                .filter(|dir| !dir.is_diagonal())
                .filter_map(move |dir| grid.id(grid.cell(id).step(dir)))
        };
        let (mut next, mut edges) = (0, 0);
        while let Some(&id) = known.get(next) {
            next += 1;
            edges += u32::from(beside(id).any(|cell| !seen.contains(cell)));
            for cell in beside(id).filter(|&cell| grid.is_open_id(cell) && seen.contains(cell)) {
                if !known.contains(&cell) {
                    known.push(cell);
                }
            }
        }
        seen.contains(from).then_some(edges)
    }
}
