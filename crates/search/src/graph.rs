//! What a search needs to know of the world.

mod around;
mod car;
mod gaits;

pub use car::{CarGraph, CarShape};
pub use gaits::GaitGraph;

use core::ops::Range;
use throng_core::{Action, Actions, Agent, Cell, CellId, Dir, Grid, Motion, Rules};

/// Change of x and y by direction.
const DX: [i32; 8] = [0, 1, 0, -1, 1, 1, -1, -1];
const DY: [i32; 8] = [-1, 0, 1, 0, -1, 1, 1, -1];

/// A way from one node to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    /// Ticks it takes, which is also what it costs unless [`Graph::cost`] says otherwise.
    pub duration: u32,
    /// What a unit does to take it.
    pub action: Action,
}

/// A graph with a dense index. Where it is its own [`Self::Measure`], its edges go both ways at the same cost.
///
/// Nodes are places of the world. Where it matters how a unit stands at a place, they are places with a pose, and
/// [`Self::place`] tells the place: reservations are about places.
pub trait Graph: Sync {
    /// How long an array indexed by node must be.
    fn len(&self) -> usize;

    /// Whether there are no nodes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `visit` for every edge out of `node`, in the order in which ties break.
    fn edges(&self, node: u32, visit: impl FnMut(Edge));

    /// In how many parts of a tick costs are counted here: those of edges, waiting and estimates, and what searches add for
    /// whatever else is told in ticks.
    const PARTS: u32 = 1;

    /// What an edge out of `from` costs: the time it takes, unless there is more to it.
    #[inline(always)]
    fn cost(&self, _from: u32, edge: &Edge) -> u32 {
        edge.duration
    }

    /// What a tick of waiting costs.
    #[inline(always)]
    fn pause(&self) -> u32 {
        Self::PARTS
    }

    /// What estimates towards one node need to know of it.
    type Aim: Copy + core::fmt::Debug + Send + Sync;

    /// Aims at `node`.
    fn aim(&self, node: u32) -> Self::Aim;

    /// A consistent lower bound on the cost between `node` and what `aim` is at.
    fn estimate(&self, node: u32, aim: Self::Aim) -> u32;

    /// Like [`Self::edges`], with what a way towards the aim grows by if it takes the edge: its cost and the
    /// estimate from its end, less the estimate from `node`.
    fn edges_aimed(&self, node: u32, aim: Self::Aim, mut visit: impl FnMut(Edge, u32)) {
        let here = self.estimate(node, aim);
        self.edges(node, |edge| {
            visit(edge, (edge.duration + self.estimate(edge.to, aim)).saturating_sub(here))
        });
    }

    /// Like [`Self::edges_aimed`] on a bipartite graph: where each edge leads, and whether that is nearer to
    /// the aim by the estimate (farther otherwise).
    #[inline]
    fn steps_aimed(&self, node: u32, aim: Self::Aim, mut visit: impl FnMut(u32, bool)) {
        self.edges_aimed(node, aim, |edge, rise| visit(edge.to, rise == 0));
    }

    /// Nodes this far apart are beside each other, and so are nodes with numbers that follow each other: arrays
    /// that keep neighbours together ask for it.
    fn stride(&self) -> u32 {
        8
    }

    /// The largest cost of an edge.
    fn longest(&self) -> u32;

    /// Whether every edge costs 1 and joins nodes of different colour, so that costs of neighbours
    /// always differ by exactly one.
    fn is_bipartite(&self) -> bool {
        false
    }

    /// The two nodes whose connection crosses the edge between `from` and `to`, if there is one.
    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)>;

    /// The most nodes that [`Self::covered`] visits.
    fn breadth(&self) -> u32 {
        4
    }

    /// Calls `visit` for every place that a unit covers on its way between neighbours (or standing,
    /// if they are equal), once each.
    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32));

    /// Whether all that [`Self::covered`] visits pass a test. Large bodies mostly find out early that they do not.
    #[inline]
    fn covers_only(&self, from: u32, to: u32, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut all = true;
        self.covered(from, to, |place| all = all && test(place));
        all
    }

    /// The place of a node.
    #[inline(always)]
    fn place(&self, node: u32) -> u32 {
        node
    }

    /// Where a unit is that has waited at `node`.
    #[inline(always)]
    fn rest(&self, node: u32) -> u32 {
        node
    }

    /// The nodes of a place at which a way to it may end.
    #[inline(always)]
    fn roots(&self, place: u32) -> Range<u32> {
        place..place + 1
    }

    /// The graph on which distances are measured, on which no way is longer than here.
    type Measure: Graph;

    /// That graph.
    fn measure(&self) -> &Self::Measure;

    /// A node of this graph as one of that graph.
    #[inline(always)]
    fn measured(&self, node: u32) -> u32 {
        node
    }

    /// Whether the distance measured there never falls by more than an edge here costs.
    const CONSISTENT: bool = true;

    /// Calls `visit` for every node whose edges a place that closes or opens can change, and perhaps for some others.
    /// Answers whether it can tell.
    fn touched(&self, _place: u32, _visit: impl FnMut(u32)) -> bool {
        false
    }

    /// How far a node is off the straight line between two others, in any unit: which of equally long ways is straighter.
    fn stray(&self, _node: u32, _ends: [u32; 2]) -> u32 {
        0
    }

    /// What is known of how far `node` is from the place `goal`, where `measured` is what was measured.
    #[inline(always)]
    fn sharpened(&self, _node: u32, _goal: u32, measured: u32) -> u32 {
        measured
    }
}

/// The grid as one kind of unit sees it: connectivity, durations and body.
///
/// `PLAIN` says at compile time what [`GridGraph::plain`] found out: small bodies, four moves, one tick each.
/// Most worlds are like that, and searches through them need not ask again at every step.
#[derive(Clone, Copy, Debug)]
pub struct GridGraph<'a, const PLAIN: bool = false> {
    grid: &'a Grid,
    mask: u8,
    offsets: [i32; 8],
    body: u8,
    straight: u32,
    diagonal: u32,
    bipartite: bool,
}

impl<'a> GridGraph<'a> {
    /// The grid as 1×1 units of this period see it.
    #[must_use]
    pub fn new(grid: &'a Grid, rules: Rules, period: u8) -> Self {
        Self::with_body(grid, rules, 1, period)
    }

    /// The grid as n×n units of this period see it: a node is where the smallest corner of the body is.
    #[must_use]
    pub fn with_body(grid: &'a Grid, rules: Rules, body: u8, period: u8) -> Self {
        let actions = Actions::new(rules, body, period);
        let straight = actions.duration(Action::Go(Dir::N));
        Self {
            grid,
            mask: rules.connectivity.mask(),
            offsets: grid.offsets(),
            body,
            straight,
            diagonal: actions.duration(Action::Go(Dir::NE)),
            bipartite: straight == 1 && rules.connectivity == throng_core::Connectivity::Four,
        }
    }

    /// The grid as units of this kind see it; see [`Self::kind`].
    #[must_use]
    pub fn of_kind(grid: &'a Grid, rules: Rules, kind: u32) -> Self {
        Self::with_body(grid, rules, (kind >> 8) as u8, kind as u8)
    }

    /// A number for the way a unit moves: units of one kind share their distances. Those of a runner are as if it
    /// were always running. Only cars have numbers from 2¹⁶ on.
    #[must_use]
    pub const fn kind(agent: &Agent) -> u32 {
        let (radius, period) = match agent.motion {
            Motion::Steps | Motion::Turns { .. } => (0, agent.period),
            Motion::Gaits { run } => (0, run),
            Motion::Car { radius, .. } => (radius, agent.period),
        };
        (radius as u32) << 16 | (agent.body as u32) << 8 | period as u32
    }

    /// The grid as `agent` sees it.
    #[must_use]
    pub fn of(grid: &'a Grid, rules: Rules, agent: &Agent) -> Self {
        Self::with_body(grid, rules, agent.body, agent.period)
    }

    /// The same graph as the type for the simplest kind of units, if they are of that kind.
    #[must_use]
    #[inline]
    pub const fn plain(&self) -> Option<GridGraph<'a, true>> {
        let Self { grid, mask, offsets, body, straight, diagonal, bipartite } = *self;
        if bipartite && body == 1 {
            Some(GridGraph { grid, mask, offsets, body, straight, diagonal, bipartite })
        } else {
            None
        }
    }
}

impl<'a, const PLAIN: bool> GridGraph<'a, PLAIN> {
    // Small bodies are the usual case: nothing of the others may slow its loops down.
    #[inline(always)]
    fn exits(&self, node: u32) -> u8 {
        if PLAIN {
            self.grid.exits(CellId(node)) & 0x0f
        } else if self.body == 1 {
            self.grid.exits(CellId(node)) & self.mask
        } else {
            self.exits_of_body(node)
        }
    }

    #[cold]
    #[inline(never)]
    fn exits_of_body(&self, node: u32) -> u8 {
        self.grid.exits_of_body(CellId(node), self.body) & self.mask
    }

    #[inline]
    fn edge(&self, node: u32, index: usize) -> Edge {
        Edge {
            to: node.wrapping_add(self.offsets[index] as u32),
            duration: match index {
                _ if PLAIN => 1,
                0..4 => self.straight,
                _ => self.diagonal,
            },
            action: Action::Go(Dir::ALL[index]),
        }
    }

    /// Straight steps from `at` that lead nearer to `aim`, as a set of directions.
    #[inline]
    fn nearer(at: Cell, aim: Cell) -> u8 {
        u8::from(at.y > aim.y)
            | u8::from(at.x < aim.x) << 1
            | u8::from(at.y < aim.y) << 2
            | u8::from(at.x > aim.x) << 3
    }

    #[inline]
    const fn between(&self, a: Cell, b: Cell) -> u32 {
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        if PLAIN {
            return dx + dy;
        }
        if self.mask == 0x0f {
            return (dx + dy) * self.straight;
        }
        let (short, long) = if dx < dy { (dx, dy) } else { (dy, dx) };
        // A diagonal never costs more than two straight steps (round(p·√2) ≤ 2p).
        short * self.diagonal + (long - short) * self.straight
    }

    /// Whether all places that a larger body covers between neighbours pass a test: the box around where it starts
    /// and where it ends.
    #[cold]
    #[inline(never)]
    fn swept(&self, from: u32, to: u32, mut test: impl FnMut(u32) -> bool) -> bool {
        let (row, offset) = (self.offsets[2], to.wrapping_sub(from) as i32);
        // Rows are longer than two cells, so that more than one to the side is another row.
        let down = i32::from(offset > 1) - i32::from(offset < -1);
        let right = offset - down * row;
        let corner = from.wrapping_add_signed(down.min(0) * row + right.min(0));
        let (height, width) =
            (u32::from(self.body) + down.unsigned_abs(), u32::from(self.body) + right.unsigned_abs());
        (0..height).all(|y| {
            let first = corner + y * row as u32;
            (first..first + width).all(&mut test)
        })
    }

    /// How many edges lead out of a node.
    #[inline]
    pub(crate) fn degree(&self, node: u32) -> usize {
        self.exits(node).count_ones() as usize
    }

    /// Whether an edge leads from one node to the other.
    #[inline]
    pub(crate) fn leads(&self, from: u32, to: u32) -> bool {
        let offset = to.wrapping_sub(from) as i32;
        let to = self.offsets.iter().enumerate().fold(0, |to, (k, &o)| to | u8::from(o == offset) << k);
        self.exits(from) & to != 0
    }

    /// The cells to the right of, below and diagonally below one with even coordinates, if units go from each of the four to
    /// each.
    #[inline]
    pub(crate) fn square(&self, node: u32) -> Option<[u32; 3]> {
        // A diagonal leads past open cells only. With a larger body it is enough to ask the first of the four, too.
        const OUT: u8 = 1 << 1 | 1 << 2 | 1 << 5;
        if self.exits(node) & OUT != OUT {
            return None;
        }
        let Cell { x, y } = self.grid.cell(CellId(node));
        let to = |index: usize| node.wrapping_add(self.offsets[index] as u32);
        ((x | y) & 1 == 0).then(|| [to(1), to(2), to(5)])
    }

    /// The grid itself.
    #[must_use]
    pub const fn grid(&self) -> &'a Grid {
        self.grid
    }
}

impl<const PLAIN: bool> Graph for GridGraph<'_, PLAIN> {
    #[inline]
    fn len(&self) -> usize {
        self.grid.len()
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        let mut exits = self.exits(node);
        while exits != 0 {
            let index = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            visit(self.edge(node, index));
        }
    }

    type Measure = Self;

    #[inline(always)]
    fn measure(&self) -> &Self {
        self
    }

    type Aim = Cell;

    #[inline]
    fn aim(&self, node: u32) -> Cell {
        self.grid.cell(CellId(node))
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.between(self.grid.cell(CellId(node)), aim)
    }

    #[inline]
    fn edges_aimed(&self, node: u32, aim: Cell, mut visit: impl FnMut(Edge, u32)) {
        let at = self.grid.cell(CellId(node));
        // Every straight step is one nearer or one farther; which ones are nearer is seen at once.
        let nearer = Self::nearer(at, aim);
        let here = self.between(at, aim);
        let mut exits = self.exits(node);
        // One loop for both connectivities, so that `visit` is inlined.
        while exits != 0 {
            let index = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            let edge = self.edge(node, index);
            let rise = if !PLAIN && self.mask != 0x0f {
                edge.duration + self.between(Cell::new(at.x + DX[index], at.y + DY[index]), aim) - here
            } else if nearer >> index & 1 == 1 {
                0
            } else {
                2 * self.straight
            };
            visit(edge, rise);
        }
    }

    #[inline]
    fn steps_aimed(&self, node: u32, aim: Cell, mut visit: impl FnMut(u32, bool)) {
        let nearer = Self::nearer(self.grid.cell(CellId(node)), aim);
        let mut exits = self.exits(node);
        while exits != 0 {
            let index = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            visit(node.wrapping_add(self.offsets[index] as u32), nearer >> index & 1 == 1);
        }
    }

    #[inline]
    fn stride(&self) -> u32 {
        self.grid.width() as u32 + 1
    }

    #[inline]
    fn longest(&self) -> u32 {
        if PLAIN {
            return 1;
        }
        if self.mask == 0x0f { self.straight } else { self.straight.max(self.diagonal) }
    }

    fn breadth(&self) -> u32 {
        (u32::from(self.body) + 1).pow(2)
    }

    #[inline]
    fn is_bipartite(&self) -> bool {
        PLAIN || self.bipartite
    }

    #[inline]
    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        if PLAIN || self.mask == 0x0f {
            return None;
        }
        let offset = to.wrapping_sub(from) as i32;
        let [north, east, south, west] = [0, 1, 2, 3].map(|d: usize| self.offsets[d]);
        let (v, h) = match offset {
            o if o == north + east => (north, east),
            o if o == south + east => (south, east),
            o if o == south + west => (south, west),
            o if o == north + west => (north, west),
            _ => return None,
        };
        Some((from.wrapping_add(v as u32), from.wrapping_add(h as u32)))
    }

    #[inline]
    fn covered(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        if !PLAIN && self.body > 1 {
            self.swept(from, to, |place| {
                visit(place);
                true
            });
            return;
        }
        visit(from);
        if from != to {
            visit(to);
            if let Some((a, b)) = self.crossing(from, to) {
                visit(a);
                visit(b);
            }
        }
    }

    fn stray(&self, node: u32, ends: [u32; 2]) -> u32 {
        around::stray(self.grid, node, ends)
    }

    fn touched(&self, place: u32, visit: impl FnMut(u32)) -> bool {
        around::touched(self.grid, self.body, place, visit);
        true
    }

    #[inline]
    fn covers_only(&self, from: u32, to: u32, mut test: impl FnMut(u32) -> bool) -> bool {
        if !PLAIN && self.body > 1 {
            return self.swept(from, to, test);
        }
        test(from)
            && (from == to || test(to) && self.crossing(from, to).is_none_or(|(a, b)| test(a) && test(b)))
    }
}
