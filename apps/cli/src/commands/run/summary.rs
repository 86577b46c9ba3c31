//! What a run comes to, for programs and for people.

use super::outputs::{Outputs, planners_of};
use crate::explain::Account;
use crate::simulate::{Run, TickTimes};
use crate::table::{facts, grouped};
use serde::Serialize;
use throng::Session;
use throng::core::{Agent, AgentId, Cause, Cell, Explanation, Task, Tick};
use throng::sim::{Service, Spread};

/// So many units that have not arrived are told of to people, one by one.
const MOST: usize = 5;

/// What a run comes to.
#[derive(Serialize)]
pub(super) struct Summary {
    scenario: String,
    planner: String,
    seed: u64,
    agents: usize,
    ticks: Tick,
    arrived: usize,
    /// Of those, who rests beside its goal, since others were sent there, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settled: Vec<Settled>,
    failed_moves: u64,
    /// Where units slipped: the ticks that they lost, and those in which others waited for them as their plan has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    delays: Option<Delays>,
    expanded: u64,
    /// The most in one tick.
    largest_work: u64,
    collisions: u64,
    /// How often units have joined a flock, and left one.
    joined_flocks: u64,
    left_flocks: u64,
    distance: f64,
    state_hash: String,
    tick_us: TickTimes,
    /// By unit: when it had done its task, if it has.
    arrivals: Vec<Option<Tick>>,
    /// What keeps those who have not arrived.
    left_behind: Vec<Explanation>,
    /// How far those have got who explore, one for each team or, if they do not share what they see, for each unit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explored: Vec<Explored>,
    /// Of those who look for something: whether they have found it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<Found>,
    /// How errands were done, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    errands: Option<Errands>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Account>,
}

/// What delays cost.
#[derive(Serialize)]
struct Delays {
    late: u64,
    waits: u64,
}

/// How errands were done.
#[derive(Serialize)]
struct Errands {
    appeared: u64,
    done: u64,
    refused: u64,
    open: u64,
    /// Done in a tick, on average.
    throughput: f64,
    /// Ticks from when one appeared to when it was done.
    service: Times,
    /// Ticks from when one appeared to when somebody set out to do it.
    wait: Times,
    /// The same at its longest, those included for which nobody has come yet.
    worst_wait: Tick,
}

/// Numbers of ticks.
#[derive(Serialize)]
struct Times {
    mean: Option<f64>,
    p99: Option<Tick>,
    max: Option<Tick>,
}

impl Times {
    fn of(times: &Spread) -> Self {
        Self { mean: times.mean(), p99: times.percentile(99), max: times.max() }
    }

    /// For people.
    fn text(&self) -> String {
        let ticks = |time: Option<Tick>| time.map_or_else(|| "–".to_owned(), grouped);
        let mean = self.mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.1}"));
        format!("{mean} ticks on average, p99 {}, at most {}", ticks(self.p99), ticks(self.max))
    }
}

impl Errands {
    fn of(service: &Service) -> Option<Self> {
        service.is_used().then(|| Self {
            appeared: service.appeared(),
            done: service.done(),
            refused: service.refused(),
            open: service.open(),
            throughput: service.throughput(),
            service: Times::of(service.times()),
            wait: Times::of(service.waits()),
            worst_wait: service.worst_wait(),
        })
    }

    /// For people.
    fn text(&self) -> String {
        let refused = match self.refused {
            0 => String::new(),
            refused => format!(", {} refused", grouped(refused)),
        };
        let rate = format!("{:.3} done in a tick", self.throughput);
        facts([
            ("errands", format!("{rate}, {} open{refused}", grouped(self.open))),
            ("to be done", self.service.text()),
            ("to be begun", format!("{}, the worst {}", self.wait.text(), grouped(self.worst_wait))),
        ])
    }
}

/// What has become of a search.
#[derive(Serialize)]
struct Found {
    unit: AgentId,
    hidden: Cell,
    found: bool,
}

impl Found {
    /// Of all who look for something; `heard` have said that they have found it, and may have forgotten since.
    fn all(session: &Session, heard: &[AgentId]) -> Vec<Self> {
        let of = |agent: &Agent| match agent.task {
            Task::Find(hidden) => {
                let found = heard.contains(&agent.id) || session.has_seen(agent.id, hidden);
                Some(Self { unit: agent.id, hidden, found })
            }
            _ => None,
        };
        let here = |agent: &&Agent| session.unit_id(agent.id).is_some();
        session.scenario().agents().iter().filter(here).filter_map(of).collect()
    }

    /// For people.
    fn text(&self) -> String {
        let Self { unit, hidden, found } = self;
        format!("unit {unit} {} {hidden}", if *found { "has found" } else { "has not found" })
    }
}

/// What one of those who explore knows.
#[derive(Serialize)]
struct Explored {
    unit: AgentId,
    team: u16,
    seen: u32,
    unseen: u32,
    /// Cells beside unseen ones, with a way there and without.
    frontier: u32,
    beyond: u32,
}

impl Explored {
    /// One for all who know the same.
    fn all(session: &Session) -> Vec<Self> {
        let shared = session.scenario().sight().is_some_and(|sight| sight.shared);
        let mut teams = Vec::new();
        let mut first = |agent: &&Agent| {
            let new = !shared || !teams.contains(&agent.team);
            teams.push(agent.team);
            new
        };
        let explorers = session.scenario().agents().iter().filter(|agent| agent.task.is_search());
        let firsts =
            explorers.filter(|agent| session.unit_id(agent.id).is_some()).filter(|agent| first(agent));
        let of = |agent: &Agent| {
            let throng::sim::Explored { seen, unseen, frontier, beyond } = session.exploration(agent.id)?;
            Some(Self { unit: agent.id, team: agent.team, seen, unseen, frontier, beyond })
        };
        firsts.filter_map(of).collect()
    }

    /// For people.
    fn text(&self) -> String {
        let Self { seen, unseen, frontier, beyond, .. } = self;
        let all = u64::from(*seen) + u64::from(*unseen);
        let percent = 100.0 * f64::from(*seen) / all.max(1) as f64;
        let mut text =
            format!("{} of {} cells seen ({percent:.0} %)", grouped(u64::from(*seen)), grouped(all));
        match (frontier, beyond) {
            (0, 0) => text += ", no way leads to the rest",
            (0, beyond) => text += &format!(", no way leads to the rest, beside {beyond} of them"),
            (frontier, _) => text += &format!(", {frontier} of them beside what is unseen"),
        }
        text
    }
}

/// A unit that rests beside its goal.
#[derive(Serialize)]
struct Settled {
    unit: AgentId,
    at: Cell,
    goal: Cell,
}

impl Settled {
    /// All who were to rest elsewhere, by unit, and have arrived.
    fn all(session: &Session, wished: &[Cell]) -> Vec<Self> {
        let agents = session.scenario().agents().iter().zip(wished);
        let arrived = agents.filter(|(agent, _)| agent.must_rest() && session.has_arrived(agent.id));
        let rests = arrived.map(|(agent, &goal)| Self { unit: agent.id, at: agent.waypoints().last(), goal });
        rests.filter(|Self { at, goal, .. }| at != goal).collect()
    }
}

impl Summary {
    pub(super) fn of(
        session: &Session,
        run: &Run,
        heard: &[AgentId],
        wished: &[Cell],
        explain: Option<Account>,
    ) -> Self {
        let (scenario, state) = (session.scenario(), session.state());
        Self {
            scenario: scenario.name().to_owned(),
            planner: planners_of(session),
            seed: session.options().seed,
            agents: scenario.agents().len(),
            ticks: state.tick,
            arrived: session.arrived(),
            settled: Settled::all(session, wished),
            failed_moves: run.metrics.failed_moves(),
            delays: Some(run.metrics.lateness())
                .filter(|&lateness| lateness != (0, 0))
                .map(|(late, waits)| Delays { late, waits }),
            expanded: run.metrics.expanded(),
            largest_work: run.largest_work,
            collisions: run.report.collisions,
            joined_flocks: run.metrics.flocks().0,
            left_flocks: run.metrics.flocks().1,
            distance: run.metrics.distance(),
            state_hash: format!("{:#018x}", state.hash()),
            tick_us: run.tick_us,
            arrivals: run.metrics.agents().iter().map(|agent| agent.finished).collect(),
            left_behind: scenario
                .agents()
                .iter()
                .filter(|agent| !session.has_arrived(agent.id))
                .filter_map(|agent| session.explain(agent.id))
                .filter(|why| why.cause != Cause::Gone)
                // Whoever does an errand is on its way, unless it is stuck.
                .filter(|why| session.errand_of(why.agent).is_none() || why.cause.is_stuck())
                .collect(),
            explored: Explored::all(session),
            found: Found::all(session, heard),
            errands: Errands::of(run.metrics.service()),
            explain,
        }
    }

    /// Whether errands are done that never end.
    pub(super) fn goes_on(&self, session: &Session) -> bool {
        let endless = session.scenario().stream().is_some_and(|stream| stream.count.is_none());
        endless && self.errands.as_ref().is_some_and(|errands| errands.done > 0)
    }

    /// Whether nobody has looked for something in vain.
    pub(super) fn all_found(&self) -> bool {
        self.found.iter().all(|found| found.found)
    }

    /// For people.
    pub(super) fn text(&self, outputs: &Outputs) -> String {
        let Self { scenario, planner, agents, ticks, arrived, .. } = self;
        let what = match &self.errands {
            Some(Errands { done, .. }) => format!("{} errands done by {agents} units", grouped(*done)),
            None => format!("{arrived} of {agents} units arrived"),
        };
        let mut out = format!("{scenario}: {what} after {ticks} ticks under {planner}\n");
        out += &self.errands.as_ref().map(Errands::text).unwrap_or_default();
        let settled =
            |Settled { unit, at, goal }: &Settled| format!("unit {unit} at {at}, since {goal} is taken");
        out += &facts(self.settled.iter().take(MOST).map(|beside| ("settled", settled(beside))));
        let more = self.settled.len().saturating_sub(MOST);
        out += &facts((more > 0).then(|| ("", format!("… and {more} more"))));
        out += &facts([
            ("failed moves", grouped(self.failed_moves)),
            ("collisions", grouped(self.collisions)),
            (
                "expanded",
                format!("{}, at most {} in a tick", grouped(self.expanded), grouped(self.largest_work)),
            ),
            ("distance", format!("{:.1}", self.distance)),
            ("tick", self.tick_us.text()),
            ("state hash", self.state_hash.clone()),
        ]);
        let late = |Delays { late, waits }: &Delays| {
            format!("{} ticks lost, {} more waiting for those", grouped(*late), grouped(*waits))
        };
        out += &facts(self.delays.iter().map(|delays| ("late", late(delays))));
        let flocks = (self.joined_flocks > 0)
            .then(|| format!("joined {} times, left {} times", self.joined_flocks, self.left_flocks));
        out += &facts(flocks.map(|flocks| ("flocks", flocks)));
        out += &facts(self.explored.iter().take(MOST).map(|explored| ("explored", explored.text())));
        out += &facts(self.found.iter().take(MOST).map(|found| ("looked for", found.text())));
        out += &facts(self.left_behind.iter().take(MOST).map(|why| ("left behind", why.to_string())));
        let more = self.left_behind.len().saturating_sub(MOST);
        out += &facts((more > 0).then(|| ("", format!("… and {more} more"))));
        out += &outputs.text();
        out += &self.explain.as_ref().map(Account::text).unwrap_or_default();
        out
    }
}
