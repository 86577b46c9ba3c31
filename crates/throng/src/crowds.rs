//! Units that were sent to one place one by one: whoever finds it taken rests beside the others.

use crate::group::{Place, Settling};
use throng_core::{Agent, AgentId, Cell, Event, Grid, Scenario, State, Task, Unit};

/// Who wants the same place, and which cells are taken for good. All of it follows from scenario and state: it is
/// worked out anew after every order, and nothing of it is saved.
#[derive(Debug)]
pub(crate) struct Crowds {
    /// Something has changed that the rest depends on.
    stale: bool,
    /// Units whose goal somebody else wants or holds too, by number. Mostly nobody, and then nothing else is done.
    contested: Vec<AgentId>,
    /// By cell: how many units have come to rest there, or hold it. Kept only while somebody is contested.
    taken: Vec<i32>,
    settling: Settling,
    scratch: Vec<u32>,
}

impl Default for Crowds {
    fn default() -> Self {
        Self {
            stale: true,
            contested: Vec::new(),
            taken: Vec::new(),
            settling: Settling::default(),
            scratch: Vec::new(),
        }
    }
}

/// The place that a unit keeps, whoever wants it: where it holds, or where it rests in the end.
pub(crate) fn home(grid: &Grid, agent: &Agent, unit: &Unit) -> Option<Place> {
    let at = match agent.task {
        Task::Hold => grid.cell(unit.at),
        Task::Goal(_) | Task::Goals(_) => agent.waypoints().last(),
        // It parks wherever it is in nobody's way.
        Task::Patrol { .. } => return None,
    };
    (!unit.gone).then_some(Place::new(at, agent.body))
}

/// Whether a unit has come to its home: from then on it is taken, also while the unit steps aside.
fn has_come(agent: &Agent, unit: &Unit) -> bool {
    unit.leg >= agent.waypoints().len()
}

fn ids(grid: &Grid, place: Place) -> impl Iterator<Item = usize> + '_ {
    place.cells().filter_map(|cell| grid.id(cell)).map(|id| id.index())
}

impl Crowds {
    /// A unit has another task, has come, left or been put elsewhere.
    pub(crate) const fn ordered(&mut self) {
        self.stale = true;
    }

    /// Ways are other ways now.
    pub(crate) fn terrain(&mut self) {
        self.stale = true;
        self.settling.retain(|_| false);
    }

    /// Whether anybody's goal is contested. To be called once a tick, with what happened in it.
    pub(crate) fn gather(&mut self, scenario: &Scenario, state: &State, events: &[Event]) -> bool {
        if self.stale {
            self.stale = false;
            self.survey(scenario, state);
        } else if !self.contested.is_empty() {
            for event in events {
                if let Event::Finished { agent } = *event {
                    self.take(scenario, state, agent, 1);
                }
            }
        }
        !self.contested.is_empty()
    }

    fn survey(&mut self, scenario: &Scenario, state: &State) {
        let (grid, units) = (scenario.grid(), &state.units);
        let homes = || scenario.agents().iter().zip(units).filter_map(|(a, u)| Some((a, home(grid, a, u)?)));
        let wanted = &mut self.scratch;
        wanted.clear();
        homes().for_each(|(_, home)| wanted.extend(ids(grid, home).map(|id| id as u32)));
        wanted.sort_unstable();
        // Only those that are wanted twice stay.
        let mut kept = 0;
        for k in 1..wanted.len() {
            if wanted[k] == wanted[k - 1] && (kept == 0 || wanted[kept - 1] != wanted[k]) {
                wanted[kept] = wanted[k];
                kept += 1;
            }
        }
        wanted.truncate(kept);
        self.contested.clear();
        if wanted.is_empty() {
            return;
        }
        let shared = |home| ids(grid, home).any(|id| wanted.binary_search(&(id as u32)).is_ok());
        let contested = homes().filter(|(agent, home)| matches!(agent.task, Task::Goal(_)) && shared(*home));
        self.contested.extend(contested.map(|(agent, _)| agent.id));
        let goals = |goal: Cell| {
            self.contested.iter().any(|&id| scenario.agent(id).waypoints().last() == goal)
        };
        self.settling.retain(goals);
        self.taken.clear();
        self.taken.resize(grid.len(), 0);
        for agent in scenario.agents() {
            self.take(scenario, state, agent.id, 1);
        }
    }

    /// Counts the home of a unit that has come to it once more, or once less.
    pub(crate) fn take(&mut self, scenario: &Scenario, state: &State, id: AgentId, by: i32) {
        let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
        if let Some(home) = home(scenario.grid(), agent, unit).filter(|_| has_come(agent, unit)) {
            ids(scenario.grid(), home).for_each(|id| self.taken[id] += by);
        }
    }

    /// The first unit, of those from number `from` on, that may rest where it stands because its goal is taken.
    pub(crate) fn next(&mut self, scenario: &Scenario, state: &State, from: AgentId) -> Option<AgentId> {
        let first = self.contested.partition_point(|&id| id < from);
        let Self { contested, taken, settling, .. } = self;
        contested[first..].iter().copied().find(|&id| {
            let (agent, unit, grid) = (scenario.agent(id), &state.units[id.index()], scenario.grid());
            let Some(home) = home(grid, agent, unit) else { return false };
            let here = Place { at: grid.cell(unit.at), ..home };
            let own = has_come(agent, unit);
            let by_others = |cell: Cell| {
                let count = grid.id(cell).map_or(0, |id| taken[id.index()]);
                count > i32::from(own && home.covers(cell))
            };
            unit.stands(state.tick)
                && here != home
                && home.cells().any(by_others)
                && settling.may_rest(grid, scenario.rules(), home.at, here, by_others)
        })
    }
}
