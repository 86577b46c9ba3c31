//! The session: the only caller of the executor.

use crate::crowds::Crowds;
use crate::errands::Dispatch;
use crate::field::Work;
use crate::groups::{self, Group, Whose, context_of};
use crate::knowing::Knowing;
use crate::peers::{Exchange, Peers};
use crate::reach::Reach;
use crate::replanning::Thought;
use crate::terrain::Terrain;
use crate::yielding::Yielding;
use crate::{Error, Observers};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, Agent, AgentId, Budget, Cell, Change, Controller, Event, Observer, Outcome, Path, Plan, Planner,
    Reason, Rest, Scenario, SearchKind, Setup, State, Task, Tick, View,
};
use throng_planners::Follow;
use throng_planners::registry::{self, Context};
use throng_search::Workers;
use throng_sim::Executor;

/// One part in so many of a tick's budget may go into finding places beside crowds.
const SETTLING: u64 = 4;

/// How to run a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The planner; the scenario's own if there is none here.
    pub planner: Option<String>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Threads to plan on. They change how long it takes, never what comes out.
    pub threads: usize,
    /// After how many ticks a controller that solves a one-shot problem gives up; by default 40 times what everybody needs alone
    /// at most, and at least 1000. No session cares.
    pub patience: Option<Tick>,
    /// After how many ticks at least a plan for everybody that delays have upset is thought over again; `None` for never.
    #[serde(default = "replan")]
    pub replan: Option<Tick>,
}

/// How often plans are thought over unless told otherwise.
#[allow(clippy::unnecessary_wraps)]
const fn replan() -> Option<Tick> {
    Some(16)
}

impl Default for Options {
    fn default() -> Self {
        Self { planner: None, seed: 0, threads: 1, patience: None, replan: replan() }
    }
}

impl Options {
    /// Everything by default, with this planner.
    #[must_use]
    pub fn planner(spec: &str) -> Self {
        Self { planner: Some(spec.to_owned()), ..Self::default() }
    }
}

/// A world that runs: scenario, state, and the controllers that move its units.
pub struct Session {
    pub(crate) setup: Setup,
    pub(crate) options: Options,
    pub(crate) state: State,
    pub(crate) groups: Vec<Group>,
    pub(crate) workers: Arc<Workers>,
    executor: Executor,
    pub(crate) actions: Vec<Action>,
    /// By agent: how many units have left that had its number.
    pub(crate) generations: Vec<u32>,
    pub(crate) reach: Reach,
    pub(crate) crowds: Crowds,
    pub(crate) peers: Peers,
    pub(crate) events: Vec<Event>,
    pub(crate) terrain: Terrain,
    /// Who does which errand.
    pub(crate) dispatch: Dispatch,
    /// What units know of the world, where that is not all.
    pub(crate) knowing: Knowing,
    /// Who makes way for strangers.
    pub(crate) yielding: Yielding,
    /// When the plan that everybody follows was last thought over.
    pub(crate) thought: Thought,
    /// Agents that have not finished their task.
    pub(crate) unfinished: usize,
}

pub(crate) enum Mind {
    /// Plans once, in the first tick.
    Planner(Box<dyn Planner + Send>),
    /// Follows what the planner said.
    Follow(Box<Follow>, Option<Reason>),
    /// Decides every tick.
    Controller(Box<dyn Controller + Send>),
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let planners: Vec<_> = self.groups.iter().map(|g| &g.spec).collect();
        f.debug_struct("Session")
            .field("scenario", &self.setup.scenario.name())
            .field("tick", &self.state.tick)
            .field("planners", &planners)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A session at tick 0. As with orders later on, a goal that its unit cannot get to is an error: terrain, the size
    /// of its body and the curves that it drives are asked, other units are not.
    pub fn new(setup: Setup, options: &Options) -> Result<Self, Error> {
        let mut session = Self::of_any_goals(setup, options)?;
        session.check_goals()?;
        session.check_errands()?;
        Ok(session)
    }

    /// A session at tick 0 whose units may have goals that they cannot get to: where that is an outcome and no error.
    pub(crate) fn of_any_goals(setup: Setup, options: &Options) -> Result<Self, Error> {
        setup.scenario.require_sight()?;
        let context = context_of(&setup, options)?;
        let session = Self::with_planners(setup, options, &context, &[])?;
        session.check_support()?;
        // Later on levels may go where cells close, which is not the planner's fault.
        for Group { spec, .. } in &session.groups {
            registry::fits(spec, &session.setup.scenario, &context)?;
        }
        Ok(session)
    }

    /// A session at tick 0 with groups for these planners before all others, whether somebody has them or not.
    /// Nobody has asked yet whether they can do what their units need.
    pub(crate) fn with_planners(
        setup: Setup,
        options: &Options,
        context: &Context,
        first: &[(&str, Whose)],
    ) -> Result<Self, Error> {
        let groups = groups::make(&setup, options, context, first)?;
        let state = State::new(&setup.scenario);
        let actions = vec![Action::Wait; state.units.len()];
        let mut session = Self {
            setup,
            options: options.clone(),
            state,
            groups,
            workers: Arc::clone(&context.workers),
            executor: Executor::new(),
            actions,
            generations: Vec::new(),
            reach: Reach::default(),
            crowds: Crowds::default(),
            peers: Peers::default(),
            events: Vec::new(),
            terrain: Terrain::default(),
            dispatch: Dispatch::default(),
            knowing: Knowing::default(),
            yielding: Yielding::default(),
            thought: Thought::default(),
            unfinished: 0,
        };
        session.knowing.ensure(&session.setup.scenario, &session.state);
        session.count_unfinished();
        Ok(session)
    }

    /// Whether every planner can do what its own units need.
    pub(crate) fn check_support(&self) -> Result<(), Error> {
        let scenario = &self.setup.scenario;
        for Group { spec, support, mine, .. } in &self.groups {
            let mine = mine.iter().map(|&id| scenario.agent(id));
            let need = support.gap_of_world(scenario).or_else(|| support.gap_of_eyes(scenario, mine.clone()));
            if let Some(need) = need.or_else(|| support.gap_among(scenario.rules(), mine)) {
                return Err(Error::Unsupported { planner: spec.clone(), need });
            }
        }
        Ok(())
    }

    pub(crate) fn count_unfinished(&mut self) {
        let agents = self.setup.scenario.agents().iter();
        let open = agents
            .zip(&self.state.units)
            .filter(|(agent, unit)| !unit.gone && unit.leg < agent.waypoints().len());
        self.unfinished = open.count();
    }

    /// The world.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.setup.scenario
    }

    /// The scenario with its author's wishes.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How it is run.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Who is where now.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What happened in the last tick.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The planners in use, one per group of units.
    pub fn planners(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|g| g.spec.as_str())
    }

    /// How many jobs each worker thread has done.
    #[must_use]
    pub fn work_done(&self) -> Vec<u64> {
        self.workers.done()
    }

    /// Whether everybody has finished, whoever has to rest at its goal does, and no more errands will come.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let here = |agent: &&Agent| !self.state.units[agent.id.index()].gone;
        let mut agents = self.setup.scenario.agents().iter().filter(here);
        self.unfinished == 0
            && agents.all(|agent| !agent.must_rest() || self.rests(agent.id))
            && !self.dispatch.goes_on(&self.setup.scenario, &self.state)
    }

    /// Whether a unit stands at its last waypoint, late or not; nobody does who is not there.
    #[must_use]
    pub fn rests(&self, id: AgentId) -> bool {
        let Some(unit) = self.state.units.get(id.index()) else { return false };
        let agent = self.setup.scenario.agent(id);
        !unit.is_moving(self.state.tick)
            && self.setup.scenario.grid().id(agent.waypoints().last()) == Some(unit.at)
    }

    /// How many agents have done their task (and, if they have to rest, rest).
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.setup.scenario.agents().iter().filter(|agent| self.has_arrived(agent.id)).count()
    }

    /// Whether an agent has done its task (and, if it has to rest, rests); nobody has who is not there.
    #[must_use]
    pub fn has_arrived(&self, id: AgentId) -> bool {
        let Some(unit) = self.state.units.get(id.index()) else { return false };
        let agent = self.setup.scenario.agent(id);
        let done = unit.leg >= agent.waypoints().len() && !unit.gone;
        done && (!agent.must_rest() || self.rests(id))
    }

    /// One tick: controllers decide within `budget`, the executor carries it out, `observer` hears of it.
    pub fn tick(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> &[Event] {
        let tick = self.state.tick;
        self.actions.fill(Action::Wait);
        self.events.clear();
        self.happen();
        for event in self.terrain.news() {
            observer.event(tick, &event);
            self.events.push(event);
        }
        let dispatched = self.dispatch(budget, observer);
        self.slip(observer);
        let replanned = self.replan(&Rest { whole: budget, before: dispatched }, observer);
        let dispatched = dispatched + replanned;
        self.perceive();
        self.conclude(observer);
        let made_way = dispatched + self.make_way(&Rest { whole: budget, before: dispatched }, observer);
        let rest = Rest { whole: budget, before: made_way };
        let expanded = made_way + self.settle(&rest, observer);
        let mut heard = Heard { events: &mut self.events, expanded };
        for group in &mut self.groups {
            let world = (&self.setup.scenario, &self.state);
            let view = self.knowing.view(world, group.whose, &group.mine);
            let budget = Rest { whole: budget, before: heard.expanded };
            let mut listeners: [&mut dyn Observer; 2] = [&mut *observer, &mut heard];
            let mut both = Observers(&mut listeners);
            group.mind.decide(&view, &budget, &mut both, &mut self.actions);
        }
        let heard = self.events.len();
        self.executor.step(&self.setup.scenario, &mut self.state, &self.actions, &mut self.events);
        for event in &self.events[heard..] {
            self.unfinished -= usize::from(matches!(event, Event::Finished { .. }));
            observer.event(tick, event);
        }
        self.reflect(heard..self.events.len());
        self.accomplish(heard, observer);
        self.crowds.finished(&self.setup.scenario, &self.state, &self.events);
        self.peers.ticked(&self.events);
        observer.tick(&self.setup.scenario, &self.state);
        &self.events
    }

    /// Whoever comes to a goal that others have taken goes to rest beside them. Takes a part of the budget at most, and
    /// answers how much; what is not done then goes on in the next tick.
    fn settle(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        let mixed = self.peers.is_busy();
        let crowded = self.crowds.gather(&self.setup.scenario, &self.state);
        if !(mixed || crowded) || self.takes_orders().is_err() {
            return 0;
        }
        let mut work = Work::new(match budget.limit() {
            u64::MAX => u64::MAX,
            limit => limit.div_ceil(SETTLING),
        });
        if mixed {
            for exchange in self.peers.exchanges(&self.setup.scenario, &self.state, &mut work) {
                self.exchange(&exchange, observer);
            }
        }
        let Self { setup, state, reach, crowds, .. } = self;
        let waiting = match crowds.gather(&setup.scenario, state) {
            true => crowds.waiting(&setup.scenario, state, reach, &mut work),
            false => Vec::new(),
        };
        let first = crowds.first().unwrap_or(AgentId(0));
        let overdue = crowds.overdue(&setup.scenario, state, &mut work);
        if let Some((id, place)) = overdue {
            let goal = crowds.goal_of(&setup.scenario, id);
            let event = Event::Settled { agent: id, at: place.at, goal };
            if self.send(id, place.at, goal, event, observer) {
                self.crowds.moved(self.setup.scenario.grid(), id, place);
                // To exchange places is what may have kept it on its way.
                self.peers.leave(id);
            }
        }
        for (id, goal) in waiting.into_iter().filter(|&(id, _)| overdue.is_none_or(|(late, _)| late != id)) {
            if budget.should_stop(work.spent) {
                break;
            }
            let Self { setup, state, crowds, .. } = self;
            let Some(place) = crowds.place(&setup.scenario, state, (id, goal), &mut work) else { continue };
            let event = Event::Settled { agent: id, at: place.at, goal: goal.at };
            if !self.send(id, place.at, goal.at, event, observer) {
                continue;
            }
            self.crowds.moved(self.setup.scenario.grid(), id, place);
            for other in self.crowds.holders(&self.setup.scenario, &self.state, goal) {
                self.peers.join(other, goal.at);
            }
        }
        if work.spent > 0 {
            observer.expanded(first, SearchKind::Backwards, work.spent);
        }
        work.spent
    }

    /// Sends units to each other's places.
    fn exchange(&mut self, Exchange { goal, round }: &Exchange, observer: &mut dyn Observer) {
        let place = |&id: &AgentId| (id, self.setup.scenario.agent(id).waypoints().last());
        let places: Vec<_> = round.iter().map(place).collect();
        let before = places.iter().cycle().skip(round.len() - 1);
        for (&agent, &(with, at)) in round.iter().zip(before) {
            self.send(agent, at, *goal, Event::Exchanged { agent, with, at }, observer);
        }
    }

    /// Sends a unit to rest at another place than the one it had, on account of others who were sent to `goal` too.
    fn send(&mut self, id: AgentId, to: Cell, goal: Cell, told: Event, observer: &mut dyn Observer) -> bool {
        let scenario = &mut self.setup.scenario;
        let start = scenario.grid().cell(self.state.units[id.index()].at);
        let agent = Agent { task: Task::Goal(to), start, ..scenario.agent(id).clone() };
        if scenario.put(agent).is_err() {
            return false;
        }
        // The executor finds out whether it is there already, and tells so.
        self.state.units[id.index()].leg = 0;
        self.inform(Change::Ordered(id));
        self.count_unfinished();
        self.peers.join(id, goal);
        self.crowds.note(id, goal);
        observer.event(self.state.tick, &told);
        self.events.push(told);
        true
    }
}

impl Mind {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        if let Self::Planner(planner) = self {
            let (plan, why) = match planner.plan(view.scenario, budget, observer) {
                Outcome::Solved(plan) => (plan, None),
                Outcome::Partial { plan, why, .. } | Outcome::OutOfBudget { best: Some(plan), why } => {
                    (plan, Some(why))
                }
                Outcome::Infeasible { why } | Outcome::OutOfBudget { best: None, why } => {
                    (stand(view.scenario), Some(why))
                }
            };
            *self = Self::Follow(Box::new(Follow::new(plan)), why);
        }
        match self {
            Self::Planner(_) => {}
            Self::Follow(follow, _) => follow.decide(view, budget, observer, actions),
            Self::Controller(controller) => controller.decide(view, budget, observer, actions),
        }
    }
}

/// Keeps the events that controllers tell of, and counts their work.
struct Heard<'a> {
    events: &'a mut Vec<Event>,
    expanded: u64,
}

impl Observer for Heard<'_> {
    fn event(&mut self, _tick: Tick, event: &Event) {
        self.events.push(*event);
    }

    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.expanded += count;
    }
}

/// The plan in which nobody moves.
fn stand(scenario: &Scenario) -> Plan {
    let path = |agent: &Agent| Path { start: agent.start, actions: Vec::new() };
    Plan { paths: scenario.agents().iter().map(path).collect() }
}
