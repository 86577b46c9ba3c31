//! Where strangers are believed to be who are out of sight: they go on straight, at the speed at which they were last seen to go.
//!
//! Up to a wall that is known, to somebody, or to where they would be seen: whoever is not seen there has stopped before. There
//! they are believed to stand.

use super::{Knowledge, body, strangers};
use throng_core::{Action, AgentId, CellId, Dir, Scenario, Sighting, State, Tick, Unit};

/// Whether this can have been seen on a map.
pub(super) fn is_possible(on_map: impl Fn(CellId) -> bool) -> impl Fn(&Sighting) -> bool {
    move |seen| {
        let soon = |tick: Tick| tick < 1 << 61;
        seen.at.is_none_or(&on_map) && soon(seen.moved) && seen.heading.is_none_or(|(_, ended)| soon(ended))
    }
}

impl Knowledge {
    /// Lets those go on who are out of sight, at the beginning of a tick: to be called before [`Self::vanished`].
    pub fn foresee(&mut self, world: &Scenario, state: &State, members: &[AgentId]) {
        if self.seen.is_none() {
            return;
        }
        let now = state.tick;
        let moves = |&(id, known): &(AgentId, &Unit)| {
            let seen = self.sightings.get(id.index());
            let goes = seen.and_then(|seen| seen.goes_on(self.scenario.agent(id), world.rules(), now));
            // What it begins now is seen when the tick is over.
            (!known.gone && known.until < now && !self.is_visible(world, id, &state.units[id.index()]))
                .then_some(goes?)
                .map(|dir| (id, dir))
        };
        let mut going: Vec<_> = strangers(&self.state, members).filter_map(|entry| moves(&entry)).collect();
        if going.is_empty() {
            return;
        }
        let mut taken: Vec<_> = (0..)
            .map(AgentId)
            .zip(&self.state.units)
            .filter(|(_, unit)| !unit.gone)
            .flat_map(|(id, unit)| body(world, self.scenario.agent(id), unit).map(move |cell| (cell, id)))
            .collect();
        taken.sort_unstable();
        // Those behind others go when those have gone: until nobody goes any more.
        let mut left = going.len() + 1;
        while core::mem::replace(&mut left, going.len()) > going.len() {
            going.retain(|&(id, dir)| {
                let Some(unit) = self.ahead(world, id, dir, &taken) else { return true };
                let agent = self.scenario.agent(id);
                let before = core::mem::replace(&mut self.state.units[id.index()], unit);
                for cell in body(world, agent, &before) {
                    if let Ok(place) = taken.binary_search(&(cell, id)) {
                        taken.remove(place);
                    }
                }
                for entry in body(world, agent, &unit).map(|cell| (cell, id)) {
                    taken.insert(taken.partition_point(|other| *other < entry), entry);
                }
                false
            });
        }
        for (id, _) in going {
            self.sightings[id.index()].heading = None;
        }
    }

    /// A unit after a step straight on, unless something keeps it from that.
    fn ahead(&self, world: &Scenario, id: AgentId, dir: Dir, taken: &[(CellId, AgentId)]) -> Option<Unit> {
        let (agent, unit, grid) =
            (self.scenario.agent(id), self.state.units[id.index()], self.scenario.grid());
        let (from, actions) = (grid.cell(unit.at), agent.actions(world.rules()));
        if !actions.legal(grid, from, unit.pose, Action::Go(dir)) {
            return None;
        }
        let (at, since) = (grid.id(from.after(Action::Go(dir)))?, self.state.tick - 1);
        let until = since + Tick::from(actions.duration(Action::Go(dir)));
        let next =
            Unit { at, from: if until > self.state.tick { unit.at } else { at }, since, until, ..unit };
        let in_the_way = |cell: CellId| {
            let first = taken.partition_point(|&(other, _)| other < cell);
            taken[first..].iter().take_while(|&&(other, _)| other == cell).any(|&(_, who)| who != id)
        };
        body(world, agent, &next).all(|cell| !self.sees(cell) && !in_the_way(cell)).then_some(next)
    }

    /// Takes note of how a unit of others has moved since it was last looked at.
    pub(super) fn note_move(&mut self, place: usize) {
        let (unit, now, grid) = (self.state.units[place], self.state.tick, self.scenario.grid());
        if self.sightings.len() <= place {
            if unit.gone {
                return;
            }
            self.sightings.resize(place + 1, Sighting::default());
        }
        let seen = &mut self.sightings[place];
        if unit.gone {
            *seen = Sighting::default();
            return;
        }
        let before = if unit.stands(now) { seen.at } else { Some(unit.from) };
        if before != Some(unit.at) {
            let between = |before| Dir::ALL.into_iter().find(|&dir| grid.neighbour(before, dir) == unit.at);
            (seen.heading, seen.moved) =
                (before.and_then(between).map(|dir| (dir, unit.until.max(now))), now);
        }
        seen.at = Some(unit.at);
    }
}
