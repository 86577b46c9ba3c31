//! When two bodies on straight ways meet, and when they part again.

use super::Solid;
use throng_core::space::Point;

/// While two bodies are closer than they should be: from `begin` until `end`, in the time in which they go their ways
/// once. Both may be before the beginning or after the end of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

/// When `a` is closer to `b` than `room` (which is above 0), where `place` and `way` are those of `a` as seen from `b`; nothing if never.
///
/// They are so close where the place of `a` is in the Minkowski sum of `b`, of `a` turned inside out and of a disc of that
/// radius. Of two discs that is a disc. Of a disc and a polygon its border lies within the radius of the polygon's
/// edges. Of two polygons it is what all their edges have on their inner sides, moved out by the room.
pub(crate) fn meeting(a: &Solid, b: &Solid, place: Point, way: Point, room: f64) -> Option<Meeting> {
    let radius = a.round + b.round + room;
    match (a.is_disc(), b.is_disc()) {
        (true, true) => around(place, way, radius),
        (true, false) => hulled(b.edges().filter_map(|edge| along(place, way, edge, radius))),
        (false, true) => hulled(a.edges().filter_map(|(p, q)| along(place, way, (-p, -q), radius))),
        (false, false) => inside(a, b, place, way, radius),
    }
}

/// From the first beginning to the last end.
fn hulled(all: impl Iterator<Item = Meeting>) -> Option<Meeting> {
    all.reduce(|one, other| Meeting { begin: one.begin.min(other.begin), end: one.end.max(other.end) })
}

/// While the sum of two polygons holds a point: while no edge has it on its outer side.
fn inside(a: &Solid, b: &Solid, place: Point, way: Point, room: f64) -> Option<Meeting> {
    let mut while_in = Meeting { begin: f64::NEG_INFINITY, end: f64::INFINITY };
    let edges = b.edges().map(|edge| (edge, false)).chain(a.edges().map(|edge| (edge, true)));
    for ((p, q), mine) in edges {
        // Outwards is to the right of an edge that goes counter-clockwise; mine are turned inside out.
        let right = Point::new(q.y - p.y, p.x - q.x).unit()?;
        let (outwards, far) = match mine {
            false => (right, p.dot(right) - a.farthest(-right).dot(right)),
            true => (-right, p.dot(right) + b.farthest(-right).dot(-right)),
        };
        let (from, by) = (place.dot(outwards) - far - room, way.dot(outwards));
        if by > 0.0 {
            while_in.end = while_in.end.min(-from / by);
        } else if by < 0.0 {
            while_in.begin = while_in.begin.max(-from / by);
        } else if from >= 0.0 {
            return None;
        }
    }
    (while_in.begin < while_in.end).then_some(while_in)
}

/// Whether two bodies come closer than `room` within their ways. Who is as close already may go if that leads apart.
pub(crate) fn touches(a: &Solid, b: &Solid, place: Point, way: Point, room: f64) -> bool {
    match meeting(a, b, place, way, room) {
        Some(Meeting { begin, end }) => begin <= 1.0 && end >= 0.0 && begin + end > 0.0,
        None => false,
    }
}

/// Whether a body comes closer to a wall than `room` on its way. What is as close already may go if that leads no nearer: a disc around
/// a polygon that turns may reach into walls at the start.
pub(crate) fn touches_wall(a: &Solid, wall: &Solid, place: Point, way: Point, room: f64) -> bool {
    match meeting(a, wall, place, way, room) {
        Some(Meeting { begin, end }) if a.is_disc() && begin < 0.0 && end > 0.0 => {
            way.dot(place - wall.nearest(place)) < 0.0
        }
        Some(Meeting { begin, end }) => begin <= 1.0 && end >= 0.0 && begin + end > 0.0,
        None => false,
    }
}

/// Whether two bodies are closer than `room` at any time on their ways, wherever they come from.
pub(crate) fn sweeps(a: &Solid, b: &Solid, place: Point, way: Point, room: f64) -> bool {
    if way == Point::ZERO {
        return overlap(a, b, place, room);
    }
    meeting(a, b, place, way, room).is_some_and(|Meeting { begin, end }| begin <= 1.0 && end >= 0.0)
}

/// Whether two bodies that stand are closer than `room`.
pub(crate) fn overlap(a: &Solid, b: &Solid, place: Point, room: f64) -> bool {
    // Whichever way one of them went, now would be while they meet.
    meeting(a, b, place, Point::EAST, room).is_some_and(|Meeting { begin, end }| begin < 0.0 && end > 0.0)
}

/// While a point is within `radius` of the origin.
fn around(place: Point, way: Point, radius: f64) -> Option<Meeting> {
    let (square, towards) = (way.dot(way), place.dot(way));
    let beyond = place.dot(place) - radius * radius;
    if square <= 0.0 {
        return (beyond < 0.0).then_some(Meeting { begin: f64::NEG_INFINITY, end: f64::INFINITY });
    }
    let root = towards * towards - square * beyond;
    if root <= 0.0 {
        return None;
    }
    let root = root.sqrt();
    Some(Meeting { begin: (-towards - root) / square, end: (-towards + root) / square })
}

/// While a point is within `radius` of an edge: of its ends, or beside it.
fn along(place: Point, way: Point, (p, q): (Point, Point), radius: f64) -> Option<Meeting> {
    let beside = (q - p).unit().and_then(|edge| {
        let (from, length) = (place - p, (q - p).length());
        let one = within(edge.cross(from), edge.cross(way), -radius, radius)?;
        let other = within(edge.dot(from), edge.dot(way), 0.0, length)?;
        let (begin, end) = (one.begin.max(other.begin), one.end.min(other.end));
        (begin < end).then_some(Meeting { begin, end })
    });
    hulled([around(place - p, way, radius), around(place - q, way, radius), beside].into_iter().flatten())
}

/// While a number that begins at `from` and grows by `by` is between two others.
fn within(from: f64, by: f64, least: f64, most: f64) -> Option<Meeting> {
    if by == 0.0 {
        let always = Meeting { begin: f64::NEG_INFINITY, end: f64::INFINITY };
        return (least < from && from < most).then_some(always);
    }
    let (one, other) = ((least - from) / by, (most - from) / by);
    Some(Meeting { begin: one.min(other), end: one.max(other) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::space::Shape;

    fn square(side: f64) -> Solid {
        Solid::facing(&Shape::rectangle(side, side).unwrap(), Point::EAST)
    }

    #[test]
    fn who_comes_from_the_left_meets_and_parts() {
        let (a, b) = (square(1.0), square(3.0));
        let found = meeting(&a, &b, Point::new(-10.0, 0.3), Point::new(10.0, 0.0), 1e-9).unwrap();
        assert!((found.begin - 0.8).abs() < 1e-8 && (found.end - 1.2).abs() < 1e-8, "{found:?}");
        assert_eq!(meeting(&a, &b, Point::new(-10.0, 2.1), Point::new(10.0, 0.0), 1e-9), None);
        let near = meeting(&a, &b, Point::new(-10.0, 2.1), Point::new(10.0, 0.0), 0.2);
        assert!(near.is_some(), "a tenth of the room is left");
    }

    #[test]
    fn who_is_too_close_may_go_apart_only() {
        let disc = Solid::disc(0.5);
        let close = Point::new(1.0, 0.0);
        assert!(touches(&disc, &disc, close, Point::new(-0.1, 0.0), 1e-3));
        assert!(!touches(&disc, &disc, close, Point::new(0.1, 0.0), 1e-3));
        assert!(!touches(&disc, &disc, close, Point::new(0.0, 0.1), 1e-3), "past the closest point");
        assert!(touches(&disc, &square(1.0), close, Point::new(-0.1, 0.0), 1e-3));
        assert!(!touches(&disc, &square(1.0), close, Point::new(0.1, 0.0), 1e-3));
    }

    #[test]
    fn who_stands_apart_never_meets() {
        let disc = Solid::disc(0.5);
        assert_eq!(meeting(&disc, &disc, Point::new(3.0, 0.0), Point::ZERO, 0.0), None);
        assert!(!touches(&square(1.0), &disc, Point::new(1.5, 0.0), Point::ZERO, 0.0));
    }
}
