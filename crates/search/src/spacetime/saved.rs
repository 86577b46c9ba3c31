//! Saving a search that ran out of budget.

use super::{Node, Query, SpaceTime};
use crate::BucketQueue;

/// A search that goes on later, as a snapshot stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedSearch {
    nodes: Vec<Node>,
    /// Key and place, in the order in which they were queued.
    open: Vec<(u32, u32)>,
    span: u32,
    floor: u32,
    /// Expansions so far.
    spent: u64,
}

impl SavedSearch {
    /// Whether everything in it lies on a map of so many nodes and refers to itself only.
    #[must_use]
    pub fn fits(&self, nodes: usize) -> bool {
        let count = self.nodes.len();
        let known = |place: u32| (place as usize) < count;
        let earlier = |n: &Node| match self.nodes.get(n.parent as usize) {
            Some(parent) => parent.depth < n.depth,
            None => n.parent == u32::MAX,
        };
        self.nodes.iter().all(|n| (n.at as usize) < nodes && n.depth < 1 << 24 && n.g < 1 << 29 && earlier(n))
            && self.span < 1 << 20
            && self.floor < 1 << 30
            && self.open.iter().all(|&(key, place)| known(place) && key.wrapping_sub(self.floor) <= self.span)
    }
}

impl SpaceTime {
    /// The search at hand.
    #[must_use]
    pub fn save(&self) -> SavedSearch {
        let (mut open, span, floor) = self.open.save();
        // A search that ended before its first node has left the queue of the one before it, which nobody asks for any more.
        if self.nodes.is_empty() {
            open.clear();
        }
        SavedSearch { nodes: self.nodes.clone(), open, span, floor, spent: self.expanded - self.begun }
    }

    /// Takes up a search for the same query, which [`SavedSearch::fits`] this world.
    pub fn load(&mut self, saved: SavedSearch, query: &Query) {
        self.open = BucketQueue::restored(saved.open, saved.span, saved.floor);
        self.nodes = saved.nodes;
        self.begun = self.expanded;
        self.expanded = self.expanded.saturating_add(saved.spent);
        self.index((2 * self.nodes.len()).next_power_of_two().max(self.places.len()), query.still());
    }
}
