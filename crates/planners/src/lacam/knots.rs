//! Knots: the last few units that keep each other from their goals, each knot solved on its own.
//!
//! Where nearly everybody has arrived, priorities alone may turn in a circle: two who want each other's cell push those around them
//! aside, who come back. A search over placements of everybody gets out of several such knots only by getting out of all of them
//! at once. But they lie apart. So when the search meets a placement that it knows, all units but a few are at their goals, and the rest are
//! near theirs, what is around each of those is cut out: a small world with few units, in which a search of the same kind takes little.
//! What knots need to come apart lies in no other knot, so all are solved at the same time, and the steps are added to the
//! search as any other. If one of them cannot be solved with more and more room, the search goes on as before.

use super::Settings;
use super::placements::Id;
use super::search::Search;
use super::shunting::Moves;
use crate::pibt::{Compass, Ground};
use std::collections::VecDeque;
use throng_core::{Agent, Budget, Cell, Grid, Rest, Scenario, Task, TerrainPolicy};
use throng_search::NOWHERE;

/// One unit in so many may be away from its goal.
const FEW: usize = 8;

/// Whoever has more steps than this to go is still on its way.
const NEAR: usize = 24;

/// How far from the ways of those who are away the others may be asked to move, one after the other.
const ROOM: [u32; 3] = [2, 4, 8];

/// How many placements of those in a knot are looked at.
const PLACEMENTS: u64 = 400;

/// Cells, and the units that stand there.
#[derive(Default)]
struct Knot {
    cells: Vec<u32>,
    units: Vec<usize>,
}

/// A placement, and the world that it is one of.
pub(super) struct Crowd<'a> {
    pub(super) settings: Settings,
    pub(super) scenario: &'a Scenario,
    pub(super) ground: &'a Ground,
    pub(super) compass: &'a Compass,
    /// By unit.
    pub(super) goals: &'a [u32],
    pub(super) holds: &'a [u32],
    pub(super) cells: &'a [u32],
}

/// What knots took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) spent: u64,
    /// How much of that went into distances.
    pub(super) backwards: u64,
}

impl Search<'_> {
    /// Brings all who are not there to their goals from a placement on. Whether it could; `None` if they are too many or too far away.
    pub(super) fn untie(&mut self, from: Id, budget: &dyn Budget) -> Option<bool> {
        let crowd = Crowd {
            settings: self.settings,
            scenario: self.scenario,
            ground: &self.ground,
            compass: &self.compass,
            goals: &self.goals,
            holds: &self.holds,
            cells: &self.placements[from].cells,
        };
        let (untied, effort) = crowd.untie(&Rest { whole: budget, before: self.total() });
        self.spent += effort.spent;
        self.backwards += effort.backwards;
        let Some(moves) = untied? else { return Some(false) };
        self.follow(from, &moves);
        Some(true)
    }

    /// Adds the placements that everybody comes to in turn, and goes on from the last.
    pub(super) fn follow(&mut self, mut from: Id, moves: &Moves) {
        for cells in steps(&self.placements[from].cells, moves) {
            from = self.arrive(from, &cells);
        }
        self.open.push(from);
    }
}

impl Crowd<'_> {
    /// The moves that bring all who are not there to their goals, or nothing if that was in vain; `None` if they are too many or too far
    /// away.
    pub(super) fn untie(&self, budget: &dyn Budget) -> (Option<Option<Moves>>, Effort) {
        let mut effort = Effort::default();
        let Some(ways) = self.ways() else { return (None, effort) };
        for room in ROOM {
            let mut moves = Moves::new();
            let mut knots = self.knots(&ways, room).into_iter();
            if knots.all(|knot| self.solve(&knot, budget, &mut effort, &mut moves)) {
                return (Some(Some(moves)), effort);
            }
        }
        (Some(None), effort)
    }

    /// The ways of all who are not at their goals, if those are few and near.
    fn ways(&self) -> Option<Vec<Vec<u32>>> {
        let cells = self.cells;
        let away: Vec<usize> = (0..cells.len()).filter(|&unit| cells[unit] != self.goals[unit]).collect();
        if away.len() * FEW > cells.len() {
            return None;
        }
        let way = |unit: usize| {
            let way = self.compass.descent(self.ground, self.goals[unit], cells[unit]);
            let way: Vec<u32> = way.take(NEAR + 1).collect();
            (way.last() == Some(&self.goals[unit])).then_some(way)
        };
        away.into_iter().map(way).collect()
    }

    /// What is around each way; where they come near each other, around several.
    fn knots(&self, ways: &[Vec<u32>], room: u32) -> Vec<Knot> {
        let mut owners = vec![NOWHERE; self.ground.len()];
        let mut whole: Vec<u32> = (0..ways.len() as u32).collect();
        let mut next = VecDeque::new();
        for (owner, way) in (0..).zip(ways) {
            for &cell in way {
                next.push_back((cell, owner, 0));
            }
        }
        while let Some((cell, owner, far)) = next.pop_front() {
            let known = &mut owners[cell as usize];
            if *known != NOWHERE {
                let (a, b) = (root(&whole, *known), root(&whole, owner));
                whole[a.max(b) as usize] = a.min(b);
                continue;
            }
            *known = owner;
            if far < room {
                next.extend(self.ground.beside(cell).map(|beside| (beside, owner, far + 1)));
            }
        }
        let mut knots: Vec<Knot> = ways.iter().map(|_| Knot::default()).collect();
        for (cell, &owner) in (0..).zip(&owners) {
            if owner != NOWHERE {
                knots[root(&whole, owner) as usize].cells.push(cell);
            }
        }
        for (unit, &cell) in self.cells.iter().enumerate().filter(|&(_, &cell)| cell != NOWHERE) {
            let owner = owners[cell as usize];
            if owner != NOWHERE {
                knots[root(&whole, owner) as usize].units.push(unit);
            }
        }
        knots.retain(|knot| !knot.cells.is_empty());
        knots
    }

    /// Solves a knot as a world of its own, and adds to `moves` what those in it do. Whether it could.
    fn solve(&self, knot: &Knot, budget: &dyn Budget, effort: &mut Effort, moves: &mut Moves) -> bool {
        let Some((scenario, corner)) = self.world(knot) else { return false };
        let ground = Ground::new(scenario.grid(), scenario.rules());
        let here = |cell: Cell| scenario.grid().id(cell).map_or(NOWHERE, |id| ground.number(id));
        let starts: Vec<u32> = scenario.agents().iter().map(|agent| here(agent.start)).collect();
        let goals: Vec<u32> = scenario.agents().iter().map(|agent| here(agent.waypoints().last())).collect();
        let ends = starts.iter().zip(&goals);
        let far = |(&start, &goal)| ground.cells.estimate(ground.place(start), ground.place(goal));
        let alone: Vec<u32> = ends.map(far).collect();
        let mut compass = Compass::new(self.settings.memory);
        compass.aim(&ground, goals);
        let mut search = Search::new(self.settings, &scenario, ground, compass);
        search.whole = false;
        search.add_first(starts, &alone);
        let rest = Rest { whole: budget, before: effort.spent };
        search.search(&rest, PLACEMENTS * knot.units.len() as u64);
        effort.spent += search.total();
        effort.backwards += search.compass.expanded();
        if !search.is_solved() {
            return false;
        }
        let way = search.way();
        for (place, &unit) in knot.units.iter().enumerate() {
            let there = |&id: &Id| {
                let Cell { x, y } = search.ground.place(search.placements[id].cells[place]);
                let cell = Cell::new(x + corner.x, y + corner.y);
                self.scenario.grid().id(cell).map_or(NOWHERE, |id| self.ground.number(id))
            };
            moves.push((unit, way.iter().map(there).collect()));
        }
        true
    }

    /// The world of a knot, and where its corner is.
    fn world(&self, knot: &Knot) -> Option<(Scenario, Cell)> {
        let places = || knot.cells.iter().map(|&cell| self.ground.place(cell));
        let corner = Cell::new(places().map(|cell| cell.x).min()?, places().map(|cell| cell.y).min()?);
        let size =
            [places().map(|cell| cell.x - corner.x).max()?, places().map(|cell| cell.y - corner.y).max()?];
        let [width, height] = size.map(|most| most as usize + 1);
        let mut letters = vec![b'@'; width * height];
        places().for_each(|Cell { x, y }| {
            letters[(y - corner.y) as usize * width + (x - corner.x) as usize] = b'.';
        });
        let grid = Grid::new(width, height, &letters, TerrainPolicy::default()).ok()?;
        let agents = (0..).zip(&knot.units).map(|(id, &unit)| {
            let place = |cell: u32| {
                let Cell { x, y } = self.ground.place(cell);
                Cell::new(x - corner.x, y - corner.y)
            };
            let held = self.holds.contains(&(unit as u32));
            let task = if held { Task::Hold } else { Task::Goal(place(self.goals[unit])) };
            Agent::new(id, place(self.cells[unit]), task)
        });
        let scenario = Scenario::new("knot", grid, self.scenario.rules(), agents.collect()).ok()?;
        Some((scenario, corner))
    }
}

/// The placements that everybody comes to in turn who begins at these cells.
pub(super) fn steps(cells: &[u32], moves: &Moves) -> Vec<Vec<u32>> {
    let ticks = moves.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let mut cells = cells.to_vec();
    let step = |tick: usize| {
        for (unit, way) in moves {
            cells[*unit] = way[tick.min(way.len() - 1)];
        }
        cells.clone()
    };
    (1..ticks).map(step).collect()
}

/// Which of those who are one stands for all of them.
fn root(whole: &[u32], mut of: u32) -> u32 {
    while whole[of as usize] != of {
        of = whole[of as usize];
    }
    of
}
