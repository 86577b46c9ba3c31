//! A ring of layers: dense, for windows.

use super::{NOBODY, Store};
use throng_core::Tick;

/// Entries for the next few ticks of every node. The layers of one node lie side by side, so a search
/// that looks at a node at several ticks touches one cache line. Ticks share a layer when they differ
/// by a multiple of the number of layers; whoever reserves must release before its tick comes round.
#[derive(Clone, Debug)]
pub struct Ring {
    bits: u32,
    /// 0 nobody, otherwise owner + 1: fresh memory is all zeros and costs nothing until touched.
    slots: Vec<u32>,
}

impl Ring {
    /// A ring for `nodes` nodes that can look `window` ticks ahead.
    #[must_use]
    pub fn new(nodes: usize, window: u32) -> Self {
        let layers = (window + 1).next_power_of_two();
        Self { bits: layers.trailing_zeros(), slots: vec![0; nodes << layers.trailing_zeros()] }
    }

    /// Bytes that a ring of this size would hold.
    #[must_use]
    pub fn bytes_for(nodes: usize, window: u32) -> usize {
        nodes.saturating_mul((window as usize + 1).next_power_of_two()).saturating_mul(4)
    }

    /// How many ticks it tells apart.
    #[must_use]
    pub const fn layers(&self) -> u32 {
        1 << self.bits
    }

    #[inline]
    const fn slot(&self, node: u32, tick: Tick) -> usize {
        (node as usize) << self.bits | (tick as usize & ((1 << self.bits) - 1))
    }
}

impl Store for Ring {
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        // NOBODY is u32::MAX, so that 0 wraps to it.
        self.slots[self.slot(node, tick)].wrapping_sub(1)
    }

    #[inline]
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let slot = self.slot(node, tick);
        core::mem::replace(&mut self.slots[slot], owner + 1).wrapping_sub(1)
    }

    #[inline]
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        debug_assert_ne!(owner, NOBODY);
        let slot = self.slot(node, tick);
        if self.slots[slot] == owner + 1 {
            self.slots[slot] = 0;
        }
    }
}
