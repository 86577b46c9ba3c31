//! Units that were sent to one place one by one: whoever finds it taken rests beside the others.

use crate::group::{Beside, Place, Walk};
use throng_core::{Agent, AgentId, Cell, Change, Event, Grid, Scenario, State, Task, Timing, Unit};

/// A unit looks for another place when it is so many steps from where the crowd ends: before it begins to push.
const STEPS: u32 = 16;

/// Everybody is asked every so many ticks.
const EVERY: u64 = 4;

/// So many places are tried for one unit at once: where curves do not lead to one, they seldom lead to the next.
const TRIES: u32 = 24;

/// Who wants the same place, and which cells are taken for good. All but `sent` follows from scenario and state: it
/// is worked out anew after every order and not saved.
pub(crate) struct Crowds {
    /// Units on their way to a place beside a crowd, by number, and where they had been sent.
    pub(crate) sent: Vec<(AgentId, Cell)>,
    /// Something has changed that the rest depends on.
    stale: bool,
    /// Units whose goal somebody else wants or holds too, by number. Mostly nobody, and then nothing else is done.
    contested: Vec<AgentId>,
    /// By cell: how many units want to rest there or hold it, and how many of those have come to it. Kept only
    /// while somebody is contested.
    cells: Vec<(u32, u32)>,
    /// By goal: how far from it the nearest free place is, if that has been asked.
    full: Vec<(Place, Option<u32>)>,
    beside: Beside,
    walk: Walk,
    wanted: Vec<u32>,
}

impl Default for Crowds {
    fn default() -> Self {
        Self {
            sent: Vec::new(),
            stale: true,
            contested: Vec::new(),
            cells: Vec::new(),
            full: Vec::new(),
            beside: Beside::default(),
            walk: Walk::default(),
            wanted: Vec::new(),
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

fn ids(grid: &Grid, place: Place) -> impl Iterator<Item = u32> + '_ {
    place.cells().filter_map(|cell| grid.id(cell)).map(|id| id.0)
}

fn is_taken(grid: &Grid, cells: &[(u32, u32)], cell: Cell) -> bool {
    grid.id(cell).is_some_and(|id| cells[id.index()].1 > 0)
}

fn is_wanted(grid: &Grid, cells: &[(u32, u32)], cell: Cell) -> bool {
    grid.id(cell).is_some_and(|id| cells[id.index()].0 > 0)
}

impl Crowds {
    /// Something was done to the world.
    pub(crate) fn changed(&mut self, change: Change) {
        self.stale = true;
        match change {
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) => {
                self.sent.retain(|&(unit, _)| unit != id);
            }
            Change::Placed(_) | Change::Terrain(_) => {}
        }
    }

    /// Whether anybody has to be asked where to rest. To be called once a tick, with what happened in it.
    pub(crate) fn gather(&mut self, scenario: &Scenario, state: &State, events: &[Event]) -> bool {
        if !self.stale && !self.is_busy() {
            return false;
        }
        for event in events {
            if let Event::Finished { agent } = *event {
                self.sent.retain(|&(unit, _)| unit != agent);
                if let Some(home) = home(scenario.grid(), scenario.agent(agent), &state.units[agent.index()])
                    && !self.stale
                {
                    ids(scenario.grid(), home).for_each(|id| self.cells[id as usize].1 += 1);
                }
            }
        }
        if core::mem::take(&mut self.stale) {
            self.survey(scenario, state);
        }
        self.is_busy()
    }

    const fn is_busy(&self) -> bool {
        !self.contested.is_empty() || !self.sent.is_empty()
    }

    fn survey(&mut self, scenario: &Scenario, state: &State) {
        let Self { sent, contested, cells, full, wanted, .. } = self;
        let grid = scenario.grid();
        let units = || scenario.agents().iter().zip(&state.units);
        let homes = || units().filter_map(|(agent, unit)| Some((agent, unit, home(grid, agent, unit)?)));
        wanted.clear();
        homes().for_each(|(.., home)| wanted.extend(ids(grid, home)));
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
        contested.clear();
        full.clear();
        if wanted.is_empty() && sent.is_empty() {
            return;
        }
        let shared = |home| ids(grid, home).any(|id| wanted.binary_search(&id).is_ok());
        let rivals = homes().filter(|&(agent, _, home)| matches!(agent.task, Task::Goal(_)) && shared(home));
        contested.extend(rivals.map(|(agent, ..)| agent.id));
        cells.clear();
        cells.resize(grid.len(), (0, 0));
        for (agent, unit, home) in homes() {
            for id in ids(grid, home) {
                let (wanted, taken) = &mut cells[id as usize];
                (*wanted, *taken) = (*wanted + 1, *taken + u32::from(has_come(agent, unit)));
            }
        }
    }

    /// Units that find their goal taken and are near enough to the crowd to look for another place, nearest first:
    /// in a narrow street nobody could pass one who stopped before it. Where somebody has stopped before it all the
    /// same, whoever finds its new place shut in looks again. Answers each with where it was sent.
    pub(crate) fn waiting(&mut self, scenario: &Scenario, state: &State) -> Vec<(AgentId, Place)> {
        if !state.tick.is_multiple_of(EVERY) {
            return Vec::new();
        }
        let mut waiting = Vec::new();
        let Self { sent, contested, cells, full, beside, walk, .. } = self;
        let (grid, rules) = (scenario.grid(), scenario.rules());
        let here = |id: AgentId| grid.cell(state.units[id.index()].at);
        for &id in contested.iter() {
            let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
            let Some(home) = home(grid, agent, unit) else { continue };
            let own = u32::from(has_come(agent, unit));
            let taken = ids(grid, home).any(|id| cells[id as usize].1 > own);
            if here(id) == home.at || !taken {
                continue;
            }
            let known = full.iter().find(|(goal, _)| *goal == home).map(|&(_, far)| far);
            let crowd = known.unwrap_or_else(|| {
                let far = beside.distance(grid, rules, home, |cell| is_wanted(grid, cells, cell));
                full.push((home, far));
                far
            });
            // As the crow flies: around walls it is farther, and then it looks earlier than it need.
            let step = if rules.timing == Timing::Metric { 5 } else { 1 };
            let way = here(id).x.abs_diff(home.at.x).max(here(id).y.abs_diff(home.at.y)) * step;
            if crowd.is_some_and(|crowd| way <= crowd + STEPS * step) {
                waiting.push((home, id));
            }
        }
        for &(id, goal) in sent.iter() {
            let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
            let taken = |cell| is_taken(grid, cells, cell);
            let (from, to) = (Place::new(here(id), agent.body), agent.waypoints().last());
            if unit.stands(state.tick)
                && from.around().any(taken)
                && !walk.is_open(grid, rules, (from, to), taken)
                && !waiting.iter().any(|&(_, other)| other == id)
            {
                waiting.push((Place { at: goal, ..from }, id));
            }
        }
        waiting.sort_unstable_by_key(|&(home, id)| (home.at, home.body, id));
        let mut sorted = Vec::with_capacity(waiting.len());
        for same in waiting.chunk_by(|a, b| a.0 == b.0) {
            let ways = beside.ways(grid, rules, same[0].0, same.iter().map(|&(_, id)| here(id)));
            sorted.extend(same.iter().zip(ways).filter_map(|(&(goal, id), way)| Some((way?, id, goal))));
        }
        sorted.sort_unstable_by_key(|&(way, id, _)| (way, id));
        sorted.into_iter().map(|(_, id, goal)| (id, goal)).collect()
    }

    /// The nearest place to `goal` that nobody wants and that a unit `reaches`.
    pub(crate) fn place(
        &mut self,
        scenario: &Scenario,
        state: &State,
        (id, goal): (AgentId, Place),
        mut reaches: impl FnMut(Cell) -> bool,
    ) -> Option<Place> {
        let (grid, unit) = (scenario.grid(), &state.units[id.index()]);
        let Self { sent, beside, walk, cells, .. } = self;
        let from = Place { at: grid.cell(unit.at), ..goal };
        let again = sent.iter().any(|&(unit, _)| unit == id);
        if again {
            let to = scenario.agent(id).waypoints().last();
            walk.is_open(grid, scenario.rules(), (from, to), |cell| is_taken(grid, cells, cell));
        }
        let mut tries = 0;
        let reaches = |cell| {
            let walks = !again || walk.reaches(grid, cell);
            tries += u32::from(walks);
            walks && tries <= TRIES && reaches(cell)
        };
        let wanted = |cell| is_wanted(grid, cells, cell);
        beside.nearest(grid, scenario.rules(), goal, from.at, wanted, reaches)
    }

    /// Notes that a unit goes to rest at another place than where it was sent.
    pub(crate) fn moved(&mut self, grid: &Grid, (id, sent): (AgentId, Place), to: Place) {
        let place = self.sent.partition_point(|&(other, _)| other < id);
        self.sent.insert(place, (id, sent.at));
        // What it leaves stays counted until the next survey: somebody has it, or it would not leave.
        ids(grid, to).for_each(|id| self.cells[id as usize].0 += 1);
        self.full.clear();
    }
}
