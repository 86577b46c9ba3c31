//! Those who do not get to their places beside a crowd, or not to stay there.

use super::{Crowds, has_come, home, ids};
use crate::field::{Answer, Field, Work};
use crate::group::Place;
use std::collections::BTreeSet;
use throng_core::{AgentId, Cell, Motion, Scenario, State, Tick};

/// Who has been this near to its place for so many of its steps and has not come to it rests where it is: those in its
/// way cannot let it pass, whatever the planner thinks. Who has rested for a while has come to stay.
const NEAR: u32 = 24;
const LONG: u64 = 500;
const RESTS: Tick = 100;
/// Whoever gets so far from where it was has not been kept from going on.
const FAR: u32 = 8;

impl Crowds {
    /// Takes note of who comes near its place and who does not get there, or not to stay.
    pub(super) fn approach(&mut self, scenario: &Scenario, state: &State) {
        let Self { sent, near, contested, .. } = self;
        let away = |id: AgentId| {
            let here = scenario.grid().cell(state.units[id.index()].at);
            let home = scenario.agent(id).waypoints().last();
            here.x.abs_diff(home.x).max(here.y.abs_diff(home.y))
        };
        let stays = |id: AgentId| away(id) == 0 && state.units[id.index()].until + RESTS < state.tick;
        near.retain(|&(id, ..)| away(id) <= NEAR && !stays(id));
        for (id, since, from) in near.iter_mut() {
            let here = scenario.grid().cell(state.units[id.index()].at);
            if here.x.abs_diff(from.x).max(here.y.abs_diff(from.y)) > FAR {
                (*since, *from) = (state.tick, here);
            }
        }
        for id in contested.iter().copied().chain(sent.iter().map(|sent| sent.id)) {
            let (agent, unit) = (scenario.agent(id), &state.units[id.index()]);
            if has_come(agent, unit)
                || unit.leg.saturating_add(1) < agent.waypoints().len()
                || away(id) > NEAR
            {
                continue;
            }
            if let Err(place) = near.binary_search_by_key(&id, |&(unit, ..)| unit) {
                near.insert(place, (id, state.tick, scenario.grid().cell(unit.at)));
            }
        }
    }

    /// One unit that has been near its place for too long, and the place nearest to where it is that nobody else wants.
    pub(crate) fn overdue(
        &mut self,
        scenario: &Scenario,
        state: &State,
        work: &mut Work,
    ) -> Option<(AgentId, Place)> {
        let Self { near, cells, .. } = self;
        let (grid, rules) = (scenario.grid(), scenario.rules());
        let late = |&&mut (id, since, _): &&mut (AgentId, Tick, Cell)| {
            let patience = LONG * u64::from(scenario.agent(id).period);
            let unit = &state.units[id.index()];
            let here = grid.cell(unit.at) == scenario.agent(id).waypoints().last();
            state.tick > since + patience && unit.stands(state.tick) && !here
        };
        let (id, since, _) = near.iter_mut().find(late)?;
        *since = state.tick;
        let (agent, unit) = (scenario.agent(*id), &state.units[id.index()]);
        let (here, own) = (Place::new(grid.cell(unit.at), agent.body), home(grid, agent, unit)?);
        let wanted: BTreeSet<u32> = ids(grid, own).collect();
        let free = |cell: &Cell| {
            ids(grid, Place { at: *cell, ..here }).all(|id| {
                let (all, taken) = cells[id as usize];
                all <= u32::from(wanted.contains(&id)) && taken == 0
            })
        };
        // Where its curves lead to beside it nobody has asked.
        let drives = matches!(agent.motion, Motion::Car { .. });
        let found = Field::new(grid, here)?.levels(grid, rules, work, |far, level, _| match far {
            0 => level.iter().copied().find(free).map(Answer::Found),
            _ if drives => Some(Answer::Nothing),
            _ => level.iter().copied().find(free).map(Answer::Found),
        });
        match found {
            Answer::Found(at) => Some((*id, Place { at, ..here })),
            Answer::Nothing | Answer::Starved => None,
        }
    }
}
