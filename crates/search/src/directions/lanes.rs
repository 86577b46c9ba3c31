//! The cost layer: a grid on which going along with a direction map costs less than going against it.

use super::DirectionMap;
use crate::{Edge, Graph, GridGraph};
use throng_core::Cell;

/// Parts of a tick in which costs are counted here.
const PARTS: u32 = 16;

/// A grid whose steps cost what a direction map adds to the time they take. It takes the place of the plain grid in any search.
#[derive(Clone, Copy, Debug)]
pub struct LaneGraph<'a> {
    against: AgainstLanes<'a>,
}

/// The same for searches that go backwards: an edge costs what it costs to come here by it.
#[derive(Clone, Copy, Debug)]
pub struct AgainstLanes<'a> {
    grid: GridGraph<'a>,
    map: &'a DirectionMap,
    most: u32,
}

impl<'a> LaneGraph<'a> {
    /// The most that a weight may be, in hundredths of a straight step.
    pub const HEAVIEST: u32 = 10_000;

    /// `weight` is what a step against the map costs more, in hundredths of a straight step that takes `step` ticks.
    #[must_use]
    pub fn new(grid: GridGraph<'a>, map: &'a DirectionMap, weight: u32, step: u32) -> Self {
        let most = weight.min(Self::HEAVIEST) * step * PARTS / 100;
        Self { against: AgainstLanes { grid, map, most } }
    }

    /// The grid without the map.
    #[must_use]
    pub const fn grid(&self) -> &GridGraph<'a> {
        &self.against.grid
    }
}

impl AgainstLanes<'_> {
    #[inline]
    fn penalty(&self, from: u32, to: u32, edge: &Edge) -> u32 {
        edge.action.dir().map_or(0, |dir| self.map.penalty(from, to, dir, self.most))
    }
}

impl<'a> Graph for LaneGraph<'a> {
    const PARTS: u32 = PARTS;

    fn len(&self) -> usize {
        self.against.grid.len()
    }

    #[inline]
    fn edges(&self, node: u32, visit: impl FnMut(Edge)) {
        self.against.grid.edges(node, visit);
    }

    #[inline]
    fn cost(&self, from: u32, edge: &Edge) -> u32 {
        edge.duration * PARTS + self.against.penalty(from, edge.to, edge)
    }

    type Aim = Cell;

    #[inline]
    fn aim(&self, node: u32) -> Cell {
        self.against.aim(node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.against.estimate(node, aim)
    }

    fn stride(&self) -> u32 {
        self.against.grid.stride()
    }

    fn longest(&self) -> u32 {
        self.against.longest()
    }

    #[inline]
    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.against.grid.crossing(from, to)
    }

    fn breadth(&self) -> u32 {
        self.against.grid.breadth()
    }

    #[inline]
    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.against.grid.covered(from, to, visit);
    }

    #[inline]
    fn covers_only(&self, from: u32, to: u32, test: impl FnMut(u32) -> bool) -> bool {
        self.against.grid.covers_only(from, to, test)
    }

    type Measure = AgainstLanes<'a>;

    #[inline]
    fn measure(&self) -> &AgainstLanes<'a> {
        &self.against
    }
}

impl Graph for AgainstLanes<'_> {
    fn len(&self) -> usize {
        self.grid.len()
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        self.grid.edges(node, |edge| {
            // Who comes from there makes the opposite step.
            let back =
                edge.action.dir().map_or(0, |dir| self.map.penalty(edge.to, node, dir.opposite(), self.most));
            visit(Edge { duration: edge.duration * PARTS + back, ..edge });
        });
    }

    type Aim = Cell;

    #[inline]
    fn aim(&self, node: u32) -> Cell {
        self.grid.aim(node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.grid.estimate(node, aim) * PARTS
    }

    fn stride(&self) -> u32 {
        self.grid.stride()
    }

    fn longest(&self) -> u32 {
        self.grid.longest() * PARTS + self.most
    }

    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.grid.crossing(from, to)
    }

    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.grid.covered(from, to, visit);
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}
