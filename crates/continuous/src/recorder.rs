//! Writes down what happens in a world.

use crate::World;
use throng_core::AgentId;
use throng_core::space::{DoorChange, Point, Pose, SpaceTrace};

/// Notes where everybody is after every step.
///
/// ```
/// use throng_continuous::{Recorder, World, builtin};
/// use throng_core::{Unlimited, Unobserved};
///
/// let mut world = World::of(builtin("circle-swap", 0).unwrap())?;
/// let mut recorder = Recorder::new(&world);
/// world.step(&Unlimited, &mut Unobserved);
/// recorder.step(&world);
/// assert_eq!((recorder.trace().ticks(), recorder.trace().at(0).len()), (1, 24));
/// # Ok::<(), throng_continuous::SpaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    trace: SpaceTrace,
    last: Vec<Option<Pose>>,
}

impl Recorder {
    /// Begins with the world as it is.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let starts = poses(world);
        Self { trace: SpaceTrace::new(starts.clone()), last: starts }
    }

    /// A step is over. Bodies neither come nor go while they are watched.
    pub fn step(&mut self, world: &World) {
        let tick = self.trace.ticks();
        self.trace.changes.extend(world.changes().map(|change| DoorChange { tick, ..change }));
        let now = poses(world);
        for (id, (before, after)) in self.last.iter().zip(&now).enumerate() {
            if let Some(after) = after.filter(|_| before != after) {
                self.trace.push(AgentId(id as u32), after);
            }
        }
        self.trace.end_tick();
        self.last = now;
    }

    /// What was noted.
    #[must_use]
    pub const fn trace(&self) -> &SpaceTrace {
        &self.trace
    }

    /// The same, for good.
    #[must_use]
    pub fn into_trace(self) -> SpaceTrace {
        self.trace
    }
}

/// Where everybody is; a disc covers the same whichever way it faces, so that its heading is not noted.
fn poses(world: &World) -> Vec<Option<Pose>> {
    let pose = |(pose, disc): (Option<Pose>, bool)| {
        pose.map(|pose| if disc { Pose { heading: Point::EAST, ..pose } } else { pose })
    };
    let discs = world.bodies().iter().map(|body| body.shape().is_disc());
    world.poses().into_iter().zip(discs).map(pose).collect()
}
