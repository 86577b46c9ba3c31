//! A* on a roadmap, that can leave off and go on.

use super::Ground;
use core::cmp::Ordering;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use throng_core::space::Point;

/// So many points around either end are tried.
const ENDS: usize = 12;
/// What it takes of a budget to find those, in expansions.
const BEGIN: u64 = ENDS as u64;
/// How far those may be, in spacings.
const FAR: [f64; 3] = [3.0, 6.0, 12.0];
/// How much longer a way may be, in spacings, so as not to pass somebody who stands.
const DETOUR: f64 = 12.0;
/// How many points ahead a way is straightened.
const STRAIGHT: usize = 32;

/// A way to be found: all that the answer depends on besides the roadmap.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Request {
    pub(crate) body: u32,
    pub(crate) from: Point,
    pub(crate) to: Point,
    /// Places where somebody stands, and how much room there has to be.
    pub(crate) avoid: Vec<(Point, f64)>,
}

impl Request {
    /// Whether a straight way leads past somebody who stands. Who is so close already may go away from it.
    pub(crate) fn passes(&self, at: Point, by: Point) -> bool {
        let square = by.dot(by);
        self.avoid.iter().any(|&(place, room)| {
            let towards = (place - at).dot(by);
            let off = at + by * (towards / square).min(1.0) - place;
            towards > 0.0 && off.dot(off) < room * room
        })
    }
}

/// How a search stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Route {
    /// The places to go to, the last first.
    Found(Vec<Point>),
    /// There is no way.
    None,
    /// More expansions are needed.
    Unfinished,
}

/// A search in progress.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) request: Request,
    pub(crate) expanded: u64,
    open: BinaryHeap<Open>,
    /// Of all points that were reached, and the goal. What a search takes grows with these alone.
    reached: FxHashMap<u32, Reached>,
    /// Those from which the goal is in sight.
    ends: FxHashSet<u32>,
}

/// What it costs to get to a point, and where from.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: f64,
    from: u32,
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Open {
    pub(crate) estimate: f64,
    pub(crate) point: u32,
}

impl Eq for Open {}

impl Ord for Open {
    /// The least estimate is the greatest; then the lower number.
    fn cmp(&self, other: &Self) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(other.point.cmp(&self.point))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where a way begins.
const START: u32 = u32::MAX;
/// Where it ends.
const GOAL: u32 = START - 1;

impl Search {
    pub(crate) fn new(request: Request, ground: &Ground<'_>) -> Self {
        let (from, to) = (request.from, request.to);
        let spacing = ground.map.spacing;
        let sees = |at: Point, other: u32| {
            ground.at(other).is_some_and(|other| ground.space.is_free(ground.solid, at, other - at))
        };
        // Farther where nothing is in sight so near: random points leave gaps.
        let ends = |at: Point| {
            let within = |far: f64| -> Vec<u32> {
                ground.near(at, far * spacing).filter(|&id| sees(at, id)).take(ENDS).collect()
            };
            FAR.into_iter().map(within).find(|found| !found.is_empty()).unwrap_or_default()
        };
        let mut search = Self {
            expanded: 0,
            open: BinaryHeap::new(),
            reached: FxHashMap::default(),
            // Out of a wall every way is free, and nobody gets into one.
            ends: if ground.space.has_room(ground.solid, to) { ends(to) } else { Vec::new() }
                .into_iter()
                .collect(),
            request,
        };
        for id in ends(from) {
            let Some(at) = ground.at(id) else { continue };
            let cost = search.step(from, at, spacing);
            search.reach((id, at), START, cost);
        }
        search
    }

    /// Goes on for at most so many expansions.
    pub(crate) fn advance(&mut self, ground: &Ground<'_>, most: u64) -> Route {
        let until = self.expanded.saturating_add(most);
        // The ends were found before; they are paid for first.
        self.expanded = self.expanded.max(BEGIN.min(until));
        while let Some(&Open { point, .. }) = self.open.peek() {
            let known = self.reached.get(&point).copied();
            let Some(Reached { cost, .. }) = known.filter(|reached| !reached.closed) else {
                self.open.pop();
                continue;
            };
            if point == GOAL {
                return Route::Found(self.way(ground));
            }
            if self.expanded >= until {
                return Route::Unfinished;
            }
            self.open.pop();
            self.expanded += 1;
            if let Some(reached) = self.reached.get_mut(&point) {
                reached.closed = true;
            }
            let Some(at) = ground.at(point) else { continue };
            for &next in ground.joined(point) {
                let Some(there) = ground.at(next) else { continue };
                let step = self.step(at, there, ground.map.spacing);
                self.reach((next, there), point, cost + step);
            }
            if self.ends.contains(&point) {
                let to = self.request.to;
                let step = self.step(at, to, ground.map.spacing);
                self.reach((GOAL, to), point, cost + step);
            }
        }
        Route::None
    }

    /// What a step costs: its length, and more where it leads past somebody who stands.
    fn step(&self, from: Point, to: Point, spacing: f64) -> f64 {
        let length = (to - from).length();
        if self.request.passes(from, to - from) { length + DETOUR * spacing } else { length }
    }

    fn reach(&mut self, (point, at): (u32, Point), from: u32, cost: f64) {
        let known = self.reached.entry(point).or_insert(Reached { cost: f64::INFINITY, from, closed: false });
        if cost < known.cost && !known.closed {
            (known.cost, known.from) = (cost, from);
            self.open.push(Open { estimate: cost + (self.request.to - at).length(), point });
        }
    }

    /// All places on the way to the goal, which comes first.
    fn way(&self, ground: &Ground<'_>) -> Vec<Point> {
        let mut way = vec![self.request.to];
        let mut point = GOAL;
        while let Some(at) = self.reached.get(&point).and_then(|reached| {
            point = reached.from;
            ground.at(point)
        }) {
            way.push(at);
        }
        way
    }

    /// The same way with all places left out that can be passed by in a straight line, beginning at the start.
    pub(crate) fn straightened(&self, way: &[Point], ground: &Ground<'_>) -> Vec<Point> {
        let mut at = self.request.from;
        let mut left = way;
        let mut straight = Vec::new();
        while !left.is_empty() {
            let first = left.len().saturating_sub(STRAIGHT);
            let free = |&place: &usize| {
                let by = left[place] - at;
                ground.space.is_free(ground.solid, at, by) && !self.request.passes(at, by)
            };
            let place = (first..left.len()).find(free).unwrap_or(left.len() - 1);
            at = left[place];
            straight.push(at);
            left = &left[..place];
        }
        straight.reverse();
        straight
    }
}
