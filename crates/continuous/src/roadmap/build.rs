//! Where the points of a roadmap are.

use super::{BITS, Ground, PATCH, Place, Roadmap};
use crate::geometry::Solid;
use crate::{Sampling, Space};
use std::sync::OnceLock;
use throng_core::space::Point;
use throng_core::{AgentId, Draw as _, stream};

/// No roadmap has more squares.
const MOST_SQUARES: f64 = (1 << 21) as f64;
/// Nor more of them side by side.
const LONGEST: f64 = (1 << 20) as f64;
/// So many random points are tried in a square until there is room at one.
const TRIES: usize = 4;
/// Two points this close, as a part of the body's reach or of the spacing, are one.
const SAME: f64 = 0.01;

impl Roadmap {
    /// A roadmap for a body that covers `solid`. On a lattice its points lie so that a body fills squares of the side of the
    /// spacing, as many as it needs.
    pub(crate) fn new(space: &Space, solid: &Solid, sampling: Sampling) -> Self {
        let far = space.most() - space.least();
        let spacing = match sampling {
            Sampling::Lattice { spacing } => spacing,
            Sampling::Random { density, .. } => (1.0 / density).sqrt(),
        };
        // So many points that they would not fit into memory: there are fewer.
        let spacing = spacing.max((far.x * far.y / MOST_SQUARES).sqrt()).max(far.x.max(far.y) / LONGEST);
        let shift = match sampling {
            Sampling::Lattice { .. } => {
                let (least, most) = solid.extent();
                let size = ((most.x - least.x) / spacing).ceil().clamp(1.0, 1e4);
                spacing * (size - 1.0) / 2.0
            }
            Sampling::Random { .. } => 0.0,
        };
        let patches = |far: f64| (far / spacing) as usize / PATCH + 1;
        let (columns, rows) = (patches(far.x), patches(far.y));
        let least = space.least() + Point::new(shift, shift);
        Self { sampling, spacing, least, columns, rows, patches: vec![OnceLock::new(); columns * rows] }
    }

    /// The least and the most of a patch; those at the rim have all that lies beyond.
    pub(super) fn extent(&self, patch: usize, space: &Space) -> (Point, Point) {
        let (x, y) = (patch % self.columns, patch / self.columns);
        let corner =
            |x: usize, y: usize| self.least + Point::new(x as f64, y as f64) * (self.spacing * PATCH as f64);
        let (mut least, mut most) = (corner(x, y), corner(x + 1, y + 1));
        let (first, last) = (space.least(), space.most());
        least = Point::new(
            if x == 0 { least.x.min(first.x) } else { least.x },
            if y == 0 { least.y.min(first.y) } else { least.y },
        );
        most = Point::new(
            if x + 1 == self.columns { most.x.max(last.x) } else { most.x },
            if y + 1 == self.rows { most.y.max(last.y) } else { most.y },
        );
        (least, most)
    }
}

impl Ground<'_> {
    /// All points of a patch.
    pub(super) fn places(&self, patch: usize) -> Box<[Place]> {
        let (x, y) = (patch % self.map.columns * PATCH, patch / self.map.columns * PATCH);
        let squares = (y..y + PATCH).flat_map(|y| (x..x + PATCH).map(move |x| (x, y)));
        let mut points: Vec<(Point, bool)> =
            squares.filter_map(|(x, y)| Some((self.point(x, y)?, false))).collect();
        let same = SAME * self.map.spacing.min(self.solid.reach);
        let most = 1 << BITS;
        self.beside_walls(patch, |at| {
            let known = |&(other, _): &(Point, bool)| {
                let way: Point = other - at;
                way.dot(way) < same * same
            };
            if points.len() < most && !points.iter().any(known) && self.space.has_room(self.solid, at) {
                points.push((at, true));
            }
        });
        points.into_iter().map(|(at, extra)| Place { at, extra, joined: OnceLock::new() }).collect()
    }

    /// The point of a square, if there is room in it.
    fn point(&self, x: usize, y: usize) -> Option<Point> {
        let Roadmap { sampling, spacing, least, columns, .. } = *self.map;
        let corner = least + Point::new(x as f64, y as f64) * spacing;
        let room = |at: &Point| self.space.has_room(self.solid, *at);
        match sampling {
            Sampling::Lattice { .. } => Some(corner + Point::new(0.5, 0.5) * spacing).filter(room),
            Sampling::Random { seed, .. } => {
                let mut dice = stream(seed, AgentId((y * columns * PATCH + x) as u32), 0);
                // Thirty-two bits are finer than any point needs to be.
                let mut part = || f64::from(dice.below(u32::MAX)) / f64::from(u32::MAX);
                (0..TRIES).map(|_| corner + Point::new(part(), part()) * spacing).find(room)
            }
        }
    }
}
