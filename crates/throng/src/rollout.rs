//! From a controller to a plan: run it and write down what everybody did.

use crate::bounds::Counter;
use crate::{Error, LowerBounds, Options, Session};
use throng_core::{
    Action, Agent, AgentId, Budget, Cause, Event, Observer, Outcome, Path, Plan, Planner, Reason, Rest,
    Scenario, Setup, Tick, Unlimited,
};
use throng_planners::registry::Context;

/// Everybody is given this many ticks, however close the goals are.
const LEAST: Tick = 1000;

/// Most plans are about as long as this, or longer.
const USUAL: usize = 64;

/// How many ticks a controller is given, in units of the lower bound on the makespan: far more than any
/// sensible run takes, so that a livelock ends.
const PATIENCE: Tick = 40;

/// A controller that plans everything at once, by running a world of its own.
pub(crate) struct RolledOut {
    pub(crate) options: Options,
}

impl RolledOut {
    /// What comes of a scenario, or why it cannot be run.
    pub(crate) fn of(
        &self,
        scenario: &Scenario,
        budget: &dyn Budget,
        observer: &mut Counter<'_>,
    ) -> Result<Outcome, Error> {
        // A session asks for what it needs itself.
        let mut session = Session::of_any_goals(Setup::new(scenario.clone()), &self.options)?;
        let limit = |counter: &Counter<'_>| {
            let bounds = LowerBounds::with_known(scenario, &counter.alone, &Unlimited);
            LEAST.max(PATIENCE * bounds.map_or(0, |b| b.makespan))
        };
        let given = self.options.patience;
        let limit = |counter: &Counter<'_>| given.unwrap_or_else(|| limit(counter));
        let least = given.map_or(LEAST, |given| given.min(LEAST));
        Ok(roll_out(&mut session, (least, limit), budget, observer, |counter| counter.expanded))
    }
}

impl Planner for RolledOut {
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        let mut counter = Counter::new(scenario, observer);
        // Whoever asks for a planner has found out before whether it is one for the scenario.
        self.of(scenario, budget, &mut counter).unwrap_or_else(|why| {
            let why = Reason::Rejected { why: why.to_string() };
            Outcome::OutOfBudget { best: None, why }
        })
    }
}

/// The same for the registry.
pub(crate) fn rolled_out(spec: &str, context: &Context) -> Box<dyn Planner + Send> {
    let options =
        Options { seed: context.seed, threads: context.workers.threads(), ..Options::planner(spec) };
    Box::new(RolledOut { options })
}

/// Runs `session` until everybody has arrived, the tick limit is reached or the budget is spent.
/// The limit is asked for after the least number of ticks that there may be; `spent` tells the expansions so far.
pub(crate) fn roll_out<O: Observer>(
    session: &mut Session,
    (least, limit): (Tick, impl FnOnce(&O) -> Tick),
    budget: &dyn Budget,
    observer: &mut O,
    spent: impl Fn(&O) -> u64,
) -> Outcome {
    let agents = session.scenario().agents();
    let path = |agent: &Agent| Path { start: agent.start, actions: Vec::with_capacity(USUAL) };
    let mut paths: Vec<_> = agents.iter().map(path).collect();
    let (mut ask, mut limit) = (Some(limit), Tick::MAX);
    while !session.is_done() {
        let now = session.state().tick;
        let before = spent(observer);
        if now >= least
            && let Some(ask) = ask.take()
        {
            limit = ask(observer);
        }
        // Who cannot get there at all is known once everybody has planned.
        if now == 1
            && let Some(why) = unreachable(session)
        {
            return Outcome::Infeasible { why };
        }
        if now >= limit || budget.should_stop(before) {
            return unfinished(session, paths, now < limit, before);
        }
        for (path, unit) in paths.iter_mut().zip(&session.state().units) {
            if unit.stands(now) {
                path.actions.push(Action::Wait);
            }
        }
        for event in session.tick(&Rest { whole: budget, before }, observer) {
            if let Event::Moved { agent, action } = *event
                && let Some(last) = paths[agent.index()].actions.last_mut()
            {
                *last = action;
            }
        }
    }
    Outcome::Solved(Plan { paths })
}

/// What there is when time is up, and who is to blame: the first who has not arrived.
fn unfinished(session: &Session, paths: Vec<Path>, out_of_budget: bool, expanded: u64) -> Outcome {
    let ticks = session.state().tick;
    let late = session.scenario().agents().iter().find(|agent| {
        let done = session.state().units[agent.id.index()].leg >= agent.waypoints().len();
        !done || (agent.must_rest() && !session.rests(agent.id))
    });
    let agent = late.map_or(AgentId(0), |agent| agent.id);
    if let Some(why) = unreachable(session) {
        return Outcome::Infeasible { why };
    }
    let plan = Plan { paths };
    if out_of_budget {
        return Outcome::OutOfBudget {
            best: Some(plan),
            why: Reason::OutOfBudget { agent: Some(agent), expanded },
        };
    }
    let to = session.scenario().agent(agent).waypoints().last();
    let stuck = session.explain(agent).filter(|why| why.cause.is_stuck());
    let why = stuck.map_or(Reason::OutOfTime { agent, to, ticks }, |why| Reason::Stuck { why });
    Outcome::Partial { plan, until: ticks, why }
}

/// The first agent whose goal cannot be reached, whatever the others do. It has never moved.
fn unreachable(session: &Session) -> Option<Reason> {
    let grid = session.scenario().grid();
    let agents = session.scenario().agents().iter().zip(&session.state().units);
    let still = agents.filter(|(agent, unit)| grid.id(agent.start) == Some(unit.at));
    still.filter_map(|(agent, _)| session.explain(agent.id)).find_map(|why| match why.cause {
        Cause::NoWay { from, to } | Cause::NoKnownWay { from, to } => {
            Some(Reason::Unreachable { agent: why.agent, from, to })
        }
        _ => None,
    })
}
