//! Getting out of somebody's way.

use throng_search::{Graph, Heuristic};

/// A search for the nearest place outside another unit's way: every cell is as good as any other, and
/// waiting is free wherever nobody needs to pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Clear {
    stamp: u32,
    way: Vec<u32>,
}

impl Clear {
    /// Forgets the old way.
    pub(super) fn begin(&mut self, cells: usize) {
        self.way.resize(cells, 0);
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

    fn is_home(&self, node: u32) -> bool {
        self.way[node as usize] != self.stamp
    }
}
