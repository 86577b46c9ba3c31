//! What an action covers.

use crate::{Action, Bend, Cell, Dir};

/// The cells that an action covers from its first tick until it is over. The sweep of a square body over one
/// step is a rectangle, the bounding box of where it starts and where it ends; that of a curve is the part of
/// such a rectangle that the turning body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Smallest corner.
    pub anchor: Cell,
    /// Columns covered.
    pub width: u8,
    /// Rows covered.
    pub height: u8,
    /// Ticks.
    pub duration: u32,
    /// Of the rectangle, only what this touches.
    sweep: Option<Sweep>,
}

impl Footprint {
    /// What an n×n body covers with `action` from `from`, for so many ticks.
    #[must_use]
    pub(crate) const fn new(body: u8, from: Cell, action: Action, duration: u32) -> Self {
        if let Action::Curve(bend, radius) = action {
            let sweep = Sweep::new(body, from, bend, radius);
            let (anchor, side) = sweep.bounds();
            return Self { anchor, width: side, height: side, duration, sweep: Some(sweep) };
        }
        let (dx, dy) = action.delta();
        Self {
            anchor: Cell::new(
                if dx < 0 { from.x - 1 } else { from.x },
                if dy < 0 { from.y - 1 } else { from.y },
            ),
            width: body + (dx != 0) as u8,
            height: body + (dy != 0) as u8,
            duration,
            sweep: None,
        }
    }

    /// The covered cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { anchor, width, height, sweep, .. } = self;
        (0..i32::from(height))
            .flat_map(move |y| (0..i32::from(width)).map(move |x| Cell::new(anchor.x + x, anchor.y + y)))
            .filter(move |&cell| sweep.is_none_or(|sweep| sweep.touches(cell)))
    }

    /// Whether `cell` is covered.
    #[must_use]
    pub fn covers(self, cell: Cell) -> bool {
        let (dx, dy) = (cell.x - self.anchor.x, cell.y - self.anchor.y);
        dx >= 0
            && dy >= 0
            && dx < i32::from(self.width)
            && dy < i32::from(self.height)
            && self.sweep.is_none_or(|sweep| sweep.touches(cell))
    }
}

/// A square body that turns about a centre by a quarter of a circle.
///
/// All lengths are doubled, so that the middle of a body is a whole number. Seen from the centre, `u` is the
/// direction of the body's middle when it sets out and `v` the direction in which it does so: the body begins
/// as the square from (radius − n/2, −n/2) to (radius + n/2, n/2) and turns from `u` towards `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sweep {
    from: Cell,
    /// Relative to `from`.
    centre: (i32, i32),
    u: Dir,
    v: Dir,
    /// Half the side of the body.
    half: i32,
    /// Where its inner side is; negative if it turns about a point within itself.
    inner: i32,
    /// The square of how far its outer corners are from the centre.
    outer: i32,
    /// The same of its inner corners, if it turns about a point within itself.
    core: i32,
}

impl Sweep {
    const fn new(body: u8, from: Cell, bend: Bend, radius: u8) -> Self {
        let (n, r) = (body as i32, 2 * radius as i32);
        let (u, v) = (bend.then().opposite(), bend.first());
        let (ux, uy) = u.delta();
        let (inner, side) = (r - n, r + n);
        Self {
            from,
            centre: (n - ux * r, n - uy * r),
            u,
            v,
            half: n,
            inner,
            outer: side * side + n * n,
            core: if inner < 0 { inner * inner + n * n } else { 0 },
        }
    }

    /// A square of cells that holds all of it: smallest corner and side.
    const fn bounds(&self) -> (Cell, u8) {
        const fn least_root(square: i32) -> i32 {
            let root = square.isqrt();
            root + (root * root < square) as i32
        }
        let back = if self.core > 0 { least_root(self.core) } else { self.half };
        let ahead = least_root(self.outer);
        let ((ux, uy), (vx, vy)) = (self.u.delta(), self.v.delta());
        // One of `u` and `v` is horizontal and the other vertical.
        let low_x = self.centre.0 - if ux + vx > 0 { back } else { ahead };
        let low_y = self.centre.1 - if uy + vy > 0 { back } else { ahead };
        // Rounded down to a whole cell, so one more may be needed at the far end.
        let side = (back + ahead) / 2 + 2;
        let corner = Cell::new(self.from.x + low_x.div_euclid(2), self.from.y + low_y.div_euclid(2));
        (corner, side as u8)
    }

    /// Whether the turning body touches the inside of `cell`.
    const fn touches(&self, cell: Cell) -> bool {
        let (x, y) = (cell.x - self.from.x, cell.y - self.from.y);
        let (x, y) = (2 * x - self.centre.0, 2 * y - self.centre.1);
        let ((ux, uy), (vx, vy)) = (self.u.delta(), self.v.delta());
        // The cell from its smallest to its largest coordinate in each direction.
        let (u0, v0) = (ux * x + uy * y, vx * x + vy * y);
        let (u0, u1) = if ux + uy > 0 { (u0, u0 + 2) } else { (u0 - 2, u0) };
        let (v0, v1) = if vx + vy > 0 { (v0, v0 + 2) } else { (v0 - 2, v0) };
        let Self { inner, outer, core, .. } = *self;
        // Between the two: a ring, as thick as from the inner side to the outer corners.
        if let Some((near, far)) = clip((u0, u1, v0, v1), 0, i32::MAX, 0, i32::MAX)
            && near < outer
            && (inner < 0 || far > inner * inner)
        {
            return true;
        }
        // Behind where it sets out, and beyond where it ends, which mirror each other.
        if self.beyond((u0, u1, v0, v1)) || self.beyond((v0, v1, u0, u1)) {
            return true;
        }
        // Opposite the ring only a body passes that turns about a point within itself.
        inner < 0
            && (matches!(clip((u0, u1, v0, v1), inner, 0, i32::MIN, 0), Some((near, _)) if near < core)
                || matches!(clip((u0, u1, v0, v1), i32::MIN, 0, inner, 0), Some((near, _)) if near < core))
    }

    /// Whether it touches the part of a cell where `v` is negative and `u` is not.
    const fn beyond(&self, cell: (i32, i32, i32, i32)) -> bool {
        let least = if self.inner > 0 { self.inner } else { 0 };
        matches!(clip(cell, least, i32::MAX, -self.half, 0), Some((near, _)) if near < self.outer)
            || matches!(clip(cell, 0, i32::MAX, i32::MIN, 0), Some((near, _)) if near < self.core)
    }
}

/// The squared distances from the centre of the nearest and the farthest corner of a cell as far as it lies
/// within bounds on one side of both axes; `None` if nothing of it does.
const fn clip(
    (u0, u1, v0, v1): (i32, i32, i32, i32),
    least_u: i32,
    most_u: i32,
    least_v: i32,
    most_v: i32,
) -> Option<(i32, i32)> {
    const fn ends(low: i32, high: i32, least: i32, most: i32) -> Option<(i32, i32)> {
        let low = if low > least { low } else { least };
        let high = if high < most { high } else { most };
        if low >= high {
            return None;
        }
        let (a, b) = (low * low, high * high);
        Some(if a < b { (a, b) } else { (b, a) })
    }
    match (ends(u0, u1, least_u, most_u), ends(v0, v1, least_v, most_v)) {
        (Some((near_u, far_u)), Some((near_v, far_v))) => Some((near_u + near_v, far_u + far_v)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_RADIUS;
    use std::collections::BTreeSet;

    /// Cells whose inside a sample of the body's area touches at one of many angles, in floating point.
    fn sampled(body: u8, from: Cell, bend: Bend, radius: u8) -> BTreeSet<Cell> {
        let (n, r) = (f64::from(body), f64::from(radius));
        let d = |dir: Dir| (f64::from(dir.delta().0), f64::from(dir.delta().1));
        let (start, sets_out) = (d(bend.then().opposite()), d(bend.first()));
        let middle = (f64::from(from.x) + n / 2.0, f64::from(from.y) + n / 2.0);
        let centre = (middle.0 - start.0 * r, middle.1 - start.1 * r);
        let (angles, points) = (600, 12 * i32::from(body));
        let mut cells = BTreeSet::new();
        for k in 0..=angles {
            let (sin, cos) = (std::f64::consts::FRAC_PI_2 * f64::from(k) / f64::from(angles)).sin_cos();
            for i in 0..=points {
                for j in 0..=points {
                    // Just inside of the body, its corners included.
                    let at = |k: i32| (f64::from(k) / f64::from(points) - 0.5) * (n - 1e-6);
                    let (u, v) = (r + at(i), at(j));
                    let (u, v) = (u * cos - v * sin, u * sin + v * cos);
                    let x = centre.0 + u * start.0 + v * sets_out.0;
                    let y = centre.1 + u * start.1 + v * sets_out.1;
                    cells.insert(Cell::new(x.floor() as i32, y.floor() as i32));
                }
            }
        }
        cells
    }

    /// Every cell that a dense sample of the motion touches is covered, and hardly another: what the sample
    /// misses is touched by less than the sample's grain.
    #[test]
    fn a_curve_covers_what_the_turning_body_touches() {
        let from = Cell::new(40, 40);
        for (body, radius) in (1..=4).flat_map(|body| (1..=MAX_RADIUS).map(move |radius| (body, radius))) {
            let expected = sampled(body, from, Bend::EN, radius);
            let print = Footprint::new(body, from, Action::Curve(Bend::EN, radius), 1);
            let covered: BTreeSet<_> = print.cells().collect();
            let missed: Vec<_> = expected.difference(&covered).collect();
            assert!(missed.is_empty(), "body {body}, radius {radius}: {missed:?}");
            let extra: Vec<_> = covered.difference(&expected).collect();
            assert!(extra.len() <= 2, "body {body}, radius {radius}: {extra:?}");
        }
    }

    #[test]
    fn all_bends_are_the_same_curve_turned() {
        let from = Cell::new(20, 20);
        for (body, radius) in [(1, 1), (1, 3), (2, 2), (3, 1), (4, 1), (5, 2), (3, 4)] {
            for bend in Bend::ALL {
                let print = Footprint::new(body, from, Action::Curve(bend, radius), 1);
                let covered: BTreeSet<_> = print.cells().collect();
                let expected = sampled(body, from, bend, radius);
                assert!(expected.is_subset(&covered), "{body} {radius} {bend:?}");
                let other = Footprint::new(body, from, Action::Curve(Bend::EN, radius), 1);
                assert_eq!(covered.len(), other.cells().count(), "{body} {radius} {bend:?}");
                // The way back covers the same.
                let back = Bend::of(bend.then().opposite(), bend.first().opposite()).unwrap();
                let to = from.after(Action::Curve(bend, radius));
                let home = Footprint::new(body, to, Action::Curve(back, radius), 1);
                assert_eq!(to.after(Action::Curve(back, radius)), from);
                assert_eq!(home.cells().collect::<BTreeSet<_>>(), covered, "{body} {radius} {bend:?}");
            }
        }
    }

    #[test]
    fn the_outer_corners_of_a_car_swing_out() {
        let print = Footprint::new(1, Cell::new(0, 2), Action::Curve(Bend::EN, 2), 7);
        let cells: Vec<_> = print.cells().map(|c| (c.x, c.y)).collect();
        let ring = [(1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3)];
        assert_eq!(cells, ring, "from (0,2) to (2,0), and a little of (0,3) and (3,0)");
        assert!(print.covers(Cell::new(2, 1)) && !print.covers(Cell::new(0, 0)));
    }
}
