//! Ways around walls: points of the space joined where a body can go straight from one to the other, and A* on them.
//!
//! The points are those of a lattice (a waypoint graph as games have it) or drawn at random, one to a square (a sampled graph of the
//! space); and beside both, points around the corners of walls and in the middle of gaps between them. All know walls only;
//! other bodies are avoided on the way. One roadmap serves all bodies of a shape.
//!
//! Nothing is worked out before a search asks for it: neither where the points of a patch of the space are nor which of them are joined.
//! Both depend on the walls alone, so that it does not matter which search asks first, or on which thread.

mod build;
mod gaps;
mod search;

pub(crate) use search::{Open, Request, Route, Search};

use crate::Space;
use crate::geometry::Solid;
use std::sync::OnceLock;
use throng_core::space::{Point, Sampling};

/// Squares along a side of a patch.
const PATCH: usize = 4;
/// A point's number is that of its patch, and its own in it in as many bits.
const BITS: u32 = 10;
/// A point is joined with so many others at most, the nearest that it sees.
const MOST_JOINED: usize = 24;

/// A graph of places where a body has room.
#[derive(Clone, Debug)]
pub(crate) struct Roadmap {
    sampling: Sampling,
    /// The side of the squares, each of which holds a point if there is room.
    pub(crate) spacing: f64,
    /// The corner of the first square.
    least: Point,
    /// How many patches there are from left to right.
    columns: usize,
    rows: usize,
    patches: Vec<OnceLock<Box<[Place]>>>,
}

#[derive(Clone, Debug)]
struct Place {
    at: Point,
    /// Whether it is there for the walls near it.
    extra: bool,
    joined: OnceLock<Box<[u32]>>,
}

/// What the points of a roadmap are worked out from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) map: &'a Roadmap,
    pub(crate) space: &'a Space,
    pub(crate) solid: &'a Solid,
}

impl<'a> Ground<'a> {
    /// Where a point is that somebody has been told of.
    pub(crate) fn at(&self, point: u32) -> Option<Point> {
        self.place(point).map(|place| place.at)
    }

    fn place(&self, point: u32) -> Option<&'a Place> {
        let patch = (point >> BITS) as usize;
        if patch >= self.map.patches.len() {
            return None;
        }
        self.patch(patch).get((point & ((1 << BITS) - 1)) as usize)
    }

    fn patch(&self, patch: usize) -> &'a [Place] {
        self.map.patches[patch].get_or_init(|| self.places(patch))
    }

    /// The points that one can go to from `point`.
    pub(crate) fn joined(&self, point: u32) -> &'a [u32] {
        let Some(place) = self.place(point) else { return &[] };
        place.joined.get_or_init(|| {
            let near = self.map.near();
            let far = near + self.map.mouth(self.solid);
            let fits = |&(square, id): &(f64, u32)| {
                let extra = || place.extra || self.place(id).is_some_and(|other| other.extra);
                id != point && (square <= near * near || extra())
            };
            let seen = |&id: &u32| {
                self.at(id).is_some_and(|to| self.space.is_free(self.solid, place.at, to - place.at))
            };
            let all = self.by_distance(place.at, far).into_iter().filter(fits).map(|(_, id)| id);
            all.filter(seen).take(MOST_JOINED).collect()
        })
    }

    /// The points within `radius` of a place, nearest first.
    pub(crate) fn near(&self, at: Point, radius: f64) -> impl Iterator<Item = u32> {
        self.by_distance(at, radius).into_iter().map(|(_, id)| id)
    }

    fn by_distance(&self, at: Point, radius: f64) -> Vec<(f64, u32)> {
        let corner = Point::new(radius, radius);
        let ((x0, y0), (x1, y1)) = (self.map.patch_of(at - corner), self.map.patch_of(at + corner));
        let mut found = Vec::new();
        for patch in (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| y * self.map.columns + x)) {
            for (place, number) in self.patch(patch).iter().zip(0..) {
                let way = place.at - at;
                let square = way.dot(way);
                if square <= radius * radius {
                    found.push((square, (patch as u32) << BITS | number));
                }
            }
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }
}

impl Roadmap {
    /// How far from each other points are joined.
    fn near(&self) -> f64 {
        match self.sampling {
            // Up to the diagonal neighbour and no farther.
            Sampling::Lattice { .. } => 1.5 * self.spacing,
            Sampling::Random { .. } => 3.0 * self.spacing,
        }
    }

    /// How much farther those are that are there for walls: the mouth of a gap is about as far from open space as the body reaches.
    fn mouth(&self, solid: &Solid) -> f64 {
        solid.reach.min(2.0 * self.spacing)
    }

    /// How many points have been worked out.
    pub(crate) fn points(&self) -> usize {
        self.patches.iter().filter_map(OnceLock::get).map(|patch| patch.len()).sum()
    }

    /// Walls have changed between two corners: points near there, and those that may be joined with them, are worked out anew.
    pub(crate) fn changed(&mut self, least: Point, most: Point, solid: &Solid) {
        let far = 2.0 * self.beside(solid) + self.near() + self.mouth(solid) + self.spacing * PATCH as f64;
        let corner = Point::new(far, far);
        let ((x0, y0), (x1, y1)) = (self.patch_of(least - corner), self.patch_of(most + corner));
        let columns = self.columns;
        for patch in (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| y * columns + x)) {
            self.patches[patch] = OnceLock::new();
        }
    }

    /// Column and row of the patch of a place; of the nearest one if it is in none.
    fn patch_of(&self, at: Point) -> (usize, usize) {
        let part = (at - self.least) * (1.0 / (self.spacing * PATCH as f64));
        ((part.x.max(0.0) as usize).min(self.columns - 1), (part.y.max(0.0) as usize).min(self.rows - 1))
    }
}
