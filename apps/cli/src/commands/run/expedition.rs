//! A run of explorers in continuous space.

use super::common::Common;
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
use throng::continuous::{Counts, Coverage, Ending, Expedition, Recorder, Scene};
use throng::core::Unobserved;
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
    let before = Counts::default();
    let mut common = Common::of((&scene.name, scene.seed), world, &before, report, TickTimes::of(times));
    // They are done together, or not at all.
    common.arrived = if done { world.bodies().len() } else { 0 };
    let summary = Summary {
        common,
        seen,
        unseen,
        frontier,
        ended: if found == Some(false) && done {
            "have not found what they looked for"
        } else {
            ended(expedition.ending())
        },
        found,
    };
    if let Some(recorder) = recorder {
        let file = SpaceTraceFile { scene, state_hash: world.hash(), trace: recorder.into_trace() };
        outputs.write_space(&file, &summary.common.scenario)?;
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
    #[serde(flatten)]
    common: Common,
    /// Cells that have been seen and that have not, and seen open ones beside those.
    seen: usize,
    unseen: usize,
    frontier: usize,
    /// Why it is over.
    ended: &'static str,
    /// Whether what they looked for was found, if they looked for something.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
}

impl Summary {
    /// For people.
    fn text(&self, outputs: &Outputs) -> String {
        let Self { ended, seen, unseen, frontier, .. } = self;
        let Common { scenario, agents, ticks, time, expanded, .. } = &self.common;
        let part = 100.0 * *seen as f64 / (seen + unseen).max(1) as f64;
        let mut out = format!(
            "{scenario}: {agents} bodies {ended} after {ticks} steps ({time:.1} s) in continuous space\n"
        );
        let of = format!(
            "{} of {} cells ({part:.1} %), {} of them beside unseen ones",
            grouped(*seen as u64),
            grouped((seen + unseen) as u64),
            grouped(*frontier as u64)
        );
        out += &facts([("seen", of)]);
        out += &facts(self.common.first());
        out += &facts([("expanded", grouped(*expanded))]);
        out += &facts(self.common.last());
        out + &outputs.text()
    }
}
