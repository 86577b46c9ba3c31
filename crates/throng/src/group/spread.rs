//! A search that spreads evenly, distance by distance.

use core::ops::ControlFlow;
use throng_search::{BucketQueue, Graph};

/// Dijkstra's algorithm in all directions, on arrays that are stamped instead of cleared. Other than
/// [`TrueDistance`](throng_search::TrueDistance) it hands out all nodes of one distance at once, so that the caller
/// can take the nearest in its own order, and it can be kept out of nodes.
pub(super) struct Spread {
    /// By node: `base` and its distance in this search; less than `base` if only earlier searches came there.
    nodes: Vec<u32>,
    base: u32,
    /// The distance that the search has come to.
    until: u32,
    open: BucketQueue<u32>,
}

impl Default for Spread {
    fn default() -> Self {
        Self { nodes: Vec::new(), base: 1, until: 0, open: BucketQueue::new(1) }
    }
}

impl Spread {
    /// Spreads from `sources` through nodes that `enter` allows, until `visit` breaks or all is seen. `visit` gets
    /// each distance with the nodes that have it, in no particular order.
    pub(super) fn run(
        &mut self,
        graph: &impl Graph,
        sources: impl IntoIterator<Item = u32>,
        mut enter: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(&Known<'_>, u32, &mut [u32]) -> ControlFlow<()>,
    ) {
        self.begin(graph);
        let Self { nodes, base, until, open } = self;
        let base = *base;
        for source in sources {
            nodes[source as usize] = base;
            open.push(0, source);
        }
        while let Some(distance) = open.raise_floor() {
            let mut level = open.take(distance);
            *until = distance;
            // A node is queued again when a shorter way to it is found; only the shortest counts.
            level.retain(|&node| nodes[node as usize] == base + distance);
            let flow = visit(&Known { nodes, base, until: distance }, distance, &mut level);
            if flow.is_continue() {
                for &node in &level {
                    graph.edges(node, |edge| {
                        let next = &mut nodes[edge.to as usize];
                        let farther = distance + edge.duration;
                        // What this search has not seen wraps around and is farther than anything.
                        if next.wrapping_sub(base) > farther && enter(edge.to) {
                            *next = base + farther;
                            open.push(farther, edge.to);
                        }
                    });
                }
            }
            level.clear();
            open.give_back(distance, level);
            if flow.is_break() {
                return;
            }
        }
    }

    /// Spreads until every node of `wanted` is known, or all is seen.
    pub(super) fn reach(
        &mut self,
        graph: &impl Graph,
        sources: impl IntoIterator<Item = u32>,
        wanted: &[u32],
    ) {
        let mut waiting = wanted;
        self.run(graph, sources, |_| true, |known, _, _| known.all(&mut waiting));
    }

    /// The distance of `node` in the last search, if that came to it.
    pub(super) fn distance(&self, node: u32) -> Option<u32> {
        Known { nodes: &self.nodes, base: self.base, until: self.until }.distance(node)
    }

    fn begin(&mut self, graph: &impl Graph) {
        self.base = self.base.saturating_add(self.until).saturating_add(graph.longest() + 1);
        self.until = 0;
        // No way is longer than a map can have cells, at 7 a step: the upper half has room for it.
        if self.nodes.len() != graph.len() || self.base > u32::MAX / 2 {
            self.nodes.clear();
            self.nodes.resize(graph.len(), 0);
            self.base = 1;
        }
        if !self.open.spans(graph.longest()) {
            self.open = BucketQueue::new(graph.longest());
        }
        self.open.restart(0);
    }
}

/// The distances that are certain so far.
pub(super) struct Known<'a> {
    nodes: &'a [u32],
    base: u32,
    until: u32,
}

impl Known<'_> {
    pub(super) fn distance(&self, node: u32) -> Option<u32> {
        let distance = self.nodes.get(node as usize)?.wrapping_sub(self.base);
        (distance <= self.until).then_some(distance)
    }

    /// Breaks once all of `waiting` are known; drops those from its front that are.
    pub(super) fn all(&self, waiting: &mut &[u32]) -> ControlFlow<()> {
        while let Some((&first, rest)) = waiting.split_first() {
            if self.distance(first).is_none() {
                return ControlFlow::Continue(());
            }
            *waiting = rest;
        }
        ControlFlow::Break(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::ground;
    use proptest::prelude::*;
    use throng_search::TrueDistance;
    use throng_testkit::Worlds;

    proptest! {
        #[test]
        fn distances_are_the_true_ones(scenario in Worlds::small().of_all_kinds().strategy()) {
            let mut spread = Spread::default();
            for agent in scenario.agents() {
                let graph = ground(scenario.grid(), scenario.rules(), agent.body);
                let start = scenario.grid().id(agent.start).unwrap().0;
                let mut truth = TrueDistance::new(&graph, start, None);
                spread.run(&graph, [start], |_| true, |_, _, _| ControlFlow::Continue(()));
                for id in scenario.grid().open_ids() {
                    prop_assert_eq!(spread.distance(id.0), truth.distance(&graph, id.0));
                }
            }
        }
    }
}
