//! Everybody's way, cell by cell, and what it is worth.

use throng_core::{Action, CellId, Dir, Grid, Path, Plan, Scenario, Task};
use throng_search::{Graph, TrueDistance};

/// What a plan should have little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Ticks until each unit rests at its goal, summed.
    Costs,
    /// Ticks that units spend anywhere but resting at their goals, and on the way back to them.
    Loss,
    /// Ticks until everybody rests.
    Makespan,
}

/// Cells from tick 0 on; at the last one a unit rests.
pub(crate) type Way = Vec<u32>;

/// What the ways of some units cost; less is better. What comes second decides among equals.
pub(crate) type Price = (u64, u64);

/// The ways of all units of a scenario whose moves take one tick each.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// By unit.
    pub(crate) all: Vec<Way>,
    /// By unit: where it is to rest.
    pub(crate) goals: Vec<u32>,
    /// By unit: whether it stays where it is.
    pub(crate) holds: Vec<bool>,
}

impl Ways {
    /// Nobody has moved yet.
    pub(crate) fn resting(scenario: &Scenario) -> Self {
        let id = |cell| scenario.grid().id(cell).unwrap_or_default().0;
        let agents = scenario.agents();
        Self {
            all: agents.iter().map(|agent| vec![id(agent.start)]).collect(),
            goals: agents.iter().map(|agent| id(agent.waypoints().last())).collect(),
            holds: agents.iter().map(|agent| matches!(agent.task, Task::Hold)).collect(),
        }
    }

    /// As a plan has it. Units that the plan does not lead anywhere on the map, or not along it, stay where they are.
    pub(crate) fn of(scenario: &Scenario, plan: &Plan) -> Self {
        let mut ways = Self::resting(scenario);
        let grid = scenario.grid();
        for (way, (agent, path)) in ways.all.iter_mut().zip(scenario.agents().iter().zip(&plan.paths)) {
            let actions = agent.actions(scenario.rules());
            let mut cell = agent.start;
            for &action in &path.actions {
                if !actions.legal(grid, cell, 0, action) {
                    way.truncate(1);
                    break;
                }
                cell = cell.after(action);
                way.push(grid.id(cell).unwrap_or_default().0);
            }
            trim(way);
        }
        ways
    }

    /// As a plan.
    pub(crate) fn plan(&self, scenario: &Scenario) -> Plan {
        let grid = scenario.grid();
        let path = |(agent, way): (&throng_core::Agent, &Way)| Path {
            start: agent.start,
            actions: way.windows(2).map(|step| action(grid, step[0], step[1])).collect::<Vec<Action>>(),
        };
        Plan { paths: scenario.agents().iter().zip(&self.all).map(path).collect() }
    }

    /// What the ways of all cost.
    pub(crate) fn price(&self, objective: Objective) -> Price {
        price(objective, self.all.iter().zip(self.goals.iter().copied()))
    }
}

/// The move from one cell to one beside it.
fn action(grid: &Grid, from: u32, to: u32) -> Action {
    let mut dirs = Dir::ALL.into_iter();
    dirs.find(|&dir| grid.neighbour(CellId(from), dir).0 == to).map_or(Action::Wait, Action::Go)
}

/// The shortest way from a cell to where distances are measured from, whoever is there.
pub(super) fn straight<G: Graph>(graph: &G, field: &mut TrueDistance, start: u32) -> Way {
    let mut far = |at| field.distance(graph.measure(), graph.measured(at));
    let mut way = vec![start];
    while let Some(here) = far(way[way.len() - 1]).filter(|&here| here > 0) {
        let mut next = None;
        graph.edges(way[way.len() - 1], |edge| {
            if next.is_none() && far(edge.to).is_some_and(|there| there < here) {
                next = Some(edge.to);
            }
        });
        let Some(next) = next else { break };
        way.push(next);
    }
    way
}

/// Waits at the end are rest.
pub(crate) fn trim(way: &mut Way) {
    while way.len() > 1 && way[way.len() - 1] == way[way.len() - 2] {
        way.pop();
    }
}

/// What these ways to these goals cost together.
pub(crate) fn price<'a>(objective: Objective, ways: impl Iterator<Item = (&'a Way, u32)>) -> Price {
    let (mut costs, mut loss, mut last) = (0, 0, 0);
    for (way, goal) in ways {
        let ticks = way.len() as u64 - 1;
        costs += ticks;
        last = last.max(ticks);
        if objective == Objective::Loss {
            loss += way.windows(2).filter(|step| step[0] != goal || step[1] != goal).count() as u64;
        }
    }
    match objective {
        Objective::Costs => (costs, 0),
        Objective::Loss => (loss, costs),
        Objective::Makespan => (last, costs),
    }
}
