//! One case of the corpus.

use serde::Deserialize;
use throng_core::{Agent, Cell, Connectivity, Grid, Rules, Scenario, Task, Tick};

/// A small world, its units, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique in the corpus.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// The map as lines of terrain letters.
    pub map: String,
    /// The numbers of moves (4, 8) that it is meant for.
    pub connectivity: Vec<u8>,
    /// Its units, in order.
    pub units: Vec<UnitSpec>,
    /// What is known, by number of moves.
    #[serde(default)]
    pub expected: ExpectedBy,
}

/// One unit of a case: a start, and one of `goal`, `goals` or `patrol`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitSpec {
    /// Where it begins: x, y.
    pub start: [i32; 2],
    /// Go there and rest.
    pub goal: Option<[i32; 2]>,
    /// Go to these in order and rest at the last.
    pub goals: Option<Vec<[i32; 2]>>,
    /// Go there and back, `rounds` times.
    pub patrol: Option<[i32; 2]>,
    /// Of a patrol; 1 unless told otherwise.
    pub rounds: Option<u32>,
}

/// What is known about a case, by number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedBy {
    /// With four moves.
    #[serde(rename = "4")]
    pub four: Option<Expected>,
    /// With eight moves.
    #[serde(rename = "8")]
    pub eight: Option<Expected>,
}

/// What is known about a case under the graph rules (uniform timing). An infeasible case is infeasible
/// under every stricter rule too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Whether there is a plan.
    pub feasible: bool,
    /// The least sum of costs, where brute force can tell.
    pub soc: Option<u64>,
    /// The least makespan, where brute force can tell.
    pub makespan: Option<Tick>,
    /// No plan has a smaller sum of costs.
    pub soc_lb: Option<u64>,
    /// No plan has a smaller makespan.
    pub makespan_lb: Option<Tick>,
}

impl Expected {
    /// There is no plan.
    pub const INFEASIBLE: Self =
        Self { feasible: false, soc: None, makespan: None, soc_lb: None, makespan_lb: None };

    /// The best known lower bound of the sum of costs: the optimum itself if it is known.
    #[must_use]
    pub fn least_soc(&self) -> u64 {
        self.soc.or(self.soc_lb).unwrap_or(0)
    }

    /// The best known lower bound of the makespan: the optimum itself if it is known.
    #[must_use]
    pub fn least_makespan(&self) -> Tick {
        self.makespan.or(self.makespan_lb).unwrap_or(0)
    }
}

impl UnitSpec {
    fn task(&self) -> Option<Task> {
        match (self.goal, &self.goals, self.patrol) {
            (Some(goal), None, None) => Some(Task::Goal(cell(goal))),
            (None, Some(goals), None) => Some(Task::Goals(goals.iter().copied().map(cell).collect())),
            (None, None, Some(goal)) => {
                Some(Task::Patrol { goal: cell(goal), rounds: self.rounds.unwrap_or(1) })
            }
            _ => None,
        }
    }
}

impl Case {
    /// The case played by these rules.
    ///
    /// # Panics
    /// If the case cannot be played by these rules; those of the corpus are valid under the default rules.
    #[must_use]
    pub fn scenario(&self, rules: Rules) -> Scenario {
        self.scenario_with(rules, |_| ())
    }

    /// The case played by these rules with changed agents, for instance with another period.
    ///
    /// # Panics
    /// If the result is not a valid scenario.
    #[must_use]
    pub fn scenario_with(&self, rules: Rules, mut change: impl FnMut(&mut Agent)) -> Scenario {
        let rows: Vec<&str> = self.map.lines().collect();
        let fail = |why: String| -> ! { panic!("corpus case {:?}: {why}", self.name) };
        let grid = Grid::from_rows(&rows).unwrap_or_else(|e| fail(e.to_string()));
        let agent = |(id, unit): (usize, &UnitSpec)| {
            let Some(task) = unit.task() else {
                fail(format!("unit {id} needs exactly one of goal, goals, patrol"))
            };
            let mut agent = Agent::new(id as u32, cell(unit.start), task);
            change(&mut agent);
            agent
        };
        let agents = self.units.iter().enumerate().map(agent).collect();
        Scenario::new(&*self.name, grid, rules, agents).unwrap_or_else(|e| fail(e.to_string()))
    }

    /// The numbers of moves that it is meant for.
    pub fn connectivities(&self) -> impl Iterator<Item = Connectivity> + '_ {
        self.connectivity.iter().map(|&moves| match moves {
            4 => Connectivity::Four,
            8 => Connectivity::Eight,
            other => panic!("corpus case {:?}: connectivity {other}, expected 4 or 8", self.name),
        })
    }

    /// What is known with this number of moves.
    #[must_use]
    pub const fn expected(&self, connectivity: Connectivity) -> Option<Expected> {
        match connectivity {
            Connectivity::Four => self.expected.four,
            Connectivity::Eight => self.expected.eight,
        }
    }
}

const fn cell([x, y]: [i32; 2]) -> Cell {
    Cell::new(x, y)
}
