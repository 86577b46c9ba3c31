//! What units know of a world that they have to see first, and of the units of others.
//!
//! Cells that nobody has seen are taken for open. What is seen is remembered as it was seen last, also when it has changed
//! since. Units of others that are out of sight are believed to go on as they were last seen to go ([`belief`]), and to be where
//! that leads until the place is seen without them; what they are to do is never known. Whoever shares a [`Knowledge`] knows all of it at once.

mod belief;
mod extent;
mod eyes;

use extent::Extent;
use eyes::Eyes;
use throng_core::{
    Action, Agent, AgentId, Cell, CellId, Event, Grid, Scenario, Seen, Sight, Sighting, Source, State, Task,
    Tick, Unit, View,
};
use throng_search::vision::Facing;

/// What some units know together: a world of its own, as they believe it to be.
#[derive(Clone, Debug)]
pub struct Knowledge {
    scenario: Scenario,
    state: State,
    sight: Option<Sight>,
    /// `None` if all of the terrain is known at any time, and units wherever they are.
    seen: Option<Seen>,
    /// By agent: how units of others were last seen to move.
    sightings: Vec<Sighting>,
    /// By agent: the direction in which its last move led.
    facing: Vec<Facing>,
    /// By cell: when it was last in sight. Kept only where things are forgotten.
    last: Vec<Tick>,
    /// Scratch, and only where somebody has asked: how far the known world goes.
    extent: Option<Extent>,
    /// Scratch: what is in sight now follows from where everybody is.
    eyes: Eyes,
}

/// What cannot be seen again: for snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The terrain as it is believed to be, row by row.
    pub letters: Vec<u8>,
    /// What has been seen of it, if that is not all.
    pub seen: Option<Seen>,
    /// Where everybody is believed to be.
    pub units: Vec<Unit>,
    /// How units of others were last seen to move, by agent; those at the end of whom nothing is known may be left out.
    pub sightings: Vec<Sighting>,
    /// Resources and dangers as they were last seen.
    pub sources: Vec<Source>,
    /// By agent: the direction in which its last move led, by columns and rows; (0, 0) for one that has not moved. Those
    /// at the end who have not may be left out.
    pub facing: Vec<(i32, i32)>,
    /// When each cell was last in sight, row by row; nothing where nothing is forgotten.
    pub last: Vec<Tick>,
}

/// How far somebody has got with exploring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Cells that have been seen.
    pub seen: u32,
    /// Cells that have not.
    pub unseen: u32,
    /// Cells beside unseen ones that can be walked to over what has been seen.
    pub frontier: u32,
    /// Cells beside unseen ones that have been seen, but that no way leads to that is known.
    pub beyond: u32,
}

impl Knowledge {
    /// What these units know before they have looked, who see so much; everything if nothing is said.
    #[must_use]
    pub fn new(world: &Scenario, state: &State, members: &[AgentId], sight: Option<Sight>) -> Self {
        let mut scenario = world.without_events();
        let cells: Vec<_> = cells(world.grid()).collect();
        let seen = sight.map(|sight| {
            let mut seen = Seen::none(world.grid().len());
            // From the end on: how much room there is at a cell follows from those to the right and below.
            for &cell in cells.iter().rev() {
                if sight.map_known {
                    seen.insert(cell);
                } else {
                    let _ = scenario.set_letter(cell, b'.');
                }
            }
            seen
        });
        let fades = sight.is_some_and(|sight| sight.fading.is_some());
        if seen.is_some() {
            // They have to be seen as well, also on a map that is known.
            let _ = scenario.set_sources(Vec::new());
        }
        let mut known = Self {
            scenario,
            state: state.clone(),
            sight,
            seen,
            sightings: Vec::new(),
            facing: Vec::new(),
            last: if fades { vec![state.tick; world.grid().len()] } else { Vec::new() },
            extent: None,
            eyes: Eyes::new(world, sight),
        };
        for agent in world.agents() {
            let member = members.binary_search(&agent.id).is_ok();
            known.note(agent, member);
            if !member {
                known.state.units[agent.id.index()].gone = true;
            }
        }
        known
    }

    /// How the world looks to a controller of some of them.
    #[must_use]
    pub fn view<'a>(&'a self, mine: &'a [AgentId]) -> View<'a> {
        let (scenario, state, seen) = (&self.scenario, &self.state, self.seen.as_ref());
        View { scenario, state, mine, seen, sightings: &self.sightings }
    }

    /// The world as it is believed to be.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Whether a cell is in sight now.
    #[must_use]
    pub fn sees(&self, cell: CellId) -> bool {
        self.seen.is_none() || self.eyes.sees(cell)
    }

    /// An agent is new or has another task.
    pub fn note(&mut self, agent: &Agent, member: bool) {
        let known = match agent.task {
            _ if !member => stranger(agent),
            // Not even those who look for it know where it is.
            Task::Find(_) => Agent { task: Task::Explore, ..agent.clone() },
            _ => agent.clone(),
        };
        // It was checked in the world itself.
        let _ = self.scenario.adopt(known);
    }

    /// A unit has come to the world: members know it at once, and others when they see it.
    pub fn joined(&mut self, id: AgentId, unit: Unit, member: bool) {
        let unit = Unit { gone: !member, leg: if member { unit.leg } else { 0 }, ..unit };
        match self.state.units.get_mut(id.index()) {
            Some(slot) => *slot = unit,
            None => self.state.units.push(unit),
        }
        // Whoever had its number may have looked elsewhere.
        if let Some(facing) = self.facing.get_mut(id.index()) {
            *facing = Facing::default();
        }
    }

    /// A member has begun a move, and looks where that leads.
    pub fn face(&mut self, id: AgentId, action: Action) {
        if !self.sight.is_some_and(|sight| sight.is_cone()) {
            return;
        }
        let (nowhere, there) = (Cell::new(0, 0), Cell::new(0, 0).after(action));
        if there != nowhere {
            if self.facing.len() <= id.index() {
                self.facing.resize(id.index() + 1, Facing::default());
            }
            self.facing[id.index()] = Facing { dx: there.x, dy: there.y };
        }
    }

    /// Takes over how late it is, where members are and what they have reached.
    pub fn follow(&mut self, state: &State, members: &[AgentId]) {
        self.state.tick = state.tick;
        members.iter().for_each(|id| self.state.units[id.index()] = state.units[id.index()]);
        if self.seen.is_none() {
            // Whoever sees everything sees the others as well; who has come or left is met or missed in its turn.
            for (known, unit) in self.state.units.iter_mut().zip(&state.units) {
                if !known.gone && !unit.gone {
                    *known = Unit { leg: known.leg, ..*unit };
                }
            }
        }
    }

    /// A unit is no longer there, and is known to be.
    pub fn left(&mut self, id: AgentId) {
        if let Some(unit) = self.state.units.get_mut(id.index()) {
            unit.gone = true;
        }
        self.eyes.close(id);
    }

    /// A cell of the world has changed; answers whether that is known at once.
    pub fn changed(&mut self, world: &Scenario, cell: CellId) -> bool {
        self.eyes.disturb(world.grid(), cell);
        self.seen.is_none() && self.learn(world, cell)
    }

    /// Looks around at the beginning of a tick; answers the cells of which something new is seen.
    pub fn look(&mut self, world: &Scenario, state: &State, members: &[AgentId]) -> Vec<CellId> {
        self.follow(state, members);
        if self.seen.is_none() {
            self.note_sources(world);
            return Vec::new();
        }
        let Some(seen) = &self.seen else { return Vec::new() };
        let mut news = Vec::new();
        let known = self.scenario.grid();
        let facing = |id: AgentId| self.facing.get(id.index()).copied().unwrap_or_default();
        self.eyes.look(world, state, members, facing, |cell| {
            if !seen.contains(cell) || known.letter(cell) != world.grid().letter(cell) {
                news.push(cell);
            }
        });
        news.sort_unstable();
        news.dedup();
        self.note_sources(world);
        news
    }

    /// Takes note of what draws and what keeps away as far as it is in sight: what is out of sight is as it was seen last.
    fn note_sources(&mut self, world: &Scenario) {
        let sees = |source: &Source| world.grid().id(source.cell).is_some_and(|cell| self.sees(cell));
        let (old, new) = (self.scenario.sources(), world.sources());
        if old == new {
            return;
        }
        let kept = old.iter().filter(|source| !sees(source)).chain(new.iter().filter(|source| sees(source)));
        let known = kept.copied().collect();
        // They were checked in the world itself.
        let _ = self.scenario.set_sources(known);
    }

    /// Takes note of a cell as it is; answers whether it has closed or opened as far as was known.
    pub fn learn(&mut self, world: &Scenario, cell: CellId) -> bool {
        if let Some(seen) = &mut self.seen {
            seen.insert(cell);
        }
        let changed = self.scenario.set_letter(cell, world.grid().letter(cell)).unwrap_or(false);
        if let (Some(extent), Some(seen)) = (&mut self.extent, &self.seen) {
            extent.note(self.scenario.grid(), seen, cell);
        }
        changed
    }

    /// What was last seen too long ago to be known still, after [`Self::look`]; nothing where nothing is forgotten.
    pub fn fading(&mut self, world: &Scenario) -> Vec<CellId> {
        let (Some(seen), Some(ticks)) = (&self.seen, self.sight.and_then(|sight| sight.fading)) else {
            return Vec::new();
        };
        let (now, eyes, last) = (self.state.tick, &self.eyes, &mut self.last);
        let mut faded = Vec::new();
        for cell in cells(world.grid()) {
            if eyes.sees(cell) {
                last[cell.index()] = now;
            } else if seen.contains(cell) && now.saturating_sub(last[cell.index()]) > Tick::from(ticks) {
                faded.push(cell);
            }
        }
        faded
    }

    /// Forgets a cell; answers whether it has opened by that as far as is known.
    pub fn forget(&mut self, cell: CellId) -> bool {
        if let Some(seen) = &mut self.seen {
            seen.remove(cell);
        }
        if let Some(extent) = &mut self.extent {
            extent.forget();
        }
        self.scenario.set_letter(cell, b'.').unwrap_or(false)
    }

    /// Makes [`Self::explored`] a matter of next to no time.
    pub fn survey(&mut self) {
        let (grid, Some(seen)) = (self.scenario.grid(), &self.seen) else { return };
        self.extent.get_or_insert_with(|| Extent::new(grid, seen)).refresh(grid, seen);
    }

    /// How far exploring has got, for one of them; nothing if it has not looked yet, or if nothing has to be seen.
    #[must_use]
    pub fn explored(&self, id: AgentId) -> Option<Explored> {
        let (grid, seen) = (self.scenario.grid(), self.seen.as_ref()?);
        let from = eye(self.state.units.get(id.index())?, self.state.tick);
        let (frontier, all) = match &self.extent {
            Some(extent) if !extent.is_stale() => extent.edges(from)?,
            _ => Extent::new(grid, seen).edges(from)?,
        };
        let cells = (grid.width() * grid.height()) as u32;
        let known = seen.len() as u32;
        Some(Explored { seen: known, unseen: cells - known, frontier, beyond: all - frontier })
    }

    /// Whether a cell has been seen and not been forgotten.
    #[must_use]
    pub fn has_seen(&self, cell: CellId) -> bool {
        self.seen.as_ref().is_none_or(|seen| seen.contains(cell))
    }

    /// What a cancelled move teaches its unit: the terrain that it would have covered.
    #[must_use]
    pub fn bump(&self, world: &Scenario, state: &State, event: &Event) -> Vec<CellId> {
        let Event::Failed { agent, action, blocked_by: None, .. } = *event else { return Vec::new() };
        let unit = &state.units[agent.index()];
        let from = world.grid().cell(unit.at);
        let covered = world.agent(agent).actions(world.rules()).footprint(from, action);
        covered
            .cells()
            .filter_map(|cell| world.grid().id(cell))
            .filter(|&cell| self.is_news(world, cell))
            .collect()
    }

    /// What a cancelled move teaches its unit of one of others who was in its way: where that one is. Answers whether nothing was known
    /// of it before.
    pub fn touch(&mut self, state: &State, id: AgentId) -> bool {
        let Some(known) = self.state.units.get_mut(id.index()) else { return false };
        let was_gone = known.gone;
        *known = Unit { leg: 0, ..state.units[id.index()] };
        self.note_move(id.index());
        was_gone
    }

    fn is_news(&self, world: &Scenario, cell: CellId) -> bool {
        !self.has_seen(cell) || self.scenario.grid().letter(cell) != world.grid().letter(cell)
    }

    /// Who has gone out of sight in such a way that nothing is known of it any more: to be told before
    /// [`Self::meet`] is called. Members are always known.
    #[must_use]
    pub fn vanished(&self, world: &Scenario, state: &State, members: &[AgentId]) -> Vec<AgentId> {
        let mut covered = Vec::new();
        for (id, unit) in strangers(state, members).filter(|(id, unit)| self.is_visible(world, *id, unit)) {
            covered.extend(body(world, world.agent(id), unit));
        }
        covered.sort_unstable();
        let is_gone = |&(id, known): &(AgentId, &Unit)| {
            if known.gone || self.is_visible(world, id, &state.units[id.index()]) {
                return false;
            }
            // Its place is seen without it, or with somebody else in it, or it went where things are forgotten.
            let body = || body(world, world.agent(id), known);
            body().any(|at| self.sees(at) || covered.binary_search(&at).is_ok())
                || !self.last.is_empty() && body().all(|at| !self.has_seen(at))
        };
        strangers(&self.state, members).filter(is_gone).map(|(id, _)| id).collect()
    }

    /// Takes note of where everybody is who can be seen; answers who was not known before.
    pub fn meet(&mut self, world: &Scenario, state: &State, members: &[AgentId]) -> Vec<AgentId> {
        let mut met = Vec::new();
        for (place, unit) in state.units.iter().enumerate() {
            let id = AgentId(place as u32);
            let known = self.state.units[place];
            if members.binary_search(&id).is_ok() {
                self.state.units[place] = *unit;
                continue;
            }
            if self.is_visible(world, id, unit) {
                if known.gone {
                    met.push(id);
                }
                self.state.units[place] = Unit { leg: 0, ..*unit };
            } else if known.until <= state.tick {
                self.state.units[place].from = known.at;
            }
            self.note_move(place);
        }
        met
    }

    fn is_visible(&self, world: &Scenario, id: AgentId, unit: &Unit) -> bool {
        !unit.gone && body(world, world.agent(id), unit).any(|cell| self.sees(cell))
    }

    /// Everything that cannot be seen again.
    #[must_use]
    pub fn save(&self) -> Memory {
        let grid = self.scenario.grid();
        let sources = self.scenario.sources().to_vec();
        let letters = cells(grid).map(|cell| grid.letter(cell)).collect();
        let (seen, units, sightings) = (self.seen.clone(), self.state.units.clone(), self.sightings.clone());
        let facing = self.facing.iter().map(|facing| (facing.dx, facing.dy)).collect();
        let last = cells(grid).filter_map(|cell| self.last.get(cell.index()).copied()).collect();
        Memory { letters, seen, units, sightings, sources, facing, last }
    }

    /// Takes up what [`Self::save`] gave; answers whether it is of this world, in which `state` is now.
    pub fn load(&mut self, state: &State, members: &[AgentId], memory: Memory) -> bool {
        let Memory { letters, seen, units, sightings, sources, facing, last } = memory;
        let grid = self.scenario.grid();
        let cells: Vec<_> = cells(grid).collect();
        let on_map = |cell: CellId| cell.index() < grid.len() && grid.contains(grid.cell(cell));
        let soon = |unit: &Unit| unit.since.max(unit.until) < 1 << 61;
        let here = |unit: &Unit| on_map(unit.at) && on_map(unit.from) && soon(unit);
        let fits = letters.len() == cells.len()
            && units.len() == self.state.units.len()
            && units.iter().all(here)
            && sightings.len() <= units.len()
            && sightings.iter().all(belief::is_possible(on_map))
            && facing.len() <= units.len()
            && last.len() == if self.last.is_empty() { 0 } else { cells.len() }
            && last.iter().all(|&tick| tick <= state.tick)
            && seen.is_some() == self.seen.is_some()
            && seen.as_ref().is_none_or(|seen| seen.fits(grid.len()));
        if !fits || self.scenario.set_sources(sources).is_err() {
            return false;
        }
        for (cell, tick) in cells.iter().zip(last) {
            self.last[cell.index()] = tick;
        }
        self.facing = facing.into_iter().map(|(dx, dy)| Facing { dx, dy }).collect();
        self.extent = None;
        for (cell, letter) in cells.into_iter().zip(letters) {
            if self.scenario.set_letter(cell, letter).is_err() {
                return false;
            }
        }
        (self.seen, self.state, self.sightings) =
            (seen, State { tick: state.tick, units, ..State::default() }, sightings);
        self.follow(state, members);
        true
    }
}

/// Where a unit looks from: where its move began while that lasts.
const fn eye(unit: &Unit, now: Tick) -> CellId {
    if unit.stands(now) { unit.at } else { unit.from }
}

/// What is known of a unit of somebody else: what it is, and not what it is to do.
fn stranger(agent: &Agent) -> Agent {
    let nowhere = Cell::new(0, 0);
    Agent { start: nowhere, task: Task::Goal(nowhere), ..agent.clone() }
}

fn strangers<'a>(state: &'a State, members: &'a [AgentId]) -> impl Iterator<Item = (AgentId, &'a Unit)> {
    let units = (0..).map(AgentId).zip(&state.units);
    units.filter(|(id, _)| members.binary_search(id).is_err())
}

/// The cells that a unit covers where it is, or where its move leads.
fn body<'a>(world: &'a Scenario, agent: &Agent, unit: &Unit) -> impl Iterator<Item = CellId> + 'a {
    let at = world.grid().cell(unit.at);
    agent.actions(world.rules()).footprint(at, Action::Wait).cells().filter_map(|cell| world.grid().id(cell))
}

/// All cells of a map, row by row.
fn cells(grid: &Grid) -> impl Iterator<Item = CellId> + '_ {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    (0..height).flat_map(move |y| (0..width).filter_map(move |x| grid.id(Cell::new(x, y))))
}

#[cfg(test)]
mod tests;
