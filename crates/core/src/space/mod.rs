//! Words for continuous space: points, convex shapes, and where a body is. Grids know nothing of them; the judge of
//! continuous worlds, their files and whoever moves bodies meet here.

mod door;
mod point;
mod scene;
mod shape;
mod trace;

pub use door::{Door, DoorChange, DoorEvent};
pub use point::{Point, Pose};
pub use scene::{Errand, NewBody, Sampling, Scene, Settings, border};
pub use shape::{Convex, Shape, ShapeError};
pub use trace::SpaceTrace;

/// No coordinate is farther from zero, so that squares neither overflow nor lose what a body's size is about.
pub const FARTHEST: f64 = 1e7;
