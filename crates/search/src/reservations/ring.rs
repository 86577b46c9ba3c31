//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use core::ops::Range;
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

    /// The entries of a node at some ticks, in runs that share a word: the first and how many.
    #[inline]
    fn spans(&self, node: u32, ticks: Range<Tick>) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (layers, mut left) = (self.layers, ticks.end.saturating_sub(ticks.start) as u32);
        let (base, mut layer) = (node as usize * layers as usize, ticks.start as u32 & (layers - 1));
        core::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let entry = base + layer as usize;
            let count = left.min(layers - layer).min(32 - (entry as u32 & 31));
            (left, layer) = (left - count, (layer + count) & (layers - 1));
            Some((entry, count))
        })
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

    /// Gives an entry to `owner` and answers who held it before.
    #[inline]
    fn claim_entry(&mut self, entry: usize, owner: u32) -> u32 {
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

/// The bits of so many entries from this one on, in the word that they share.
#[inline(always)]
const fn mask(entry: usize, count: u32) -> u32 {
    (u32::MAX >> (32 - count)) << (entry & 31)
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
        self.claim_entry(self.entry(node, tick), owner)
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        let entry = self.entry(node, tick);
        // Who gives back holds nearly always: whether somebody does need not be asked.
        if self.holder(entry) == owner {
            self.taken[entry >> 5] &= !(1 << (entry & 31));
        }
    }

    /// Without a look at who holds it, which would not be at hand any more.
    #[inline]
    fn give_back(&mut self, node: u32, tick: Tick, owner: u32) {
        let entry = self.entry(node, tick);
        debug_assert!(!self.is_taken(entry) || self.holder(entry) == owner, "{owner} gives back another's");
        self.taken[entry >> 5] &= !(1 << (entry & 31));
    }

    #[inline]
    fn is_free_throughout(&self, node: u32, ticks: Range<Tick>) -> bool {
        self.spans(node, ticks).all(|(entry, count)| self.taken[entry >> 5] & mask(entry, count) == 0)
    }

    #[inline]
    fn claim_throughout(&mut self, node: u32, ticks: Range<Tick>, owner: u32, mut before: impl FnMut(u32)) {
        for (entry, count) in self.spans(node, ticks) {
            let (slot, mask) = (self.skip + entry, mask(entry, count));
            let free = self.taken[entry >> 5] & mask == 0;
            match self.narrow.get_mut(slot..slot + count as usize) {
                Some(holders) if free && owner <= u32::from(u16::MAX) => {
                    holders.fill(owner as u16);
                    self.taken[entry >> 5] |= mask;
                }
                _ => {
                    for entry in entry..entry + count as usize {
                        let holder = self.claim_entry(entry, owner);
                        if holder != NOBODY {
                            before(holder);
                        }
                    }
                }
            }
        }
    }

    #[inline]
    fn release_throughout(&mut self, node: u32, ticks: Range<Tick>, owner: u32) {
        for (entry, count) in self.spans(node, ticks) {
            let own =
                (0..count).fold(0, |own, k| own | u32::from(self.holder(entry + k as usize) == owner) << k);
            self.taken[entry >> 5] &= !(own << (entry & 31));
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

    /// Runs of ticks do what their ticks do one by one, also where they come round and share words with others.
    #[test]
    fn runs_are_their_ticks() {
        for window in [3, 20, 31, 40, 100] {
            let (mut one, mut run) = (Ring::new(9, window), Ring::new(9, window));
            let mut draw = 1u64;
            for _ in 0..4_000 {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (node, owner) =
                    ((draw >> 33) as u32 % 9, [3, 5, 70_000][(draw >> 40) as usize % 40 / 19]);
                let first = draw >> 50;
                let ticks = first..first + (draw >> 45 & 31).min(u64::from(window));
                let free = ticks.clone().all(|tick| one.is_free(node, tick));
                assert_eq!(run.is_free_throughout(node, ticks.clone()), free);
                if draw >> 63 == 1 {
                    let mut before = Vec::new();
                    run.claim_throughout(node, ticks.clone(), owner, |holder| before.push(holder));
                    let held = ticks.map(|tick| one.claim(node, tick, owner));
                    assert!(held.filter(|&holder| holder != NOBODY).eq(before));
                } else {
                    run.release_throughout(node, ticks.clone(), owner);
                    ticks.for_each(|tick| one.release(node, tick, owner));
                }
                assert_eq!(one.taken, run.taken);
            }
        }
    }
}
