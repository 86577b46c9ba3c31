//! What a body covers during a step, about its place.

use throng_core::space::{Convex, Point, Shape};

/// Everything within `round` of the convex hull of some points.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Points whose hull it is.
    pub points: Vec<Point>,
    /// How far it goes beyond that hull.
    pub round: f64,
}

impl Solid {
    /// A body that keeps its heading.
    #[must_use]
    pub fn facing(shape: &Shape, heading: Point) -> Self {
        let points = shape.corners().iter().map(|corner| corner.turned(heading)).collect();
        Self { points, round: shape.round() }
    }

    /// All that a body covers that turns from one heading to another the short way. Nothing if that is more than a quarter
    /// of a circle.
    ///
    /// A corner that turns stays on an arc, which lies in the triangle of its ends and of where the tangents
    /// there meet: as far along the middle of both headings as is one over the cosine of half the angle. Whatever else is in
    /// the body lies between its corners, at every angle.
    #[must_use]
    pub fn turning(shape: &Shape, from: Point, to: Point) -> Option<Self> {
        if shape.is_disc() || from == to {
            return Some(Self::facing(shape, to));
        }
        let middle = from + to;
        if from.dot(to) < 0.0 {
            return None;
        }
        let tangents = middle * (2.0 / middle.dot(middle));
        let points =
            shape.corners().iter().flat_map(|c| [c.turned(from), c.turned(tangents), c.turned(to)]).collect();
        Some(Self { points, round: shape.round() })
    }

    /// A wall, in the coordinates of the world.
    #[must_use]
    pub fn wall(wall: &Convex) -> Self {
        Self { points: wall.corners().to_vec(), round: 0.0 }
    }

    /// The least and the most of a coordinate.
    pub(super) fn span(&self, of: impl Fn(Point) -> f64) -> (f64, f64) {
        let all = || self.points.iter().map(|&point| of(point));
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        (least - self.round, most + self.round)
    }
}
