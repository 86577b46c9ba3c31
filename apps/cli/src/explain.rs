//! What is known about one unit: where it is, where it wants to go, what keeps it and what kept it before.

use crate::error::CliError;
use crate::table::{facts, grouped};
use serde::Serialize;
use throng::core::{AgentId, Cell, Event, Task, Tick};
use throng::sim::Metrics;
use throng::{Chain, History, Period, Session};

/// So many failed moves and so many periods are told one by one, the latest.
const MOST: usize = 20;

/// Listens for one unit.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    unit: AgentId,
    failures: Vec<Failure>,
    history: History,
    /// Tick by tick: the unit, what keeps it, what keeps that.
    chains: Vec<Vec<AgentId>>,
}

/// A cancelled move.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Failure {
    tick: Tick,
    to: Cell,
    /// Nobody if it was a wall.
    blocked_by: Option<u32>,
}

/// Everything there is to say.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Account {
    unit: u32,
    at: Cell,
    /// Where its move in progress began, and when it is over.
    moving_from: Option<(Cell, Tick)>,
    task: String,
    /// Where it goes; nowhere in particular if it explores.
    #[serde(flatten)]
    way: Option<Way>,
    finished: Option<Tick>,
    resting: bool,
    searches: u64,
    expanded: u64,
    failed_moves: Vec<Failure>,
    /// What kept it, over the run.
    periods: Vec<Period>,
    /// What keeps it in the end, what keeps that, and so on.
    chain: Chain,
}

/// Where one goes that has places to go to.
#[derive(Clone, Copy, Debug, Serialize)]
struct Way {
    target: Cell,
    /// Waypoints reached, and how many there are.
    leg: u32,
    legs: u32,
}

impl Listener {
    /// For unit number `unit`, which must exist.
    pub(crate) fn new(unit: u32, session: &Session) -> Result<Self, CliError> {
        let agents = session.scenario().agents().len();
        if unit as usize >= agents {
            return Err(CliError::NoSuchUnit { unit, agents });
        }
        let unit = AgentId(unit);
        Ok(Self { unit, failures: Vec::new(), history: History::new(unit), chains: Vec::new() })
    }

    /// Hears what happened in the tick that is just over.
    pub(crate) fn hear(&mut self, session: &Session) {
        let tick = session.state().tick.saturating_sub(1);
        for event in session.events() {
            if let Event::Failed { agent, to, blocked_by, .. } = *event
                && agent == self.unit
            {
                self.failures.push(Failure { tick, to, blocked_by: blocked_by.map(|by| by.0) });
            }
        }
        self.history.note(session);
        self.chains.push(closed(&session.why(self.unit)));
    }

    /// For pictures, by tick of the run: the unit, what keeps it, what keeps that.
    pub(crate) fn chains(&self) -> &[Vec<AgentId>] {
        &self.chains
    }

    pub(crate) fn account(self, session: &Session, metrics: &Metrics) -> Account {
        let (scenario, state) = (session.scenario(), session.state());
        let (agent, unit) = (scenario.agent(self.unit), &state.units[self.unit.index()]);
        let counts = &metrics.agents()[self.unit.index()];
        let cell = |id| scenario.grid().cell(id);
        Account {
            unit: self.unit.0,
            at: cell(unit.at),
            moving_from: (!unit.stands(state.tick)).then(|| (cell(unit.from), unit.until)),
            task: task(&agent.task),
            way: (!agent.task.is_search()).then(|| Way {
                target: agent.waypoints().target(unit.leg),
                leg: unit.leg,
                legs: agent.waypoints().len(),
            }),
            finished: counts.finished,
            resting: session.rests(self.unit),
            searches: counts.replans,
            expanded: counts.total().expanded + counts.backwards,
            failed_moves: self.failures,
            periods: self.history.periods().to_vec(),
            chain: session.why(self.unit),
        }
    }
}

/// The units of a chain; one that leads back to itself ends where it closes.
fn closed(chain: &Chain) -> Vec<AgentId> {
    let back = chain.jam().first().map(|link| link.agent);
    chain.links.iter().map(|link| link.agent).chain(back).collect()
}

impl Account {
    /// For people.
    pub(crate) fn text(&self) -> String {
        let place = match self.moving_from {
            Some((from, until)) => format!("on its way from {from} to {} until tick {until}", self.at),
            None => self.at.to_string(),
        };
        let standing = match (self.finished, self.resting) {
            (Some(tick), _) if self.way.is_none() => format!("finished at tick {tick}"),
            (Some(tick), true) => format!("finished at tick {tick}, rests at its last waypoint"),
            (Some(tick), false) => format!("finished at tick {tick}, but is not at its last waypoint now"),
            (None, _) => "not finished".to_owned(),
        };
        let Self { unit, task, searches, .. } = self;
        let mut out = format!("\nunit {unit}\n");
        out += &facts([("where", place), ("task", task.clone())]);
        let target = |Way { target, leg, legs }| format!("{target}; {leg} of {legs} waypoints reached");
        out += &facts(self.way.map(|way| ("target", target(way))));
        out += &facts([
            ("state", standing),
            (
                "searched",
                match searches {
                    // Some planners count the cells that they look at, and no searches.
                    0 => format!("{} expansions", grouped(self.expanded)),
                    _ => format!("{searches} times, {} expansions", grouped(self.expanded)),
                },
            ),
            ("failed moves", grouped(self.failed_moves.len() as u64)),
        ]);
        let failure = |Failure { tick, to, blocked_by }: &Failure| {
            let by = blocked_by.map_or_else(|| "a wall".to_owned(), |by| format!("unit {by}"));
            format!("tick {tick}: to {to}, blocked by {by}")
        };
        out += &latest(&self.failed_moves, failure);
        out += "  what kept it\n";
        out += &latest(&self.periods, Period::to_string);
        out += "  in the end\n";
        let why = self.chain.to_string();
        out.extend(why.lines().map(|line| format!("    {line}\n")));
        out
    }
}

/// One line for each, but for all that are too many.
fn latest<T>(all: &[T], line: impl Fn(&T) -> String) -> String {
    let skipped = all.len().saturating_sub(MOST);
    let dots = (skipped > 0).then(|| format!("    … {skipped} earlier ones\n"));
    dots.into_iter().chain(all[skipped..].iter().map(|one| format!("    {}\n", line(one)))).collect()
}

fn task(task: &Task) -> String {
    match task {
        Task::Goal(goal) => format!("go to {goal}"),
        Task::Goals(goals) => {
            let list: Vec<String> = goals.iter().map(Cell::to_string).collect();
            format!("visit {}", list.join(", "))
        }
        Task::Patrol { goal, rounds } => format!("patrol to {goal} and back, {rounds} times"),
        Task::Errands(_) => "do errands".to_owned(),
        Task::Hold => "hold its place".to_owned(),
        Task::Explore => "explore".to_owned(),
        Task::Find(hidden) => format!("look for {hidden}"),
    }
}
