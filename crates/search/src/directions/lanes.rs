//! The cost layer: a graph on which going along with a direction map costs less than going against it.
//!
//! It goes by one cell of a body, that in its middle, for what a move costs as for what it teaches. A curve counts as a diagonal
//! between its ends, and for as many steps as it takes straight ones.

use super::DirectionMap;
use crate::{Edge, Graph, GridGraph};
use core::ops::Range;
use throng_core::{Action, Dir};

/// Parts of a tick in which costs are counted here.
const PARTS: u32 = 5;

/// Parts of a straight step in which what the map adds is counted. Were they finer, no two ways would ever cost the same, and
/// searches that are in somebody's way would have nothing to choose from.
const SHARES: u32 = 5;

/// A graph whose moves cost what a direction map adds to the time they take. It takes the place of the plain one in any search.
#[derive(Clone, Copy, Debug)]
pub struct LaneGraph<'a, G: Graph = GridGraph<'a>> {
    graph: G,
    against: AgainstLanes<'a, G::Measure>,
}

/// The same for searches that go backwards, on the graph by which distances are measured: an edge costs what it costs to come
/// here by it.
#[derive(Clone, Copy, Debug)]
pub struct AgainstLanes<'a, M> {
    graph: M,
    lanes: Lanes<'a>,
}

#[derive(Clone, Copy, Debug)]
struct Lanes<'a> {
    map: &'a DirectionMap,
    /// What a step against the map costs more, in shares of a straight step.
    most: u32,
    /// Ticks of a straight step.
    step: u32,
    /// From the smallest corner of a body to its middle.
    shift: u32,
}

impl<'a, G: Graph<Measure: Clone>> LaneGraph<'a, G> {
    /// `weight` is what a step against the map costs more, in hundredths of a straight step that takes `step` ticks; `body` is
    /// how large units are.
    #[must_use]
    pub fn new(graph: G, map: &'a DirectionMap, weight: u32, step: u32, body: u8) -> Self {
        // However light, it weighs something.
        let most = (weight.min(LaneGraph::HEAVIEST) * SHARES).div_ceil(100);
        let lanes = Lanes { map, most, step: step.max(1), shift: map.middle(body) };
        let against = AgainstLanes { graph: graph.measure().clone(), lanes };
        Self { graph, against }
    }
}

impl LaneGraph<'_> {
    /// The most that a weight may be, in hundredths of a straight step.
    pub const HEAVIEST: u32 = 10_000;
}

impl Lanes<'_> {
    /// What a move costs more that leads from one place to another.
    #[inline]
    fn penalty(&self, from: u32, to: u32, edge: &Edge, back: bool) -> u32 {
        let Some(dir) = course(edge.action) else { return 0 };
        let dir = if back { dir.opposite() } else { dir };
        let shares = self.map.penalty(from + self.shift, to + self.shift, dir, self.most);
        let penalty = self.shares(shares);
        match edge.action {
            Action::Curve(..) => penalty * edge.duration.div_ceil(self.step),
            _ => penalty,
        }
    }

    /// The most that a move of so many ticks can cost more.
    fn most(&self, longest: u32) -> u32 {
        self.shares(self.most) * longest.div_ceil(self.step)
    }

    /// So many shares of a straight step.
    #[inline]
    const fn shares(&self, count: u32) -> u32 {
        count * self.step * PARTS / SHARES
    }
}

/// Where a move leads, roughly.
#[inline]
pub(super) fn course(action: Action) -> Option<Dir> {
    match action {
        Action::Curve(..) => {
            let (x, y) = action.delta();
            Dir::ALL.into_iter().find(|dir| dir.delta() == (x.signum(), y.signum()))
        }
        _ => action.dir(),
    }
}

impl<'a, G> Graph for LaneGraph<'a, G>
where
    G: Graph<Measure: Clone>,
{
    const PARTS: u32 = PARTS;

    fn len(&self) -> usize {
        self.graph.len()
    }

    #[inline]
    fn edges(&self, node: u32, visit: impl FnMut(Edge)) {
        self.graph.edges(node, visit);
    }

    #[inline]
    fn cost(&self, from: u32, edge: &Edge) -> u32 {
        let (a, b) = (self.graph.place(from), self.graph.place(edge.to));
        edge.duration * PARTS + self.against.lanes.penalty(a, b, edge, false)
    }

    /// If waiting cost its time alone, units would rather wait for ten steps than go against the lanes for one: they take a
    /// fifth more time for their patrols. As a step that leads nowhere it would cost half of what one against the map does; then
    /// they take long ways around instead. Half of that does better than both.
    #[inline]
    fn pause(&self) -> u32 {
        PARTS + self.against.lanes.shares(self.against.lanes.most) / (4 * self.against.lanes.step)
    }

    type Aim = G::Aim;

    #[inline]
    fn aim(&self, node: u32) -> G::Aim {
        self.graph.aim(node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: G::Aim) -> u32 {
        self.graph.estimate(node, aim) * PARTS
    }

    fn stride(&self) -> u32 {
        self.graph.stride()
    }

    fn longest(&self) -> u32 {
        let longest = self.graph.longest();
        longest * PARTS + self.against.lanes.most(longest)
    }

    #[inline]
    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.graph.crossing(from, to)
    }

    fn breadth(&self) -> u32 {
        self.graph.breadth()
    }

    #[inline]
    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.graph.covered(from, to, visit);
    }

    #[inline]
    fn covers_only(&self, from: u32, to: u32, test: impl FnMut(u32) -> bool) -> bool {
        self.graph.covers_only(from, to, test)
    }

    #[inline(always)]
    fn place(&self, node: u32) -> u32 {
        self.graph.place(node)
    }

    #[inline(always)]
    fn rest(&self, node: u32) -> u32 {
        self.graph.rest(node)
    }

    #[inline(always)]
    fn roots(&self, place: u32) -> Range<u32> {
        self.graph.roots(place)
    }

    type Measure = AgainstLanes<'a, G::Measure>;

    #[inline]
    fn measure(&self) -> &AgainstLanes<'a, G::Measure> {
        &self.against
    }

    #[inline(always)]
    fn measured(&self, node: u32) -> u32 {
        self.graph.measured(node)
    }

    const CONSISTENT: bool = G::CONSISTENT;
}

impl<M: Graph> Graph for AgainstLanes<'_, M> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        let here = self.graph.place(node);
        self.graph.edges(node, |edge| {
            // Who comes from there makes the opposite move.
            let back = self.lanes.penalty(self.graph.place(edge.to), here, &edge, true);
            visit(Edge { duration: edge.duration * PARTS + back, ..edge });
        });
    }

    type Aim = M::Aim;

    #[inline]
    fn aim(&self, node: u32) -> M::Aim {
        self.graph.aim(node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: M::Aim) -> u32 {
        self.graph.estimate(node, aim) * PARTS
    }

    fn stride(&self) -> u32 {
        self.graph.stride()
    }

    fn longest(&self) -> u32 {
        let longest = self.graph.longest();
        longest * PARTS + self.lanes.most(longest)
    }

    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.graph.crossing(from, to)
    }

    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.graph.covered(from, to, visit);
    }

    #[inline(always)]
    fn place(&self, node: u32) -> u32 {
        self.graph.place(node)
    }

    #[inline(always)]
    fn rest(&self, node: u32) -> u32 {
        self.graph.rest(node)
    }

    #[inline(always)]
    fn roots(&self, place: u32) -> Range<u32> {
        self.graph.roots(place)
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}
