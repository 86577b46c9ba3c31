//! From a world as it is written down to one that moves, and back.

use crate::doors::Doors;
use crate::{Body, Errand, NewBody, Scene, Space, SpaceError, World};
use throng_core::Tick;

/// No list of places that are left of an errand is longer.
const LONGEST: u32 = 1000;

/// What people are told about a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Title {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) seed: u64,
    pub(crate) ticks: Option<Tick>,
}

impl World {
    /// The world of a scene, once everything in it has been looked at.
    ///
    /// ```
    /// use throng_continuous::{NewBody, World, builtin};
    ///
    /// let mut scene = builtin("circle-swap", 0).unwrap();
    /// assert_eq!(World::of(scene.clone())?.scene(), scene);
    /// let twin = scene.bodies[0].clone();
    /// scene.bodies.push(twin);
    /// assert!(World::of(scene).unwrap_err().to_string().starts_with("bodies 0 and 24 overlap at the start"));
    /// # Ok::<(), throng_continuous::SpaceError>(())
    /// ```
    pub fn of(scene: Scene) -> Result<Self, SpaceError> {
        let Scene { name, about, seed, ticks, least, most, walls, doors, events, settings, bodies } = scene;
        let space = Space::new(least, most, walls)?;
        let doors = Doors::new(&space, doors, events)?;
        let mut world = Self::with_doors(space, doors, settings, bodies)?;
        world.title = Title { name, about, seed, ticks };
        Ok(world)
    }

    /// What is to be done from now on: everybody where it is, with what is left of its errand.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let Title { name, about, seed, ticks } = self.title.clone();
        let (least, most) = (self.space.least(), self.space.most());
        let walls = self.doors.all_open().unwrap_or(&self.space).walls().to_vec();
        let (doors, events) = (self.doors.now(), self.doors.in_store(self.steps));
        let bodies = self.bodies.iter().map(rest).collect();
        Scene { name, about, seed, ticks, least, most, walls, doors, events, settings: self.settings, bodies }
    }

    /// Its name; none if it was not made of a scene.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.title.name
    }

    /// The seed of what was drawn for it.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.title.seed
    }

    /// When to stop at the latest unless told otherwise, in steps.
    #[must_use]
    pub const fn limit(&self) -> Option<Tick> {
        self.title.ticks
    }
}

fn rest(body: &Body) -> NewBody {
    let (leg, legs) = (body.leg, body.errand.legs());
    let errand = match &body.errand {
        Errand::Hold => Errand::Hold,
        errand if leg == 0 => errand.clone(),
        &Errand::Patrol { goal, home, rounds } if leg.is_multiple_of(2) && leg < legs => {
            Errand::Patrol { goal, home, rounds: rounds - leg / 2 }
        }
        // Who has arrived goes to where it is.
        errand => {
            let last = legs.max(leg + 1).min(leg.saturating_add(LONGEST));
            Errand::Goals((leg..last).filter_map(|leg| errand.target(leg)).collect())
        }
    };
    let Body { shape, pose, preferred, turns, priority, team, .. } = body.clone();
    NewBody { shape, pose, speed: preferred, turns, errand, priority, team }
}
