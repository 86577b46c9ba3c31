//! Who can get where at all.

use serde::Serialize;
use std::sync::Arc;
use throng_core::{Agent, AgentId, Cell, Grid, Motion, Regions, Rules, Scenario, State, Task};
use throng_search::{CarGraph, CarShape, Graph as _};

/// A goal that a unit cannot get to, whatever the others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("agent {agent}: its goal {to} cannot be reached from {from}: {why}")]
pub struct Unreachable {
    /// Whose goal it is.
    pub agent: AgentId,
    /// Where it is.
    pub from: Cell,
    /// Where it was to go.
    pub to: Cell,
    /// What keeps it.
    pub why: NoWay,
}

/// Why there is no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
pub enum NoWay {
    /// Not even for the smallest body.
    #[error("no way leads there")]
    Walled,
    /// There is one for smaller bodies.
    #[error("every way there is too narrow for a body of {body}×{body}")]
    Narrow {
        /// Side of the body.
        body: u8,
    },
    /// There is one for a body of that size that need not drive curves.
    #[error("no way there has room for a body of {body}×{body} that turns with radius {radius}")]
    Curves {
        /// Side of the body.
        body: u8,
        /// Of its curves.
        radius: u8,
    },
}

/// Who can get where, by body and curves; worked out when first asked for and forgotten when terrain changes.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    steps: Vec<(u8, Regions)>,
    curves: Vec<Curves>,
}

impl Reach {
    /// Whether `agent` can get from `at` and its pose there to all its waypoints.
    pub(crate) fn reachable(
        &mut self,
        scenario: &Scenario,
        agent: &Agent,
        at: Cell,
        pose: u8,
    ) -> Result<(), Unreachable> {
        let way = agent.waypoints();
        // A patrol has two places, however often it goes.
        let legs = if matches!(agent.task, Task::Patrol { .. }) { 2 } else { way.len() };
        for to in (0..legs).map(|leg| way.target(leg)) {
            if let Some(why) = self.obstacle(scenario, agent, (at, pose), to) {
                return Err(Unreachable { agent: agent.id, from: at, to, why });
            }
        }
        Ok(())
    }

    /// Whether a unit can get to all these cells from where it is or is going.
    pub(crate) fn gets_to(
        &mut self,
        scenario: &Scenario,
        state: &State,
        id: AgentId,
        cells: &[Cell],
    ) -> bool {
        let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
        let at = (scenario.grid().cell(unit.at), unit.pose);
        cells.iter().all(|&to| self.obstacle(scenario, agent, at, to).is_none())
    }

    /// Which cells are joined for a body that moves in steps.
    pub(crate) fn regions(&mut self, grid: &Grid, body: u8) -> &Regions {
        let known = self.steps.iter().position(|(known, _)| *known == body);
        let place = known.unwrap_or(self.steps.len());
        if known.is_none() {
            self.steps.push((body, Regions::of(grid, body)));
        }
        &self.steps[place].1
    }

    /// What keeps `agent` from getting to a cell.
    fn obstacle(
        &mut self,
        scenario: &Scenario,
        agent: &Agent,
        (at, pose): (Cell, u8),
        to: Cell,
    ) -> Option<NoWay> {
        let (grid, rules, body) = (scenario.grid(), scenario.rules(), agent.body);
        if !self.joined(grid, body, at, to) {
            let narrow = body > 1 && self.joined(grid, 1, at, to);
            return Some(if narrow { NoWay::Narrow { body } } else { NoWay::Walled });
        }
        // Where a body fits, curves may not.
        let Motion::Car { radius, .. } = agent.motion else { return None };
        let known = self.curves.iter().position(|known| known.is_of(body, radius));
        let place = known.unwrap_or(self.curves.len());
        if known.is_none() {
            self.curves.push(Curves::new(grid, rules, body, radius));
        }
        let driven = self.curves[place].joined(grid, rules, (at, pose), to);
        (!driven).then_some(NoWay::Curves { body, radius })
    }

    /// Whether there is a way between two cells for a body that moves in steps.
    pub(crate) fn joined(&mut self, grid: &Grid, body: u8, a: Cell, b: Cell) -> bool {
        match (grid.id(a), grid.id(b)) {
            (Some(a), Some(b)) => self.regions(grid, body).joined(a, b),
            _ => false,
        }
    }

    /// Terrain has changed.
    pub(crate) fn forget(&mut self) {
        self.steps.clear();
        self.curves.clear();
    }
}

/// Poses that a car can drive between. Whatever it drives it can drive back, so they fall into regions as cells do.
#[derive(Debug)]
struct Curves {
    body: u8,
    radius: u8,
    shape: Arc<CarShape>,
    /// By node of the car's graph: the number of its region, 0 where nobody has asked yet.
    label: Vec<u32>,
    regions: u32,
}

impl Curves {
    fn new(grid: &Grid, rules: Rules, body: u8, radius: u8) -> Self {
        // How long it takes does not matter.
        let shape = Arc::new(CarShape::new(rules, body, 1, radius));
        let nodes = CarGraph::new(grid, rules, Arc::clone(&shape)).len();
        Self { body, radius, shape, label: vec![0; nodes], regions: 0 }
    }

    const fn is_of(&self, body: u8, radius: u8) -> bool {
        self.body == body && self.radius == radius
    }

    /// Whether a car can drive from a pose to a cell, whatever its heading there.
    fn joined(&mut self, grid: &Grid, rules: Rules, (at, pose): (Cell, u8), to: Cell) -> bool {
        let graph = CarGraph::new(grid, rules, Arc::clone(&self.shape));
        let (Some(at), Some(to)) = (grid.id(at), grid.id(to)) else { return false };
        let from = graph.roots(at.0).start + u32::from(pose);
        if self.label[from as usize] == 0 {
            self.flood(&graph, from);
        }
        graph.roots(to.0).any(|root| self.label[root as usize] == self.label[from as usize])
    }

    fn flood(&mut self, graph: &CarGraph<'_>, from: u32) {
        self.regions += 1;
        let (label, region) = (&mut self.label, self.regions);
        label[from as usize] = region;
        let mut queue = vec![from];
        while let Some(node) = queue.pop() {
            graph.edges(node, |edge| {
                let slot = &mut label[edge.to as usize];
                if *slot == 0 {
                    *slot = region;
                    queue.push(edge.to);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::way;
    use proptest::prelude::*;
    use throng_testkit::Worlds;

    proptest! {
        /// It says what a search from everybody's own start says.
        #[test]
        fn what_is_reachable_has_a_way(
            scenario in Worlds { agents: 1..=8, ..Worlds::small() }.of_all_motions().strategy(),
        ) {
            let (grid, rules) = (scenario.grid(), scenario.rules());
            let mut reach = Reach::default();
            for agent in scenario.agents() {
                let id = |cell| grid.id(cell).unwrap();
                let pose = agent.motion.first_pose();
                let to = agent.waypoints().last();
                let found = reach.reachable(&scenario, agent, agent.start, pose);
                let way = way::ticks(grid, rules, agent, (id(agent.start), pose), id(to));
                prop_assert_eq!(found.is_ok(), way.is_some());
                let small = Agent { body: 1, motion: Motion::Steps, ..agent.clone() };
                let smallest = way::ticks(grid, rules, &small, (id(agent.start), 0), id(to));
                let walled = matches!(found, Err(Unreachable { why: NoWay::Walled, .. }));
                prop_assert_eq!(walled, smallest.is_none());
            }
        }
    }
}
