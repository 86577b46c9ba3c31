//! Where one body of a knot can be: points of its roadmap, and beside them as near to walls as it gets.
//!
//! Two that hardly fit side by side pass each other along the walls only, where a roadmap has no points.

use super::walls::Walls;
use crate::roadmap::{Ground, Open};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use throng_core::space::Point;

/// A place of a body: a point of the roadmap and a side of it, or one of two places of its own.
pub(super) type Place = u32;

/// Where it is when the knot is found.
pub(super) const START: Place = u32::MAX;
/// Where it wants to be.
pub(super) const GOAL: Place = START - 1;

/// Bits of a place that tell on which side of its point it is.
const BITS: u32 = 3;
/// No side, and the four along the axes.
const SIDES: [Point; 5] =
    [Point::ZERO, Point::new(1.0, 0.0), Point::new(0.0, 1.0), Point::new(-1.0, 0.0), Point::new(0.0, -1.0)];
/// Only where there is less room than this across, in its reaches, and enough for two.
const WIDE: f64 = 4.2;
/// Less than this, in reaches, is not aside.
const LEAST: f64 = 1e-3;
/// How far from either end points are looked for, in spacings, and how many.
const NEAR: f64 = 3.0;
const ENDS: usize = 12;
/// As far behind the start the distance to the goal is measured, in spacings.
pub(super) const BEYOND: f64 = 16.0;

/// All places of a body that a search has come to.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) from: Point,
    pub(super) to: Point,
    at: FxHashMap<Place, Option<Point>>,
    next: FxHashMap<Place, Box<[Place]>>,
    /// How far it is from the points of the roadmap to the goal, as far as that was looked for.
    far: FxHashMap<u32, f64>,
    open: BinaryHeap<Open>,
    /// The points around the start.
    starts: Vec<u32>,
    /// Farther than this it is not looked for.
    enough: f64,
}

impl Places {
    pub(super) fn new(from: Point, to: Point, ground: &Ground<'_>) -> Self {
        let mut places = Self {
            from,
            to,
            at: FxHashMap::default(),
            next: FxHashMap::default(),
            far: FxHashMap::default(),
            open: BinaryHeap::new(),
            starts: Vec::new(),
            enough: f64::INFINITY,
        };
        places.starts = places.ends(from, ground);
        for point in places.ends(to, ground) {
            if let Some(at) = ground.at(point) {
                places.open.push(Open { estimate: (to - at).length(), point });
            }
        }
        places
    }

    /// The points around an end of the way that can be seen from there.
    fn ends(&self, at: Point, ground: &Ground<'_>) -> Vec<u32> {
        let sees =
            |&id: &u32| ground.at(id).is_some_and(|other| ground.space.is_free(ground.solid, at, other - at));
        ground.near(at, NEAR * ground.map.spacing).filter(sees).take(ENDS).collect()
    }

    /// Where a place is; nothing if there is no room on that side of the point.
    pub(super) fn at(&mut self, place: Place, ground: &Ground<'_>) -> Option<Point> {
        match place {
            START => Some(self.from),
            GOAL => Some(self.to),
            _ => *self.at.entry(place).or_insert_with(|| {
                let (at, side) = (ground.at(place >> BITS)?, SIDES[(place & 7) as usize % SIDES.len()]);
                if side == Point::ZERO {
                    return Some(at);
                }
                let way = side * (WIDE * ground.solid.reach);
                let [part, across] = [way, -way].map(|way| ground.space.room(ground.solid, at, way));
                let wide = (part + across) * WIDE;
                (part * WIDE > LEAST && (2.0..WIDE).contains(&wide)).then(|| at + way * part)
            }),
        }
    }

    /// The places that a body can go to from one, past walls and those who stand for good.
    pub(super) fn next(&mut self, place: Place, ground: &Ground<'_>, walls: &Walls) -> Box<[Place]> {
        if let Some(known) = self.next.get(&place) {
            return known.clone();
        }
        let around = |point: u32| (0..SIDES.len() as u32).map(move |side| point << BITS | side);
        let mut next: Vec<Place> = match place {
            START | GOAL => {
                let at = if place == START { self.from } else { self.to };
                self.ends(at, ground).into_iter().flat_map(around).collect()
            }
            _ => {
                let (point, side) = (place >> BITS, place & 7);
                let others = ground.joined(point).iter().flat_map(|&other| {
                    let same = (side != 0).then_some(other << BITS | side);
                    [Some(other << BITS), same].into_iter().flatten()
                });
                around(point).filter(|&other| other != place).chain(others).collect()
            }
        };
        next.push(GOAL);
        let at = self.at(place, ground);
        next.retain(|&other| {
            let way = at.and_then(|at| Some((at, self.at(other, ground)? - at)));
            let near = 2.0 * NEAR * ground.map.spacing.max(ground.solid.reach);
            way.is_some_and(|(at, by)| {
                other != place
                    && (other != GOAL || by.length() <= near)
                    && ground.space.is_free(ground.solid, at, by)
                    && !walls.bar(ground.solid, at, by)
            })
        });
        let next = next.into_boxed_slice();
        self.next.insert(place, next.clone());
        next
    }

    /// Measures how far points are from the goal, as far as the start and somewhat farther, for at most so many expansions: how
    /// many it took, fewer if that is done.
    pub(super) fn measure(&mut self, ground: &Ground<'_>, most: u64) -> u64 {
        let mut spent = 0;
        while let Some(&Open { estimate, point }) = self.open.peek() {
            if self.far.contains_key(&point) {
                self.open.pop();
                continue;
            }
            if estimate > self.enough || spent >= most {
                break;
            }
            self.open.pop();
            spent += 1;
            self.far.insert(point, estimate);
            let Some(at) = ground.at(point) else { continue };
            if self.enough == f64::INFINITY && self.starts.contains(&point) {
                self.enough = estimate + BEYOND * ground.map.spacing;
            }
            for &other in ground.joined(point).iter().filter(|other| !self.far.contains_key(other)) {
                if let Some(there) = ground.at(other) {
                    self.open.push(Open { estimate: estimate + (there - at).length(), point: other });
                }
            }
        }
        spent
    }

    /// About how far it is from a place to the goal around walls: no less for those that were not measured than for all that were.
    pub(super) fn far(&mut self, place: Place, ground: &Ground<'_>) -> f64 {
        let Some(at) = self.at(place, ground) else { return f64::INFINITY };
        let straight = (self.to - at).length();
        if place == START || place == GOAL {
            return straight;
        }
        let beyond = || self.open.peek().map_or(f64::INFINITY, |open| open.estimate);
        self.far.get(&(place >> BITS)).copied().unwrap_or_else(beyond).max(straight)
    }
}
