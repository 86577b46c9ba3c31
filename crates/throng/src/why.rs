//! Why units are where they are: what planners and executor know of it, put together.

use crate::Session;
use crate::groups::Whose;
use crate::session::Mind;
use crate::way;
use core::fmt;
use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Cause, Cell, Controller as _, Event, Explanation, Reason, Task, Tick, View};

impl Session {
    /// Why a unit is where it is, and since when; `None` if there has never been one of this number.
    ///
    /// ```
    /// use throng::core::{Agent, AgentId, Cause, Cell, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
    /// use throng::{Options, Session, Setup};
    ///
    /// let agents = vec![
    ///     Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(4, 0))),
    ///     Agent::new(1, Cell::new(3, 0), Task::Hold),
    /// ];
    /// let scenario = Scenario::new("guard", Grid::empty(5, 1)?, Rules::default(), agents)?;
    /// let mut session = Session::new(Setup::new(scenario), &Options::planner("whca"))?;
    /// for _ in 0..20 {
    ///     session.tick(&Unlimited, &mut Unobserved);
    /// }
    /// let why = session.explain(AgentId(0)).unwrap();
    /// assert_eq!(why.cause, Cause::Occupied { blocker: AgentId(1), cell: Cell::new(3, 0) });
    /// println!("{why}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explain(&self, agent: AgentId) -> Option<Explanation> {
        let unit = self.state.units.get(agent.index())?;
        let (scenario, now) = (&self.setup.scenario, self.state.tick);
        let whose = scenario.agents().get(agent.index()).map(|agent| Whose::of(scenario, agent));
        let all = View { scenario, state: &self.state, mine: &[], seen: None, sightings: &[] };
        let view = whose.map_or(all, |whose| self.knowing.view((scenario, &self.state), whose, &[]));
        let cell = |id| scenario.grid().cell(id);
        let (since, cause) = if unit.gone {
            (unit.since, Cause::Gone)
        } else if matches!(view.agent(agent).task, Task::Hold) {
            (unit.until.min(now), Cause::Holds)
        } else if let Some(cause) = self.explored(agent) {
            (unit.until.min(now), cause)
        } else if let Some(to) = self.yielding.gives_way(agent) {
            (unit.until.min(now), Cause::GivesWay { to })
        } else if self.is_content(agent) {
            (unit.until.min(now), Cause::Rests)
        } else if unit.is_late(now) {
            (unit.since, Cause::Late { until: unit.until })
        } else {
            match self.trouble(&view, agent) {
                // What nobody has seen of it may be otherwise.
                (since, Cause::NoWay { from, to }) if view.seen.is_some() => {
                    (since, Cause::NoKnownWay { from, to })
                }
                known => known,
            }
        };
        // Whoever explores wants to be nowhere in particular.
        let explores = scenario.agents().get(agent.index()).is_some_and(|agent| agent.task.is_search());
        let goal = if explores { unit.at } else { all.target(agent) };
        Some(Explanation { agent, at: cell(unit.at), goal: cell(goal), since, cause })
    }

    /// Why a unit does not get on: what keeps it, what keeps that, and so on.
    #[must_use]
    pub fn why(&self, agent: AgentId) -> Chain {
        let (mut links, mut next, mut cycle) = (Vec::new(), Some(agent), None);
        while let Some(link) = next.take().and_then(|who| self.explain(who)) {
            next = link.cause.blocker();
            links.push(link);
            cycle = next.and_then(|who| links.iter().position(|link: &Explanation| link.agent == who));
            if cycle.is_some() {
                break;
            }
        }
        Chain { links, cycle }
    }

    /// Whether a unit has done its task and is where it may stay.
    fn is_content(&self, id: AgentId) -> bool {
        let (agent, unit) = (self.setup.scenario.agent(id), &self.state.units[id.index()]);
        let done = unit.leg >= agent.waypoints().len() && !unit.is_moving(self.state.tick);
        done && (!agent.must_rest() || self.rests(id))
    }

    /// What its planner knows, what the executor told in the last tick, or how far it still is.
    fn trouble(&self, view: &View<'_>, id: AgentId) -> (Tick, Cause) {
        let now = view.tick();
        let stood = view.unit(id).until.min(now);
        let known =
            self.groups.iter().find(|group| group.mine.binary_search(&id).is_ok()).and_then(|group| {
                let view = View { mine: &group.mine, ..*view };
                match &group.mind {
                    Mind::Planner(_) => Some((stood, Cause::AwaitsPlanner)),
                    Mind::Follow(follow, why) => follow.explain(&view, id).or_else(|| {
                        why.as_ref()
                            .filter(|_| view.unit(id).stands(now))
                            .map(|why| (stood, no_plan(why, id)))
                    }),
                    Mind::Controller(controller) => controller.explain(&view, id),
                }
            });
        if let Some((since, cause @ Cause::NoWay { .. })) = known {
            return (since, cause);
        }
        let cancelled = self.events().iter().find_map(|event| match *event {
            Event::Failed { agent, to: cell, blocked_by: by, .. } if agent == id => {
                Some(Cause::Cancelled { cell, by })
            }
            _ => None,
        });
        if let Some(cause) = cancelled {
            return (known.map_or(stood, |(since, _)| since.min(stood)), cause);
        }
        if let (None, true) = (&known, view.agent(id).task.is_search()) {
            let frontier = self.exploration(id).map_or(0, |explored| explored.frontier);
            return (now, Cause::Explores { frontier });
        }
        known.unwrap_or_else(|| (now, rest_of_way(view, id)))
    }
}

/// What is wrong with a unit that follows a plan which is not whole.
fn no_plan(why: &Reason, id: AgentId) -> Cause {
    match why {
        Reason::Unreachable { agent, from, to } if *agent == id => Cause::NoWay { from: *from, to: *to },
        Reason::Reserved { agent, .. } if *agent == id => Cause::NoPath { rivals: Vec::new() },
        Reason::OutOfBudget { expanded, .. } => Cause::TooLittle { expanded: *expanded },
        why => Cause::NoPlan { because_of: why.agent().filter(|&agent| agent != id) },
    }
}

/// How long the way to its goal takes from where its move ends, if there is one.
fn far(view: &View<'_>, id: AgentId) -> Option<u32> {
    let unit = view.unit(id);
    way::ticks(view.grid(), view.rules(), view.agent(id), (unit.at, unit.pose), view.target(id))
}

fn rest_of_way(view: &View<'_>, id: AgentId) -> Cause {
    let (unit, goal) = (view.unit(id), view.target(id));
    match far(view, id) {
        Some(far) => Cause::OnItsWay { ticks: Tick::from(far) + unit.until.saturating_sub(view.tick()) },
        None => Cause::NoWay { from: view.grid().cell(unit.at), to: view.grid().cell(goal) },
    }
}

/// A unit, what keeps it, what keeps that, and so on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// First the unit that was asked about; each is kept by the next.
    pub links: Vec<Explanation>,
    /// The place in `links` of the unit that keeps the last one: from there on they keep each other.
    pub cycle: Option<usize>,
}

impl Chain {
    /// The units that keep each other, in turn; none if the chain ends.
    #[must_use]
    pub fn jam(&self) -> &[Explanation] {
        self.cycle.and_then(|first| self.links.get(first..)).unwrap_or_default()
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, link) in self.links.iter().enumerate() {
            write!(f, "{}{link}", if place > 0 { "\n" } else { "" })?;
        }
        match self.jam() {
            [] => Ok(()),
            [alone] => write!(f, "\nunit {} keeps itself", alone.agent),
            [first, ..] => write!(f, "\nwhich leads back to unit {}: they keep each other", first.agent),
        }
    }
}

/// What has kept one unit over a run. It looks every tick, so it knows to the tick since when the unit has come no
/// nearer to its goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    agent: AgentId,
    periods: Vec<Period>,
    /// The least that it has had left to its goal, and since when.
    least: Option<(Cell, u32, Tick)>,
}

/// Ticks over which one thing kept a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// From this tick on
    pub from: Tick,
    /// until this one, both included.
    pub until: Tick,
    /// As it was in the end.
    pub why: Explanation,
}

impl History {
    /// Nothing yet.
    #[must_use]
    pub const fn new(agent: AgentId) -> Self {
        Self { agent, periods: Vec::new(), least: None }
    }

    /// Notes how it is now; to be called once per tick.
    pub fn note(&mut self, session: &Session) {
        let Some(mut why) = session.explain(self.agent) else { return };
        let now = session.state().tick;
        let goes = !session.scenario().agents().get(self.agent.index()).is_some_and(|a| a.task.is_search());
        if goes && (why.cause.is_stuck() || matches!(why.cause, Cause::OnItsWay { .. })) {
            let view = View {
                scenario: session.scenario(),
                state: session.state(),
                mine: &[],
                seen: None,
                sightings: &[],
            };
            let far = far(&view, self.agent).unwrap_or(u32::MAX);
            let known = self.least.filter(|&(goal, least, _)| goal == why.goal && least <= far);
            let (.., since) = *self.least.insert(known.unwrap_or((why.goal, far, now)));
            why.since = since;
        }
        match self.periods.last_mut() {
            Some(last) if why.cause.continues(&last.why.cause) => (last.until, last.why) = (now, why),
            _ => self.periods.push(Period { from: now, until: now, why }),
        }
    }

    /// Adds what somebody else has noted of the same unit, from the next tick on.
    pub fn go_on(&mut self, later: Self) {
        for next in later.periods {
            match self.periods.last_mut() {
                Some(last) if next.why.cause.continues(&last.why.cause) => {
                    (last.until, last.why) = (next.until, next.why);
                }
                _ => self.periods.push(next),
            }
        }
        let nearer = |(goal, least, _): (Cell, u32, Tick)| {
            self.least.is_none_or(|(before, known, _)| before != goal || least < known)
        };
        self.least = later.least.filter(|&later| nearer(later)).or(self.least);
    }

    /// All changes so far, in order.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why.cause {
            ref cause if self.from == self.until => write!(f, "tick {}: {cause}", self.from),
            // How far it was to go changed all the time.
            Cause::OnItsWay { .. } => write!(f, "ticks {}–{}: on its way", self.from, self.until),
            ref cause => write!(f, "ticks {}–{}: {cause}", self.from, self.until),
        }
    }
}
