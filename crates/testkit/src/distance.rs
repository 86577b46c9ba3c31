//! Distances of one agent that is alone in the world.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{Action, Actions, Agent, Cell, Dir, Grid, Scenario, Tick};

/// What no plan can beat: sum and maximum of the individual shortest times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No plan has a smaller sum of costs.
    pub soc: u64,
    /// No plan has a smaller makespan.
    pub makespan: Tick,
}

/// The bounds of a scenario under any rules, or `None` if somebody cannot reach a waypoint at all.
#[must_use]
pub fn lower_bounds(scenario: &Scenario) -> Option<Bounds> {
    let mut bounds = Bounds { soc: 0, makespan: 0 };
    for agent in scenario.agents() {
        let time = alone(scenario, agent)?;
        bounds.soc += time;
        bounds.makespan = bounds.makespan.max(time);
    }
    Some(bounds)
}

/// How long an agent takes to do its task alone.
fn alone(scenario: &Scenario, agent: &Agent) -> Option<Tick> {
    let (way, mut at, mut time) = (agent.waypoints(), agent.start, 0);
    for leg in 0..way.len() {
        let to = way.target(leg);
        time +=
            time_to(scenario.grid(), agent.actions(scenario.rules()), to)[scenario.grid().id(at)?.index()]?;
        at = to;
    }
    Some(time)
}

/// From every cell the least time to `goal`. Moves can be made backwards in the same time, so the search
/// begins at the goal.
pub(crate) fn time_to(grid: &Grid, actions: Actions, goal: Cell) -> Vec<Option<Tick>> {
    let mut times = vec![None; grid.len()];
    let mut open = BinaryHeap::from([Reverse((0, goal))]);
    while let Some(Reverse((time, cell))) = open.pop() {
        let Some(slot) = grid.id(cell).and_then(|id| times.get_mut(id.index())) else { continue };
        if slot.is_some() {
            continue;
        }
        *slot = Some(time);
        for action in Dir::ALL.map(Action::Go) {
            if actions.legal(grid, cell, 0, action) {
                open.push(Reverse((time + Tick::from(actions.duration(action)), cell.after(action))));
            }
        }
    }
    times
}
