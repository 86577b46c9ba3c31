//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use throng_core::Tick;

/// Entries for the next few ticks of every node. What a path claims lies close together: a tile of 8×8 nodes with
/// all their layers is (mostly) one page of memory, and four nodes with eight layers are one cache line. Ticks share a layer when they differ
/// by a multiple of the number of layers; whoever reserves must release before its tick comes round.
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
    /// Nodes this far apart are beside each other; with ⌈2⁶⁴ / stride⌉ a division is a multiplication.
    stride: u32,
    reciprocal: u64,
    /// Tiles in a row of tiles.
    across: u32,
    /// Entries before the first: they put tiles on pages.
    skip: usize,
    /// Owners, also former ones. Fresh memory is all zeros and costs nothing until touched.
    narrow: Vec<u16>,
    /// Used instead of `narrow` if not empty.
    wide: Vec<u32>,
}

impl Ring {
    /// A ring for `nodes` nodes that can look `window` ticks ahead. Nodes `stride` apart are neighbours, and
    /// so are nodes with numbers that follow each other.
    #[must_use]
    pub fn new(nodes: usize, stride: u32, window: u32) -> Self {
        const PAGE: usize = 4096;
        let bits = (window + 1).next_power_of_two().trailing_zeros().max(3);
        let (across, down) = (stride.div_ceil(8), (nodes as u32).div_ceil(stride).div_ceil(8));
        let narrow = vec![0; (((across * down) as usize * 64) << bits) + PAGE / 2];
        // Where memory cannot be aligned this costs time and nothing else.
        let skip = narrow.as_ptr().align_offset(PAGE).min(PAGE / 2);
        let reciprocal = u64::MAX / u64::from(stride) + 1;
        let words = bits.saturating_sub(5);
        let taken = vec![0; nodes << words];
        Self {
            bits,
            mask: (1 << bits) - 1,
            words,
            taken,
            stride,
            reciprocal,
            across,
            skip,
            narrow,
            wide: Vec::new(),
        }
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

    /// Where an entry lies. Most significant first: the tile, the layer by eights, the square of four nodes, the
    /// layer, the node.
    #[inline]
    const fn slot(&self, node: u32, tick: Tick) -> usize {
        let y = ((node as u128 * self.reciprocal as u128) >> 64) as u32;
        let x = node - y * self.stride;
        let tile = ((y >> 3) * self.across + (x >> 3)) as usize;
        let layer = tick as u32 & self.mask;
        let square = (y & 6) << 1 | (x & 6) >> 1;
        let inside = (layer >> 3) << 9 | square << 5 | (layer & 7) << 2 | (y & 1) << 1 | x & 1;
        self.skip + (tile << (self.bits + 6)) + inside as usize
    }

    /// The word that knows of an entry, and its bit in it.
    #[inline]
    const fn bit(&self, node: u32, tick: Tick) -> (usize, u32) {
        let layer = tick as u32 & self.mask;
        (((node as usize) << self.words) + (layer >> 5) as usize, 1 << (layer & 31))
    }

    /// Who holds or held an entry last.
    #[inline]
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
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        if self.is_free(node, tick) { NOBODY } else { self.holder(node, tick) }
    }

    #[inline]
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
        let mut ring = Ring::new(100, 10, 7);
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
