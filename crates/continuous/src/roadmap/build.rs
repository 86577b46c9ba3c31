//! Where the points of a roadmap are, and which of them are joined.

use super::Roadmap;
use crate::geometry::Solid;
use crate::{Sampling, Space};
use throng_core::space::Point;
use throng_core::{AgentId, Draw as _, stream};

/// No roadmap has more points.
const MOST_POINTS: usize = 1 << 21;
/// Random points are joined with so many others at most.
const MOST_JOINED: usize = 12;
/// How far random points look for others, in mean distances.
const FAR: f64 = 4.0;
/// How far the ends of a bridge are apart at most along either axis, in half sizes of the body.
const BRIDGE: f64 = 2.0;

impl Roadmap {
    /// A roadmap for a body that covers `solid`. On a lattice its points lie so that a body fills squares of the side of the
    /// spacing, as many as are its `size`.
    pub(crate) fn new(space: &Space, solid: &Solid, size: u32, sampling: Sampling) -> Self {
        let (points, spacing) = match sampling {
            Sampling::Lattice { spacing } => lattice(space, solid, size, spacing),
            Sampling::Random { density, seed } => random(space, solid, density, seed),
        };
        let mut roadmap = Self { points, spacing, ..Self::default() };
        let mut places = Vec::new();
        roadmap.buckets.sort(spacing, roadmap.points.iter().copied(), &mut places);
        roadmap.sorted = vec![0; places.len()];
        for (id, &place) in places.iter().enumerate() {
            roadmap.sorted[place as usize] = id as u32;
        }
        let reach = match sampling {
            // Up to the diagonal neighbour and no farther.
            Sampling::Lattice { .. } => 1.5 * spacing,
            Sampling::Random { .. } => FAR * spacing,
        };
        roadmap.join(space, solid, reach);
        roadmap
    }

    fn join(&mut self, space: &Space, solid: &Solid, reach: f64) {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for id in 0..self.points.len() as u32 {
            let at = self.points[id as usize];
            let near = self.near(at, reach).into_iter().filter(|&other| other != id);
            let seen = |&other: &u32| space.is_free(solid, at, self.points[other as usize] - at);
            for other in near.filter(seen).take(MOST_JOINED) {
                pairs.extend([(id, other), (other, id)]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        self.begins = vec![0; self.points.len() + 1];
        pairs.iter().for_each(|&(id, _)| self.begins[id as usize + 1] += 1);
        for id in 0..self.points.len() {
            self.begins[id + 1] += self.begins[id];
        }
        self.neighbours = pairs.into_iter().map(|(_, other)| other).collect();
    }
}

/// The points of a lattice where the body has room, row by row.
fn lattice(space: &Space, solid: &Solid, size: u32, spacing: f64) -> (Vec<Point>, f64) {
    let far = space.most() - space.least();
    // So many points that the lattice would not fit into memory: it becomes coarser.
    let spacing = spacing.max((far.x * far.y / MOST_POINTS as f64).sqrt());
    let count = |far: f64| (far / spacing) as usize + 1;
    let shift = spacing * f64::from(size) / 2.0;
    let mut points = Vec::new();
    for row in 0..count(far.y) {
        for column in 0..count(far.x) {
            let step = Point::new(column as f64, row as f64) * spacing;
            let point = space.least() + step + Point::new(shift, shift);
            if space.has_room(solid, point) {
                points.push(point);
            }
        }
    }
    (points, spacing)
}

/// Random points where the body has room, so many to a square of one by one; and, so that doors are found as well, where it
/// has room halfway between two places where it has none (the bridge test of Hsu, Jiang, Reif and Sun).
fn random(space: &Space, solid: &Solid, density: f64, seed: u64) -> (Vec<Point>, f64) {
    let far = space.most() - space.least();
    let count = ((far.x * far.y * density) as usize).clamp(1, MOST_POINTS);
    let (low, high) = solid.extent();
    let across = BRIDGE * (high - low).length();
    let draw = |k: usize| {
        let mut dice = stream(seed, AgentId(k as u32), 0);
        // Thirty-two bits are finer than any point needs to be.
        let mut part = || f64::from(dice.below(u32::MAX)) / f64::from(u32::MAX);
        let one = space.least() + Point::new(far.x * part(), far.y * part());
        if space.has_room(solid, one) {
            return Some(one);
        }
        let other = one + Point::new(part() - 0.5, part() - 0.5) * across;
        let middle = one + (other - one) * 0.5;
        (!space.has_room(solid, other) && space.has_room(solid, middle)).then_some(middle)
    };
    (((0..count).filter_map(draw)).collect(), (far.x * far.y / count as f64).sqrt())
}
