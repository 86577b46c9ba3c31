//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use throng_core::Tick;

/// Entries for the next few ticks of every node. The layers of one node lie side by side, so a search that looks
/// at a node at several ticks touches one cache line. Ticks share a layer when they differ by a multiple of the
/// number of layers; whoever reserves must release before its tick comes round.
///
/// Most questions are about entries that nobody has, so one bit per entry answers those: 32 entries are one word,
/// and the words of a whole world fit into a cache that its owners do not fit into.
///
/// Entries take two bytes until an owner comes whose number does not fit: most crowds never have one.
#[derive(Clone, Debug)]
pub struct Ring {
    /// How many ticks it tells apart, a power of two.
    layers: u32,
    /// By node and layer: whether somebody has it. An owner counts only where this says so.
    taken: Vec<u32>,
    /// Entries before the first: they put the layers of a node on as few cache lines as can be.
    skip: usize,
    /// Owners, also former ones. Fresh memory is all zeros and costs nothing until touched.
    narrow: Vec<u16>,
    /// Used instead of `narrow` if not empty.
    wide: Vec<u32>,
}

impl Ring {
    /// A ring for `nodes` nodes that can look `window` ticks ahead.
    #[must_use]
    pub fn new(nodes: usize, window: u32) -> Self {
        const LINE: usize = 64;
        let layers = (window + 1).next_power_of_two();
        let entries = nodes * layers as usize;
        let narrow = vec![0; entries + LINE / 2];
        // Where memory cannot be aligned this costs time and nothing else.
        let skip = narrow.as_ptr().align_offset(LINE).min(LINE / 2);
        Self { layers, taken: vec![0; entries.div_ceil(32)], skip, narrow, wide: Vec::new() }
    }

    /// Bytes that a ring of this size would hold for so many owners.
    #[must_use]
    pub fn bytes_for(nodes: usize, window: u32, owners: usize) -> usize {
        let entry = if owners < usize::from(u16::MAX) { 2 } else { 4 };
        nodes.saturating_mul((window as usize + 1).next_power_of_two()).saturating_mul(entry)
    }

    /// How many ticks it tells apart.
    #[must_use]
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// The number of an entry.
    #[inline(always)]
    const fn entry(&self, node: u32, tick: Tick) -> usize {
        node as usize * self.layers as usize + (tick as u32 & (self.layers - 1)) as usize
    }

    /// Whether somebody has an entry.
    #[inline(always)]
    fn is_taken(&self, entry: usize) -> bool {
        self.taken[entry >> 5] >> (entry & 31) & 1 == 1
    }

    /// Who holds or held an entry last.
    #[inline(always)]
    fn holder(&self, entry: usize) -> u32 {
        let slot = self.skip + entry;
        // `narrow` is empty once `wide` is used, so that looking into it tells which one holds.
        match self.narrow.get(slot) {
            Some(&owner) => u32::from(owner),
            None => self.wide[slot],
        }
    }

    #[cold]
    #[inline(never)]
    fn set_wide(&mut self, slot: usize, owner: u32) {
        if self.wide.is_empty() {
            self.wide = self.narrow.iter().map(|&entry| u32::from(entry)).collect();
            self.narrow = Vec::new();
        }
        self.wide[slot] = owner;
    }
}

impl Store for Ring {
    #[inline(always)]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        let entry = self.entry(node, tick);
        if self.is_taken(entry) { self.holder(entry) } else { NOBODY }
    }

    #[inline(always)]
    fn is_free(&self, node: u32, tick: Tick) -> bool {
        !self.is_taken(self.entry(node, tick))
    }

    #[inline]
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let entry = self.entry(node, tick);
        let was_taken = self.is_taken(entry);
        self.taken[entry >> 5] |= 1 << (entry & 31);
        let slot = self.skip + entry;
        match self.narrow.get_mut(slot) {
            Some(holder) if owner <= u32::from(u16::MAX) => {
                let before = core::mem::replace(holder, owner as u16);
                if was_taken { u32::from(before) } else { NOBODY }
            }
            _ => {
                let before = if was_taken { self.holder(entry) } else { NOBODY };
                self.set_wide(slot, owner);
                before
            }
        }
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        let entry = self.entry(node, tick);
        // Who gives back holds nearly always: whether somebody does need not be asked.
        if self.holder(entry) == owner {
            self.taken[entry >> 5] &= !(1 << (entry & 31));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Owners on both sides of what two bytes hold, and what was there before the ring had to grow.
    #[test]
    fn owners_of_any_number_are_kept() {
        let mut ring = Ring::new(100, 7);
        let owners = [0, 1, 0xfffe, 0xffff, 0x10000, 7_000_000];
        for (node, &owner) in (0..).zip(&owners) {
            assert_eq!(ring.owner(node, 3), NOBODY);
            assert_eq!(ring.claim(node, 3, owner), NOBODY);
            assert_eq!(ring.wide.is_empty(), owner <= 0xffff);
            assert!((0..).zip(&owners[..=node as usize]).all(|(at, &who)| ring.owner(at, 3) == who));
        }
        for (node, &owner) in (0..).zip(&owners) {
            ring.release(node, 3, owner + 1);
            assert_eq!(ring.owner(node, 3), owner, "another's");
            assert_eq!(ring.claim(node, 3, 5), owner);
            ring.release(node, 3, 5);
            assert_eq!(ring.owner(node, 3), NOBODY);
        }
    }
}
