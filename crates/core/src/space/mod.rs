//! Words for continuous space: points, convex shapes, and where a body is. Grids know nothing of them; the judge of
//! continuous worlds and whoever moves bodies meet here.

mod point;
mod shape;

pub use point::{Point, Pose};
pub use shape::{Convex, Shape, ShapeError};

/// No coordinate is farther from zero, so that squares neither overflow nor lose what a body's size is about.
pub const FARTHEST: f64 = 1e7;
