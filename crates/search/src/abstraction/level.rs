//! A level as a graph to search in, and the ground as seen from it.

use super::{Abstraction, Ruler, Spot};
use crate::{Edge, Graph, GridGraph};
use core::ops::{Deref, Range};
use std::sync::Arc;
use throng_core::{Action, Cell};

/// What an edge costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cost {
    /// What its straight line counts, in units of [`Ruler`].
    Line,
    /// The same in ticks of who needs so many for a straight step.
    Ticks(u32),
    /// So many ticks, whatever its length: no way on the ground is shorter.
    Steps(u32),
}

/// One level above the ground. Nobody moves on it: its edges are no actions, and nothing is reserved on it.
///
/// Places on islands that are one node on a lower level already share one more node, which has no edges.
#[derive(Clone, Copy, Debug)]
pub struct LevelGraph<A> {
    abstraction: A,
    level: usize,
    cost: Cost,
}

impl<A: Deref<Target = Abstraction>> LevelGraph<A> {
    /// A level above the ground. Edges cost what their straight line counts.
    #[must_use]
    pub const fn new(abstraction: A, level: usize) -> Self {
        Self { abstraction, level, cost: Cost::Line }
    }

    /// The same level with costs in ticks, for a unit whose straight step takes `straight` of them. Straight lines may be longer
    /// than the way on the ground; if a lower bound is wanted, each edge counts as one step.
    #[must_use]
    pub const fn in_ticks(abstraction: A, level: usize, straight: u32, lower_bound: bool) -> Self {
        let cost = if lower_bound { Cost::Steps(straight) } else { Cost::Ticks(straight) };
        Self { abstraction, level, cost }
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
        (node < self.island()).then(|| self.abstraction.layers[self.level - 1].nodes.name[node as usize])
    }

    /// The node of all who are on smaller islands.
    fn island(&self) -> u32 {
        self.abstraction.len(self.level) as u32
    }
}

impl<A: Deref<Target = Abstraction> + Sync> Graph for LevelGraph<A> {
    fn len(&self) -> usize {
        self.abstraction.len(self.level) + 1
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        if node == self.island() {
            return;
        }
        for &(to, cost) in self.abstraction.layers[self.level - 1].nodes.edges.of(node) {
            let duration = match self.cost {
                Cost::Line => cost,
                Cost::Ticks(straight) => (cost * straight).div_ceil(Ruler::SCALE),
                Cost::Steps(straight) => straight,
            };
            visit(Edge { to, duration, action: Action::Wait });
        }
    }

    type Aim = Spot;

    #[inline]
    fn aim(&self, node: u32) -> Spot {
        if node == self.island() { [0; 3] } else { self.abstraction.spot(self.level, node) }
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Spot) -> u32 {
        let line = || self.abstraction.ruler.estimate(self.aim(node), aim);
        match self.cost {
            Cost::Line => line(),
            Cost::Ticks(straight) => line() * straight / Ruler::SCALE,
            Cost::Steps(_) => 0,
        }
    }

    fn longest(&self) -> u32 {
        let line = self.abstraction.layers[self.level - 1].nodes.edges.longest.max(1);
        match self.cost {
            Cost::Line => line,
            Cost::Ticks(straight) => (line * straight).div_ceil(Ruler::SCALE),
            Cost::Steps(straight) => straight,
        }
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
    level: LevelGraph<Arc<Abstraction>>,
}

impl<'a> CoarseGraph<'a> {
    /// The ground as `ground` has it, and distances as `level` has them.
    #[must_use]
    pub const fn new(ground: GridGraph<'a>, level: LevelGraph<Arc<Abstraction>>) -> Self {
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

    type Measure = LevelGraph<Arc<Abstraction>>;

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
