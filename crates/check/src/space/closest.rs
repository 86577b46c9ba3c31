//! When two bodies that move in straight lines are closest, and how far apart they are then.

use super::Solid;
use throng_core::space::Point;

/// How close two bodies come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// When, from 0 at the beginning of the step to 1 at its end; the first such moment.
    pub time: f64,
    /// How far apart they are then. Zero or less: they touch.
    pub gap: f64,
}

/// How close two solids come that begin at `from` and move by `by` each, all in the same time.
///
/// Where `a` is seen from `b`, only `a` moves, by the difference of both ways. It is `d` away from `b` exactly
/// where its place is `d` away from the set of all differences of their points, which is convex as they are. So the
/// question is how close a point comes that moves along a segment to a convex polygon.
#[must_use]
pub fn closest(a: &Solid, b: &Solid, from: (Point, Point), by: (Point, Point)) -> Closest {
    let differences = b.points.iter().flat_map(|&q| a.points.iter().map(move |&p| q - p)).collect();
    let hull = hull(differences);
    let begin = from.0 - from.1;
    let segment = (begin, begin + (by.0 - by.1));
    let (time, apart) = to_hull(segment, &hull);
    Closest { time, gap: apart - a.round - b.round }
}

/// The corners of the convex hull, counter-clockwise (a monotone chain); of points on a line its two ends, of one its
/// place.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let below = half(points.iter().copied());
    let above = half(points.iter().rev().copied());
    // Each ends where the other begins.
    below[..below.len() - 1].iter().chain(&above[..above.len() - 1]).copied().collect()
}

/// The corners on one side of points in their order from left to right or from right to left.
fn half(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && (b - a).cross(point - b) <= 0.0
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

/// When a point on its way along `segment` is closest to a hull, and how far it is then: 0 inside.
fn to_hull(segment: (Point, Point), hull: &[Point]) -> (f64, f64) {
    let edges = || hull.iter().zip(hull.iter().cycle().skip(1));
    if hull.len() > 2 && edges().all(|(&a, &b)| (b - a).cross(segment.0 - a) >= 0.0) {
        return (0.0, 0.0);
    }
    let nearest = |best: (f64, f64), (&a, &b): (&Point, &Point)| {
        let (time, apart) = to_edge(segment, (a, b));
        if apart < best.1 || (apart == best.1 && time < best.0) { (time, apart) } else { best }
    };
    edges().fold((0.0, f64::INFINITY), nearest)
}

/// The same for an edge, which may be a point: they cross, or one of the four ends is closest to the other segment.
fn to_edge((p, q): (Point, Point), (a, b): (Point, Point)) -> (f64, f64) {
    let (way, edge) = (q - p, b - a);
    let turn = way.cross(edge);
    if turn != 0.0 {
        let (time, along) = ((a - p).cross(edge) / turn, (a - p).cross(way) / turn);
        if (0.0..=1.0).contains(&time) && (0.0..=1.0).contains(&along) {
            return (time, 0.0);
        }
    }
    let ends = [(0.0, off(p, a, edge).1), (1.0, off(q, a, edge).1), off(a, p, way), off(b, p, way)];
    ends.into_iter().fold((0.0, f64::INFINITY), |best, end| {
        if end.1 < best.1 || (end.1 == best.1 && end.0 < best.0) { end } else { best }
    })
}

/// Where on the way from `start` along `way` a point is closest, and how far from there it is.
fn off(point: Point, start: Point, way: Point) -> (f64, f64) {
    let length = way.dot(way);
    let part = if length > 0.0 { ((point - start).dot(way) / length).clamp(0.0, 1.0) } else { 0.0 };
    (part, (start + way * part - point).length())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(round: f64) -> Solid {
        Solid { points: vec![Point::ZERO], round }
    }

    fn square(side: f64) -> Solid {
        let h = side / 2.0;
        let points = [(-h, -h), (h, -h), (h, h), (-h, h)];
        Solid { points: points.iter().map(|&(x, y)| Point::new(x, y)).collect(), round: 0.0 }
    }

    #[test]
    fn discs_that_cross_are_closest_on_the_way() {
        let from = (Point::new(0.0, 0.0), Point::new(4.0, 4.0));
        let by = (Point::new(8.0, 0.0), Point::new(0.0, -8.0));
        // Seen from the second, the first goes from (-4, -4) to (4, 4): through the middle at half time.
        assert_eq!(closest(&disc(0.5), &disc(0.25), from, by), Closest { time: 0.5, gap: -0.75 });
        let late = (Point::new(2.0, 0.0), by.1 * 0.5);
        // From (-4, -4) by (2, 4): nearest at the end.
        assert_eq!(closest(&disc(0.5), &disc(0.25), from, late), Closest { time: 1.0, gap: 1.25 });
    }

    #[test]
    fn bodies_that_pass_side_by_side_keep_their_gap() {
        let from = (Point::new(0.0, 0.0), Point::new(10.0, 1.5));
        let by = (Point::new(10.0, 0.0), Point::new(-10.0, 0.0));
        let Closest { time, gap } = closest(&square(1.0), &square(1.0), from, by);
        assert!((gap - 0.5).abs() < 1e-12, "{gap}");
        assert!((time - 0.45).abs() < 1e-12, "the first moment at which they are side by side: {time}");
        let Closest { gap, .. } = closest(&square(1.0), &disc(0.5), from, by);
        assert!((gap - 0.5).abs() < 1e-12, "{gap}");
    }

    #[test]
    fn who_stands_inside_another_touches_it_at_once() {
        let rest = (Point::ZERO, Point::ZERO);
        let inside = (Point::new(0.1, 0.0), Point::ZERO);
        assert_eq!(closest(&square(1.0), &square(3.0), inside, rest).gap, 0.0);
        assert_eq!(closest(&disc(0.5), &disc(3.0), inside, rest).time, 0.0);
        assert!(closest(&disc(0.5), &disc(3.0), inside, rest).gap < -3.0);
    }

    #[test]
    fn hulls_have_corners_only() {
        let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (2.0, 2.0), (1.0, 1.0), (0.0, 2.0), (0.0, 1.0)];
        let all = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        assert_eq!(hull(all).len(), 4);
        assert_eq!(hull(vec![Point::ZERO, Point::EAST, Point::EAST * 2.0]).len(), 2);
        assert_eq!(hull(vec![Point::EAST, Point::EAST]).len(), 1);
    }
}
