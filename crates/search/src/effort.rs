//! How much a search may still do.

use crate::Heuristic;

/// A bound on the expansions of a search and of its heuristic together, counted from where it began.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    own: u64,
    other: u64,
    room: u64,
}

impl Effort {
    /// From now on, when `own` expansions have been counted; [`u64::MAX`] is no bound.
    pub(crate) fn new<G>(own: u64, heuristic: &impl Heuristic<G>, room: u64) -> Self {
        Self { own, other: heuristic.expanded(), room }
    }

    /// How many expansions are left; `None` if they are not counted.
    #[inline]
    pub(crate) fn left<G>(&self, own: u64, heuristic: &impl Heuristic<G>) -> Option<u64> {
        if self.room == u64::MAX {
            return None;
        }
        Some(self.room.saturating_sub(own - self.own + heuristic.expanded() - self.other))
    }

    /// Whether there is one more for the node at hand; the heuristic may have the others.
    #[inline]
    pub(crate) fn allows<G>(&self, own: u64, heuristic: &mut impl Heuristic<G>) -> bool {
        match self.left(own, heuristic) {
            None => true,
            Some(0) => false,
            Some(left) => {
                heuristic.allow(left - 1);
                true
            }
        }
    }
}
