//! What both who are compared share: starts and goals, and what is counted.

use std::fmt;
use std::time::Instant;
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
    /// Discs anywhere, each of which goes anywhere else.
    pub(crate) fn anywhere(n: usize, side: f64, seed: u64) -> Self {
        let mut places = [0, 1].map(|what| places(n, side, seed, what));
        let [from, to] = &mut places;
        Self { side, ways: from.zip(to).take(n).collect() }
    }

    /// Discs anywhere, each of which goes to the place opposite: all through the middle to the other side.
    pub(crate) fn opposite(n: usize, side: f64, seed: u64) -> Self {
        let ways = places(n, side, seed, 0).map(|at| (at, Point::new(side, side) - at)).collect();
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

/// Places of a square where `n` discs do not overlap: one to a small square at most.
fn places(n: usize, side: f64, seed: u64, what: u64) -> impl Iterator<Item = Point> {
    let squares = (side / (3.0 * DISC)) as u32;
    let mut taken = vec![false; (squares * squares) as usize];
    let mut dice = stream(seed, AgentId(0), what);
    let place = move || loop {
        let (x, y) = (dice.below(squares), dice.below(squares));
        if !std::mem::replace(&mut taken[(y * squares + x) as usize], true) {
            return Some(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5) * (side / f64::from(squares)));
        }
    };
    std::iter::from_fn(place).take(n)
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
pub(crate) struct Outcome {
    all: usize,
    /// By step: how long it took, in milliseconds.
    steps: Vec<f64>,
    /// At how many others a disc looked in a step.
    pub(crate) looked: f64,
    arrived: Vec<(f64, usize)>,
    overlapping: u64,
    deepest: f64,
}

/// Milliseconds of a step: of all on average, of 99 in 100 at most, and of the longest.
pub(crate) struct Times {
    pub(crate) mean: f64,
    pub(crate) most: f64,
    pub(crate) worst: f64,
}

impl Outcome {
    pub(crate) fn new(all: usize) -> Self {
        Self { all, steps: Vec::new(), looked: 0.0, arrived: Vec::new(), overlapping: 0, deepest: 0.0 }
    }

    /// Carries a step out and takes its time.
    pub(crate) fn time(&mut self, step: impl FnOnce()) {
        let begin = Instant::now();
        step();
        self.steps.push(1e3 * begin.elapsed().as_secs_f64());
    }

    /// The shorter time of each step, of two runs that did the same: what others did meanwhile is left out.
    pub(crate) fn shorter(mut self, other: Self) -> Self {
        self.steps.iter_mut().zip(other.steps).for_each(|(a, b)| *a = a.min(b));
        self
    }

    pub(crate) fn last(&self) -> f64 {
        self.steps.last().copied().unwrap_or(0.0)
    }

    pub(crate) fn times(&self) -> Times {
        let mut steps = self.steps.clone();
        steps.sort_by(f64::total_cmp);
        let at = |part: f64| {
            steps.get((steps.len() as f64 * part) as usize).or(steps.last()).copied().unwrap_or(0.0)
        };
        let mean = steps.iter().sum::<f64>() / steps.len().max(1) as f64;
        Times { mean, most: at(0.99), worst: at(1.0) }
    }

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
        write!(f, "{arrived} of {} arrived; half, 90 %, all after", self.all)?;
        for part in [0.5, 0.9, 1.0] {
            let when = self.arrived.iter().find(|(_, count)| *count as f64 >= part * self.all as f64);
            match when {
                Some((time, _)) => write!(f, " {time:.0} s")?,
                None => write!(f, " never")?,
            }
        }
        write!(f, "; {} steps with overlaps, {:.3} m deep", self.overlapping, self.deepest)
    }
}
