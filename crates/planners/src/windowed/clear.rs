//! Getting out of somebody's way.

use throng_core::{Dir, Grid};
use throng_search::{Graph, Heuristic};

/// A search for the nearest place outside another unit's way: every cell is as good as any other, and
/// waiting is free wherever nobody needs to pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Clear {
    stamp: u32,
    way: Vec<u32>,
    /// What the body of whoever gets out of the way covers, as offsets from its smallest corner.
    body: Vec<u32>,
}

impl Clear {
    /// Forgets the old way; a unit of this body gets out of the next one.
    pub(super) fn begin(&mut self, grid: &Grid, body: u8) {
        self.way.resize(grid.len(), 0);
        let (row, n) = (grid.offset(Dir::S) as u32, u32::from(body));
        self.body.clear();
        self.body.extend((0..n * n).map(|k| k / n * row + k % n));
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.way.fill(0);
            self.stamp = 1;
        }
    }

    /// Adds a cell to the way.
    pub(super) fn add(&mut self, node: u32) {
        self.way[node as usize] = self.stamp;
    }
}

impl<G: Graph> Heuristic<G> for Clear {
    fn distance(&mut self, _graph: &G, _node: u32) -> Option<u32> {
        Some(0)
    }

    fn beside(&mut self, _graph: &G, _known: u32, _node: u32) -> Option<u32> {
        Some(0)
    }

    fn is_home(&self, graph: &G, node: u32) -> bool {
        let corner = graph.place(node);
        self.body.iter().all(|offset| self.way[(corner + offset) as usize] != self.stamp)
    }
}
