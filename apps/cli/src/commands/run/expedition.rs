//! A run of explorers in continuous space.

use super::outputs::Outputs;
use super::{Args, TICKS};
use crate::answer::{Answer, NOT_SOLVED};
use crate::error::CliError;
use crate::progress::Progress;
use crate::simulate::TickTimes;
use crate::table::{facts, grouped};
use serde::Serialize;
use std::io::Write as _;
use std::time::Instant;
use throng::check::space::SpaceJudge;
use throng::continuous::{Coverage, Ending, Expedition, Recorder, Scene};
use throng::core::{Tick, Unobserved};
use throng::formats::space::trace::SpaceTraceFile;

/// Lets explorers run until they have seen enough, while recorder and judge watch, and reports. The judge knows all walls.
pub(super) fn run(
    args: &Args,
    outputs: &Outputs,
    scene: Scene,
    mut expedition: Expedition,
) -> Result<Answer, CliError> {
    let seeks = expedition.seeks();
    let (until, budget) = (args.ticks.or(scene.ticks).unwrap_or(TICKS), args.budget());
    let mut judge = SpaceJudge::of(&scene, expedition.world().poses());
    let watched = outputs.trace.is_some() || outputs.gif.is_some();
    let mut recorder = watched.then(|| Recorder::new(expedition.world()));
    let mut times = Vec::new();
    let mut progress = Progress::new(until);
    while expedition.ending().is_none() && expedition.world().steps() < until {
        let begin = Instant::now();
        expedition.step(&*budget, &mut Unobserved);
        times.push(begin.elapsed());
        let world = expedition.world();
        judge.step(world.settings().step, &world.poses());
        recorder.iter_mut().for_each(|recorder| recorder.step(world));
        progress.at(world.steps(), || format!("{} cells seen", expedition.coverage().seen));
    }
    drop(progress);

    let (world, report) = (expedition.world(), judge.report());
    let Coverage { seen, unseen, frontier } = expedition.coverage();
    let done = expedition.ending().is_some();
    let found = seeks.then_some(expedition.ending() == Some(Ending::Found));
    let summary = Summary {
        scenario: scene.name.clone(),
        planner: "continuous",
        seed: scene.seed,
        agents: world.bodies().len(),
        ticks: world.steps(),
        time: world.time(),
        arrived: if done { world.bodies().len() } else { 0 },
        failed_moves: world.counts().stops,
        expanded: world.counts().expanded,
        collisions: report.collisions,
        least_gap: report.least_gap,
        distance: world.counts().distance,
        seen,
        unseen,
        frontier,
        ended: if found == Some(false) && done {
            "have not found what they looked for"
        } else {
            ended(expedition.ending())
        },
        found,
        state_hash: format!("{:#018x}", world.hash()),
        tick_us: TickTimes::of(times),
    };
    if let Some(recorder) = recorder {
        let file = SpaceTraceFile { scene, state_hash: world.hash(), trace: recorder.into_trace() };
        outputs.write_space(&file, &summary.scenario)?;
    }
    if !report.is_valid() {
        let _ = writeln!(std::io::stderr(), "the judge objects:\n{report}");
    }
    let answer = if args.json { Answer::json(&summary) } else { Answer::done(summary.text(outputs)) };
    Ok(answer.or(done && found != Some(false) && report.is_valid(), NOT_SOLVED))
}

const fn ended(ending: Option<Ending>) -> &'static str {
    match ending {
        Some(Ending::Found) => "found what they looked for",
        Some(Ending::Explored) => "have seen all that they can reach",
        None => "were still looking",
    }
}

/// What a run comes to.
#[derive(Serialize)]
struct Summary {
    scenario: String,
    planner: &'static str,
    seed: u64,
    agents: usize,
    ticks: Tick,
    time: f64,
    arrived: usize,
    failed_moves: u64,
    expanded: u64,
    collisions: u64,
    least_gap: Option<f64>,
    distance: f64,
    /// Cells that have been seen and that have not, and seen open ones beside those.
    seen: usize,
    unseen: usize,
    frontier: usize,
    /// Why it is over.
    ended: &'static str,
    /// Whether what they looked for was found, if they looked for something.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    state_hash: String,
    tick_us: TickTimes,
}

impl Summary {
    /// For people.
    fn text(&self, outputs: &Outputs) -> String {
        let Self { scenario, agents, ticks, time, ended, seen, unseen, frontier, .. } = self;
        let part = 100.0 * *seen as f64 / (seen + unseen).max(1) as f64;
        let mut out = format!(
            "{scenario}: {agents} bodies {ended} after {ticks} steps ({time:.1} s) in continuous space\n"
        );
        let gap = self.least_gap.map_or_else(String::new, |gap| format!(", the least gap {gap:.2e}"));
        out += &facts([
            (
                "seen",
                format!(
                    "{} of {} cells ({part:.1} %), {} of them beside unseen ones",
                    grouped(*seen as u64),
                    grouped((seen + unseen) as u64),
                    grouped(*frontier as u64)
                ),
            ),
            ("collisions", format!("{}{gap}", grouped(self.collisions))),
            ("stopped", format!("{} steps of a body", grouped(self.failed_moves))),
            ("expanded", grouped(self.expanded)),
            ("distance", format!("{:.1}", self.distance)),
            ("step", self.tick_us.text()),
            ("state hash", self.state_hash.clone()),
        ]);
        out + &outputs.text()
    }
}
