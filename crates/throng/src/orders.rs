//! What an embedder does to a running world: units come and go, get orders, are put elsewhere; cells close and open.
//!
//! Every call either takes effect as a whole or is an error and leaves the world as it was.

use crate::groups::{Group, Whose};
use crate::session::Mind;
use crate::{Error, Session, Unreachable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Agent, AgentId, Cell, CellId, Change, Dir, Motion, Need, ScenarioError, Task, Unit, reached,
};
use throng_planners::registry::Context;

/// A unit of a session. Numbers of units that have left are used again; a handle is not. Saved together with
/// [`Session::save`] it means the same unit in the session that goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnitId {
    /// Its number, as events and the state tell it.
    pub agent: AgentId,
    generation: u32,
}

/// What a new unit is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewUnit {
    /// Where it comes: the smallest corner of its body.
    pub at: Cell,
    /// What it is to do.
    pub task: Task,
    /// Side of its square body in cells.
    pub body: u8,
    /// Ticks per straight step; 1 under uniform timing.
    pub period: u8,
    /// How it moves.
    pub motion: Motion,
    /// Who goes first: the higher.
    pub priority: i32,
    /// Whose unit it is.
    pub team: u16,
}

impl NewUnit {
    /// A 1×1 unit of period 1 that moves in steps.
    #[must_use]
    pub const fn new(at: Cell, task: Task) -> Self {
        Self { at, task, body: 1, period: 1, motion: Motion::Steps, priority: 0, team: 0 }
    }
}

/// Why an order was refused; the world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[allow(missing_docs)]
pub enum OrderError {
    #[error("unit {} is not in this world (any more)", .unit.agent)]
    NoSuchUnit { unit: UnitId },
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error("{cell} is taken by unit {by}")]
    Taken { cell: Cell, by: AgentId },
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    #[error("unit {} does not drive, so it has no heading", .unit.agent)]
    NoHeading { unit: UnitId },
    #[error("{cell} is off the map")]
    OffMap { cell: Cell },
    #[error("no planner: neither the scenario nor the session names one for units that come later")]
    NoPlanner,
    #[error("planner {planner} has planned everything in advance and takes no orders")]
    OneShot { planner: String },
    #[error("planner {planner} does not support {need}")]
    Unsupported { planner: String, need: Need },
}

impl Session {
    /// The handle of a unit by its number.
    #[must_use]
    pub fn unit_id(&self, agent: AgentId) -> Option<UnitId> {
        let unit = self.state.units.get(agent.index())?;
        (!unit.gone).then(|| UnitId { agent, generation: self.generation(agent) })
    }

    /// All units in the world, by number.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        (0..self.state.units.len() as u32).filter_map(|k| self.unit_id(AgentId(k)))
    }

    /// Where a unit is and what it is doing.
    pub fn unit(&self, unit: UnitId) -> Result<&Unit, OrderError> {
        let agent = self.present(unit)?;
        Ok(&self.state.units[agent.index()])
    }

    /// Lets a unit into the world. It is planned for from the next tick on.
    pub fn add(&mut self, new: NewUnit) -> Result<UnitId, OrderError> {
        let spec = self.newcomers()?;
        let vacant = self.state.units.iter().position(|unit| unit.gone).unwrap_or(self.state.units.len());
        let NewUnit { at, task, body, period, motion, priority, team } = new;
        let id = AgentId(vacant as u32);
        let agent = Agent { id, team, start: at, task, body, period, motion, priority };
        self.setup.scenario.check(&agent)?;
        let group = self.group_for(&spec, &agent)?;
        let pose = agent.motion.first_pose();
        self.reaches(&agent, at, pose)?;
        self.free(&agent, at)?;
        let (leg, now) = (reached(&agent, at), self.state.tick);
        self.setup.scenario.put(agent)?;
        let at = self.setup.scenario.grid().id(at).unwrap_or_default();
        let unit = Unit::standing(at, now, leg, pose);
        match self.state.units.get_mut(vacant) {
            Some(slot) => *slot = unit,
            None => {
                self.state.units.push(unit);
                self.actions.push(throng_core::Action::Wait);
            }
        }
        if self.generations.len() <= vacant {
            self.generations.resize(vacant + 1, 0);
        }
        // Whoever had its number may have had a planner of its own.
        self.setup.unit_planners.retain(|&(other, _)| other != id);
        let group = match group {
            Ok(known) => known,
            Err(new) => {
                self.groups.push(*new);
                self.groups.len() - 1
            }
        };
        let mine = &mut self.groups[group].mine;
        mine.insert(mine.partition_point(|&other| other < id), id);
        self.tell(Change::Joined(id));
        Ok(UnitId { agent: id, generation: self.generation(id) })
    }

    /// Takes a unit out of the world, wherever it is.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), OrderError> {
        self.takes_orders()?;
        let id = self.present(unit)?;
        // Controllers take back what it has reserved while they still see where it is.
        self.tell(Change::Left(id));
        let unit = &mut self.state.units[id.index()];
        (unit.gone, unit.since) = (true, self.state.tick);
        if self.generations.len() <= id.index() {
            self.generations.resize(id.index() + 1, 0);
        }
        self.generations[id.index()] += 1;
        self.setup.scenario.forget_delays(id);
        self.groups.iter_mut().for_each(|group| group.mine.retain(|&other| other != id));
        self.count_unfinished();
        Ok(())
    }

    /// Gives a unit another task, from where it is now. [`Task::Hold`] makes it stay.
    pub fn order(&mut self, unit: UnitId, task: Task) -> Result<(), OrderError> {
        let agent = self.may_order(unit, task)?;
        self.give(agent)?;
        self.count_unfinished();
        Ok(())
    }

    /// What a unit is with another task from where it is now, if it can be given that.
    pub(crate) fn may_order(&mut self, unit: UnitId, task: Task) -> Result<Agent, OrderError> {
        let id = self.present(unit)?;
        self.takes_orders()?;
        let unit = self.state.units[id.index()];
        let start = self.setup.scenario.grid().cell(unit.at);
        let agent = Agent { task, start, ..self.setup.scenario.agent(id).clone() };
        self.setup.scenario.check(&agent)?;
        self.own_planner_supports(&agent)?;
        self.reaches(&agent, start, unit.pose)?;
        Ok(agent)
    }

    /// Gives a unit the task that [`Self::may_order`] has looked at. Who is unfinished is not counted.
    pub(crate) fn give(&mut self, agent: Agent) -> Result<(), OrderError> {
        let id = agent.id;
        let unit = &mut self.state.units[id.index()];
        unit.leg = if unit.stands(self.state.tick) { reached(&agent, agent.start) } else { 0 };
        self.setup.scenario.put(agent)?;
        self.announce(Change::Ordered(id));
        Ok(())
    }

    /// Gives a unit another priority; its task goes on.
    pub fn set_priority(&mut self, unit: UnitId, priority: i32) -> Result<(), OrderError> {
        self.takes_orders()?;
        let id = self.present(unit)?;
        let agent = Agent { priority, ..self.setup.scenario.agent(id).clone() };
        self.own_planner_supports(&agent)?;
        self.setup.scenario.set_priority(id, priority);
        // Where it was sent stays as it was, so that crowds need not know.
        self.inform(Change::Ordered(id));
        Ok(())
    }

    /// Takes up a unit from where the game has put it; a move in progress is over. Where it is is a fact: it is only
    /// refused where its body does not fit or somebody else is. If its goal cannot be reached from there, it stays,
    /// [`Self::explain`] says so, and it goes on when a way opens. A unit that drives keeps its heading; see
    /// [`Self::place_facing`].
    pub fn place(&mut self, unit: UnitId, cell: Cell) -> Result<(), OrderError> {
        self.put(unit, cell, None)
    }

    /// The same for a unit that drives and that the game has turned as well: it faces north, east, south or west now.
    pub fn place_facing(&mut self, unit: UnitId, cell: Cell, heading: Dir) -> Result<(), OrderError> {
        self.put(unit, cell, Some(heading))
    }

    fn put(&mut self, unit: UnitId, cell: Cell, heading: Option<Dir>) -> Result<(), OrderError> {
        self.takes_orders()?;
        let id = self.present(unit)?;
        // Its goal may have been closed: what it is to do is not asked.
        let mut agent = Agent { start: cell, task: Task::Hold, ..self.setup.scenario.agent(id).clone() };
        let mut pose = agent.motion.rested(self.state.units[id.index()].pose);
        if let Some(to) = heading {
            let (Motion::Car { heading, .. } | Motion::Turns { heading }) = &mut agent.motion else {
                return Err(OrderError::NoHeading { unit });
            };
            *heading = to;
            pose = agent.motion.first_pose();
        }
        self.setup.scenario.check(&agent)?;
        self.free(&agent, cell)?;
        let at = self.setup.scenario.grid().id(cell).unwrap_or_default();
        let now = self.state.tick;
        let unit = &mut self.state.units[id.index()];
        (unit.at, unit.from, unit.since, unit.until) = (at, at, now, now);
        unit.pose = pose;
        self.tell(Change::Placed(id));
        Ok(())
    }

    /// Closes a cell; refused while somebody is on it. The next tick tells of it ([`Event::Closed`](throng_core::Event)).
    pub fn close(&mut self, cell: Cell) -> Result<bool, OrderError> {
        self.set_open(cell, false)
    }

    /// Opens a cell.
    pub fn open(&mut self, cell: Cell) -> Result<bool, OrderError> {
        self.set_open(cell, true)
    }

    fn set_open(&mut self, cell: Cell, open: bool) -> Result<bool, OrderError> {
        self.takes_orders()?;
        let id = self.setup.scenario.grid().id(cell).ok_or(OrderError::OffMap { cell })?;
        if let Some(by) = self.holder(cell, None).filter(|_| !open) {
            return Err(OrderError::Taken { cell, by });
        }
        let called_off = self.terrain.forget(cell);
        let changed = self.setup.scenario.set_open(cell, open).unwrap_or(false);
        if open && called_off && !changed {
            // Whoever judges the run later has to know that it will not close.
            self.terrain.note(cell, true);
        }
        if changed {
            self.reach.forget();
            self.terrain.note(cell, open);
            self.tell(Change::Terrain(id));
        }
        Ok(changed)
    }

    fn tell(&mut self, change: Change) {
        self.announce(change);
        self.count_unfinished();
    }

    /// Tells controllers and crowds.
    fn announce(&mut self, change: Change) {
        self.inform(change);
        self.dispatch.changed(&mut self.state, change);
        self.crowds.changed(change);
        self.peers.changed(change);
    }

    fn generation(&self, agent: AgentId) -> u32 {
        self.generations.get(agent.index()).copied().unwrap_or(0)
    }

    pub(crate) fn present(&self, unit: UnitId) -> Result<AgentId, OrderError> {
        match self.unit_id(unit.agent) {
            Some(known) if known == unit => Ok(unit.agent),
            _ => Err(OrderError::NoSuchUnit { unit }),
        }
    }

    pub(crate) fn takes_orders(&self) -> Result<(), OrderError> {
        let planner = self.groups.iter().find(|group| !matches!(group.mind, Mind::Controller(_)));
        planner.map_or(Ok(()), |group| Err(OrderError::OneShot { planner: group.spec.clone() }))
    }

    /// Whether a unit can get to its goals. Where units have to see the world first, that is theirs to find out.
    fn reaches(&mut self, agent: &Agent, from: Cell, pose: u8) -> Result<(), Unreachable> {
        match self.setup.scenario.sight_of(agent) {
            Some(_) => Ok(()),
            None => self.reach.reachable(&self.setup.scenario, agent, from, pose),
        }
    }

    /// The group that a new unit joins: one that there is, or a new one if nobody knows the same.
    fn group_for(&self, spec: &str, agent: &Agent) -> Result<Result<usize, Box<Group>>, OrderError> {
        let scenario = &self.setup.scenario;
        let stranger = scenario.agents().iter().any(|other| other.team != agent.team);
        if let Some(group) = self.groups.iter().find(|group| stranger && !group.support.teams) {
            return Err(OrderError::Unsupported { planner: group.spec.clone(), need: Need::Teams });
        }
        let whose = Whose::of(scenario, agent);
        if let Some(known) = self.groups.iter().position(|group| group.is(spec, whose)) {
            self.supported(agent, known)?;
            return Ok(Ok(known));
        }
        let context = Context {
            workers: Arc::clone(&self.workers),
            directions: self.setup.directions.clone().map(Arc::new),
            ..Context { seed: self.options.seed, ..Context::default() }
        };
        // Its planner is in use, so that it can be built.
        let new = Group::new(spec, whose, &context);
        let new = new.map_err(|_| OrderError::OneShot { planner: spec.to_owned() })?;
        let eyes = new.support.gap_of_eyes(scenario, core::iter::once(agent));
        match eyes.or_else(|| new.support.gap_of(None, agent)) {
            Some(need) => Err(OrderError::Unsupported { planner: spec.to_owned(), need }),
            None => Ok(Err(Box::new(new))),
        }
    }

    /// The planner of units that come later: the one which is not any unit's own.
    fn newcomers(&self) -> Result<String, OrderError> {
        self.takes_orders()?;
        let spec =
            self.options.planner.as_ref().or(self.setup.planner.as_ref()).ok_or(OrderError::NoPlanner)?;
        let known = self.groups.iter().any(|group| group.spec == *spec);
        if known { Ok(spec.clone()) } else { Err(OrderError::OneShot { planner: spec.clone() }) }
    }

    fn own_planner_supports(&self, agent: &Agent) -> Result<(), OrderError> {
        let group = self.groups.iter().position(|group| group.mine.binary_search(&agent.id).is_ok());
        group.map_or(Ok(()), |group| self.supported(agent, group))
    }

    fn supported(&self, agent: &Agent, group: usize) -> Result<(), OrderError> {
        let Group { spec, support, mine, .. } = &self.groups[group];
        let scenario = &self.setup.scenario;
        let others = || mine.iter().filter(|&&id| id != agent.id).map(|&id| scenario.agent(id));
        let eyes = support.gap_of_eyes(scenario, core::iter::once(agent));
        let need = eyes.or_else(|| support.gap_of(others().next(), agent)).or_else(|| {
            // Most orders leave the priority as it is.
            let known = mine.binary_search(&agent.id).is_ok();
            let changes = !known || scenario.agent(agent.id).priority != agent.priority;
            let priorities = || others().chain([agent]).map(|agent| agent.priority);
            changes.then(|| support.gap_of_priorities(priorities())).flatten()
        });
        need.map_or(Ok(()), |need| Err(OrderError::Unsupported { planner: spec.clone(), need }))
    }

    /// Whether nobody else covers what the body of `agent` covers at `at`.
    fn free(&self, agent: &Agent, at: Cell) -> Result<(), OrderError> {
        let body = agent.actions(self.setup.scenario.rules()).footprint(at, throng_core::Action::Wait);
        for cell in body.cells() {
            if let Some(by) = self.holder(cell, Some(agent.id)) {
                return Err(OrderError::Taken { cell, by });
            }
        }
        Ok(())
    }

    /// Who covers `cell`, moves in progress included.
    fn holder(&self, cell: Cell, but: Option<AgentId>) -> Option<AgentId> {
        let (scenario, now) = (&self.setup.scenario, self.state.tick);
        let agents = scenario.agents().iter().zip(&self.state.units);
        let covers = |agent: &Agent, unit: &Unit| {
            let (from, at): (CellId, CellId) = (if unit.stands(now) { unit.at } else { unit.from }, unit.at);
            let (from, to) = (scenario.grid().cell(from), scenario.grid().cell(at));
            let actions = agent.actions(scenario.rules());
            let action = actions.between(from, to, unit.pose).unwrap_or_default();
            actions.footprint(from, action).covers(cell)
        };
        agents
            .filter(|(agent, unit)| !unit.gone && Some(agent.id) != but)
            .find(|(agent, unit)| covers(agent, unit))
            .map(|(agent, _)| agent.id)
    }
}

impl From<OrderError> for Error {
    fn from(why: OrderError) -> Self {
        Self::Order(why)
    }
}
