//! A level as a graph to search in, and the ground as seen from it.

use super::layer::Edges;
use super::{Abstraction, Ruler, Spot};
use crate::{Edge, Graph, GridGraph};
use core::ops::Range;
use std::sync::Arc;
use throng_core::{Action, Cell};

/// One level above the ground as it is: edges cost what their straight line counts, in units of [`Ruler`]. Whoever
/// searches on it has its lists at hand.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    edges: &'a Edges,
    spots: &'a [Spot],
    ruler: Ruler,
}

impl<'a> Floor<'a> {
    /// A level above the ground.
    #[must_use]
    pub fn new(levels: &'a Abstraction, level: usize) -> Self {
        let nodes = &levels.layers[level - 1].nodes;
        Self { edges: &nodes.edges, spots: &nodes.spot, ruler: levels.ruler }
    }
}

impl Graph for Floor<'_> {
    fn len(&self) -> usize {
        self.spots.len()
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        for &(to, duration) in self.edges.of(node) {
            visit(Edge { to, duration, action: Action::Wait });
        }
    }

    type Aim = Spot;

    #[inline]
    fn aim(&self, node: u32) -> Spot {
        self.spots[node as usize]
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Spot) -> u32 {
        self.ruler.estimate(self.aim(node), aim)
    }

    fn longest(&self) -> u32 {
        self.edges.longest.max(1)
    }

    fn crossing(&self, _from: u32, _to: u32) -> Option<(u32, u32)> {
        None
    }

    fn covered(&self, _from: u32, _to: u32, _visit: impl FnMut(u32)) {}

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}

/// One level above the ground with costs in ticks, to measure distances on. Nobody moves on it: its edges are no actions,
/// and nothing is reserved on it.
///
/// Places on islands that are one node on a lower level already share one more node, which has no edges.
#[derive(Clone, Debug)]
pub struct LevelGraph {
    abstraction: Arc<Abstraction>,
    level: usize,
    /// Of a straight step.
    ticks: u32,
    /// Whether every edge counts as one step, which no way on the ground is shorter than.
    lower_bound: bool,
}

impl LevelGraph {
    /// A level for a unit whose straight step takes so many ticks. Straight lines may be longer than the way on the
    /// ground; if a lower bound is wanted, each edge counts as one step.
    #[must_use]
    pub const fn new(abstraction: Arc<Abstraction>, level: usize, ticks: u32, lower_bound: bool) -> Self {
        Self { abstraction, level, ticks, lower_bound }
    }

    /// The node of a place.
    #[must_use]
    #[inline]
    pub fn node(&self, place: u32) -> u32 {
        match self.abstraction.ancestor(place, self.level) {
            (level, node) if level == self.level => node,
            _ => self.island(),
        }
    }

    /// A place in a node, by which it is found again after levels were built anew.
    #[must_use]
    pub fn place_in(&self, node: u32) -> Option<u32> {
        (node < self.island()).then(|| self.abstraction.name(self.level, node))
    }

    /// The node of all who are on smaller islands.
    #[inline]
    fn island(&self) -> u32 {
        self.floor().spots.len() as u32
    }

    #[inline]
    fn floor(&self) -> Floor<'_> {
        Floor::new(&self.abstraction, self.level)
    }

    /// What an edge costs in ticks.
    #[inline]
    const fn cost(&self, line: u32) -> u32 {
        if self.lower_bound { self.ticks } else { (line * self.ticks).div_ceil(Ruler::SCALE) }
    }
}

impl Graph for LevelGraph {
    fn len(&self) -> usize {
        self.island() as usize + 1
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        if node != self.island() {
            self.floor().edges(node, |edge| visit(Edge { duration: self.cost(edge.duration), ..edge }));
        }
    }

    type Aim = Spot;

    #[inline]
    fn aim(&self, node: u32) -> Spot {
        self.floor().spots.get(node as usize).copied().unwrap_or_default()
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Spot) -> u32 {
        if self.lower_bound {
            return 0;
        }
        self.abstraction.ruler.estimate(self.aim(node), aim) * self.ticks / Ruler::SCALE
    }

    fn longest(&self) -> u32 {
        self.cost(self.floor().longest())
    }

    fn crossing(&self, _from: u32, _to: u32) -> Option<(u32, u32)> {
        None
    }

    fn covered(&self, _from: u32, _to: u32, _visit: impl FnMut(u32)) {}

    /// A way to a place ends at its node.
    fn roots(&self, place: u32) -> Range<u32> {
        let node = self.node(place);
        node..node + 1
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}

/// The ground for small units whose distances are measured on a coarser level.
#[derive(Clone, Debug)]
pub struct CoarseGraph<'a> {
    ground: GridGraph<'a>,
    level: LevelGraph,
}

impl<'a> CoarseGraph<'a> {
    /// The ground as `ground` has it, and distances as `level` has them.
    #[must_use]
    pub const fn new(ground: GridGraph<'a>, level: LevelGraph) -> Self {
        Self { ground, level }
    }
}

impl Graph for CoarseGraph<'_> {
    fn len(&self) -> usize {
        Graph::len(&self.ground)
    }

    #[inline]
    fn edges(&self, node: u32, visit: impl FnMut(Edge)) {
        self.ground.edges(node, visit);
    }

    type Aim = Cell;

    fn aim(&self, node: u32) -> Cell {
        self.ground.aim(node)
    }

    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.ground.estimate(node, aim)
    }

    fn stride(&self) -> u32 {
        self.ground.stride()
    }

    fn longest(&self) -> u32 {
        self.ground.longest()
    }

    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.ground.crossing(from, to)
    }

    fn breadth(&self) -> u32 {
        self.ground.breadth()
    }

    #[inline]
    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.ground.covered(from, to, visit);
    }

    type Measure = LevelGraph;

    fn measure(&self) -> &Self::Measure {
        &self.level
    }

    #[inline]
    fn measured(&self, node: u32) -> u32 {
        self.level.node(node)
    }

    const CONSISTENT: bool = false;

    /// In the goal's own node, where a level tells nothing, the straight line does. Elsewhere the two might disagree about the
    /// way, and units would stop where they do.
    #[inline]
    fn sharpened(&self, node: u32, goal: u32, measured: u32) -> u32 {
        if measured > 0 { measured } else { self.ground.estimate(node, self.ground.aim(goal)) }
    }
}
