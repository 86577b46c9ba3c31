//! A scenario being put together.

use crate::dice::{pick, shuffle};
use throng_core::{Agent, AgentId, Cell, Directions, Grid, Random, Rules, Sight, Stream, Task, TerrainEvent};

/// A map, its rules and who is on it.
pub(super) struct Stage {
    pub(super) grid: Grid,
    pub(super) rules: Rules,
    pub(super) agents: Vec<Agent>,
    /// What those who plan by a direction map begin with.
    pub(super) directions: Option<Directions>,
    /// Units with a planner of their own.
    pub(super) planners: Vec<(AgentId, String)>,
    /// Cells that close and open.
    pub(super) events: Vec<TerrainEvent>,
    /// What units see of it; everything if there is nothing here.
    pub(super) sight: Option<Sight>,
    /// Errands that come, if any do.
    pub(super) stream: Option<Stream>,
}

impl Stage {
    /// A map with nobody on it, under uniform timing and four moves.
    pub(super) fn new(grid: Grid) -> Self {
        Self {
            grid,
            rules: Rules::default(),
            agents: Vec::new(),
            directions: None,
            planners: Vec::new(),
            events: Vec::new(),
            sight: None,
            stream: None,
        }
    }

    /// One more unit, with the next number.
    pub(super) fn add(&mut self, start: Cell, task: Task) {
        self.agents.push(Agent::new(self.agents.len() as u32, start, task));
    }

    /// The unit that was added last has a planner of its own.
    pub(super) fn plan_last(&mut self, planner: &str) {
        let last = self.agents.last().map(|agent| agent.id);
        self.planners.extend(last.map(|id| (id, planner.to_owned())));
    }

    /// A unit that stands where it wants to be.
    pub(super) fn park(&mut self, cell: Cell) {
        self.add(cell, Task::Goal(cell));
    }

    /// `count` units from random cells of `from` to random cells of `to`.
    pub(super) fn send(&mut self, count: usize, from: &[Cell], to: &[Cell], dice: &mut Random) {
        let (starts, goals) = (pick(from, count, dice), pick(to, count, dice));
        for (start, goal) in starts.into_iter().zip(goals) {
            self.add(start, Task::Goal(goal));
        }
    }

    /// `count` units that do errands, on random cells of `from`.
    pub(super) fn employ(&mut self, count: usize, from: &[Cell], dice: &mut Random) {
        for start in pick(from, count, dice) {
            self.add(start, Task::Errands(Vec::new()));
        }
    }

    /// A unit on each of `cells`, each with another of them as its goal: a random cycle through all.
    pub(super) fn rotate(&mut self, cells: &[Cell], dice: &mut Random) {
        let mut cells = cells.to_vec();
        shuffle(&mut cells, dice);
        for (place, &start) in cells.iter().enumerate() {
            self.add(start, Task::Goal(cells[(place + 1) % cells.len()]));
        }
    }
}
