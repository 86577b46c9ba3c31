//! A graph with some nodes shut.

use crate::{Edge, Graph};

/// Another graph without the nodes that `shut` names.
#[derive(Clone, Copy, Debug)]
pub struct Walled<'a, G, F> {
    graph: &'a G,
    shut: F,
}

impl<'a, G: Graph, F: Fn(u32) -> bool + Sync> Walled<'a, G, F> {
    /// `graph` without the nodes that `shut` names.
    pub const fn new(graph: &'a G, shut: F) -> Self {
        Self { graph, shut }
    }
}

impl<G: Graph, F: Fn(u32) -> bool + Sync> Graph for Walled<'_, G, F> {
    type Aim = G::Aim;

    fn len(&self) -> usize {
        self.graph.len()
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        self.graph.edges(node, |edge| {
            if !(self.shut)(edge.to) {
                visit(edge);
            }
        });
    }

    fn aim(&self, node: u32) -> Self::Aim {
        self.graph.aim(node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Self::Aim) -> u32 {
        self.graph.estimate(node, aim)
    }

    #[inline]
    fn edges_aimed(&self, node: u32, aim: Self::Aim, mut visit: impl FnMut(Edge, u32)) {
        self.graph.edges_aimed(node, aim, |edge, estimate| {
            if !(self.shut)(edge.to) {
                visit(edge, estimate);
            }
        });
    }

    fn longest(&self) -> u32 {
        self.graph.longest()
    }

    fn is_bipartite(&self) -> bool {
        self.graph.is_bipartite()
    }

    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.graph.crossing(from, to)
    }

    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.graph.covered(from, to, visit);
    }
}
