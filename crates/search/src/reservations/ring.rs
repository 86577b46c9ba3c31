//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use throng_core::Tick;

/// Entries for the next few ticks of every node. The layers of one node lie side by side, so a search
/// that looks at a node at several ticks touches one cache line. Ticks share a layer when they differ
/// by a multiple of the number of layers; whoever reserves must release before its tick comes round.
///
/// Entries of two bytes do for all but the largest crowds, and take half of the memory.
#[derive(Clone, Debug)]
pub struct Ring<E> {
    bits: u32,
    /// Entries before the first: they put the layers of a node on as few cache lines as can be.
    skip: usize,
    /// Fresh memory is all zeros, which stand for nobody, and costs nothing until touched.
    slots: Vec<E>,
}

/// How an owner is written down.
pub trait Entry: Copy + Default + PartialEq + core::fmt::Debug {
    /// Owners below this number can be written down.
    const OWNERS: u32;

    /// Writes down an owner.
    fn of(owner: u32) -> Self;

    /// Reads an owner, or [`NOBODY`].
    fn owner(self) -> u32;
}

// 0 is nobody, otherwise owner + 1. NOBODY is u32::MAX, so that 0 wraps to it.
impl Entry for u16 {
    const OWNERS: u32 = 0xffff;

    #[inline]
    fn of(owner: u32) -> Self {
        debug_assert!(owner < Self::OWNERS);
        owner as Self + 1
    }

    #[inline]
    fn owner(self) -> u32 {
        u32::from(self).wrapping_sub(1)
    }
}

impl Entry for u32 {
    const OWNERS: u32 = NOBODY;

    #[inline]
    fn of(owner: u32) -> Self {
        owner + 1
    }

    #[inline]
    fn owner(self) -> u32 {
        self.wrapping_sub(1)
    }
}

impl<E: Entry> Ring<E> {
    /// A ring for `nodes` nodes that can look `window` ticks ahead.
    #[must_use]
    pub fn new(nodes: usize, window: u32) -> Self {
        const LINE: usize = 64;
        let layers = (window + 1).next_power_of_two();
        let slots = vec![E::default(); (nodes << layers.trailing_zeros()) + LINE / size_of::<E>()];
        // Where memory cannot be aligned this costs time and nothing else.
        let skip = slots.as_ptr().align_offset(LINE).min(LINE / size_of::<E>());
        Self { bits: layers.trailing_zeros(), skip, slots }
    }

    /// Bytes that a ring of this size would hold.
    #[must_use]
    pub fn bytes_for(nodes: usize, window: u32) -> usize {
        nodes.saturating_mul((window as usize + 1).next_power_of_two()).saturating_mul(size_of::<E>())
    }

    /// How many ticks it tells apart.
    #[must_use]
    pub const fn layers(&self) -> u32 {
        1 << self.bits
    }

    #[inline]
    const fn slot(&self, node: u32, tick: Tick) -> usize {
        self.skip + ((node as usize) << self.bits | (tick as usize & ((1 << self.bits) - 1)))
    }
}

impl<E: Entry> Store for Ring<E> {
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        self.slots[self.slot(node, tick)].owner()
    }

    #[inline]
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let slot = self.slot(node, tick);
        core::mem::replace(&mut self.slots[slot], E::of(owner)).owner()
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        debug_assert_ne!(owner, NOBODY);
        let slot = self.slot(node, tick);
        if self.slots[slot] == E::of(owner) {
            self.slots[slot] = E::default();
        }
    }
}
