//! Units that were sent to one place one by one: whoever finds it taken rests beside the others.

mod memory;
mod overdue;

use crate::field::{Answer, Field, Work};
use crate::group::{self, Place, Walk};
use crate::reach::Reach;
use crate::way;
pub(crate) use memory::Memory;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use throng_core::{Agent, AgentId, Cell, Change, Event, Grid, Motion, Scenario, State, Task, Tick, Unit};

/// A unit looks for another place when it is so many steps from where the crowd ends: before it begins to push.
const STEPS: u32 = 16;

/// At most so many units are asked in one tick.
const ASKED: usize = 16;

/// So many places are tried for one car before others are asked: where curves do not lead to one, they seldom lead to
/// the next.
const TRIES: u32 = 24;

/// The most nodes that one look for a car's curves takes, or for a way round those who stay: what is farther than that
/// is too far to be beside.
const LOOK: u64 = 1024;

/// Whoever has stood for so many of its steps on a part of a goal that others want as well rests there: nobody gets
/// all of it.
const STOOD: u64 = 64;

/// Whoever finds its place shut in that often looks for another: until then those in the way may move on.
const PATIENCE: u32 = 32;

/// A unit on its way to a place of its own around a goal that others were sent to as well.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Sent {
    id: AgentId,
    goal: Cell,
    /// How often in a row it was found that others who rest keep it from its place.
    shut: u32,
}

/// Who wants the same place, and which cells are taken for good. After every order that is worked out anew.
pub(crate) struct Crowds {
    sent: Vec<Sent>,
    near: Vec<(AgentId, Tick, Cell)>,
    tried: Vec<(AgentId, u32)>,
    fields: Vec<Field>,
    /// Something has changed that the rest depends on.
    stale: bool,
    /// Units whose goal somebody else wants or holds too, by number. Mostly nobody, and then nothing else is done.
    contested: Vec<AgentId>,
    /// By cell: how many units want to rest there or hold it, and how many of those have come to it. Kept only
    /// while somebody is contested.
    cells: Vec<(u32, u32)>,
    walk: Walk,
    /// Who was looked at in this tick whether it can walk to its place.
    walker: Option<AgentId>,
    wanted: Vec<u32>,
}

impl Default for Crowds {
    fn default() -> Self {
        Self {
            sent: Vec::new(),
            near: Vec::new(),
            tried: Vec::new(),
            fields: Vec::new(),
            stale: true,
            contested: Vec::new(),
            cells: Vec::new(),
            walk: Walk::default(),
            walker: None,
            wanted: Vec::new(),
        }
    }
}

/// The place that a unit keeps, whoever wants it: where it holds, or where it rests in the end.
pub(crate) fn home(grid: &Grid, agent: &Agent, unit: &Unit) -> Option<Place> {
    let at = match agent.task {
        Task::Hold => grid.cell(unit.at),
        Task::Goal(_) | Task::Goals(_) => agent.waypoints().last(),
        // They park wherever they are in nobody's way.
        Task::Patrol { .. } | Task::Errands(_) | Task::Explore | Task::Find(_) => return None,
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

impl Crowds {
    /// Something was done to the world.
    pub(crate) fn changed(&mut self, change: Change) {
        self.stale = true;
        match change {
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) => {
                self.forget(id);
                self.near.retain(|&(unit, ..)| unit != id);
                self.tried.retain(|&(unit, _)| unit != id);
            }
            Change::Placed(id) => self.tried.retain(|&(unit, _)| unit != id),
            Change::Terrain(_) => {
                self.fields.clear();
                self.tried.clear();
            }
        }
    }

    /// Takes note of who has come to its goal in this tick.
    pub(crate) fn finished(&mut self, scenario: &Scenario, state: &State, events: &[Event]) {
        if !self.stale && !self.is_busy() {
            return;
        }
        for event in events {
            if let Event::Finished { agent } = *event {
                self.forget(agent);
                let home = home(scenario.grid(), scenario.agent(agent), &state.units[agent.index()]);
                // Others of another size or beside it may have wanted a part of it.
                self.stale |= home.is_some_and(|home| home.body > 1);
                if let Some(home) = home
                    && !self.stale
                    && self.is_busy()
                {
                    ids(scenario.grid(), home).for_each(|id| self.cells[id as usize].1 += 1);
                }
            }
        }
    }

    /// Whether anybody may have to be asked where to rest.
    pub(crate) fn gather(&mut self, scenario: &Scenario, state: &State) -> bool {
        if core::mem::take(&mut self.stale) {
            self.survey(scenario, state);
        }
        self.is_busy()
    }

    /// The first of those who may have to be asked.
    pub(crate) fn first(&self) -> Option<AgentId> {
        let others = self.sent.iter().map(|sent| sent.id).chain(self.near.iter().map(|&(id, ..)| id));
        self.contested.iter().copied().chain(others).next()
    }

    const fn is_busy(&self) -> bool {
        !self.contested.is_empty() || !self.sent.is_empty() || !self.near.is_empty()
    }

    fn survey(&mut self, scenario: &Scenario, state: &State) {
        let Self { sent, near, contested, cells, fields, wanted, .. } = self;
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
        if wanted.is_empty() && sent.is_empty() && near.is_empty() {
            fields.clear();
            return;
        }
        let shared = |home| ids(grid, home).any(|id| wanted.binary_search(&id).is_ok());
        // Whoever knows only what it has seen cannot be told of places beside others.
        let asks = |agent: &Agent| agent.must_rest() && scenario.sight_of(agent).is_none();
        let rivals = homes().filter(|&(agent, _, home)| asks(agent) && shared(home));
        contested.extend(rivals.map(|(agent, ..)| agent.id));
        // Surroundings of places that nobody asks for any more.
        let rivals =
            contested.iter().filter_map(|&id| home(grid, scenario.agent(id), &state.units[id.index()]));
        let before = sent.iter().map(|sent| Place::new(sent.goal, scenario.agent(sent.id).body));
        let asked: BTreeSet<_> = rivals.chain(before).map(Place::key).collect();
        fields.retain(|field| asked.contains(&field.goal.key()));
        cells.clear();
        cells.resize(grid.len(), (0, 0));
        for (.., home) in homes().filter(|(agent, unit, _)| has_come(agent, unit)) {
            for id in ids(grid, home) {
                let (wanted, taken) = &mut cells[id as usize];
                (*wanted, *taken) = (*wanted + 1, *taken + 1);
            }
        }
        for (agent, _, home) in homes().filter(|(agent, unit, _)| !has_come(agent, unit)) {
            // Nobody gets a place that is taken in part: what is left of it is free.
            if !(agent.must_rest() && ids(grid, home).any(|id| cells[id as usize].1 > 0)) {
                ids(grid, home).for_each(|id| cells[id as usize].0 += 1);
            }
        }
    }

    /// Units that find their goal taken and are near enough to the crowd to look for another place, nearest first:
    /// in a narrow street nobody could pass one who stopped before it. Where somebody has stopped before it all the
    /// same, whoever finds its new place shut in looks again. Answers a few of them, each with where it was sent.
    pub(crate) fn waiting(
        &mut self,
        scenario: &Scenario,
        state: &State,
        reach: &mut Reach,
        work: &mut Work,
    ) -> Vec<(AgentId, Place)> {
        let mut waiting = Vec::new();
        self.walker = None;
        waiting.extend(self.shut_in(scenario, state, work).map(|(id, goal)| (0, id, goal)));
        let (grid, rules) = (scenario.grid(), scenario.rules());
        let step = group::step(rules);
        let Self { contested, cells, fields, tried, .. } = self;
        let mut stuck: Option<(u32, AgentId, Place)> = None;
        // By goal: how far from it those are asked who come to it; nothing if that is not known yet.
        let mut edges = BTreeMap::new();
        for &id in contested.iter() {
            let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
            let Some(home) = home(grid, agent, unit) else { continue };
            let here = grid.cell(unit.at);
            let own = u32::from(has_come(agent, unit));
            let taken = ids(grid, home).any(|id| cells[id as usize].1 > own);
            let comes = unit.leg.saturating_add(1) >= agent.waypoints().len();
            if here == home.at || !taken || !comes {
                let stood = state.tick.saturating_sub(unit.until) / u64::from(agent.period);
                let part = here.x.abs_diff(home.at.x).max(here.y.abs_diff(home.at.y)) < u32::from(home.body);
                let away = here.x.abs_diff(home.at.x) + here.y.abs_diff(home.at.y);
                if comes && away > 0 && part && stood > STOOD {
                    let nearer = stuck.is_none_or(|(least, ..)| away < least);
                    stuck = if nearer { Some((away, id, home)) } else { stuck };
                }
                continue;
            }
            let edge = *edges.entry(home.key()).or_insert_with(|| {
                let free = |cell: &Cell| is_free(grid, cells, Place { at: *cell, ..home });
                let edge = field(fields, grid, home)?.levels(grid, rules, work, |far, level, _| {
                    level.iter().any(free).then_some(Answer::Found(far))
                });
                match edge {
                    Answer::Found(far) => Some(far + STEPS * step),
                    Answer::Nothing | Answer::Starved => None,
                }
            });
            let Some(edge) = edge else { continue };
            // As the crow flies, so that nothing is worked out before somebody is near.
            let way = here.x.abs_diff(home.at.x).max(here.y.abs_diff(home.at.y)) * step;
            if way > edge || !reach.joined(grid, home.body, here, home.at) {
                continue;
            }
            let Some(field) = field(fields, grid, home) else { continue };
            if !field.spread(grid, rules, edge, work) {
                edges.insert(home.key(), None);
            } else if let Some(way) = field.distance(grid, here).filter(|&way| way <= edge) {
                waiting.push((way, id, home));
            }
        }
        // Who has tried everything lets the others ask, until all have.
        let has_tried = |id| tried.iter().any(|&(unit, tries)| unit == id && tries >= TRIES);
        if !waiting.is_empty() && waiting.iter().all(|&(_, id, _)| has_tried(id)) {
            tried.clear();
        } else {
            waiting.retain(|&(_, id, _)| !has_tried(id));
        }
        waiting.sort_unstable_by_key(|&(way, id, _)| (way, id));
        waiting.dedup_by_key(|&mut (_, id, _)| id);
        waiting.truncate(ASKED);
        // One at a time: the next one may find a place beside it.
        waiting.extend(stuck.filter(|_| waiting.is_empty()));
        self.approach(scenario, state);
        waiting.into_iter().map(|(_, id, goal)| (id, goal)).collect()
    }

    /// One unit that cannot walk to its place beside a crowd; another one is looked at every tick.
    fn shut_in(&mut self, scenario: &Scenario, state: &State, work: &mut Work) -> Option<(AgentId, Place)> {
        let Self { sent, cells, walk, walker, .. } = self;
        let grid = scenario.grid();
        let taken = |cell| is_taken(grid, cells, cell);
        let place = |id: AgentId| Place::new(grid.cell(state.units[id.index()].at), scenario.agent(id).body);
        let stopped = |sent: &&mut Sent| state.units[sent.id.index()].until < state.tick;
        let count = sent.iter_mut().filter(stopped).count();
        let turn = (state.tick % count.max(1) as u64) as usize;
        let Sent { id, goal, shut } = sent.iter_mut().filter(stopped).nth(turn)?;
        *walker = Some(*id);
        let (from, to) = (place(*id), scenario.agent(*id).waypoints().last());
        let most = LOOK.min(work.left());
        // What is shut in is often smaller on the side of the place; but what it can walk to has to be known.
        let mut is_open = |from: Place, to: Cell, most: u64| {
            let (open, visited) = walk.is_open(grid, scenario.rules(), (from, to), taken, most);
            work.take(visited);
            open
        };
        let there = Place { at: to, ..from };
        let open = match is_open(there, from.at, most / 2) {
            Some(true) => Some(true),
            inside => is_open(from, to, most - most / 2).or(inside),
        };
        *shut = match open {
            Some(true) => 0,
            None if !from.around().any(taken) => 0,
            Some(false) | None => *shut + 1,
        };
        // Where its body does not fit at the goal itself, it was sent as near as it can come.
        let goal = if grid.fits(*goal, from.body) { *goal } else { to };
        (*shut > PATIENCE).then_some((*id, Place { at: goal, ..from }))
    }

    /// The nearest place to `goal` that nobody wants and that a unit reaches.
    pub(crate) fn place(
        &mut self,
        scenario: &Scenario,
        state: &State,
        (id, goal): (AgentId, Place),
        work: &mut Work,
    ) -> Option<Place> {
        let (grid, rules) = (scenario.grid(), scenario.rules());
        let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
        let from = grid.cell(unit.at);
        let Self { sent, tried, fields, walk, walker, cells, .. } = self;
        let walked = *walker == Some(id);
        let again = sent.binary_search_by_key(&id, |sent| sent.id).is_ok();
        let is_taken = |place: Place| ids(grid, place).any(|id| cells[id as usize].1 > 0);
        if !again && !is_taken(goal) {
            return Some(Place { at: from, ..goal }).filter(|&here| !is_taken(here));
        }
        let drives = matches!(agent.motion, Motion::Car { .. });
        let known = tried.binary_search_by_key(&id, |&(unit, _)| unit);
        let before = known.map_or(0, |place| tried[place].1);
        let mut tries = before;
        let fresh = work.spent;
        // Whether curves lead to a cell; nothing if that has to wait.
        let mut leads = |cell: Cell, seen: u32, work: &mut Work| {
            if !drives || seen <= before {
                return Some(!drives);
            }
            let to = grid.id(cell).unwrap_or_default();
            let most = LOOK.min(work.left());
            let (way, expanded) = way::within(grid, rules, agent, (unit.at, unit.pose), to, most);
            work.take(expanded);
            // With all that a tick has it would be the same in the next.
            if way.is_none() && expanded >= most && most < LOOK && fresh < work.spent - expanded {
                return None;
            }
            tries += u32::from(way.is_none());
            Some(way.is_some())
        };
        let field = field(fields, grid, goal)?;
        // Who looks again takes what it can walk to from where it is.
        let step = group::step(rules);
        let way = from.x.abs_diff(goal.at.x) + from.y.abs_diff(goal.at.y);
        let last = if again { (way + STEPS) * step } else { u32::MAX };
        let mut seen = 0;
        let found = field.levels(grid, rules, work, |far, level, work| {
            if far > last {
                return Some(Answer::Nothing);
            }
            level.retain(|&at| {
                is_free(grid, cells, Place { at, ..goal }) && (!walked || walk.reaches(grid, at))
            });
            level.sort_by_key(|at| at.x.abs_diff(from.x) + at.y.abs_diff(from.y));
            for &at in level.iter() {
                seen += 1;
                match leads(at, seen, work) {
                    Some(true) => return Some(Answer::Found(at)),
                    Some(false) if seen >= TRIES && drives => return Some(Answer::Nothing),
                    Some(false) => {}
                    None => return Some(Answer::Starved),
                }
            }
            None
        });
        if drives {
            match known {
                Ok(place) => tried[place].1 = tries,
                Err(place) if tries > 0 => tried.insert(place, (id, tries)),
                Err(_) => {}
            }
        }
        match found {
            Answer::Found(at) => Some(Place { at, ..goal }),
            Answer::Nothing | Answer::Starved => None,
        }
    }

    /// Notes that a unit is on its way to a place of its own around `goal`, or to another one there.
    pub(crate) fn note(&mut self, id: AgentId, goal: Cell) {
        self.stale = true;
        self.tried.retain(|&(unit, _)| unit != id);
        match self.sent.binary_search_by_key(&id, |sent| sent.id) {
            Ok(place) => self.sent[place].goal = goal,
            Err(place) => self.sent.insert(place, Sent { id, goal, shut: 0 }),
        }
    }

    fn forget(&mut self, id: AgentId) {
        if let Ok(place) = self.sent.binary_search_by_key(&id, |sent| sent.id) {
            self.sent.remove(place);
        }
    }

    /// Where a unit was sent at first.
    pub(crate) fn goal_of(&self, scenario: &Scenario, id: AgentId) -> Cell {
        let sent = self.sent.binary_search_by_key(&id, |sent| sent.id);
        sent.map_or_else(|_| scenario.agent(id).waypoints().last(), |place| self.sent[place].goal)
    }

    /// Who has come to a goal that others want too.
    pub(crate) fn holders(&self, scenario: &Scenario, state: &State, goal: Place) -> Vec<AgentId> {
        let holds = |&&id: &&AgentId| {
            let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
            has_come(agent, unit) && home(scenario.grid(), agent, unit) == Some(goal)
        };
        self.contested.iter().filter(holds).copied().collect()
    }

    /// Notes that a unit goes to rest at another place than where it was sent.
    pub(crate) fn moved(&mut self, grid: &Grid, id: AgentId, to: Place) {
        if let Ok(place) = self.sent.binary_search_by_key(&id, |sent| sent.id) {
            self.sent[place].shut = 0;
        }
        // What it leaves stays counted until the next survey: somebody has it, or it would not leave.
        ids(grid, to).for_each(|id| self.cells[id as usize].0 += 1);
    }
}

/// Whether nobody wants any cell of a place.
fn is_free(grid: &Grid, cells: &[(u32, u32)], place: Place) -> bool {
    ids(grid, place).all(|id| cells[id as usize].0 == 0)
}

/// The surroundings of a goal, if its body fits there.
fn field<'a>(fields: &'a mut Vec<Field>, grid: &Grid, goal: Place) -> Option<&'a mut Field> {
    let place = match fields.binary_search_by_key(&goal.key(), |field| field.goal.key()) {
        Ok(place) => place,
        Err(place) => {
            fields.insert(place, Field::new(grid, goal)?);
            place
        }
    };
    fields.get_mut(place)
}
