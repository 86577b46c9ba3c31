//! The grid as units see it that drive curves.

use super::{Edge, Graph, GridGraph};
use core::ops::Range;
use std::sync::Arc;
use throng_core::{Action, Actions, Agent, Bend, Cell, CellId, Dir, Grid, Motion, Rules};

/// Poses of a cell: four headings.
const POSES: u32 = Motion::Car { radius: 1, heading: Dir::N }.poses() as u32;

/// What the curves of one kind of car cover, worked out once.
#[derive(Clone, Debug)]
pub struct CarShape {
    actions: Actions,
    radius: u8,
    straight: u32,
    curve: u32,
    curves: [Sweep; 8],
}

/// What one curve covers.
#[derive(Clone, Debug)]
struct Sweep {
    /// From its first cell to its last.
    shift: Cell,
    /// Smallest and largest change of x and y.
    low: Cell,
    high: Cell,
    cells: Vec<Cell>,
}

impl CarShape {
    /// Of an n×n body that takes `period` ticks per straight step and turns with `radius`.
    #[must_use]
    pub fn new(rules: Rules, body: u8, period: u8, radius: u8) -> Self {
        let actions = Actions::new(rules, body, period).moving(Motion::Car { radius, heading: Dir::N });
        let sweep = |bend: Bend| {
            let action = Action::Curve(bend, radius);
            let zero = Cell::new(0, 0);
            let cells: Vec<_> = actions.footprint(zero, action).cells().collect();
            let ends = |pick: fn(i32, i32) -> i32| {
                cells.iter().fold(zero, |end, cell| Cell::new(pick(end.x, cell.x), pick(end.y, cell.y)))
            };
            Sweep { shift: zero.after(action), low: ends(i32::min), high: ends(i32::max), cells }
        };
        Self {
            actions,
            radius,
            straight: actions.duration(Action::Go(Dir::N)),
            curve: actions.duration(Action::Curve(Bend::NE, radius)),
            curves: Bend::ALL.map(sweep),
        }
    }

    /// Of the car that `agent` is, if it is one.
    #[must_use]
    pub fn of(rules: Rules, agent: &Agent) -> Option<Self> {
        match agent.motion {
            Motion::Car { radius, .. } => Some(Self::new(rules, agent.body, agent.period, radius)),
            Motion::Steps | Motion::Gaits { .. } | Motion::Turns { .. } => None,
        }
    }

    /// Of cars of this kind; see [`GridGraph::kind`].
    #[must_use]
    pub fn of_kind(rules: Rules, kind: u32) -> Self {
        Self::new(rules, (kind >> 8) as u8, kind as u8, (kind >> 16) as u8)
    }
}

/// The grid as a car sees it: a node is a cell with a heading.
///
/// Whatever it drives ahead it can drive back in the same time, so edges go both ways and the backwards search for
/// true distances works as on the grid. A goal is a cell, whatever the heading there.
#[derive(Clone, Debug)]
pub struct CarGraph<'a> {
    base: GridGraph<'a>,
    shape: Arc<CarShape>,
}

impl<'a> CarGraph<'a> {
    /// The grid as cars of this shape see it.
    #[must_use]
    pub fn new(grid: &'a Grid, rules: Rules, shape: Arc<CarShape>) -> Self {
        let rules = Rules { connectivity: throng_core::Connectivity::Four, ..rules };
        Self { base: GridGraph::with_body(grid, rules, shape.actions.body(), shape.straight as u8), shape }
    }

    fn offset(&self, cell: Cell) -> i32 {
        cell.y * self.base.offsets[Dir::S as usize] + cell.x
    }

    /// Whether the terrain lets a curve begin at a cell.
    fn open(&self, at: Cell, sweep: &Sweep) -> bool {
        let grid = self.base.grid;
        let inside = at.x + sweep.low.x >= 0
            && at.y + sweep.low.y >= 0
            && at.x + sweep.high.x < grid.width() as i32
            && at.y + sweep.high.y < grid.height() as i32;
        inside && sweep.cells.iter().all(|cell| grid.is_open(Cell::new(at.x + cell.x, at.y + cell.y)))
    }
}

impl Graph for CarGraph<'_> {
    fn len(&self) -> usize {
        self.base.len() * POSES as usize
    }

    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        let (cell, heading) = (node / POSES, (node % POSES) as u8);
        // Along the heading or against it: every other straight direction.
        self.base.edges(cell, |Edge { to, duration, action }| {
            if action.dir().is_some_and(|dir| dir as u8 % 2 == heading % 2) {
                visit(Edge { to: to * POSES + u32::from(heading), duration, action });
            }
        });
        let at = self.base.grid.cell(CellId(cell));
        for (bend, sweep) in Bend::ALL.into_iter().zip(&self.shape.curves) {
            let action = Action::Curve(bend, self.shape.radius);
            if self.shape.actions.owns(heading, action) && self.open(at, sweep) {
                let to = cell.wrapping_add(self.offset(sweep.shift) as u32);
                let pose = self.shape.actions.pose_after(heading, action);
                visit(Edge { to: to * POSES + u32::from(pose), duration: self.shape.curve, action });
            }
        }
    }

    type Aim = Cell;

    fn aim(&self, node: u32) -> Cell {
        self.base.aim(node / POSES)
    }

    /// A curve saves time against going around the corner, but never more than its own share of it.
    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        let at = self.base.aim(node / POSES);
        let (dx, dy) = (at.x.abs_diff(aim.x), at.y.abs_diff(aim.y));
        let (short, long) = (dx.min(dy), dx.max(dy));
        let radius = u32::from(self.shape.radius);
        // Rounded down: since every cost is whole, that keeps the estimate consistent.
        (short * self.shape.curve + (long - short) * self.shape.straight * radius) / radius
    }

    fn stride(&self) -> u32 {
        self.base.stride() * POSES
    }

    fn longest(&self) -> u32 {
        self.shape.curve.max(self.shape.straight)
    }

    fn breadth(&self) -> u32 {
        let most = self.shape.curves.iter().map(|sweep| sweep.cells.len() as u32).max();
        most.unwrap_or(0).max(self.base.breadth())
    }

    fn crossing(&self, _from: u32, _to: u32) -> Option<(u32, u32)> {
        None
    }

    fn covered(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        let (a, b) = (from / POSES, to / POSES);
        // Whoever has turned by a quarter has come along the curve that ends with its heading.
        let curve = Bend::ALL.into_iter().zip(&self.shape.curves).find(|(bend, sweep)| {
            (from ^ to) % 2 == 1
                && bend.then() as u32 % 2 == to % 2
                && b == a.wrapping_add(self.offset(sweep.shift) as u32)
        });
        match curve {
            Some((_, sweep)) => {
                sweep.cells.iter().for_each(|&cell| visit(a.wrapping_add(self.offset(cell) as u32)));
            }
            None => self.base.covered(a, b, visit),
        }
    }

    fn place(&self, node: u32) -> u32 {
        node / POSES
    }

    fn roots(&self, place: u32) -> Range<u32> {
        place * POSES..(place + 1) * POSES
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AStar, TrueDistance};
    use proptest::prelude::*;
    use throng_core::{TerrainPolicy, Timing};

    fn metric() -> Rules {
        Rules { timing: Timing::Metric, ..Rules::default() }
    }

    proptest! {
        /// Edges are the legal actions, go both ways at the same cost, cover what the motion model says, and never
        /// outrun the estimate.
        #[test]
        fn edges_are_the_legal_actions(
            walls in prop::collection::vec(prop::bool::weighted(0.08), 12 * 10),
            body in 1..=3u8, period in 1..=4u8, radius in 1..=3u8,
        ) {
            let letters: Vec<u8> = walls.iter().map(|&wall| if wall { b'@' } else { b'.' }).collect();
            let grid = Grid::new(12, 10, &letters, TerrainPolicy::default()).unwrap();
            let shape = CarShape::new(metric(), body, period, radius);
            let (actions, graph) = (shape.actions, CarGraph::new(&grid, metric(), Arc::new(shape)));
            let id = |cell: Cell| grid.id(cell).unwrap().0;
            for at in grid.open_ids().map(|id| grid.cell(id)).filter(|&cell| grid.fits(cell, body)) {
                for heading in 0..4u8 {
                    let node = id(at) * POSES + u32::from(heading);
                    let moves = Dir::ALL.map(Action::Go).into_iter()
                        .chain(Bend::ALL.map(|bend| Action::Curve(bend, radius)));
                    let legal: Vec<_> = moves.filter(|&a| actions.legal(&grid, at, heading, a)).collect();
                    let mut found = Vec::new();
                    graph.edges(node, |edge| found.push(edge));
                    prop_assert_eq!(found.iter().map(|edge| edge.action).collect::<Vec<_>>(), legal);
                    for edge in found {
                        let pose = actions.pose_after(heading, edge.action);
                        prop_assert_eq!(edge.to, id(at.after(edge.action)) * POSES + u32::from(pose));
                        prop_assert_eq!(edge.duration, actions.duration(edge.action));
                        let mut back = false;
                        graph.edges(edge.to, |other| back |= other.to == node && other.duration == edge.duration);
                        prop_assert!(back);
                        let mut covered = Vec::new();
                        graph.covered(node, edge.to, |cell| covered.push(cell));
                        covered.sort_unstable();
                        let mut expected: Vec<_> =
                            actions.footprint(at, edge.action).cells().map(id).collect();
                        expected.sort_unstable();
                        prop_assert_eq!(covered, expected);
                        let aim = Cell::new(7, 5);
                        let (here, there) = (graph.estimate(node, aim), graph.estimate(edge.to, aim));
                        prop_assert!(here <= there + edge.duration, "consistent");
                    }
                }
            }
        }

        /// The backwards search from all headings at a goal finds what a search from the start finds.
        #[test]
        fn distances_are_those_of_the_best_heading(
            walls in prop::collection::vec(prop::bool::weighted(0.08), 11 * 9),
            body in 1..=2u8, radius in 1..=3u8, picks in prop::collection::vec(any::<u16>(), 2..8),
            aimed in any::<bool>(),
        ) {
            let letters: Vec<u8> = walls.iter().map(|&wall| if wall { b'@' } else { b'.' }).collect();
            let grid = Grid::new(11, 9, &letters, TerrainPolicy::default()).unwrap();
            let graph = CarGraph::new(&grid, metric(), Arc::new(CarShape::new(metric(), body, 2, radius)));
            let open: Vec<_> = grid.open_ids().filter(|&id| grid.fits(grid.cell(id), body)).collect();
            prop_assume!(!open.is_empty());
            let pick = |p: u16| open[usize::from(p >> 2) % open.len()].0;
            let goal = pick(picks[0]);
            let node = |p: u16| pick(p) * POSES + u32::from(p % 4);
            let mut field = TrueDistance::new(&graph, goal, aimed.then(|| node(picks[1])));
            let mut judge = AStar::new();
            for &p in &picks[1..] {
                let best = graph.roots(goal).filter_map(|root| judge.dijkstra(&graph, node(p), root)).min();
                prop_assert_eq!(field.distance(&graph, node(p)), best);
            }
        }
    }
}
