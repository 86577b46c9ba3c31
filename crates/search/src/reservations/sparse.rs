//! A hash of entries: for windows over maps that are too large for a ring.

use super::{NOBODY, Store};
use rustc_hash::FxHashMap;
use throng_core::Tick;

/// Entries by (node, tick).
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    entries: FxHashMap<u64, u32>,
    /// Per node: nobody has it from this tick on.
    last: Vec<u32>,
}

impl Sparse {
    /// An empty table for `nodes` nodes.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { entries: FxHashMap::default(), last: vec![0; nodes] }
    }
}

impl Store for Sparse {
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        // Most nodes have no entries at all, or only earlier ones: answer those without hashing.
        if tick < Tick::from(self.last[node as usize])
            && let Some(&owner) = self.entries.get(&key(node, tick))
        {
            return owner;
        }
        NOBODY
    }

    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let last = &mut self.last[node as usize];
        *last = (*last).max(tick as u32 + 1);
        self.entries.insert(key(node, tick), owner).unwrap_or(NOBODY)
    }

    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        if self.entries.get(&key(node, tick)) == Some(&owner) {
            self.entries.remove(&key(node, tick));
        }
    }
}

#[inline]
const fn key(node: u32, tick: Tick) -> u64 {
    tick << 32 | node as u64
}
