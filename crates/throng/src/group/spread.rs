//! A search that spreads evenly, distance by distance.

use core::ops::ControlFlow;
use throng_search::{BucketQueue, Graph};

/// Dijkstra's algorithm in all directions, on arrays that are stamped instead of cleared. Other than
/// [`TrueDistance`](throng_search::TrueDistance) it hands out all nodes of one distance at once, so that the caller
/// can take the nearest in its own order, and it can be kept out of nodes.
pub(super) struct Spread {
    stamp: u32,
    nodes: Vec<Node>,
    open: BucketQueue<u32>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// Twice the number of the search that came here, plus one once its distance is certain.
    stamp: u32,
    distance: u32,
}

impl Spread {
    pub(super) fn new() -> Self {
        Self { stamp: 0, nodes: Vec::new(), open: BucketQueue::new(1) }
    }

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
        let seen = self.stamp;
        for source in sources {
            self.nodes[source as usize] = Node { stamp: seen, distance: 0 };
            self.open.push(0, source);
        }
        while let Some(distance) = self.open.raise_floor() {
            let mut level = self.open.take(distance);
            let nodes = &mut self.nodes;
            level.retain(|&node| {
                let node = &mut nodes[node as usize];
                let first = node.stamp == seen;
                node.stamp = seen + 1;
                first
            });
            let flow = visit(&Known { nodes, settled: seen + 1 }, distance, &mut level);
            if flow.is_break() {
                level.clear();
                self.open.give_back(distance, level);
                return;
            }
            let open = &mut self.open;
            for &node in &level {
                graph.edges(node, |edge| {
                    let next = &mut nodes[edge.to as usize];
                    let farther = distance + edge.duration;
                    if next.stamp < seen || (next.stamp == seen && farther < next.distance) {
                        if next.stamp < seen && !enter(edge.to) {
                            return;
                        }
                        *next = Node { stamp: seen, distance: farther };
                        open.push(farther, edge.to);
                    }
                });
            }
            level.clear();
            self.open.give_back(distance, level);
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
        Known { nodes: &self.nodes, settled: self.stamp + 1 }.distance(node)
    }

    fn begin(&mut self, graph: &impl Graph) {
        if self.nodes.len() < graph.len() {
            self.nodes.resize(graph.len(), Node::default());
        }
        if !self.open.spans(graph.longest()) {
            self.open = BucketQueue::new(graph.longest());
        }
        self.open.restart(0);
        self.stamp = self.stamp.wrapping_add(2);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 2;
        }
    }
}

/// The distances that are certain so far.
pub(super) struct Known<'a> {
    nodes: &'a [Node],
    settled: u32,
}

impl Known<'_> {
    pub(super) fn distance(&self, node: u32) -> Option<u32> {
        self.nodes.get(node as usize).filter(|n| n.stamp == self.settled).map(|n| n.distance)
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
            let mut spread = Spread::new();
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
