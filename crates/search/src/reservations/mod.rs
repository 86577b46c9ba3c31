//! Who will be where, when: the reservation table.
//!
//! A [`Table`] combines a [`Store`] (the entries) with a [`Rule`] (what a move must find free and what
//! it then holds). Three stores exist: a [`Ring`] of layers for planners that look a window ahead, a [`Sparse`]
//! hash where such a ring would be too large, and [`Timelines`] for those that look ahead without limit.

mod ring;
mod sparse;
mod table;
mod timeline;

pub use ring::Ring;
pub use sparse::Sparse;
pub use table::{Rule, Table};
pub(crate) use timeline::place;
pub use timeline::{FOR_EVER, Run, Timelines};

use core::ops::Range;
use throng_core::Tick;

/// The owner of an entry that nobody has reserved.
pub const NOBODY: u32 = u32::MAX;

/// Entries: who holds a node at a tick.
pub trait Store {
    /// Who holds `node` at `tick`, or [`NOBODY`].
    fn owner(&self, node: u32, tick: Tick) -> u32;

    /// Whether nobody holds `node` at `tick`.
    #[inline]
    fn is_free(&self, node: u32, tick: Tick) -> bool {
        self.owner(node, tick) == NOBODY
    }

    /// Gives the entry to `owner` and answers who held it before.
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32;

    /// Frees the entry if `owner` holds it.
    fn release(&mut self, node: u32, tick: Tick, owner: u32);

    /// Frees an entry that `owner` holds, unless nobody does.
    #[inline]
    fn give_back(&mut self, node: u32, tick: Tick, owner: u32) {
        self.release(node, tick, owner);
    }

    /// Whether nobody holds `node` at any of these ticks.
    #[inline]
    fn is_free_throughout(&self, node: u32, ticks: Range<Tick>) -> bool {
        ticks.into_iter().all(|tick| self.is_free(node, tick))
    }

    /// [`Self::claim`] for all these ticks. `before` hears of everybody who held one.
    #[inline]
    fn claim_throughout(&mut self, node: u32, ticks: Range<Tick>, owner: u32, mut before: impl FnMut(u32)) {
        for holder in ticks.map(|tick| self.claim(node, tick, owner)).filter(|&holder| holder != NOBODY) {
            before(holder);
        }
    }

    /// [`Self::release`] for all these ticks.
    #[inline]
    fn release_throughout(&mut self, node: u32, ticks: Range<Tick>, owner: u32) {
        ticks.for_each(|tick| self.release(node, tick, owner));
    }
}
