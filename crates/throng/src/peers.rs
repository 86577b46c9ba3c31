//! Units that were sent to one place together: whoever finds another of them in its way exchanges places with it.
//!
//! Who goes where was decided when the order was given, by travel alone. On the way units overtake each other, and in
//! a corridor whoever is in front cannot let anybody pass. Since it does not matter who rests where, it goes deeper.

use crate::crowds::home;
use crate::field::{Field, Work};
use crate::group::Place;
use crate::way;
use serde::{Deserialize, Serialize};
use throng_core::{Agent, AgentId, Cell, Change, Grid, Motion, Rules, Scenario, State, Unit};

/// At most so many units are asked in one tick.
const ASKED: usize = 16;

/// So many of those who may be in a unit's way are looked at, nearest first.
const RIVALS: usize = 4;

/// The most nodes around a place that are looked at: who is farther from it than that is not kept from it by those
/// who rest there.
const LOOK: usize = 1024;

/// What a later tick depends on and does not follow from scenario and state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    members: Vec<(AgentId, Cell)>,
    /// By place and body: how much of its surroundings has been paid for.
    paid: Vec<(Cell, u8, u32)>,
}

/// Who may exchange places with whom.
#[derive(Default)]
pub(crate) struct Peers {
    /// Units by number, and the place that they were sent to together with others.
    members: Vec<(AgentId, Cell)>,
    /// Around the places of those who have been asked.
    fields: Vec<Field>,
}

impl Peers {
    /// Something was done to the world.
    pub(crate) fn changed(&mut self, change: Change) {
        match change {
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) => {
                if let Ok(place) = self.members.binary_search_by_key(&id, |&(unit, _)| unit) {
                    self.members.remove(place);
                }
            }
            Change::Placed(_) => {}
            Change::Terrain(_) => self.fields.clear(),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// A unit was sent to `goal` together with others, and has a place of its own there.
    pub(crate) fn join(&mut self, id: AgentId, goal: Cell) {
        match self.members.binary_search_by_key(&id, |&(unit, _)| unit) {
            Ok(place) => self.members[place].1 = goal,
            Err(place) => self.members.insert(place, (id, goal)),
        }
    }

    /// Who exchanges places with whom in this tick.
    pub(crate) fn exchanges(
        &mut self,
        scenario: &Scenario,
        state: &State,
        work: &mut Work,
    ) -> Vec<((AgentId, AgentId), Cell)> {
        let grid = scenario.grid();
        let Self { members, fields } = self;
        let who = |id: AgentId| (scenario.agent(id), &state.units[id.index()]);
        let place = |id: AgentId| home(grid, who(id).0, who(id).1).unwrap_or(Place::new(Cell::new(-1, -1), 1));
        let at = |id: AgentId| grid.cell(who(id).1.at);
        let stuck = |&&(id, _): &&(AgentId, Cell)| who(id).1.until < state.tick && at(id) != place(id).at;
        let count = members.iter().filter(stuck).count();
        if count == 0 {
            return Vec::new();
        }
        let first = (state.tick as usize).wrapping_mul(ASKED) % count;
        let asked = members.iter().filter(stuck).cycle().skip(first).take(count.min(ASKED));
        let mut pairs: Vec<((AgentId, AgentId), Cell)> = Vec::new();
        for &(id, goal) in asked {
            let has_changed = |pairs: &[((AgentId, AgentId), Cell)], id| pairs.iter().any(|&((a, b), _)| a == id || b == id);
            if has_changed(&pairs, id) {
                continue;
            }
            let (here, mine) = (at(id), place(id));
            let drives = drives(who(id).0);
            let Some(own) = distance(fields, scenario, mine, here, work) else { continue };
            let mut rivals: Vec<(u32, AgentId)> = Vec::new();
            for &(other, shared) in members.iter() {
                let agent = who(other).0;
                let equal = other != id && shared == goal && agent.body == mine.body && self::drives(agent) == drives;
                if !equal || has_changed(&pairs, other) {
                    continue;
                }
                let there = at(other);
                let apart = here.x.abs_diff(there.x) + here.y.abs_diff(there.y);
                if apart <= own {
                    rivals.push((apart, other));
                }
            }
            rivals.sort_unstable();
            let mut looked = 0;
            for (apart, other) in rivals {
                if looked == RIVALS {
                    break;
                }
                let Some(his_to_mine) = distance(fields, scenario, mine, at(other), work) else { continue };
                if apart + his_to_mine > own + if drives { 2 * u32::from(mine.body) } else { 0 } {
                    continue;
                }
                looked += 1;
                let mut far = |id: AgentId, to: Place| {
                    if drives {
                        let (agent, unit) = who(id);
                        let most = (LOOK as u64).min(work.left());
                        let (ticks, expanded) = way::within(grid, scenario.rules(), agent, (unit.at, unit.pose), grid.id(to.at)?, most);
                        work.take(expanded);
                        ticks
                    } else {
                        distance(fields, scenario, to, at(id), work)
                    }
                };
                let his = place(other);
                let now = far(id, mine).zip(far(other, his)).map(measure);
                let then = far(id, his).zip(far(other, mine)).map(measure);
                if now.zip(then).is_some_and(|(now, then)| then < now) {
                    pairs.push(((id, other), goal));
                    break;
                }
            }
        }
        pairs
    }
}

/// What an exchange makes less: how far both have to go, and then how unevenly.
fn measure((a, b): (u32, u32)) -> (u64, u64) {
    let (a, b) = (u64::from(a), u64::from(b));
    (a + b, a * a + b * b)
}

const fn drives(agent: &Agent) -> bool {
    matches!(agent.motion, Motion::Car { .. })
}

fn distance(fields: &mut Vec<Field>, scenario: &Scenario, to: Place, from: Cell, work: &mut Work) -> Option<u32> {
    let (grid, rules) = (scenario.grid(), Rules::default());
    let key = |place: Place| (place.at, place.body);
    let index = match fields.binary_search_by_key(&key(to), |field| key(field.goal)) {
        Ok(index) => index,
        Err(index) => {
            fields.insert(index, Field::new(grid, to)?);
            index
        }
    };
    fields[index].reach(grid, rules, from, LOOK, work)
}
