//! What a run comes to, for programs and for people.

use super::outputs::{Outputs, planners_of};
use crate::explain::Account;
use crate::simulate::{Run, TickTimes};
use crate::table::{facts, grouped};
use serde::Serialize;
use throng::Session;
use throng::core::{Cause, Explanation, Tick};

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
    failed_moves: u64,
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
    /// What keeps those who have not arrived.
    left_behind: Vec<Explanation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Account>,
}

impl Summary {
    pub(super) fn of(session: &Session, run: &Run, explain: Option<Account>) -> Self {
        let (scenario, state) = (session.scenario(), session.state());
        Self {
            scenario: scenario.name().to_owned(),
            planner: planners_of(session),
            seed: session.options().seed,
            agents: scenario.agents().len(),
            ticks: state.tick,
            arrived: session.arrived(),
            failed_moves: run.metrics.failed_moves(),
            expanded: run.metrics.expanded(),
            largest_work: run.largest_work,
            collisions: run.report.collisions,
            joined_flocks: run.metrics.flocks().0,
            left_flocks: run.metrics.flocks().1,
            distance: run.metrics.distance(),
            state_hash: format!("{:#018x}", state.hash()),
            tick_us: run.tick_us,
            left_behind: scenario
                .agents()
                .iter()
                .filter(|agent| !session.has_arrived(agent.id))
                .filter_map(|agent| session.explain(agent.id))
                .filter(|why| why.cause != Cause::Gone)
                .collect(),
            explain,
        }
    }

    /// For people.
    pub(super) fn text(&self, outputs: &Outputs) -> String {
        let Self { scenario, planner, agents, ticks, arrived, .. } = self;
        let mut out =
            format!("{scenario}: {arrived} of {agents} units arrived after {ticks} ticks under {planner}\n");
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
        let flocks = (self.joined_flocks > 0)
            .then(|| format!("joined {} times, left {} times", self.joined_flocks, self.left_flocks));
        out += &facts(flocks.map(|flocks| ("flocks", flocks)));
        out += &facts(self.left_behind.iter().take(MOST).map(|why| ("left behind", why.to_string())));
        let more = self.left_behind.len().saturating_sub(MOST);
        out += &facts((more > 0).then(|| ("", format!("… and {more} more"))));
        out += &outputs.text();
        out += &self.explain.as_ref().map(Account::text).unwrap_or_default();
        out
    }
}
