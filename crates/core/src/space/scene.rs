//! A world in continuous space as it is written down: who is where, who wants what, and how they look ahead. Nobody has
//! looked yet whether all that is possible.

use super::{Convex, Door, DoorEvent, Point, Pose, Shape};
use crate::Tick;

/// What a body is to do.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Errand {
    /// Go to these places in order and rest at the last.
    Goals(Vec<Point>),
    /// Go to `goal` and back to where it was, `rounds` times; then stay.
    Patrol {
        /// The far end.
        goal: Point,
        /// The near end.
        home: Point,
        /// How often there and back.
        rounds: u32,
    },
    /// Stay, whoever wants to pass.
    Hold,
}

impl Errand {
    /// Number of legs.
    #[must_use]
    pub fn legs(&self) -> u32 {
        match self {
            Self::Goals(goals) => goals.len() as u32,
            Self::Patrol { rounds, .. } => rounds.saturating_mul(2),
            Self::Hold => 0,
        }
    }

    /// Where leg `leg` leads; legs past the last lead to the last. Nowhere for whoever holds its place.
    #[must_use]
    pub fn target(&self, leg: u32) -> Option<Point> {
        match self {
            Self::Goals(goals) => goals.get(leg as usize).or(goals.last()).copied(),
            Self::Patrol { goal, .. } if leg.is_multiple_of(2) && leg < self.legs() => Some(*goal),
            Self::Patrol { home, .. } => Some(*home),
            Self::Hold => None,
        }
    }
}

/// A body that is to come to a world.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBody {
    /// Its shape.
    pub shape: Shape,
    /// Where it is and which way it faces.
    pub pose: Pose,
    /// How fast it goes where nothing is in its way.
    pub speed: f64,
    /// Whether it turns to where it goes. Discs have no need to; a polygon that does not keeps its heading.
    pub turns: bool,
    /// What it is to do.
    pub errand: Errand,
    /// Who goes first, whatever the delays: the higher.
    pub priority: i32,
    /// Whose it is. Teams do not know each other's goals and ways, and pictures tell them apart.
    pub team: u16,
}

impl NewBody {
    /// A disc that goes to a place at a speed of 1.
    #[must_use]
    pub fn new(shape: Shape, at: Point, goal: Point) -> Self {
        let turns = !shape.is_disc();
        let errand = Errand::Goals(vec![goal]);
        Self { shape, pose: Pose::at(at), speed: 1.0, turns, errand, priority: 0, team: 0 }
    }
}

/// Where ways around walls come from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sampling {
    /// A waypoint graph: points of a lattice so far apart, each joined with up to eight around it.
    Lattice {
        /// From one point to the next.
        spacing: f64,
    },
    /// Points drawn at random, each joined with those nearest to it that it sees.
    Random {
        /// So many to a square of one by one.
        density: f64,
        /// Where the draws come from.
        seed: u64,
    },
}

impl Sampling {
    /// Random points to a square of one by one, unless told otherwise. Doors need no more: they have points of their own.
    pub const DENSITY: f64 = 1.0;

    /// Random points, as many as usual.
    #[must_use]
    pub const fn random(seed: u64) -> Self {
        Self::Random { density: Self::DENSITY, seed }
    }
}

/// How bodies look ahead and decide. Times are in seconds, lengths in metres, or whatever the world is measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The time of a step.
    pub step: f64,
    /// The forecasting index: how far ahead a body predicts where others will be.
    pub forecast: f64,
    /// Who would have to slow down below this part of its speed looks for another way.
    pub bound: f64,
    /// About so many others are looked at, the nearest ones: in a crowd a body looks less far.
    pub nearest: usize,
    /// Who is late by as many of these as another goes before it. Finer steps would have two that meet change places
    /// again and again.
    pub quantum: f64,
    /// How long a body that cannot go on waits before it looks for a way around those who stand in it.
    pub patience: f64,
    /// Where ways around walls come from.
    pub sampling: Sampling,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.1,
            forecast: 4.0,
            bound: 0.5,
            nearest: 10,
            quantum: 2.0,
            patience: 4.0,
            sampling: Sampling::Lattice { spacing: 1.0 },
        }
    }
}

/// What a scenario file or a built-in world in continuous space holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Shown in reports.
    pub name: String,
    /// One line for people.
    pub about: String,
    /// The seed of whatever was drawn for it.
    pub seed: u64,
    /// When to stop at the latest unless told otherwise, in steps.
    pub ticks: Option<Tick>,
    /// The corner with the least coordinates.
    pub least: Point,
    /// The corner opposite.
    pub most: Point,
    /// What stands in the way. Walls may overlap each other.
    pub walls: Vec<Convex>,
    /// Walls that close and open, by number.
    pub doors: Vec<Door>,
    /// When they do, the first first.
    pub events: Vec<DoorEvent>,
    /// How bodies look ahead.
    pub settings: Settings,
    /// Everybody, by number.
    pub bodies: Vec<NewBody>,
}

impl Scene {
    /// An empty rectangle from the origin.
    #[must_use]
    pub fn open(name: &str, width: f64, height: f64) -> Self {
        Self {
            name: name.to_owned(),
            about: String::new(),
            seed: 0,
            ticks: None,
            least: Point::ZERO,
            most: Point::new(width, height),
            walls: Vec::new(),
            doors: Vec::new(),
            events: Vec::new(),
            settings: Settings::default(),
            bodies: Vec::new(),
        }
    }

    /// The border as walls around the space, for whoever judges what happens in it.
    #[must_use]
    pub fn border(&self) -> Vec<Convex> {
        border(self.least, self.most)
    }
}

/// Walls around a rectangle.
#[must_use]
pub fn border(least: Point, most: Point) -> Vec<Convex> {
    let thick = Point::new(1.0, 1.0);
    let outer = (least - thick, most + thick);
    let sides = [
        (outer.0, Point::new(least.x, outer.1.y)),
        (Point::new(most.x, outer.0.y), outer.1),
        (outer.0, Point::new(outer.1.x, least.y)),
        (Point::new(outer.0.x, most.y), outer.1),
    ];
    sides.into_iter().filter_map(|(least, most)| Convex::rectangle(least, most).ok()).collect()
}
