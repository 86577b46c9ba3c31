//! What every run in continuous space comes to, whether bodies go to places or explore.

use super::left::Left;
use super::outputs::Outputs;
use crate::simulate::TickTimes;
use crate::table::{facts, grouped};
use serde::Serialize;
use throng::check::space::SpaceReport;
use throng::continuous::{Counts, Scene, World};
use throng::core::Tick;

/// Who decides: there is one way, so that this is its name.
const PLANNER: &str = "continuous";
/// So many bodies that have not arrived are told of to people, one by one.
const MOST: usize = 5;

/// What runs on grids tell as well, and what there is only here.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) scenario: String,
    planner: &'static str,
    seed: u64,
    agents: usize,
    /// Steps, and the time that they are.
    ticks: Tick,
    time: f64,
    arrived: usize,
    /// Steps in which a body would have touched somebody and stopped.
    failed_moves: u64,
    expanded: u64,
    /// The most in one step.
    largest_work: u64,
    collisions: u64,
    /// The least gap between two bodies that the judge saw.
    least_gap: Option<f64>,
    distance: f64,
    state_hash: String,
    tick_us: TickTimes,
    /// Steps in which a body went slower than it likes, and those in which it made way.
    slowed: u64,
    made_way: u64,
    promoted: u64,
    detours: u64,
    searches: u64,
    /// By body: after which step it had done its errand, if it has.
    arrivals: Vec<Option<Tick>>,
    left_behind: Vec<Left>,
    /// How far those have got who explore.
    #[serde(flatten)]
    explored: Option<Explored>,
}

/// What only explorers tell.
#[derive(Serialize)]
pub(super) struct Explored {
    /// Cells that have been seen and that have not, and seen open ones beside those.
    pub(super) seen: usize,
    pub(super) unseen: usize,
    pub(super) frontier: usize,
    /// Why it is over.
    pub(super) ended: &'static str,
    /// Whether what they looked for was found, if they looked for something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<bool>,
}

/// What has become of everybody.
pub(super) struct Fates {
    /// By body: after which step it had done its errand, if it has.
    pub(super) arrivals: Vec<Option<Tick>>,
    pub(super) left_behind: Vec<Left>,
    pub(super) explored: Option<Explored>,
}

impl Summary {
    /// Of a world that had counted so much before.
    pub(super) fn of(
        (scene, world): (&Scene, &World),
        before: &Counts,
        report: &SpaceReport,
        (tick_us, largest_work): (TickTimes, u64),
        Fates { arrivals, left_behind, explored }: Fates,
    ) -> Self {
        let counts = world.counts();
        Self {
            scenario: scene.name.clone(),
            planner: PLANNER,
            seed: scene.seed,
            agents: world.bodies().len(),
            ticks: world.steps(),
            time: world.time(),
            // Explorers are done together, or not at all, and rest now and then on their way.
            arrived: match explored {
                Some(_) => arrivals.iter().flatten().count(),
                None => world.arrived(),
            },
            failed_moves: counts.stops - before.stops,
            expanded: counts.expanded - before.expanded,
            largest_work,
            collisions: report.collisions,
            least_gap: report.least_gap,
            distance: counts.distance - before.distance,
            state_hash: format!("{:#018x}", world.hash()),
            tick_us,
            slowed: counts.slowed - before.slowed,
            made_way: counts.made_way - before.made_way,
            promoted: counts.promoted - before.promoted,
            detours: counts.detours - before.detours,
            searches: counts.searches - before.searches,
            arrivals,
            left_behind,
            explored,
        }
    }

    /// For people.
    pub(super) fn text(&self, outputs: &Outputs) -> String {
        let Self { scenario, agents, ticks, time, arrived, .. } = self;
        let what = match &self.explored {
            None => format!("{arrived} of {agents} bodies arrived"),
            Some(Explored { ended, .. }) => format!("{agents} bodies {ended}"),
        };
        let mut out = format!("{scenario}: {what} after {ticks} steps ({time:.1} s) in continuous space\n");
        out += &facts(self.explored.as_ref().map(|explored| ("seen", explored.text())));
        let gap = self.least_gap.map_or_else(String::new, |gap| format!(", the least gap {gap:.2e}"));
        let (expanded, most) = (grouped(self.expanded), grouped(self.largest_work));
        out += &facts([
            ("collisions", format!("{}{gap}", grouped(self.collisions))),
            ("stopped", steps_of_a_body(self.failed_moves)),
            ("slowed", steps_of_a_body(self.slowed)),
            ("made way", steps_of_a_body(self.made_way)),
            ("promoted", grouped(self.promoted)),
            ("detours", grouped(self.detours)),
            ("ways found", grouped(self.searches)),
            ("expanded", format!("{expanded}, at most {most} in a step")),
            ("distance", format!("{:.1}", self.distance)),
            ("step", self.tick_us.text()),
            ("state hash", self.state_hash.clone()),
        ]);
        out += &facts(self.left_behind.iter().take(MOST).map(|left| ("left behind", left.text())));
        let more = self.left_behind.len().saturating_sub(MOST);
        out += &facts((more > 0).then(|| ("", format!("… and {more} more"))));
        out + &outputs.text()
    }
}

impl Explored {
    /// For people.
    fn text(&self) -> String {
        let Self { seen, unseen, frontier, .. } = self;
        let part = 100.0 * *seen as f64 / (seen + unseen).max(1) as f64;
        format!(
            "{} of {} cells ({part:.1} %), {} of them beside unseen ones",
            grouped(*seen as u64),
            grouped((seen + unseen) as u64),
            grouped(*frontier as u64)
        )
    }
}

/// How often something happened to somebody.
fn steps_of_a_body(count: u64) -> String {
    format!("{} steps of a body", grouped(count))
}
