//! What a body covers at one heading, or while it turns.

use throng_core::space::{Point, Shape};

/// Everything within `round` of the convex hull of its corners, which go counter-clockwise about its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solid {
    pub(crate) corners: Vec<Point>,
    pub(crate) round: f64,
    /// The radius of the disc around it.
    pub(crate) reach: f64,
}

impl Solid {
    /// A disc.
    pub(crate) fn disc(radius: f64) -> Self {
        Self { corners: vec![Point::ZERO], round: radius, reach: radius }
    }

    /// A straight line, seen from where it begins.
    pub(crate) fn segment(from: Point, to: Point) -> Self {
        let way = to - from;
        let corners = if way == Point::ZERO { vec![way] } else { vec![Point::ZERO, way] };
        Self { corners, round: 0.0, reach: way.length() }
    }

    /// A body that faces this way.
    pub(crate) fn facing(shape: &Shape, heading: Point) -> Self {
        let corners = match shape.is_disc() {
            true => vec![Point::ZERO],
            false => shape.corners().iter().map(|corner| corner.turned(heading)).collect(),
        };
        Self { corners, round: shape.round(), reach: shape.reach() }
    }

    /// All that a polygon covers that turns from one heading to another by less than a quarter of a circle. Every corner
    /// stays on an arc, inside the triangle of the arc's ends and of where its tangents there meet.
    pub(crate) fn turning(shape: &Shape, from: Point, to: Point) -> Self {
        let middle = from + to;
        let tangents = middle * (2.0 / middle.dot(middle));
        let mut points: Vec<Point> =
            shape.corners().iter().flat_map(|c| [c.turned(from), c.turned(tangents), c.turned(to)]).collect();
        let corners = hull(&mut points);
        let reach = corners.iter().map(|corner| corner.length()).fold(0.0, f64::max);
        Self { corners, round: shape.round(), reach }
    }

    pub(crate) fn is_disc(&self) -> bool {
        self.corners.len() == 1
    }

    /// The least and most of both coordinates, about its place.
    pub(crate) fn extent(&self) -> (Point, Point) {
        let fold = |pick: fn(f64, f64) -> f64, start: f64| {
            let point = |a: Point, b: &Point| Point::new(pick(a.x, b.x), pick(a.y, b.y));
            self.corners.iter().fold(Point::new(start, start), point)
        };
        let round = Point::new(self.round, self.round);
        (fold(f64::min, f64::INFINITY) - round, fold(f64::max, f64::NEG_INFINITY) + round)
    }

    /// Whether the rectangle around it, and `room` more, holds a point.
    pub(crate) fn is_within(&self, at: Point, room: f64) -> bool {
        let (least, most) = self.extent();
        at.x >= least.x - room && at.y >= least.y - room && at.x <= most.x + room && at.y <= most.y + room
    }

    /// The corner that lies farthest along a direction.
    pub(crate) fn farthest(&self, along: Point) -> Point {
        let mut best = self.corners[0];
        for &corner in &self.corners[1..] {
            if corner.dot(along) > best.dot(along) {
                best = corner;
            }
        }
        best
    }

    /// The place of its outline that is nearest to a point.
    pub(crate) fn nearest(&self, to: Point) -> Point {
        let on = |(p, q): (Point, Point)| {
            let side = q - p;
            let part = ((to - p).dot(side) / side.dot(side).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            p + side * part
        };
        let square = |at: &Point| (to - *at).dot(to - *at);
        self.edges().map(on).min_by(|a, b| square(a).total_cmp(&square(b))).unwrap_or(to)
    }

    /// Corner to corner, counter-clockwise; nothing of a disc.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Point, Point)> {
        let n = self.corners.len();
        (0..if n > 1 { n } else { 0 }).map(move |i| (self.corners[i], self.corners[(i + 1) % n]))
    }
}

/// The corners of the convex hull, counter-clockwise.
fn hull(points: &mut [Point]) -> Vec<Point> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut chain: Vec<Point> = Vec::with_capacity(points.len());
    let add = |chain: &mut Vec<Point>, floor: usize, point: Point| {
        while chain.len() > floor
            && (chain[chain.len() - 1] - chain[chain.len() - 2]).cross(point - chain[chain.len() - 1]) <= 0.0
        {
            chain.pop();
        }
        chain.push(point);
    };
    points.iter().for_each(|&point| add(&mut chain, 1, point));
    let floor = chain.len();
    points.iter().rev().skip(1).for_each(|&point| add(&mut chain, floor, point));
    chain.pop();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_covers_both_ends_and_more() {
        let car = Shape::rectangle(4.0, 2.0).unwrap();
        let (from, to) = (Point::EAST, Point::new(0.8, 0.6));
        let turn = Solid::turning(&car, from, to);
        let inside = |point: Point| turn.edges().all(|(a, b)| (b - a).cross(point - a) >= -1e-12);
        for heading in [from, to] {
            assert!(Solid::facing(&car, heading).corners.iter().all(|&corner| inside(corner)));
        }
        assert!(turn.reach > car.reach() && turn.reach < car.reach() * 1.1);
        assert_eq!(Solid::facing(&car, from).extent(), (Point::new(-2.0, -1.0), Point::new(2.0, 1.0)));
    }
}
