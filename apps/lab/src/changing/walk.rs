//! One unit on its way through a world that changes, with its way mended and searched anew side by side.

use throng::core::{AgentId, Cell, CellId, Draw as _, Grid, Random, Rules, Scenario, stream};
use throng::search::{AStar, DStarLite, GridGraph, WayFound};

/// What a walk came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walked {
    /// Cells that closed or opened.
    pub changes: u64,
    /// Steps to the goal.
    pub steps: u64,
    /// Expansions of D* Lite.
    pub mended: u64,
    /// Expansions of A*, begun anew after every change.
    pub anew: u64,
    /// How often the two found ways of different lengths.
    pub differ: u64,
    /// Whether it got there.
    pub arrived: bool,
}

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A cell of the unit's own way closes; every second time one of those opens again.
    OnTheWay,
    /// Any cell closes, or opens if it was closed.
    Anywhere,
}

/// Where a walk is.
struct World {
    grid: Grid,
    rules: Rules,
    at: CellId,
    goal: CellId,
    /// What has closed on the way.
    closed: Vec<CellId>,
    dice: Random,
}

impl World {
    fn graph(&self) -> GridGraph<'_> {
        GridGraph::new(&self.grid, self.rules, 1)
    }

    /// A cell to be changed.
    fn draw(&mut self, change: Change, way: &DStarLite) -> Option<CellId> {
        if change == Change::OnTheWay && self.closed.len() > self.dice.below(2) as usize * 4 {
            let place = self.dice.below(self.closed.len() as u32) as usize;
            return Some(self.closed.swap_remove(place));
        }
        let (width, height) = (self.grid.width() as u32, self.grid.height() as u32);
        let cell = match change {
            Change::Anywhere => {
                let cell = Cell::new(self.dice.below(width) as i32, self.dice.below(height) as i32);
                self.grid.id(cell)?
            }
            Change::OnTheWay => {
                let mut ahead = Vec::new();
                let (graph, mut at) = (self.graph(), self.at.0);
                while at != self.goal.0 {
                    at = way.next(&graph, at)?.0.to;
                    ahead.push(CellId(at));
                }
                let cell = ahead[self.dice.below(ahead.len() as u32) as usize];
                self.closed.push(cell);
                cell
            }
        };
        (cell != self.at && cell != self.goal).then_some(cell)
    }

    fn toggle(&mut self, cell: CellId) -> bool {
        let letter = if self.grid.is_open_id(cell) { b'@' } else { b'.' };
        self.grid.set_letter(cell, letter) == Ok(true)
    }
}

/// Walks from the first unit's start to its goal; something changes every `every` steps.
pub(super) fn walk(scenario: &Scenario, change: Change, every: u64, seed: u64) -> Walked {
    let agent = &scenario.agents()[0];
    let id = |cell| scenario.grid().id(cell).unwrap_or_default();
    let mut world = World {
        grid: scenario.grid().clone(),
        rules: scenario.rules(),
        at: id(agent.start),
        goal: id(agent.waypoints().last()),
        closed: Vec::new(),
        dice: stream(seed, AgentId(1), 0),
    };
    let mut way = DStarLite::new(&world.graph(), world.goal.0, world.at.0);
    let (mut astar, mut path, mut walked) = (AStar::new(), Vec::new(), Walked::default());
    // Far more steps than any walk takes.
    let most = 16 * scenario.grid().len() as u64;
    let mut compare = |world: &World, way: &mut DStarLite, walked: &mut Walked| {
        let mended = match way.search(&world.graph(), u64::MAX) {
            WayFound::Way(cost) => Some(cost),
            WayFound::NoWay | WayFound::OutOfRoom => None,
        };
        let anew = astar.path(&world.graph(), world.at.0, world.goal.0, 0, |_| Some(0), &mut path);
        walked.differ += u64::from(mended != anew);
        (walked.mended, walked.anew) = (way.expanded(), astar.expanded());
        mended.is_some()
    };
    let mut open = compare(&world, &mut way, &mut walked);
    while open && world.at != world.goal && walked.steps < most {
        let Some((edge, _)) = way.next(&world.graph(), world.at.0) else { break };
        world.at = CellId(edge.to);
        walked.steps += 1;
        way.advance(world.at.0);
        if world.at == world.goal || !walked.steps.is_multiple_of(every) {
            continue;
        }
        let Some(cell) = world.draw(change, &way) else { continue };
        if !world.toggle(cell) {
            continue;
        }
        walked.changes += 1;
        way.place_changed(&world.graph(), cell.0);
        open = compare(&world, &mut way, &mut walked);
        if !open {
            // It shut the unit in: it opens again, which both have to find out.
            world.toggle(cell);
            world.closed.retain(|&other| other != cell);
            walked.changes += 1;
            way.place_changed(&world.graph(), cell.0);
            open = compare(&world, &mut way, &mut walked);
        }
    }
    walked.arrived = world.at == world.goal;
    walked
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::core::{Agent, Task};
    use throng::worlds::generate::RandomMap;

    /// Both ways of keeping a way agree at every change, and the mended one takes less.
    #[test]
    fn mending_loses_nothing() {
        let grid = RandomMap { width: 48, height: 48, percent: 20, connected: true }.generate(3).unwrap();
        let open: Vec<_> = grid.open_ids().collect();
        let (start, goal) = (grid.cell(open[0]), grid.cell(open[open.len() - 1]));
        let agents = vec![Agent::new(0, start, Task::Goal(goal))];
        let scenario = Scenario::new("walk", grid, Rules::default(), agents).unwrap();
        for change in [Change::OnTheWay, Change::Anywhere] {
            let walked = walk(&scenario, change, 2, 5);
            assert!(walked.arrived && walked.changes > 20, "{change:?} {walked:?}");
            assert_eq!(walked.differ, 0, "{change:?}");
            assert!(walked.mended < walked.anew, "{change:?} {walked:?}");
        }
    }
}
