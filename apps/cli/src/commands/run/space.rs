//! A run in continuous space.

use super::common::Fates;
use super::left::Left;
use super::outputs::Outputs;
use super::watch::Watch;
use super::{Args, TICKS};
use crate::answer::Answer;
use crate::error::CliError;
use crate::progress::Progress;
use std::time::Instant;
use throng::continuous::{Body, Event, World};
use throng::core::{Budget, Tick, Unobserved};

/// Lets a world run while recorder and judge watch, and reports.
pub(super) fn run(
    args: &Args,
    outputs: &Outputs,
    mut world: World,
    budget: &dyn Budget,
) -> Result<Answer, CliError> {
    let (from, until) = (world.steps(), args.ticks.or(world.limit()).unwrap_or(TICKS));
    if let Some(path) = args.resume.clone().filter(|_| until < from && !world.is_done()) {
        return Err(CliError::Past { path, at: from, until });
    }
    let mut watch = Watch::new(world.scene(), &world, outputs);
    let arrived = |body: &Body| body.has_arrived().then_some(from);
    let mut arrivals: Vec<Option<Tick>> = world.bodies().iter().map(arrived).collect();
    let mut progress = Progress::new(until);
    outputs.save_at(from, || world.save())?;
    while !world.is_done() && !world.is_stuck() && world.steps() < until {
        let begin = Instant::now();
        world.step(budget, &mut Unobserved);
        watch.step(&world, begin.elapsed());
        for event in world.events() {
            if let Event::Finished { agent } = event {
                arrivals[agent.index()] = Some(world.steps());
            }
        }
        progress.at(world.steps(), || format!("{} arrived", world.arrived()));
        outputs.save_at(world.steps(), || world.save())?;
    }
    drop(progress);
    outputs.check_saved(from, world.steps())?;
    let fates = Fates { arrivals, left_behind: Left::all(&world), explored: None };
    watch.end(args, outputs, &world, (fates, world.is_done()))
}
