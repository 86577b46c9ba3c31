//! Judges what happened in continuous space, from the first step to the last.

use super::{SpaceJudge, SpaceReport, SpaceViolation};
use throng_core::space::{Pose, Scene, SpaceTrace};
use throng_core::{AgentId, Tick};

/// Closer than this to a place is there.
const THERE: f64 = 1e-6;

/// What the judge says about a whole trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceVerdict {
    /// What is wrong, if anything is.
    pub report: SpaceReport,
    /// How many bodies rest at the last place of their errands in the end.
    pub finished: usize,
    /// The first step after which nobody moves any more.
    pub still: Tick,
}

/// Judges a trace of a scene: everybody begins where the scene has it, nobody touches anybody or a wall, and nobody goes
/// faster than it can. Doors close and open as the scene has it in store, and no otherwise.
#[must_use]
pub fn check_space_trace(scene: &Scene, trace: &SpaceTrace) -> SpaceVerdict {
    let mut judge = SpaceJudge::of(scene, trace.starts.clone());
    let (found, expected) = (trace.starts.len(), scene.bodies.len());
    if found != expected {
        judge.object(SpaceViolation::WrongCount { step: 0, found, expected });
    }
    for (id, (body, start)) in scene.bodies.iter().zip(&trace.starts).enumerate() {
        let (agent, expected) = (AgentId(id as u32), body.pose);
        match *start {
            None => judge.object(SpaceViolation::NoStart { agent, expected: expected.at }),
            Some(start) if start.at != expected.at => {
                judge.object(SpaceViolation::WrongStart { agent, found: start.at, expected: expected.at });
            }
            Some(start) if start.heading != expected.heading && !body.shape.is_disc() => {
                let (found, expected) = (start.heading, expected.heading);
                judge.object(SpaceViolation::WrongHeading { agent, found, expected });
            }
            Some(_) => {}
        }
    }
    let mut poses: Vec<Option<Pose>> = trace.starts.clone();
    let mut still = 0;
    for tick in 0..trace.ticks() {
        for change in trace.changes_at(tick) {
            judge.change(change.door, change.open);
        }
        for &(agent, to) in trace.at(tick) {
            if let Some(pose) = poses.get_mut(agent.index()) {
                *pose = Some(to);
            }
            still = tick + 1;
        }
        judge.step(scene.settings.step, &poses);
    }
    let at_rest = scene.bodies.iter().zip(&poses).filter(|(body, pose)| {
        let Some(pose) = pose else { return false };
        let last = body.errand.target(body.errand.legs());
        last.is_none_or(|last| (last - pose.at).length() < THERE)
    });
    SpaceVerdict { finished: at_rest.count(), still, report: judge.report().clone() }
}
