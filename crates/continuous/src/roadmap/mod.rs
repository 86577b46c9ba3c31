//! Ways around walls: points of the space joined where a body can go straight from one to the other, and A* on them.
//!
//! The points are those of a lattice (a waypoint graph as games have it) or drawn at random (a sampled graph of the space).
//! Both know walls only; other bodies are avoided on the way. One roadmap serves all bodies of a shape.

mod build;
mod search;

pub(crate) use search::{Request, Route, Search};

use crate::buckets::Buckets;
use throng_core::space::Point;

/// A graph of places where a body has room.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roadmap {
    pub(crate) points: Vec<Point>,
    /// Where the neighbours of each point begin.
    begins: Vec<u32>,
    neighbours: Vec<u32>,
    buckets: Buckets,
    /// Points in the order of squares.
    sorted: Vec<u32>,
    /// How far it is to another point at most that there should be.
    pub(crate) spacing: f64,
}

impl Roadmap {
    /// The points that one can go to from `point`.
    pub(crate) fn neighbours(&self, point: u32) -> &[u32] {
        let point = point as usize;
        &self.neighbours[self.begins[point] as usize..self.begins[point + 1] as usize]
    }

    /// The points within `radius` of a place, nearest first.
    pub(crate) fn near(&self, at: Point, radius: f64) -> Vec<u32> {
        let square = |id: u32| {
            let way = self.points[id as usize] - at;
            way.dot(way)
        };
        let all = self.buckets.near(at, radius).flat_map(|range| &self.sorted[range]).copied();
        let mut found: Vec<u32> = all.filter(|&id| square(id) <= radius * radius).collect();
        found.sort_unstable_by(|&a, &b| square(a).total_cmp(&square(b)).then(a.cmp(&b)));
        found
    }
}
