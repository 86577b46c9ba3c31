//! The grid as units see it that walk and run.

use super::{Edge, Graph, GridGraph};
use throng_core::{Action, Agent, Cell, Dir, Grid, Motion, Rules};

/// Poses of a cell: not running, and running in one of eight directions.
const POSES: u32 = Motion::Gaits { run: 1 }.poses() as u32;

/// The grid as a unit sees it that walks, accelerates and runs: a node is a cell with a pose.
///
/// Who runs is still running after its step, so its edges do not go both ways. Distances are those of a unit that
/// is always at a run: never too long, and shared with all whose period that is.
#[derive(Clone, Copy, Debug)]
pub struct GaitGraph<'a> {
    /// At a run.
    base: GridGraph<'a>,
    /// Ticks of a straight step and of a diagonal: walking, accelerating, running.
    walk: [u32; 2],
    accelerate: [u32; 2],
    run: [u32; 2],
}

impl<'a> GaitGraph<'a> {
    /// The grid as `agent` sees it.
    #[must_use]
    pub fn of(grid: &'a Grid, rules: Rules, agent: &Agent) -> Self {
        let actions = agent.actions(rules);
        let ticks = |action: fn(Dir) -> Action| [Dir::N, Dir::NE].map(|dir| actions.duration(action(dir)));
        Self {
            base: GridGraph::with_body(grid, rules, agent.body, actions.run_period() as u8),
            walk: ticks(Action::Go),
            accelerate: ticks(Action::Accelerate),
            run: ticks(Action::Run),
        }
    }
}

impl<'a> Graph for GaitGraph<'a> {
    fn len(&self) -> usize {
        self.base.len() * POSES as usize
    }

    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        let (cell, running) = (node / POSES, Dir::from_index((node % POSES).wrapping_sub(1) as u8));
        self.base.edges(cell, |Edge { to, action, .. }| {
            let Some(dir) = action.dir() else { return };
            let kind = usize::from(dir.is_diagonal());
            let runs = to * POSES + 1 + dir as u32;
            match running {
                None => {
                    visit(Edge { to: runs, duration: self.accelerate[kind], action: Action::Accelerate(dir) })
                }
                Some(last) if last.eighths(dir) <= 1 => {
                    visit(Edge { to: runs, duration: self.run[kind], action: Action::Run(dir) });
                }
                Some(_) => {}
            }
            visit(Edge { to: to * POSES, duration: self.walk[kind], action });
        });
    }

    type Aim = Cell;

    fn aim(&self, node: u32) -> Cell {
        self.base.aim(node / POSES)
    }

    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.base.estimate(node / POSES, aim)
    }

    fn stride(&self) -> u32 {
        self.base.stride() * POSES
    }

    fn longest(&self) -> u32 {
        self.walk[usize::from(self.base.mask != 0x0f)]
    }

    fn breadth(&self) -> u32 {
        self.base.breadth()
    }

    fn crossing(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        self.base.crossing(from / POSES, to / POSES)
    }

    fn covered(&self, from: u32, to: u32, visit: impl FnMut(u32)) {
        self.base.covered(from / POSES, to / POSES, visit);
    }

    #[inline]
    fn covers_only(&self, from: u32, to: u32, test: impl FnMut(u32) -> bool) -> bool {
        self.base.covers_only(from / POSES, to / POSES, test)
    }

    fn place(&self, node: u32) -> u32 {
        node / POSES
    }

    fn rest(&self, node: u32) -> u32 {
        node - node % POSES
    }

    type Measure = GridGraph<'a>;

    fn measure(&self) -> &GridGraph<'a> {
        &self.base
    }

    fn measured(&self, node: u32) -> u32 {
        node / POSES
    }
}
