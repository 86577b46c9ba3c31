//! A hash of entries: for reservations without a horizon.

use super::{NOBODY, Store};
use rustc_hash::FxHashMap;
use throng_core::Tick;

/// Entries by (node, tick), plus units that rest at a node from a tick on, for ever.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    entries: FxHashMap<u64, u32>,
    /// Per node: who rests there and since when.
    resting: Vec<(u32, u32)>,
    /// Per node: one past the last tick with an entry, so that a unit knows when it may rest.
    last: Vec<u32>,
}

impl Sparse {
    /// An empty table for `nodes` nodes.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { entries: FxHashMap::default(), resting: vec![(NOBODY, u32::MAX); nodes], last: vec![0; nodes] }
    }

    /// The first tick from which on nobody whom `counts` names has reserved `node`, or `None` if one of
    /// them rests there.
    #[must_use]
    pub fn free_from(&self, node: u32, counts: impl Fn(u32) -> bool) -> Option<Tick> {
        let rester = self.resting[node as usize].0;
        if rester != NOBODY && counts(rester) {
            return None;
        }
        let mut last = Tick::from(self.last[node as usize]);
        while last > 0 && self.entries.get(&key(node, last - 1)).is_none_or(|&owner| !counts(owner)) {
            last -= 1;
        }
        Some(last)
    }

    /// Lets `owner` rest at `node` from `tick` on.
    pub fn rest(&mut self, node: u32, tick: Tick, owner: u32) {
        self.resting[node as usize] = (owner, tick as u32);
    }

    /// Ends the rest of `owner` at `node`.
    pub fn rise(&mut self, node: u32, owner: u32) {
        if self.resting[node as usize].0 == owner {
            self.resting[node as usize] = (NOBODY, u32::MAX);
        }
    }

    /// Who rests at `node` ([`NOBODY`] if nobody does), and since when.
    #[must_use]
    #[inline]
    pub fn resting(&self, node: u32) -> (u32, Tick) {
        let (owner, since) = self.resting[node as usize];
        (owner, Tick::from(since))
    }

    /// Every owner of an entry at `node` at or after `tick`, into `owners` (in order of ticks).
    pub fn owners_from(&self, node: u32, tick: Tick, owners: &mut Vec<u32>) {
        for t in tick..Tick::from(self.last[node as usize]) {
            if let Some(&owner) = self.entries.get(&key(node, t)) {
                owners.push(owner);
            }
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
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
        let (owner, since) = self.resting[node as usize];
        if Tick::from(since) <= tick { owner } else { NOBODY }
    }

    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let last = &mut self.last[node as usize];
        *last = (*last).max(tick as u32 + 1);
        self.entries.insert(key(node, tick), owner).unwrap_or(NOBODY)
    }

    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        if self.entries.get(&key(node, tick)) == Some(&owner) {
            self.entries.remove(&key(node, tick));
            let mut last = Tick::from(self.last[node as usize]);
            while last > 0 && !self.entries.contains_key(&key(node, last - 1)) {
                last -= 1;
            }
            self.last[node as usize] = last as u32;
        }
    }
}

#[inline]
const fn key(node: u32, tick: Tick) -> u64 {
    tick << 32 | node as u64
}
