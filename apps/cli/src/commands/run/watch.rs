//! Who watches a run in continuous space: judge, recorder and clock.

use super::Args;
use super::common::{Fates, Summary};
use super::outputs::Outputs;
use crate::answer::{Answer, NOT_SOLVED};
use crate::error::CliError;
use crate::simulate::Times;
use std::io::Write as _;
use std::time::Duration;
use throng::check::space::SpaceJudge;
use throng::continuous::{Counts, Recorder, Scene, World};
use throng::formats::space::trace::SpaceTraceFile;

/// What is seen of a run as it goes on.
pub(super) struct Watch {
    /// What the judge holds everybody against.
    scene: Scene,
    judge: SpaceJudge,
    recorder: Option<Recorder>,
    times: Times,
    /// What had been counted before, and what at the last step.
    before: Counts,
    last: Counts,
    /// The most expansions in one step.
    largest_work: u64,
}

impl Watch {
    pub(super) fn new(scene: Scene, world: &World, outputs: &Outputs) -> Self {
        let judge = SpaceJudge::of(&scene, world.poses());
        let watched = outputs.trace.is_some() || outputs.gif.is_some();
        let recorder = watched.then(|| Recorder::new(world));
        let before = *world.counts();
        Self { scene, judge, recorder, times: Times::default(), before, last: before, largest_work: 0 }
    }

    /// A step has led the world here, and took so long.
    pub(super) fn step(&mut self, world: &World, took: Duration) {
        self.times.add(took);
        self.largest_work = self.largest_work.max(world.counts().expanded - self.last.expanded);
        self.last = *world.counts();
        world.changes().for_each(|change| self.judge.change(change.door, change.open));
        self.judge.step(world.settings().step, &world.poses());
        self.recorder.iter_mut().for_each(|recorder| recorder.step(world));
    }

    /// It is over: writes what is wanted, and tells.
    pub(super) fn end(
        self,
        args: &Args,
        outputs: &Outputs,
        world: &World,
        (fates, solved): (Fates, bool),
    ) -> Result<Answer, CliError> {
        let Self { scene, judge, recorder, times, before, largest_work, .. } = self;
        let report = judge.report();
        let work = (times.told(), largest_work);
        let summary = Summary::of((&scene, world), &before, report, work, fates);
        if let Some(recorder) = recorder {
            let file = SpaceTraceFile { scene, state_hash: world.hash(), trace: recorder.into_trace() };
            outputs.write_space(&file, &summary.scenario)?;
        }
        if !report.is_valid() {
            let _ = writeln!(std::io::stderr(), "the judge objects:\n{report}");
        }
        let answer = if args.json { Answer::json(&summary) } else { Answer::done(summary.text(outputs)) };
        Ok(answer.or(solved && report.is_valid(), NOT_SOLVED))
    }
}
