//! A run of explorers in continuous space.

use super::common::{Explored, Fates};
use super::left::Left;
use super::outputs::Outputs;
use super::watch::Watch;
use super::{Args, TICKS};
use crate::answer::Answer;
use crate::error::CliError;
use crate::progress::Progress;
use std::time::Instant;
use throng::continuous::{Coverage, Ending, Expedition, Scene};
use throng::core::{Budget, Unobserved};

/// Lets explorers run until they have seen enough, while recorder and judge watch, and reports. The judge knows all walls.
pub(super) fn run(
    args: &Args,
    outputs: &Outputs,
    scene: Scene,
    mut expedition: Expedition,
    budget: &dyn Budget,
) -> Result<Answer, CliError> {
    let until = args.ticks.or(scene.ticks).unwrap_or(TICKS);
    let mut watch = Watch::new(scene, expedition.world(), outputs);
    let mut progress = Progress::new(until);
    while expedition.ending().is_none() && expedition.world().steps() < until {
        let begin = Instant::now();
        expedition.step(budget, &mut Unobserved);
        watch.step(expedition.world(), begin.elapsed());
        progress.at(expedition.world().steps(), || format!("{} cells seen", expedition.coverage().seen));
    }
    drop(progress);

    let world = expedition.world();
    let Coverage { seen, unseen, frontier } = expedition.coverage();
    let done = expedition.ending().is_some();
    let found = expedition.seeks().then_some(expedition.ending() == Some(Ending::Found));
    let explored = Explored { seen, unseen, frontier, ended: ended(&expedition), found };
    let fates = Fates {
        // They are done together, or not at all.
        arrivals: vec![done.then_some(world.steps()); world.bodies().len()],
        left_behind: if done { Vec::new() } else { Left::explorers(world, frontier) },
        explored: Some(explored),
    };
    watch.end(args, outputs, world, (fates, done && found != Some(false)))
}

/// What has become of explorers, in words that follow their number.
pub(in crate::commands) fn ended(expedition: &Expedition) -> &'static str {
    match expedition.ending() {
        Some(Ending::Found) => "found what they looked for",
        Some(Ending::Explored) if expedition.seeks() => "have not found what they looked for",
        Some(Ending::Explored) => "have seen all that they can reach",
        None => "were still looking",
    }
}
