//! Which speeds along a way lead to a meeting.

use super::Solid;
use throng_core::space::Point;

/// The speeds along `dir` at which `a` meets `b` at any time to come, as an open interval; nothing if no speed does.
/// `place` is that of `a` as seen from `b`, which goes on at `their` velocity.
///
/// Seen from `b`, `a` moves by its own velocity less that of `b`, and meets it if that points into the cone of
/// directions from `a` to the Minkowski sum of both. The velocities along a way are a ray; what it has in common with the
/// cone is the interval. Who arrives later than its begin passes behind.
pub(crate) fn unsafe_speeds(
    a: &Solid,
    b: &Solid,
    place: Point,
    dir: Point,
    their: Point,
    room: f64,
) -> Option<(f64, f64)> {
    let radius = a.round + b.round + room;
    let mut cone: Option<(Point, Point)> = None;
    for &p in &a.corners {
        for &q in &b.corners {
            let to = q - p - place;
            let Some((right, left)) = tangents(to, radius) else {
                return closing(place, dir, their);
            };
            cone = Some(match cone {
                None => (right, left),
                Some((r, l)) => {
                    (if right.cross(r) > 0.0 { right } else { r }, if l.cross(left) > 0.0 { left } else { l })
                }
            });
        }
    }
    let (right, left) = cone?;
    if right.cross(left) <= 0.0 {
        // Half of all directions or more: the bodies are as good as touching.
        return closing(place, dir, their);
    }
    let one = above(right.cross(dir), right.cross(their));
    let other = above(dir.cross(left), their.cross(left));
    let (least, most) = (one.0.max(other.0), one.1.min(other.1));
    (least < most).then_some((least, most))
}

/// The directions that touch a disc around the end of `to`, right and left of it; nothing from inside.
fn tangents(to: Point, radius: f64) -> Option<(Point, Point)> {
    let square = to.dot(to) - radius * radius;
    if square <= 0.0 {
        return None;
    }
    let (along, across) = (to * square.sqrt(), Point::new(-to.y, to.x) * radius);
    Some((along - across, along + across))
}

/// Who is too close already must not come closer.
fn closing(place: Point, dir: Point, their: Point) -> Option<(f64, f64)> {
    let (least, most) = above(-place.dot(dir), -place.dot(their));
    (least < most).then_some((least, most))
}

/// All numbers whose product with `by` is above `bound`.
fn above(by: f64, bound: f64) -> (f64, f64) {
    if by > 0.0 {
        (bound / by, f64::INFINITY)
    } else if by < 0.0 {
        (f64::NEG_INFINITY, bound / by)
    } else if bound < 0.0 {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        (f64::INFINITY, f64::NEG_INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::super::meeting;
    use super::*;
    use throng_core::space::Shape;

    /// At each of many speeds, what the interval says is what comes of it.
    #[test]
    fn speeds_inside_meet_and_others_do_not() {
        let shapes = [
            Solid::disc(0.5),
            Solid::facing(&Shape::rectangle(2.0, 0.6).unwrap(), Point::new(0.6, 0.8)),
            Solid::facing(&Shape::rectangle(1.0, 1.0).unwrap(), Point::EAST),
        ];
        let places = [(-5.0, 0.0), (-3.0, -4.0), (2.5, 2.5), (0.3, -6.0)];
        let ways = [(1.0, 0.0), (0.6, 0.8), (0.0, 1.0), (-0.8, -0.6)];
        let theirs = [(0.0, 0.0), (-1.0, 0.0), (0.5, 0.9), (1.0, 0.0)];
        let mut met = 0;
        let points = |list: [(f64, f64); 4]| list.map(|(x, y)| Point::new(x, y));
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            for place in points(places) {
                for (dir, their) in points(ways).into_iter().flat_map(|d| points(theirs).map(|t| (d, t))) {
                    let found = unsafe_speeds(a, b, place, dir, their, 1e-9);
                    for k in 0..40 {
                        let speed = f64::from(k) * 0.1 + 0.037;
                        let meets =
                            meeting(a, b, place, dir * speed - their, 1e-9).is_some_and(|m| m.end > 0.0);
                        let said = found.is_some_and(|(least, most)| least < speed && speed < most);
                        assert_eq!(meets, said, "{place} {dir} {their} at {speed}: {found:?}, {a:?} {b:?}");
                        met += u32::from(meets);
                    }
                }
            }
        }
        assert!(met > 1000, "{met}");
    }
}
