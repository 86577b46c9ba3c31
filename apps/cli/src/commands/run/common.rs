//! What every run in continuous space comes to, whether bodies go to places or explore.

use crate::simulate::TickTimes;
use crate::table::grouped;
use serde::Serialize;
use throng::check::space::SpaceReport;
use throng::continuous::{Counts, World};
use throng::core::Tick;

/// Who decides: there is one way, so that this is its name.
const PLANNER: &str = "continuous";

/// What runs on grids tell as well, and what there is only here.
#[derive(Serialize)]
pub(super) struct Common {
    pub(super) scenario: String,
    planner: &'static str,
    seed: u64,
    pub(super) agents: usize,
    /// Steps, and the time that they are.
    pub(super) ticks: Tick,
    pub(super) time: f64,
    pub(super) arrived: usize,
    /// Steps in which a body would have touched somebody and stopped.
    failed_moves: u64,
    pub(super) expanded: u64,
    collisions: u64,
    /// The least gap between two bodies that the judge saw.
    least_gap: Option<f64>,
    distance: f64,
    state_hash: String,
    tick_us: TickTimes,
}

impl Common {
    /// Of a world that had counted so much before.
    pub(super) fn of(
        (scenario, seed): (&str, u64),
        world: &World,
        before: &Counts,
        report: &SpaceReport,
        tick_us: TickTimes,
    ) -> Self {
        let counts = world.counts();
        Self {
            scenario: scenario.to_owned(),
            planner: PLANNER,
            seed,
            agents: world.bodies().len(),
            ticks: world.steps(),
            time: world.time(),
            arrived: world.arrived(),
            failed_moves: counts.stops - before.stops,
            expanded: counts.expanded - before.expanded,
            collisions: report.collisions,
            least_gap: report.least_gap,
            distance: counts.distance - before.distance,
            state_hash: format!("{:#018x}", world.hash()),
            tick_us,
        }
    }

    /// For people: what comes first.
    pub(super) fn first(&self) -> [(&'static str, String); 2] {
        let gap = self.least_gap.map_or_else(String::new, |gap| format!(", the least gap {gap:.2e}"));
        [
            ("collisions", format!("{}{gap}", grouped(self.collisions))),
            ("stopped", steps_of_a_body(self.failed_moves)),
        ]
    }

    /// And what comes last.
    pub(super) fn last(&self) -> [(&'static str, String); 3] {
        [
            ("distance", format!("{:.1}", self.distance)),
            ("step", self.tick_us.text()),
            ("state hash", self.state_hash.clone()),
        ]
    }
}

/// How often something happened to somebody.
pub(super) fn steps_of_a_body(count: u64) -> String {
    format!("{} steps of a body", grouped(count))
}
