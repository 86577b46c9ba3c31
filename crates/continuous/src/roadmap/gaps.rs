//! Points that no lattice and no dice would find: around the corners of walls, and in the middle of narrow gaps.
//!
//! Where a body hardly fits there are few places for it, and points a body's width apart miss them all. But whatever the gap, its
//! narrowest place lies between a corner of a wall and the wall opposite or the border.

use super::{Ground, Roadmap};
use crate::MARGIN;
use crate::geometry::Solid;
use throng_core::space::Point;

/// Gaps that are wider than the body by as many spacings hold points anyway.
const WIDER: f64 = 1.5;
/// How far from a corner a point is beside it, in reaches of the body.
const OFF: f64 = 1.01;

impl Roadmap {
    /// How far from walls there are points on their account.
    pub(super) fn beside(&self, solid: &Solid) -> f64 {
        2.0 * solid.reach + WIDER * self.spacing
    }
}

impl Ground<'_> {
    /// Tells of all points of a patch that are there for walls near it, in the order of walls. Not all have room.
    pub(super) fn beside_walls(&self, patch: usize, mut tell: impl FnMut(Point)) {
        let Roadmap { spacing, .. } = *self.map;
        let (solid, space) = (self.solid, self.space);
        let widest = self.map.beside(solid);
        let (least, most) = self.map.extent(patch, space);
        let (low, high) = (least - Point::new(widest, widest), most + Point::new(widest, widest));
        let walls = space.walls_within(low - Point::new(widest, widest), high + Point::new(widest, widest));
        if walls.is_empty() {
            return;
        }
        let mut tell = |at: Point| {
            if self.map.patch_of(at) == (patch % self.map.columns, patch / self.map.columns) {
                tell(at);
            }
        };
        let origin = space.least();
        let within = |at: Point| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
        for (number, wall) in walls.iter().enumerate() {
            let n = wall.corners.len();
            for k in 0..n {
                let (before, corner, after) =
                    (wall.corners[(k + n - 1) % n], wall.corners[k], wall.corners[(k + 1) % n]);
                if let (Some(one), Some(other)) = (outwards(before, corner), outwards(corner, after)) {
                    let at = corner + origin;
                    for way in [Some(one), Some(other), (one + other).unit()].into_iter().flatten() {
                        if within(at) {
                            tell(at + way * (OFF * extent(solid, -way)));
                        }
                    }
                }
                let side = after - corner;
                let pieces = (side.length() / spacing).ceil().clamp(1.0, 1e6);
                let piece = side * (1.0 / pieces);
                for at in self.parts(corner + origin, piece, pieces, (low, high)).filter(|&at| within(at)) {
                    for (_, other) in walls.iter().enumerate().filter(|&(other, _)| other != number) {
                        if !other.is_within(at - origin, widest) {
                            continue;
                        }
                        self.middle(at, other.nearest(at - origin) + origin, widest, &mut tell);
                    }
                    let (first, last) = (space.least(), space.most());
                    for opposite in [
                        Point::new(first.x, at.y),
                        Point::new(last.x, at.y),
                        Point::new(at.x, first.y),
                        Point::new(at.x, last.y),
                    ] {
                        self.middle(at, opposite, widest, &mut tell);
                    }
                }
            }
        }
    }

    /// The places along a side of a wall, of those pieces that may be in a rectangle.
    fn parts(
        &self,
        from: Point,
        piece: Point,
        pieces: f64,
        (low, high): (Point, Point),
    ) -> impl Iterator<Item = Point> + use<> {
        let (mut first, mut last) = (0.0f64, pieces - 1.0);
        for (from, by, low, high) in [(from.x, piece.x, low.x, high.x), (from.y, piece.y, low.y, high.y)] {
            if by.abs() > MARGIN {
                let (one, other) = ((low - from) / by, (high - from) / by);
                first = first.max(one.min(other).floor());
                last = last.min(one.max(other).ceil());
            }
        }
        let (first, last) = (first.clamp(0.0, 1e6) as u32, last.clamp(-1.0, 1e6) as i64);
        (i64::from(first)..=last).map(move |k| from + piece * (k as f64))
    }

    /// Where a body stands in the middle between two places, if it fits and points would not be there anyway.
    fn middle(&self, one: Point, other: Point, widest: f64, tell: &mut impl FnMut(Point)) {
        let way = other - one;
        let far = way.length();
        let Some(dir) = way.unit().filter(|_| far <= widest) else { return };
        let (back, ahead) = (extent(self.solid, -dir), extent(self.solid, dir));
        if back + ahead < far {
            tell(one + dir * ((far - ahead - back) / 2.0 + back));
        }
    }
}

/// How far a body reaches in a direction.
fn extent(solid: &Solid, dir: Point) -> f64 {
    solid.farthest(dir).dot(dir) + solid.round
}

/// To the right of a side that goes counter-clockwise.
fn outwards(from: Point, to: Point) -> Option<Point> {
    Point::new(to.y - from.y, from.x - to.x).unit()
}
