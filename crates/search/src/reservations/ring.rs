//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use throng_core::Tick;

/// Entries for the next few ticks of every node. The layers of one node lie side by side, so a search that looks
/// at a node at several ticks touches one cache line. Ticks share a layer when they differ by a multiple of the
/// number of layers; whoever reserves must release before its tick comes round.
///
/// Most questions are about entries that nobody has, so one bit per entry answers those: 32 layers of a node are
/// one word, and the words of a whole world fit into a cache that its owners do not fit into.
///
/// Entries take two bytes until an owner comes whose number does not fit: most crowds never have one.
#[derive(Clone, Debug)]
pub struct Ring {
    bits: u32,
    /// Layers less one.
    mask: u32,
    /// Words of `taken` per node, as a power of two.
    words: u32,
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
        let bits = (window + 1).next_power_of_two().trailing_zeros();
        let narrow = vec![0; (nodes << bits) + LINE / 2];
        // Where memory cannot be aligned this costs time and nothing else.
        let skip = narrow.as_ptr().align_offset(LINE).min(LINE / 2);
        let words = bits.saturating_sub(5);
        let taken = vec![0; nodes << words];
        Self { bits, mask: (1 << bits) - 1, words, taken, skip, narrow, wide: Vec::new() }
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
        1 << self.bits
    }

    /// Where an entry lies.
    #[inline(always)]
    const fn slot(&self, node: u32, tick: Tick) -> usize {
        self.skip + ((node as usize) << self.bits) + (tick as u32 & self.mask) as usize
    }

    /// The word that knows of an entry, and its bit in it.
    #[inline(always)]
    const fn bit(&self, node: u32, tick: Tick) -> (usize, u32) {
        let layer = tick as u32 & self.mask;
        (((node as usize) << self.words) + (layer >> 5) as usize, 1 << (layer & 31))
    }

    /// Who holds or held an entry last.
    #[inline(always)]
    fn holder(&self, node: u32, tick: Tick) -> u32 {
        let slot = self.slot(node, tick);
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
        if self.is_free(node, tick) { NOBODY } else { self.holder(node, tick) }
    }

    #[inline(always)]
    fn is_free(&self, node: u32, tick: Tick) -> bool {
        let (word, bit) = self.bit(node, tick);
        self.taken[word] & bit == 0
    }

    #[inline]
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let before = self.owner(node, tick);
        let (word, bit) = self.bit(node, tick);
        self.taken[word] |= bit;
        let slot = self.slot(node, tick);
        match self.narrow.get_mut(slot) {
            Some(entry) if owner <= u32::from(u16::MAX) => *entry = owner as u16,
            _ => self.set_wide(slot, owner),
        }
        before
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        if self.owner(node, tick) == owner {
            let (word, bit) = self.bit(node, tick);
            self.taken[word] &= !bit;
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
