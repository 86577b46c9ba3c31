//! A run in continuous space.

use super::common::{Common, steps_of_a_body};
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
use throng::check::space::{SpaceJudge, SpaceReport};
use throng::continuous::{Body, Counts, Doing, Event, Recorder, World};
use throng::core::{Tick, Unobserved};
use throng::formats::space::trace::SpaceTraceFile;

/// So many bodies that have not arrived are told of to people, one by one.
const MOST: usize = 5;

/// Lets a world run while recorder and judge watch, and reports.
pub(super) fn run(args: &Args, outputs: &Outputs, mut world: World) -> Result<Answer, CliError> {
    let (from, until) = (world.steps(), args.ticks.or(world.limit()).unwrap_or(TICKS));
    if let Some(path) = args.resume.clone().filter(|_| until < from && !world.is_done()) {
        return Err(CliError::Past { path, at: from, until });
    }
    let (scene, before, budget) = (world.scene(), *world.counts(), args.budget());
    let mut judge = SpaceJudge::of(&scene, world.poses());
    let watched = outputs.trace.is_some() || outputs.gif.is_some();
    let mut recorder = watched.then(|| Recorder::new(&world));
    let (mut times, mut largest_work) = (Vec::new(), 0);
    let arrived = |body: &Body| body.has_arrived().then_some(from);
    let mut arrivals: Vec<Option<Tick>> = world.bodies().iter().map(arrived).collect();
    let mut progress = Progress::new(until);
    outputs.save_at(from, || world.save())?;
    while !world.is_done() && !world.is_stuck() && world.steps() < until {
        let (begin, spent) = (Instant::now(), world.counts().expanded);
        world.step(&*budget, &mut Unobserved);
        times.push(begin.elapsed());
        for event in world.events() {
            if let Event::Finished { agent } = event {
                arrivals[agent.index()] = Some(world.steps());
            }
        }
        largest_work = largest_work.max(world.counts().expanded - spent);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(world.settings().step, &world.poses());
        recorder.iter_mut().for_each(|recorder| recorder.step(&world));
        progress.at(world.steps(), || format!("{} arrived", world.arrived()));
        outputs.save_at(world.steps(), || world.save())?;
    }
    drop(progress);
    outputs.check_saved(from, world.steps())?;

    let report = judge.report();
    let summary = Summary::of(&world, &before, report, TickTimes::of(times), (largest_work, arrivals));
    if let Some(recorder) = recorder {
        let file = SpaceTraceFile { scene, state_hash: world.hash(), trace: recorder.into_trace() };
        outputs.write_space(&file, &summary.common.scenario)?;
    }
    if !report.is_valid() {
        let _ = writeln!(std::io::stderr(), "the judge objects:\n{report}");
    }
    let answer = if args.json { Answer::json(&summary) } else { Answer::done(summary.text(outputs)) };
    Ok(answer.or(world.is_done() && report.is_valid(), NOT_SOLVED))
}

/// What a run comes to: what runs on grids tell, and what there is only here.
#[derive(Serialize)]
struct Summary {
    #[serde(flatten)]
    common: Common,
    largest_work: u64,
    /// Steps in which a body went slower than it likes, and those in which it made way.
    slowed: u64,
    made_way: u64,
    promoted: u64,
    detours: u64,
    searches: u64,
    /// By body: after which step it had done its errand, if it has.
    arrivals: Vec<Option<Tick>>,
    left_behind: Vec<Left>,
}

/// Who has not arrived, and what keeps it.
#[derive(Serialize)]
struct Left {
    agent: u32,
    x: f64,
    y: f64,
    doing: &'static str,
    by: Option<u32>,
}

impl Left {
    fn of(id: usize, body: &Body) -> Self {
        let at = body.pose().at;
        let by = body.cause().map(|by| by.0);
        Self { agent: id as u32, x: at.x, y: at.y, doing: words(body.doing()), by }
    }

    fn text(&self) -> String {
        let Self { agent, x, y, doing, by } = self;
        let by = match by {
            Some(by) => format!(", on account of {by}"),
            None if *doing == words(Doing::Stops) => ", on account of a wall".to_owned(),
            None => String::new(),
        };
        format!("body {agent} at ({x:.1}, {y:.1}) {doing}{by}")
    }
}

const fn words(doing: Doing) -> &'static str {
    match doing {
        Doing::Rests => "rests",
        Doing::Goes => "goes on",
        Doing::Slows => "slows down",
        Doing::Stops => "stops",
        Doing::Detours => "goes round somebody",
        Doing::MakesWay => "makes way",
        Doing::Awaits => "waits for its way to be planned",
        Doing::Lost => {
            "has no way to its goal that is a tenth wider than its disc, or than the disc around it if it is a polygon that turns"
        }
        Doing::Gone => "has left",
    }
}

impl Summary {
    fn of(
        world: &World,
        before: &Counts,
        report: &SpaceReport,
        tick_us: TickTimes,
        (largest_work, arrivals): (u64, Vec<Option<Tick>>),
    ) -> Self {
        let counts = world.counts();
        let bodies = world.bodies().iter().enumerate();
        let left = bodies.filter(|(_, body)| !body.has_arrived() && !body.is_gone());
        Self {
            common: Common::of((world.name(), world.seed()), world, before, report, tick_us),
            largest_work,
            slowed: counts.slowed - before.slowed,
            made_way: counts.made_way - before.made_way,
            promoted: counts.promoted - before.promoted,
            detours: counts.detours - before.detours,
            searches: counts.searches - before.searches,
            arrivals,
            left_behind: left.map(|(id, body)| Left::of(id, body)).collect(),
        }
    }

    /// For people.
    fn text(&self, outputs: &Outputs) -> String {
        let Common { scenario, agents, ticks, time, arrived, expanded, .. } = &self.common;
        let mut out = format!(
            "{scenario}: {arrived} of {agents} bodies arrived after {ticks} steps ({time:.1} s) in continuous space\n"
        );
        out += &facts(self.common.first());
        out += &facts([
            ("slowed", steps_of_a_body(self.slowed)),
            ("made way", steps_of_a_body(self.made_way)),
            ("promoted", grouped(self.promoted)),
            ("detours", grouped(self.detours)),
            ("ways found", grouped(self.searches)),
            ("expanded", format!("{}, at most {} in a step", grouped(*expanded), grouped(self.largest_work))),
        ]);
        out += &facts(self.common.last());
        out += &facts(self.left_behind.iter().take(MOST).map(|left| ("left behind", left.text())));
        let more = self.left_behind.len().saturating_sub(MOST);
        out += &facts((more > 0).then(|| ("", format!("… and {more} more"))));
        out + &outputs.text()
    }
}
