//! How far a search believes to be from its goal.

use crate::{Graph, TrueDistance};

/// A lower bound on how far a node is from the goal.
pub trait Heuristic<G> {
    /// Whether it never falls by more than an edge costs.
    const CONSISTENT: bool = true;

    /// By how much it can fall or rise more than an edge costs.
    #[inline]
    fn slack(&self, _graph: &G) -> u32 {
        0
    }

    /// The distance of `node`; `None` if there is no way.
    fn distance(&mut self, graph: &G, node: u32) -> Option<u32>;

    /// The distance of a neighbour of a node whose distance is `known`.
    fn beside(&mut self, graph: &G, known: u32, node: u32) -> Option<u32>;

    /// Whether waiting at `node` costs nothing in a search that ends with its window.
    fn is_home(&self, graph: &G, node: u32) -> bool;

    /// Expansions that its answers have cost so far.
    #[inline]
    fn expanded(&self) -> u64 {
        0
    }

    /// Lets it expand at most so many nodes from now on.
    #[inline]
    fn allow(&mut self, _room: u64) {}

    /// Whether it had no room for an answer since then.
    #[inline]
    fn is_starved(&self) -> bool {
        false
    }
}

impl<G: Graph> Heuristic<G> for TrueDistance {
    const CONSISTENT: bool = G::CONSISTENT;

    #[inline]
    fn slack(&self, graph: &G) -> u32 {
        if G::CONSISTENT { 0 } else { 4 * graph.measure().longest() }
    }

    #[inline(always)]
    fn distance(&mut self, graph: &G, node: u32) -> Option<u32> {
        let measured = Self::distance(self, graph.measure(), graph.measured(node))?;
        Some(graph.sharpened(node, self.goal(), measured))
    }

    #[inline]
    fn beside(&mut self, graph: &G, known: u32, node: u32) -> Option<u32> {
        let measured = Self::beside(self, graph.measure(), known, graph.measured(node))?;
        Some(graph.sharpened(node, self.goal(), measured))
    }

    #[inline]
    fn is_home(&self, graph: &G, node: u32) -> bool {
        self.goal() == graph.place(node)
    }

    #[inline]
    fn expanded(&self) -> u64 {
        Self::expanded(self)
    }

    #[inline]
    fn allow(&mut self, room: u64) {
        Self::allow(self, room);
    }

    #[inline]
    fn is_starved(&self) -> bool {
        Self::is_starved(self)
    }
}

/// The straight-line estimate towards a goal: what plain cooperative A* uses.
#[derive(Clone, Copy, Debug)]
pub struct Estimate<A> {
    goal: u32,
    aim: A,
}

impl<A> Estimate<A> {
    /// Towards `goal`.
    pub fn new(graph: &impl Graph<Aim = A>, goal: u32) -> Self {
        Self { goal, aim: graph.aim(goal) }
    }
}

impl<G: Graph> Heuristic<G> for Estimate<G::Aim> {
    #[inline]
    fn distance(&mut self, graph: &G, node: u32) -> Option<u32> {
        Some(graph.estimate(node, self.aim))
    }

    #[inline]
    fn beside(&mut self, graph: &G, _known: u32, node: u32) -> Option<u32> {
        Some(graph.estimate(node, self.aim))
    }

    #[inline]
    fn is_home(&self, graph: &G, node: u32) -> bool {
        self.goal == graph.place(node)
    }
}
