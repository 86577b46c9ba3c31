//! What both who are compared share: starts and goals, and what is counted.

use std::fmt;
use throng_continuous::{NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Draw as _, stream};

/// Radius, speed and time of a step.
pub(crate) const DISC: f64 = 0.35;
pub(crate) const SPEED: f64 = 1.4;
pub(crate) const STEP: f64 = 0.1;

/// Who goes from where to where.
pub(crate) struct Arena {
    pub(crate) side: f64,
    pub(crate) ways: Vec<(Point, Point)>,
}

impl Arena {
    /// Discs anywhere, each of which goes to the place opposite: through the middle to the other side.
    pub(crate) fn new(n: usize, side: f64, seed: u64) -> Self {
        // One to a square at most, so that neither starts nor goals overlap.
        let squares = (side / (3.0 * DISC)) as u32;
        let mut taken = vec![false; (squares * squares) as usize];
        let mut dice = stream(seed, AgentId(0), 0);
        let mut ways = Vec::with_capacity(n);
        while ways.len() < n {
            let (x, y) = (dice.below(squares), dice.below(squares));
            if !std::mem::replace(&mut taken[(y * squares + x) as usize], true) {
                let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5) * (side / f64::from(squares));
                ways.push((at, Point::new(side, side) - at));
            }
        }
        Self { side, ways }
    }

    pub(crate) fn world(&self) -> World {
        let disc = Shape::disc(DISC).expect("a disc");
        let body =
            |&(from, to): &(Point, Point)| NewBody { speed: SPEED, ..NewBody::new(disc.clone(), from, to) };
        let space = Space::open(self.side, self.side).expect("a square");
        let settings = Settings { step: STEP, ..Settings::default() };
        World::new(space, settings, self.ways.iter().map(body).collect()).expect("nobody overlaps")
    }
}

/// Seconds for which this thread has had a core, where the system tells.
pub(crate) fn busy() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanos| nanos / 1e9)
}

/// The slope of the line through the logarithms, by least squares.
pub(crate) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
    let rise: f64 = logs.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    rise / logs.iter().map(|(a, _)| (a - x).powi(2)).sum::<f64>()
}

/// How deep any two discs overlap, one number for each pair.
pub(crate) fn overlaps(at: &[Point]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|&a, &b| at[a].x.total_cmp(&at[b].x));
    let mut found = Vec::new();
    for (place, &one) in order.iter().enumerate() {
        let near = order[place + 1..].iter().take_while(|&&other| at[other].x - at[one].x < 2.0 * DISC);
        found.extend(
            near.map(|&other| 2.0 * DISC - (at[other] - at[one]).length()).filter(|&deep| deep > 0.0),
        );
    }
    found
}

/// What became of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) all: usize,
    pub(crate) ms: f64,
    arrived: Vec<(f64, usize)>,
    overlapping: u64,
    deepest: f64,
}

impl Outcome {
    pub(crate) fn note(&mut self, time: f64, arrived: usize, overlaps: &[f64]) {
        if self.arrived.last().is_none_or(|last| last.1 < arrived) {
            self.arrived.push((time, arrived));
        }
        self.overlapping += u64::from(!overlaps.is_empty());
        self.deepest = overlaps.iter().copied().fold(self.deepest, f64::max);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrived = self.arrived.last().map_or(0, |last| last.1);
        write!(f, "{arrived} of {}", self.all)?;
        for part in [0.5, 0.9, 1.0] {
            let when = self.arrived.iter().find(|(_, count)| *count as f64 >= part * self.all as f64);
            match when {
                Some((time, _)) => write!(f, ", {time:.0} s")?,
                None => write!(f, ", never")?,
            }
        }
        write!(f, ", {} steps with overlaps, {:.3} m deep, {:.2} ms", self.overlapping, self.deepest, self.ms)
    }
}
