//! Units that explore: when what they have seen is enough, and how far they have got.

use crate::Session;
use crate::groups::Whose;
use throng_core::{Agent, AgentId, Cause, Event, Observer, ScenarioError, Seen, Source, Task};
use throng_sim::{Explored, Knowledge};

impl Session {
    /// How far a unit has got with exploring, by its own eyes and those of whoever shares what it sees; nothing if nobody
    /// has to see this world first, if there is no such unit, or before it has looked around.
    ///
    /// ```
    /// use throng::core::{Agent, AgentId, Cell, Grid, Rules, Scenario, Sight, Task};
    /// use throng::core::{Unlimited, Unobserved};
    /// use throng::{Options, Session, Setup};
    ///
    /// let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(4, 0)))];
    /// let scenario = Scenario::new("dark", Grid::from_rows(&[".....@."])?, Rules::default(), agents)?;
    /// let mut session = Session::new(Setup::new(scenario.with_sight(Sight::new(2))?), &Options::planner("dlite"))?;
    /// session.tick(&Unlimited, &mut Unobserved);
    /// let so_far = session.exploration(AgentId(0)).unwrap();
    /// assert_eq!((so_far.seen, so_far.unseen, so_far.frontier), (3, 4, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exploration(&self, agent: AgentId) -> Option<Explored> {
        self.knowledge_of(agent)?.explored(agent)
    }

    /// The cells that a unit has seen, by its own eyes or those of whoever shares what it sees; nothing if it knows everything
    /// without.
    #[must_use]
    pub fn seen(&self, agent: AgentId) -> Option<&Seen> {
        self.knowledge_of(agent)?.view(&[]).seen
    }

    /// Puts other resources and dangers into the world, in the place of those that there are. Whoever has to see the world knows
    /// of them when it sees them, and of those that are gone when it sees that.
    pub fn set_sources(&mut self, sources: Vec<Source>) -> Result<(), ScenarioError> {
        self.setup.scenario.set_sources(sources)
    }

    /// What a unit knows, if that is not all.
    pub(crate) fn knowledge_of(&self, agent: AgentId) -> Option<&Knowledge> {
        let scenario = &self.setup.scenario;
        self.knowing.of(Whose::of(scenario, scenario.agents().get(agent.index())?))
    }

    /// Whoever explores and has seen enough is done: told before anybody decides.
    pub(crate) fn conclude(&mut self, observer: &mut dyn Observer) {
        let Self { setup, state, knowing, events, unfinished, .. } = self;
        let scenario = &setup.scenario;
        if scenario.sight().is_none() {
            return;
        }
        for (members, knowledge) in knowing.all() {
            let known = events.len();
            let mut surveyed = false;
            for agent in members.iter().map(|&id| scenario.agent(id)).filter(|agent| agent.task.is_search()) {
                let unit = &mut state.units[agent.id.index()];
                if unit.gone || unit.leg > 0 {
                    continue;
                }
                if !core::mem::replace(&mut surveyed, true) {
                    knowledge.survey();
                }
                if let Some(event) = ending(agent, knowledge) {
                    unit.leg = 1;
                    *unfinished = unfinished.saturating_sub(1);
                    observer.event(state.tick, &event);
                    events.push(event);
                }
            }
            if events.len() > known {
                knowledge.follow(state, members);
            }
        }
    }

    /// What has become of a unit's task to explore: why it is where it is.
    pub(crate) fn explored(&self, id: AgentId) -> Option<Cause> {
        let agent = self.setup.scenario.agent(id);
        if !agent.task.is_search() || self.state.units[id.index()].leg == 0 {
            return None;
        }
        let knowledge = self.knowledge_of(id)?;
        if let Task::Find(cell) = agent.task
            && self.has_seen(id, cell)
        {
            return Some(Cause::Found { cell });
        }
        let Explored { unseen, beyond, .. } = knowledge.explored(id)?;
        Some(Cause::Explored { unseen, beyond })
    }
}

/// How the task of one that explores ends, if what is known is enough for that.
fn ending(agent: &Agent, knowledge: &Knowledge) -> Option<Event> {
    if let Task::Find(cell) = agent.task
        && knowledge.scenario().grid().id(cell).is_some_and(|id| knowledge.has_seen(id))
    {
        return Some(Event::Found { agent: agent.id, cell });
    }
    let Explored { frontier, unseen, .. } = knowledge.explored(agent.id)?;
    (frontier == 0).then_some(Event::Explored { agent: agent.id, unseen })
}
