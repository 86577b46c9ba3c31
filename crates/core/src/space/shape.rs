//! Convex shapes, checked when made.

use super::Point;

/// The outline of a convex body or wall: three corners or more, counter-clockwise with y upwards.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Point>", into = "Vec<Point>")
)]
pub struct Convex(Vec<Point>);

/// Why a shape is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ShapeError {
    #[error("radius {radius}: expected {} to {}", Shape::LEAST, Shape::MOST)]
    BadRadius { radius: f64 },
    #[error("{corners} corners, expected 3 to {}", Convex::MOST_CORNERS)]
    BadCount { corners: usize },
    #[error(
        "corner {corner} is not a point: expected two numbers no farther than {} from zero",
        super::FARTHEST
    )]
    NoPoint { corner: usize },
    #[error("corner {corner} does not bend the same way as the others: expected a convex outline")]
    NotConvex { corner: usize },
    #[error(
        "the rectangle goes from {least} back to {most}: expected least x and y first, then most x and y"
    )]
    Reversed { least: Point, most: Point },
    #[error("the outline encloses an area of {area}, expected at least {}", Convex::LEAST_AREA)]
    Flat { area: f64 },
    #[error("the point that the body turns about lies outside of it: expected (0, 0) inside the outline")]
    OffCentre,
    #[error(
        "corner {corner} is {far} from the point that the body turns about, expected at most {}",
        Shape::MOST
    )]
    TooLarge { corner: usize, far: f64 },
}

impl Convex {
    /// The most corners.
    pub const MOST_CORNERS: usize = 32;
    /// The least area, in square metres.
    pub const LEAST_AREA: f64 = 1e-6;

    /// Checks the corners; either sense of rotation will do.
    pub fn new(mut corners: Vec<Point>) -> Result<Self, ShapeError> {
        let count = corners.len();
        if !(3..=Self::MOST_CORNERS).contains(&count) {
            return Err(ShapeError::BadCount { corners: count });
        }
        if let Some(corner) = corners.iter().position(|point| !point.is_sound()) {
            return Err(ShapeError::NoPoint { corner });
        }
        // Taken from the first corner, so that an outline far from the origin is as exact as any other.
        let from = corners[0];
        let twice: f64 = corners.windows(2).map(|pair| (pair[0] - from).cross(pair[1] - from)).sum();
        let area = (twice / 2.0).abs();
        if area < Self::LEAST_AREA {
            return Err(ShapeError::Flat { area });
        }
        if twice < 0.0 {
            corners.reverse();
        }
        let bend = |i: usize| {
            let (a, b, c) = (corners[i], corners[(i + 1) % count], corners[(i + 2) % count]);
            (b - a).cross(c - b)
        };
        if let Some(corner) = (0..count).find(|&i| bend(i) <= 0.0) {
            return Err(ShapeError::NotConvex { corner: (corner + 1) % count });
        }
        // All bends to the left may still go round twice, as a star does: then some corner lies right of some edge.
        for i in 0..count {
            let (a, b) = (corners[i], corners[(i + 1) % count]);
            if let Some(corner) = (0..count).find(|&k| (b - a).cross(corners[k] - a) < 0.0) {
                return Err(ShapeError::NotConvex { corner });
            }
        }
        Ok(Self(corners))
    }

    /// A rectangle with its sides along the axes.
    pub fn rectangle(least: Point, most: Point) -> Result<Self, ShapeError> {
        if least.x > most.x || least.y > most.y {
            return Err(ShapeError::Reversed { least, most });
        }
        Self::new(vec![least, Point::new(most.x, least.y), most, Point::new(least.x, most.y)])
    }

    /// The corners, counter-clockwise.
    #[must_use]
    pub fn corners(&self) -> &[Point] {
        &self.0
    }

    /// Whether a point lies inside or on the outline.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        let corners = &self.0;
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).all(|(&a, &b)| (b - a).cross(point - a) >= 0.0)
    }
}

impl TryFrom<Vec<Point>> for Convex {
    type Error = ShapeError;
    fn try_from(corners: Vec<Point>) -> Result<Self, ShapeError> {
        Self::new(corners)
    }
}

impl From<Convex> for Vec<Point> {
    fn from(convex: Convex) -> Self {
        convex.0
    }
}

/// The shape of a body, about the point that it turns about. All corners of a polygon, or the one point in the middle of
/// a disc, with everything that is no farther than `round` from them, is what the body covers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Outline", into = "Outline")
)]
pub struct Shape {
    corners: Vec<Point>,
    round: f64,
    reach: f64,
}

impl Shape {
    /// The smallest radius.
    pub const LEAST: f64 = 1e-3;
    /// The largest radius, and how far a corner may be from the middle.
    pub const MOST: f64 = 1e4;

    /// A disc.
    pub fn disc(radius: f64) -> Result<Self, ShapeError> {
        if !(Self::LEAST..=Self::MOST).contains(&radius) {
            return Err(ShapeError::BadRadius { radius });
        }
        Ok(Self { corners: vec![Point::ZERO], round: radius, reach: radius })
    }

    /// A convex polygon about (0, 0), facing east.
    pub fn polygon(outline: Convex) -> Result<Self, ShapeError> {
        if !outline.holds(Point::ZERO) {
            return Err(ShapeError::OffCentre);
        }
        let corners = outline.0;
        if let Some(corner) = corners.iter().position(|point| point.length() > Self::MOST) {
            return Err(ShapeError::TooLarge { corner, far: corners[corner].length() });
        }
        let reach = corners.iter().map(|point| point.length()).fold(0.0, f64::max);
        Ok(Self { corners, round: 0.0, reach })
    }

    /// A rectangle about its middle, so long from back to front and so wide.
    pub fn rectangle(length: f64, width: f64) -> Result<Self, ShapeError> {
        let most = Point::new(length / 2.0, width / 2.0);
        Self::polygon(Convex::rectangle(-most, most)?)
    }

    /// The corners, counter-clockwise; of a disc its middle.
    #[must_use]
    #[inline]
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// How far it covers beyond its corners: the radius of a disc, nothing of a polygon.
    #[must_use]
    #[inline]
    pub const fn round(&self) -> f64 {
        self.round
    }

    /// The radius of the disc around it.
    #[must_use]
    #[inline]
    pub const fn reach(&self) -> f64 {
        self.reach
    }

    /// Whether it covers the same whichever way it faces.
    #[must_use]
    #[inline]
    pub const fn is_disc(&self) -> bool {
        self.corners.len() == 1
    }
}

/// How a shape travels.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
enum Outline {
    Disc(f64),
    Polygon(Convex),
}

#[cfg(feature = "serde")]
impl TryFrom<Outline> for Shape {
    type Error = ShapeError;
    fn try_from(outline: Outline) -> Result<Self, ShapeError> {
        match outline {
            Outline::Disc(radius) => Self::disc(radius),
            Outline::Polygon(outline) => Self::polygon(outline),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Shape> for Outline {
    fn from(shape: Shape) -> Self {
        if shape.is_disc() { Self::Disc(shape.round) } else { Self::Polygon(Convex(shape.corners)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<Point> {
        list.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn shapes_that_are_none_are_refused() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9, 1e9] {
            assert!(matches!(Shape::disc(radius), Err(ShapeError::BadRadius { .. })), "{radius}");
        }
        let of = |list: &[(f64, f64)]| Convex::new(points(list)).unwrap_err();
        assert_eq!(of(&[(0.0, 0.0), (1.0, 0.0)]), ShapeError::BadCount { corners: 2 });
        assert_eq!(of(&[(0.0, 0.0), (1.0, f64::NAN), (1.0, 1.0)]), ShapeError::NoPoint { corner: 1 });
        assert_eq!(of(&[(0.0, 0.0), (1.0, 0.0), (f64::INFINITY, 1.0)]), ShapeError::NoPoint { corner: 2 });
        assert!(matches!(of(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), ShapeError::Flat { .. }));
        let dent = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.5), (0.0, 2.0)];
        assert!(matches!(of(&dent), ShapeError::NotConvex { corner: 3 }));
        let twice = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.0), (0.0, 2.0)];
        assert!(matches!(of(&twice), ShapeError::NotConvex { .. }));
    }

    /// A pentagram bends to the left at every corner, as a pentagon does.
    #[test]
    fn a_star_is_not_convex() {
        let star = [(0.0, 1.0), (-0.59, -0.81), (0.95, 0.31), (-0.95, 0.31), (0.59, -0.81)];
        assert!(matches!(Convex::new(points(&star)), Err(ShapeError::NotConvex { .. })));
    }

    #[test]
    fn either_sense_of_rotation_will_do() {
        let square = points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        let turned: Vec<Point> = square.iter().rev().copied().collect();
        let (a, b) = (Convex::new(square).unwrap(), Convex::new(turned).unwrap());
        assert!(a.holds(Point::new(0.5, 0.5)) && b.holds(Point::new(0.5, 0.5)));
        assert!(!a.holds(Point::new(1.5, 0.5)) && !b.holds(Point::new(0.5, -0.1)));
        assert!(matches!(
            Shape::polygon(Convex::rectangle(Point::new(1.0, 1.0), Point::new(2.0, 2.0)).unwrap()),
            Err(ShapeError::OffCentre)
        ));
    }

    #[test]
    fn a_shape_knows_its_reach() {
        assert_eq!(Shape::disc(0.5).unwrap().reach(), 0.5);
        let car = Shape::rectangle(4.0, 3.0).unwrap();
        assert_eq!((car.reach(), car.round(), car.is_disc()), (2.5, 0.0, false));
    }
}
