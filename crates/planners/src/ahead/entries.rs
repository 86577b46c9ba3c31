//! Where the entries of the reservations are kept: side by side if they fit into memory, in a hash if not.

use throng_core::Tick;
use throng_search::reservations::{Ring, Sparse, Store};

/// A ring larger than this gives way to a hash.
const RING_BYTES: usize = 256 << 20;

/// The entries of all cells for the next few ticks.
#[derive(Debug)]
pub(super) enum Entries {
    Ring(Ring),
    Sparse(Sparse),
}

impl Entries {
    /// Entries of so many cells, so many ticks ahead, for so many owners.
    pub(super) fn new(cells: usize, ticks: u32, owners: usize) -> Self {
        if Ring::bytes_for(cells, ticks, owners) <= RING_BYTES {
            Self::Ring(Ring::new(cells, ticks))
        } else {
            Self::Sparse(Sparse::new(cells))
        }
    }
}

impl Store for Entries {
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        match self {
            Self::Ring(ring) => ring.owner(node, tick),
            Self::Sparse(sparse) => sparse.owner(node, tick),
        }
    }

    #[inline]
    fn is_free(&self, node: u32, tick: Tick) -> bool {
        match self {
            Self::Ring(ring) => ring.is_free(node, tick),
            Self::Sparse(sparse) => sparse.is_free(node, tick),
        }
    }

    #[inline]
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        match self {
            Self::Ring(ring) => ring.claim(node, tick, owner),
            Self::Sparse(sparse) => sparse.claim(node, tick, owner),
        }
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        match self {
            Self::Ring(ring) => ring.release(node, tick, owner),
            Self::Sparse(sparse) => sparse.release(node, tick, owner),
        }
    }
}
