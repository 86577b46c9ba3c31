//! Who moves, and what for.

use crate::{Actions, Cell, Motion, Rules};
use core::fmt;

/// Number of an agent: its place in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentId(pub u32);

impl AgentId {
    /// This number as a `usize`.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What an agent is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Task {
    /// Go to a cell and rest there.
    Goal(Cell),
    /// Go to these cells in order and rest at the last.
    Goals(Vec<Cell>),
    /// Go to `goal` and back to the start, `rounds` times; then park, still stepping aside.
    Patrol {
        /// The far end.
        goal: Cell,
        /// How often there and back.
        rounds: u32,
    },
    /// Stay at the start, whoever wants to pass.
    Hold,
    /// See everything that can be reached: over when nothing unseen is beside what has been seen and can be walked to.
    /// In worlds that have to be seen only; where it stands then is nobody's concern.
    Explore,
    /// Do errands as they come: go to these cells in order, where whoever gives errands has sent it, and then wait for the next
    /// one, or, without any, where it is; whoever needs the place gets it.
    Errands(Vec<Cell>),
    /// Look for a cell that nobody is told of: over when somebody who shares what it sees has seen it, or, without
    /// success, when there is nothing left to explore.
    Find(Cell),
}

impl Task {
    /// How often a patrol goes there and back unless told otherwise.
    pub const DEFAULT_ROUNDS: u32 = 5;

    /// Whether it is about what is seen and not about where to go.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        matches!(self, Self::Explore | Self::Find(_))
    }
}

/// One unit as the scenario describes it. It never holds its planner.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// Whose unit it is.
    pub team: u16,
    /// Where it begins: the smallest corner of its body.
    pub start: Cell,
    /// What it is to do.
    pub task: Task,
    /// Side of its square body in cells.
    pub body: u8,
    /// Ticks per straight step; 1 under uniform timing.
    pub period: u8,
    /// How it moves.
    #[cfg_attr(feature = "serde", serde(default))]
    pub motion: Motion,
    /// Who wins a contested cell: the higher.
    pub priority: i32,
}

impl Agent {
    /// A 1×1 unit of period 1 with a task.
    #[must_use]
    pub const fn new(id: u32, start: Cell, task: Task) -> Self {
        Self { id: AgentId(id), team: 0, start, task, body: 1, period: 1, motion: Motion::Steps, priority: 0 }
    }

    /// What it can do under `rules`.
    #[must_use]
    #[inline]
    pub const fn actions(&self, rules: Rules) -> Actions {
        Actions::new(rules, self.body, self.period).moving(self.motion)
    }

    /// The cells it has to visit, in order.
    #[must_use]
    pub const fn waypoints(&self) -> Waypoints<'_> {
        Waypoints { agent: self }
    }

    /// Whether the task ends with resting at its last waypoint (a patrol may park anywhere, so may
    /// whoever explores or does errands, and who holds has no waypoint).
    #[must_use]
    pub const fn must_rest(&self) -> bool {
        matches!(self.task, Task::Goal(_) | Task::Goals(_))
    }
}

/// The cells that a task visits, in order; a *leg* is the way to one of them.
#[derive(Clone, Copy, Debug)]
pub struct Waypoints<'a> {
    agent: &'a Agent,
}

impl Waypoints<'_> {
    /// Number of legs. To explore is one, though it leads nowhere: it is over when enough has been seen.
    #[must_use]
    pub fn len(&self) -> u32 {
        match &self.agent.task {
            Task::Goal(_) => 1,
            Task::Goals(cells) | Task::Errands(cells) => cells.len() as u32,
            Task::Patrol { rounds, .. } => rounds.saturating_mul(2),
            Task::Hold => 0,
            // It leads nowhere, but it ends.
            Task::Explore | Task::Find(_) => 1,
        }
    }

    /// Whether there is nowhere to go.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where leg `leg` leads; legs past the last lead to the last, where the unit rests.
    #[must_use]
    pub fn target(&self, leg: u32) -> Cell {
        match &self.agent.task {
            Task::Goal(goal) => *goal,
            Task::Goals(cells) | Task::Errands(cells) => {
                cells.get(leg as usize).or(cells.last()).copied().unwrap_or(self.agent.start)
            }
            Task::Patrol { goal, .. } if leg.is_multiple_of(2) && leg < self.len() => *goal,
            Task::Patrol { .. } | Task::Hold | Task::Explore | Task::Find(_) => self.agent.start,
        }
    }

    /// Where the unit rests in the end.
    #[must_use]
    pub fn last(&self) -> Cell {
        self.target(self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patrol_goes_there_and_back() {
        let (a, b) = (Cell::new(0, 0), Cell::new(5, 0));
        let agent = Agent::new(0, a, Task::Patrol { goal: b, rounds: 2 });
        let way = agent.waypoints();
        let legs: Vec<_> = (0..=way.len()).map(|leg| way.target(leg)).collect();
        assert_eq!(legs, [b, a, b, a, a]);
        assert_eq!(way.last(), a);
    }

    #[test]
    fn a_list_rests_at_its_end() {
        let cells = vec![Cell::new(1, 0), Cell::new(2, 0)];
        let agent = Agent::new(0, Cell::new(0, 0), Task::Goals(cells));
        assert_eq!(agent.waypoints().len(), 2);
        assert_eq!(agent.waypoints().target(7), Cell::new(2, 0));
    }
}
