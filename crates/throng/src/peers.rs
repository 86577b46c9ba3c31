//! Units that were sent to one place together: whoever finds another of them in its way exchanges places with it.
//!
//! Who goes where is decided when the order is given, by travel alone. On the way units overtake each other, and in a
//! corridor nobody can pass the one in front. Since it does not matter who of them rests where, the one in front goes
//! deeper. An exchange makes less what both have to go, or leaves that and shares it more evenly: as long as nobody
//! moves they come to an end.

use crate::crowds::home;
use crate::field::{Field, Work};
use crate::group::Place;
use crate::way;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use throng_core::{Agent, AgentId, Cell, Change, Event, Motion, Rules, Scenario, State};

/// At most so many units are asked in one tick.
const ASKED: usize = 16;

/// So many of those who may be in a unit's way are looked at, nearest first.
const RIVALS: usize = 4;

/// The most units that exchange places at once.
const ROUND: usize = 8;

/// The most nodes around a place that are looked at, or for a car's curves: those who rest keep nobody from it who is
/// farther than that.
const LOOK: usize = 1024;

/// Whoever stands still is asked; every so many ticks also those who move, maybe to and fro.
const ALL: u64 = 16;

/// What a later tick depends on and does not follow from scenario and state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    members: Vec<(AgentId, Cell)>,
    /// By place and body: how much of its surroundings has been paid for.
    paid: Vec<(Cell, u8, u32)>,
}

/// Units that exchange places: each gets that of the one before it, and the first that of the last.
pub(crate) struct Exchange {
    /// Where all of them had been sent.
    pub(crate) goal: Cell,
    pub(crate) round: Vec<AgentId>,
}

/// Who may exchange places with whom.
#[derive(Default)]
pub(crate) struct Peers {
    /// Units by number, and where they were sent together with others. Each has a place of its own there.
    members: Vec<(AgentId, Cell)>,
    /// The surroundings of places, by place and body.
    fields: Vec<Field>,
    /// All of them stood at their places, and nobody has moved since.
    quiet: bool,
}

impl Peers {
    /// Whether anybody may have to be asked.
    pub(crate) const fn is_busy(&self) -> bool {
        !self.members.is_empty() && !self.quiet
    }

    /// Takes note of what happened in a tick.
    pub(crate) fn ticked(&mut self, events: &[Event]) {
        self.quiet = self.quiet && !events.iter().any(|event| matches!(event, Event::Moved { .. }));
    }

    /// Something was done to the world.
    pub(crate) fn changed(&mut self, change: Change) {
        self.quiet = false;
        match change {
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) => self.leave(id),
            Change::Placed(_) => {}
            Change::Terrain(_) => self.fields.clear(),
        }
    }

    /// A unit that was sent to `goal` like others has a place of its own there.
    pub(crate) fn join(&mut self, id: AgentId, goal: Cell) {
        self.quiet = false;
        match self.members.binary_search_by_key(&id, |&(unit, _)| unit) {
            Ok(place) => self.members[place].1 = goal,
            Err(place) => self.members.insert(place, (id, goal)),
        }
    }

    /// A unit keeps its place, whoever might want it.
    pub(crate) fn leave(&mut self, id: AgentId) {
        if let Ok(place) = self.members.binary_search_by_key(&id, |&(unit, _)| unit) {
            self.members.remove(place);
        }
    }

    /// What has to be saved.
    pub(crate) fn memory(&self) -> Memory {
        let paid = |field: &Field| (field.goal.at, field.goal.body, field.visited() as u32);
        Memory { members: self.members.clone(), paid: self.fields.iter().map(paid).collect() }
    }

    /// Takes up what was saved; answers whether it is of this world.
    pub(crate) fn take_up(&mut self, scenario: &Scenario, state: &State, memory: Memory) -> bool {
        let rests = |id: AgentId| {
            let unit = state.units.get(id.index());
            unit.is_some_and(|unit| !unit.gone) && scenario.agent(id).must_rest()
        };
        let fits = memory.members.is_sorted_by(|a, b| a.0 < b.0)
            && memory.members.iter().all(|&(id, _)| rests(id))
            && memory.paid.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1))
            // Two places for every unit, and those of this tick.
            && memory.paid.len() <= 3 * state.units.len();
        self.members = memory.members;
        for (at, body, visited) in memory.paid.into_iter().filter(|_| fits) {
            let Some(mut field) = Field::new(scenario.grid(), Place::new(at, body)) else { return false };
            field.replay(scenario.grid(), STEPS, (visited as usize).min(LOOK));
            self.fields.push(field);
        }
        fits
    }

    /// Who exchanges places with whom in this tick.
    pub(crate) fn exchanges(&mut self, scenario: &Scenario, state: &State, work: &mut Work) -> Vec<Exchange> {
        let world = World { scenario, state };
        let Self { members, fields, quiet } = self;
        let kept = |&&(id, _): &&(AgentId, Cell)| world.is_kept(id);
        let count = members.iter().filter(kept).count();
        if count == 0 {
            let rests = |&(id, _): &(AgentId, Cell)| world.place(id).is_some_and(|it| it.at == world.at(id));
            *quiet = members.iter().all(rests);
            if *quiet {
                fields.clear();
            }
            return Vec::new();
        }
        // Places that nobody has any more.
        if fields.len() > 2 * members.len() {
            let places: BTreeSet<_> =
                members.iter().filter_map(|&(id, _)| world.place(id)).map(Place::key).collect();
            fields.retain(|field| places.contains(&field.goal.key()));
        }
        // Scattered, so that everybody's turn comes, however many there are and in whichever ticks they ask.
        let turn = (state.tick.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % count;
        let mut found: Vec<Exchange> = Vec::new();
        for &(id, goal) in members.iter().filter(kept).cycle().skip(turn).take(count.min(ASKED)) {
            let is_new = |id| !found.iter().any(|exchange| exchange.round.contains(&id));
            if !is_new(id) {
                continue;
            }
            let others = members.iter().filter(|&&(other, to)| to == goal && is_new(other));
            let peers: Vec<AgentId> = others.map(|&(other, _)| other).collect();
            let ways = &mut Ways { world: &world, fields, work };
            let pair = world.rival(id, &peers, ways).map(|other| vec![id, other]);
            if let Some(round) = pair.or_else(|| world.round(id, &peers, ways)) {
                found.push(Exchange { goal, round });
            }
        }
        found
    }
}

/// Exchanges are measured in straight steps by all rules: where others rest, there is seldom room for a diagonal.
const STEPS: Rules = Rules {
    connectivity: throng_core::Connectivity::Four,
    timing: throng_core::Timing::Uniform,
    hold_both: false,
    follow: false,
};

#[derive(Clone, Copy)]
struct World<'a> {
    scenario: &'a Scenario,
    state: &'a State,
}

impl World<'_> {
    fn at(&self, id: AgentId) -> Cell {
        self.scenario.grid().cell(self.state.units[id.index()].at)
    }

    fn place(&self, id: AgentId) -> Option<Place> {
        home(self.scenario.grid(), self.scenario.agent(id), &self.state.units[id.index()])
    }

    /// Whether a unit may be kept from its place.
    fn is_kept(&self, id: AgentId) -> bool {
        let (now, until) = (self.state.tick, self.state.units[id.index()].until);
        (until < now || (until == now && now.is_multiple_of(ALL)))
            && self.place(id).is_some_and(|place| place.at != self.at(id))
    }

    /// The one that a unit exchanges places with: it stands between the unit and its place.
    fn rival(&self, id: AgentId, peers: &[AgentId], ways: &mut Ways<'_>) -> Option<AgentId> {
        let (agent, here, mine) = (self.scenario.agent(id), self.at(id), self.place(id)?);
        let own = ways.steps(here, mine)?;
        let drives = drives(agent);
        // Curves lead round what is straight ahead.
        let most = own + if drives { 2 * u32::from(mine.body) } else { 0 };
        let like = |&other: &AgentId| self.are_like(id, other);
        let near = peers.iter().copied().filter(like).map(|other| (apart(here, self.at(other)), other));
        let near = near.filter(|&(apart, _)| apart <= most);
        let mut near: Vec<_> = near.collect();
        near.sort_unstable();
        let mut looked = 0;
        for (apart, other) in near {
            if ways.steps(self.at(other), mine).is_none_or(|way| apart + way > most) {
                continue;
            }
            let theirs = self.place(other)?;
            let mut both = |a: Place, b: Place| Some(measure(ways.far(id, a)?, ways.far(other, b)?));
            if both(mine, theirs).zip(both(theirs, mine)).is_some_and(|(now, then)| then < now) {
                return Some(other);
            }
            looked += 1;
            if looked == RIVALS {
                break;
            }
        }
        None
    }

    /// Units that stand in each other's way in a round, each a step before the next, so that no two can better
    /// themselves alone. Not cars: what is a step ahead may be a long curve.
    fn round(&self, id: AgentId, peers: &[AgentId], ways: &mut Ways<'_>) -> Option<Vec<AgentId>> {
        if drives(self.scenario.agent(id)) {
            return None;
        }
        let mut round = vec![id];
        while round.len() <= ROUND {
            let last = *round.last()?;
            let (here, place) = (self.at(last), self.place(last)?);
            let (own, step) = (ways.steps(here, place)?, u32::from(place.body));
            let touching =
                |&&other: &&AgentId| self.are_like(last, other) && apart(here, self.at(other)) == step;
            let mut ahead = peers.iter().filter(touching);
            let next = *ahead
                .find(|&&other| ways.steps(self.at(other), place).is_some_and(|way| way + step == own))?;
            match round.iter().position(|&other| other == next) {
                Some(0) => return Some(round),
                // It leads into one that somebody else finds.
                Some(_) => return None,
                None => round.push(next),
            }
        }
        None
    }

    /// Whether either may have the other's place, if it gets there.
    fn are_like(&self, a: AgentId, b: AgentId) -> bool {
        let [one, other] = [a, b].map(|id| self.scenario.agent(id));
        a != b && one.body == other.body && drives(one) == drives(other)
    }
}

fn apart(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

/// What an exchange makes less: what both have to go, and then how unevenly.
fn measure(a: u32, b: u32) -> (u64, u64) {
    let (a, b) = (u64::from(a), u64::from(b));
    (a + b, a * a + b * b)
}

const fn drives(agent: &Agent) -> bool {
    matches!(agent.motion, Motion::Car { .. })
}

/// How far it is to places, as far as there is work left for it.
struct Ways<'a> {
    world: &'a World<'a>,
    fields: &'a mut Vec<Field>,
    work: &'a mut Work,
}

impl Ways<'_> {
    /// In straight steps.
    fn steps(&mut self, from: Cell, to: Place) -> Option<u32> {
        let grid = self.world.scenario.grid();
        let place = match self.fields.binary_search_by_key(&to.key(), |field| field.goal.key()) {
            Ok(place) => place,
            Err(place) => {
                self.fields.insert(place, Field::new(grid, to)?);
                place
            }
        };
        self.fields[place].reach(grid, STEPS, from, LOOK, self.work)
    }

    /// In steps, or for a car in ticks: cars exchange with cars only.
    fn far(&mut self, id: AgentId, to: Place) -> Option<u32> {
        let World { scenario, state } = *self.world;
        let (agent, unit, grid) = (scenario.agent(id), &state.units[id.index()], scenario.grid());
        if !drives(agent) {
            return self.steps(grid.cell(unit.at), to);
        }
        let most = (LOOK as u64).min(self.work.left());
        let (from, to) = ((unit.at, unit.pose), grid.id(to.at)?);
        let (ticks, expanded) = way::within(grid, scenario.rules(), agent, from, to, most);
        self.work.take(expanded);
        ticks
    }
}
