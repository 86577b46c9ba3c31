//! A* on a roadmap, that can leave off and go on.

use super::Roadmap;
use crate::Space;
use crate::geometry::Solid;
use core::cmp::Ordering;
use std::collections::BinaryHeap;
use throng_core::space::Point;

/// So many points around either end are tried.
const ENDS: usize = 12;
/// How far those may be, in spacings.
const FAR: [f64; 3] = [3.0, 6.0, 12.0];
/// How much longer a way may be, in spacings, so as not to pass a place where somebody stands.
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
    /// By point, and the goal after the last: what it costs to get there, and where from.
    costs: Vec<f64>,
    from: Vec<u32>,
    closed: Vec<bool>,
    /// By point: whether the goal is in sight.
    ends: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Open {
    estimate: f64,
    point: u32,
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

impl Search {
    pub(crate) fn new(request: Request, map: &Roadmap, space: &Space, solid: &Solid) -> Self {
        let count = map.points.len();
        let mut search = Self {
            expanded: 0,
            open: BinaryHeap::new(),
            costs: vec![f64::INFINITY; count + 1],
            from: vec![START; count + 1],
            closed: vec![false; count + 1],
            ends: vec![false; count],
            request,
        };
        let sees = |at: Point, other: u32| space.is_free(solid, at, map.points[other as usize] - at);
        // Farther where nothing is in sight so near: random points leave gaps.
        let ends = |at: Point| {
            let within = |far: f64| -> Vec<u32> {
                let near = map.near(at, far * map.spacing).into_iter();
                near.filter(|&id| sees(at, id)).take(ENDS).collect()
            };
            FAR.into_iter().map(within).find(|found| !found.is_empty()).unwrap_or_default()
        };
        let (from, to) = (search.request.from, search.request.to);
        for id in ends(to) {
            search.ends[id as usize] = true;
        }
        for id in ends(from) {
            let cost = search.step(from, map.points[id as usize], map.spacing);
            search.reach(map, id, START, cost);
        }
        search
    }

    /// Goes on for at most so many expansions.
    pub(crate) fn advance(&mut self, map: &Roadmap, most: u64) -> Route {
        let goal = map.points.len() as u32;
        let until = self.expanded.saturating_add(most);
        while let Some(&Open { point, .. }) = self.open.peek() {
            if self.closed[point as usize] {
                self.open.pop();
                continue;
            }
            if point == goal {
                return Route::Found(self.way(map));
            }
            if self.expanded >= until {
                return Route::Unfinished;
            }
            self.open.pop();
            self.closed[point as usize] = true;
            self.expanded += 1;
            let (at, cost) = (map.points[point as usize], self.costs[point as usize]);
            for &next in map.neighbours(point) {
                let step = self.step(at, map.points[next as usize], map.spacing);
                self.reach(map, next, point, cost + step);
            }
            if self.ends[point as usize] {
                self.reach(map, goal, point, cost + (self.request.to - at).length());
            }
        }
        Route::None
    }

    /// What a step costs: its length, and more where it ends beside somebody who stands.
    fn step(&self, from: Point, to: Point, spacing: f64) -> f64 {
        let beside = |&(at, room): &(Point, f64)| {
            let way = at - to;
            way.dot(way) < room * room
        };
        let length = (to - from).length();
        if self.request.avoid.iter().any(beside) { length + DETOUR * spacing } else { length }
    }

    fn reach(&mut self, map: &Roadmap, point: u32, from: u32, cost: f64) {
        let place = point as usize;
        if cost < self.costs[place] && !self.closed[place] {
            (self.costs[place], self.from[place]) = (cost, from);
            let at = map.points.get(place).copied().unwrap_or(self.request.to);
            self.open.push(Open { estimate: cost + (self.request.to - at).length(), point });
        }
    }

    /// All places on the way to the goal, which comes first.
    fn way(&self, map: &Roadmap) -> Vec<Point> {
        let mut way = vec![self.request.to];
        let mut point = self.from[map.points.len()];
        while let Some(&at) = map.points.get(point as usize) {
            way.push(at);
            point = self.from[point as usize];
        }
        way
    }

    /// The same way with all places left out that can be passed by in a straight line, beginning at the start.
    pub(crate) fn straightened(&self, way: &[Point], space: &Space, solid: &Solid) -> Vec<Point> {
        let mut at = self.request.from;
        let mut left = way;
        let mut straight = Vec::new();
        while !left.is_empty() {
            let first = left.len().saturating_sub(STRAIGHT);
            let free = |&place: &usize| {
                let by = left[place] - at;
                space.is_free(solid, at, by) && !self.passes(at, by)
            };
            let place = (first..left.len()).find(free).unwrap_or(left.len() - 1);
            at = left[place];
            straight.push(at);
            left = &left[..place];
        }
        straight.reverse();
        straight
    }

    /// Whether a straight way leads past somebody who stands.
    fn passes(&self, at: Point, by: Point) -> bool {
        let square = by.dot(by);
        self.request.avoid.iter().any(|&(place, room)| {
            let part = if square > 0.0 { ((place - at).dot(by) / square).clamp(0.0, 1.0) } else { 0.0 };
            let off = at + by * part - place;
            off.dot(off) < room * room
        })
    }
}
