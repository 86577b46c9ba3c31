//! Many bodies in continuous space: discs and convex polygons that slow down, go round and never touch.
//!
//! The algorithm is that of Astengo-Noguez and Calzada Gómez, *Collective Pathfinding in Dynamic Environments*, for
//! continuous domains. Every body looks ahead as far as its forecast goes. Others are predicted by where they are,
//! how they move and how large they are, and by nothing else. Who would meet somebody arrives later at the meeting
//! point; who would have to become too slow for that looks for another way; the most delayed go first. Nobody
//! changes anything while all decide, so that they can decide at the same time. Then moves are committed, one after the other,
//! and who would touch somebody on its exact way stops.
//!
//! ```
//! use throng_continuous::{NewBody, Settings, Space, World};
//! use throng_core::space::{Point, Shape};
//! use throng_core::{Unlimited, Unobserved};
//!
//! // Two discs that want to change places.
//! let disc = Shape::disc(0.5)?;
//! let (west, east) = (Point::new(2.0, 5.0), Point::new(18.0, 5.0));
//! let bodies = vec![NewBody::new(disc.clone(), west, east), NewBody::new(disc, east, west)];
//! let mut world = World::new(Space::open(20.0, 10.0)?, Settings::default(), bodies)?;
//! while !world.is_done() && world.time() < 60.0 {
//!     world.step(&Unlimited, &mut Unobserved);
//! }
//! assert!(world.is_done());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod builtin;
mod calm;
mod cells;
mod counts;
mod crowd;
mod doors;
mod error;
mod event;
mod expedition;
mod geometry;
mod knot;
mod planning;
mod recorder;
mod roadmap;
mod scene;
mod settings;
#[cfg(feature = "serde")]
mod snapshot;
mod space;
mod squares;
mod step;
mod turns;
mod world;

pub use body::{Body, Doing};
pub use builtin::{BUILTINS, builtin};
pub use cells::walls;
pub use counts::{Counts, Work};
pub use error::SpaceError;
pub use event::Event;
pub use expedition::{Coverage, Ending, Expedition, ExpeditionError};
pub use recorder::Recorder;
#[cfg(feature = "serde")]
pub use snapshot::MAGIC;
pub use space::Space;
pub use throng_core::space::{Door, DoorChange, DoorEvent, Errand, NewBody, Sampling, Scene, Settings};
pub use world::World;

/// Bodies keep at least this far from each other and from walls, so that rounding never makes them touch.
pub const MARGIN: f64 = 1e-6;
/// The least speed.
pub const SLOWEST: f64 = 1e-6;
/// The highest speed.
pub const FASTEST: f64 = 1e4;
/// The most bodies of a world.
pub const MOST_BODIES: usize = 1 << 22;
