//! What units know of the world, where that is not all: they see it first, and other teams hide their plans.

use crate::Session;
use crate::groups::{Group, Whose};
use crate::session::Mind;
use serde::{Deserialize, Serialize};
use throng_core::{
    Agent, AgentId, Cell, CellId, Change, Event, Scenario, Seen, Sighting, Source, State, Tick, Unit, View,
};
use throng_sim::{Knowledge, Memory};

/// What everybody knows who does not know everything.
#[derive(Debug, Default)]
pub(crate) struct Knowing {
    /// In order; nobody if everything is known to all.
    known: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    whose: Whose,
    members: Vec<AgentId>,
    knowledge: Knowledge,
}

/// For snapshots.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedKnowledge {
    whose: Whose,
    letters: Vec<u8>,
    seen: Option<Seen>,
    units: Vec<Unit>,
    sightings: Vec<Sighting>,
    sources: Vec<Source>,
    facing: Vec<(i32, i32)>,
    last: Vec<Tick>,
}

fn members(scenario: &Scenario, state: &State, whose: Whose) -> Vec<AgentId> {
    let here = scenario.agents().iter().filter(|agent| !state.units[agent.id.index()].gone);
    here.filter(|agent| Whose::of(scenario, agent) == whose).map(|agent| agent.id).collect()
}

impl Knowing {
    /// Makes sure that everybody has what it knows, if not everything is known to all.
    pub(crate) fn ensure(&mut self, scenario: &Scenario, state: &State) {
        if !self.hides() && scenario.sight().is_none() && !scenario.has_teams() {
            return;
        }
        let mut all: Vec<_> = scenario.agents().iter().map(|agent| Whose::of(scenario, agent)).collect();
        all.sort_unstable();
        all.dedup();
        for whose in all {
            self.add(scenario, state, whose);
        }
    }

    fn add(&mut self, scenario: &Scenario, state: &State, whose: Whose) {
        if let Err(place) = self.known.binary_search_by_key(&whose, |known| known.whose) {
            let members = members(scenario, state, whose);
            let knowledge = Knowledge::new(scenario, state, &members, whose.sight(scenario));
            self.known.insert(place, Known { whose, members, knowledge });
        }
    }

    /// Whether somebody does not know everything.
    pub(crate) fn hides(&self) -> bool {
        !self.known.is_empty()
    }

    /// Whether some know other things than others do.
    pub(crate) const fn is_divided(&self) -> bool {
        self.known.len() > 1
    }

    /// What some units know, if that is not all.
    pub(crate) fn of(&self, whose: Whose) -> Option<&Knowledge> {
        let place = self.known.binary_search_by_key(&whose, |known| known.whose).ok()?;
        Some(&self.known[place].knowledge)
    }

    /// How the world looks to a controller.
    pub(crate) fn view<'a>(
        &'a self,
        (scenario, state): (&'a Scenario, &'a State),
        whose: Whose,
        mine: &'a [AgentId],
    ) -> View<'a> {
        let all = View { scenario, state, mine, seen: None, sightings: &[] };
        self.of(whose).map_or(all, |knowledge| knowledge.view(mine))
    }

    /// Everybody who shares what it knows, and what that is.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = (&[AgentId], &mut Knowledge)> {
        self.known.iter_mut().map(|known| (&known.members[..], &mut known.knowledge))
    }

    /// Takes over agents with tasks that only those who know them have heard of.
    pub(crate) fn reassign(&mut self, scenario: &Scenario, agents: impl Iterator<Item = Agent>) {
        for agent in agents {
            let whose = Whose::of(scenario, &agent);
            let known = self.known.iter_mut().filter(|known| known.whose == whose);
            known.for_each(|known| known.knowledge.note(&agent, true));
        }
    }

    /// Members are where the world has them by now.
    pub(crate) fn follow(&mut self, state: &State) {
        self.known.iter_mut().for_each(|known| known.knowledge.follow(state, &known.members));
    }

    pub(crate) fn save(&self) -> Vec<SavedKnowledge> {
        let saved = |known: &Known| {
            let Memory { letters, seen, units, sightings, sources, facing, last } = known.knowledge.save();
            SavedKnowledge { whose: known.whose, letters, seen, units, sightings, sources, facing, last }
        };
        self.known.iter().map(saved).collect()
    }

    /// Takes up what was saved; answers whether it is of this world.
    pub(crate) fn load(&mut self, scenario: &Scenario, state: &State, saved: Vec<SavedKnowledge>) -> bool {
        self.known.clear();
        for SavedKnowledge { whose, letters, seen, units, sightings, sources, facing, last } in saved {
            self.add(scenario, state, whose);
            let known = self.known.iter_mut().find(|known| known.whose == whose);
            let memory = Memory { letters, seen, units, sightings, sources, facing, last };
            if !known.is_some_and(|known| known.knowledge.load(state, &known.members, memory)) {
                return false;
            }
        }
        let told = |agent: &throng_core::Agent| self.of(Whose::of(scenario, agent)).is_some();
        let hides = scenario.sight().is_some() || scenario.has_teams();
        !hides || scenario.agents().iter().all(told)
    }
}

/// Tells the controllers of some units of a change as they know it.
fn inform(groups: &mut [Group], known: &Known, change: Change) {
    for Group { mine, mind, .. } in groups.iter_mut().filter(|group| group.whose == known.whose) {
        if let Mind::Controller(controller) = mind {
            controller.changed(&known.knowledge.view(mine), change);
        }
    }
}

impl Session {
    /// The world as a unit knows it: cells that it has not seen are open. All of it if nothing hides from it.
    #[must_use]
    pub fn known_world(&self, agent: AgentId) -> &Scenario {
        self.knowledge_of(agent).map_or(&self.setup.scenario, Knowledge::scenario)
    }

    /// Whether a unit knows a cell, by its own eyes or those of its team.
    #[must_use]
    pub fn has_seen(&self, agent: AgentId, cell: Cell) -> bool {
        let scenario = &self.setup.scenario;
        let Some(agent) = scenario.agents().get(agent.index()) else { return false };
        let Some(id) = scenario.grid().id(cell) else { return false };
        self.knowing.of(Whose::of(scenario, agent)).is_none_or(|known| known.view(&[]).has_seen(id))
    }

    /// Everybody looks around, at the beginning of a tick.
    pub(crate) fn perceive(&mut self) {
        let Self { setup, state, groups, knowing, .. } = self;
        let scenario = &setup.scenario;
        for known in &mut knowing.known {
            let news = known.knowledge.look(scenario, state, &known.members);
            for cell in known.knowledge.fading(scenario) {
                if known.knowledge.forget(cell) {
                    inform(groups, known, Change::Terrain(cell));
                }
            }
            known.knowledge.foresee(scenario, state, &known.members);
            for id in known.knowledge.vanished(scenario, state, &known.members) {
                inform(groups, known, Change::Left(id));
                known.knowledge.left(id);
            }
            for id in known.knowledge.meet(scenario, state, &known.members) {
                inform(groups, known, Change::Joined(id));
            }
            learn(groups, known, scenario, news);
        }
    }

    /// What cancelled moves have taught, at the end of a tick.
    pub(crate) fn reflect(&mut self, events: core::ops::Range<usize>) {
        let Self { setup, state, groups, knowing, events: all, .. } = self;
        let scenario = &setup.scenario;
        knowing.follow(state);
        for event in &all[events] {
            let (Event::Failed { agent, .. } | Event::Moved { agent, .. }) = *event else { continue };
            let mut members = knowing.known.iter_mut();
            let Some(known) = members.find(|known| known.members.binary_search(&agent).is_ok()) else {
                continue;
            };
            match *event {
                Event::Moved { action, .. } => known.knowledge.face(agent, action),
                Event::Failed { blocked_by: None, .. } => {
                    let news = known.knowledge.bump(scenario, state, event);
                    learn(groups, known, scenario, news);
                }
                Event::Failed { blocked_by: Some(other), .. } => touch(groups, known, state, other),
                _ => {}
            }
        }
    }

    /// Lets a unit, and whoever shares what it knows, know where one of others is.
    pub(crate) fn notice(&mut self, id: AgentId, other: AgentId) {
        let Self { setup, state, groups, knowing, .. } = self;
        let whose = Whose::of(&setup.scenario, setup.scenario.agent(id));
        for known in knowing.known.iter_mut().filter(|known| known.whose == whose) {
            touch(groups, known, state, other);
        }
    }

    /// Gives an agent a task that only those who know it hear of.
    pub(crate) fn assign(&mut self, agent: Agent) {
        let Self { setup, groups, knowing, .. } = self;
        let whose = Whose::of(&setup.scenario, &agent);
        for known in knowing.known.iter_mut().filter(|known| known.whose == whose) {
            known.knowledge.note(&agent, true);
            inform(groups, known, Change::Ordered(agent.id));
        }
    }

    /// Tells controllers what was done to the world, as far as they can know.
    pub(crate) fn inform(&mut self, change: Change) {
        self.yielding.changed(change);
        if let Change::Joined(_) = change {
            self.knowing.ensure(&self.setup.scenario, &self.state);
        }
        let Self { setup, state, groups, knowing, .. } = self;
        let scenario = &setup.scenario;
        if !knowing.hides() {
            for Group { mine, mind, .. } in groups {
                let view = View { scenario, state, mine, seen: None, sightings: &[] };
                if let Mind::Controller(controller) = mind {
                    controller.changed(&view, change);
                }
            }
            return;
        }
        for known in &mut knowing.known {
            let told = match change {
                Change::Terrain(cell) => known.knowledge.changed(scenario, cell),
                Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) => {
                    concern(groups, known, scenario, state, (id, change))
                }
            };
            if told {
                inform(groups, known, change);
            }
            if let Change::Left(id) = change
                && told
            {
                known.members.retain(|&member| member != id);
                known.knowledge.left(id);
            }
        }
    }
}

/// Takes note of where one of others is, seen or not.
fn touch(groups: &mut [Group], known: &mut Known, state: &State, other: AgentId) {
    if known.members.binary_search(&other).is_err() && known.knowledge.touch(state, other) {
        inform(groups, known, Change::Joined(other));
    }
}

/// Takes note of what concerns one unit; answers whether it is one of those who know this.
fn concern(
    groups: &mut [Group],
    known: &mut Known,
    scenario: &Scenario,
    state: &State,
    (id, change): (AgentId, Change),
) -> bool {
    let agent = scenario.agent(id);
    let member = Whose::of(scenario, agent) == known.whose;
    if let Change::Joined(_) = change {
        // Whoever had its number may still be believed to be somewhere.
        if known.knowledge.view(&[]).state.units.get(id.index()).is_some_and(|unit| !unit.gone)
            && known.members.binary_search(&id).is_err()
        {
            inform(groups, known, Change::Left(id));
        }
        if let (true, Err(place)) = (member, known.members.binary_search(&id)) {
            known.members.insert(place, id);
        }
        known.knowledge.note(agent, member);
        known.knowledge.joined(id, state.units[id.index()], member);
    } else if !matches!(change, Change::Left(_)) {
        known.knowledge.note(agent, member);
        if member {
            known.knowledge.follow(state, &known.members);
        }
    }
    member
}

/// Takes note of terrain, cell by cell, so that whoever is told of one knows no other that it was not told of.
fn learn(groups: &mut [Group], known: &mut Known, scenario: &Scenario, news: Vec<CellId>) {
    for cell in news {
        if known.knowledge.learn(scenario, cell) {
            inform(groups, known, Change::Terrain(cell));
        }
    }
}
