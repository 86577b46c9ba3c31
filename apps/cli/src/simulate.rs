//! A run with everything that watches it.

use crate::error::CliError;
use crate::rest;
use serde::Serialize;
use std::time::{Duration, Instant};
use throng::check::{Expect, Judge, Report};
use throng::core::{Budget, Scenario, Tick, Trace};
use throng::sim::{Metrics, Recorder, Spread};
use throng::{Observers, Session};

/// What a run left behind.
pub(crate) struct Run {
    /// What the trace is a trace of: the scenario, or what was left of it when the run went on.
    pub(crate) scenario: Scenario,
    pub(crate) trace: Trace,
    pub(crate) metrics: Metrics,
    /// What the judge says, who has watched every tick.
    pub(crate) report: Report,
    pub(crate) tick_us: TickTimes,
    /// How long each tick took, in seconds, if all is kept.
    pub(crate) seconds: Vec<f64>,
    /// The most expansions in one tick.
    pub(crate) largest_work: u64,
}

/// Runs `session` until it is done or at tick `until`. `between` is called at the beginning and after
/// every tick. Without `keeps` nothing is kept of a tick when it is over, so that a run may be as long as it likes.
pub(crate) fn simulate(
    session: &mut Session,
    until: Tick,
    budget: &dyn Budget,
    keeps: bool,
    mut between: impl FnMut(&Session) -> Result<(), CliError>,
) -> Result<Run, CliError> {
    let scenario = rest::of(session.scenario(), session.state()).map_err(throng::Error::from)?;
    let mut metrics = Metrics::new(session.scenario(), session.state());
    let mut recorder = Recorder::new(session.scenario(), session.state());
    let mut judge = Judge::new(&scenario).posed(recorder.trace().poses.iter().copied());
    let (mut times, mut seconds, mut largest_work) = (Times::default(), Vec::new(), 0);
    between(session)?;
    while !session.is_done() && session.state().tick < until {
        let (begin, before) = (Instant::now(), metrics.expanded());
        session.tick(budget, &mut Observers(&mut [&mut metrics, &mut recorder]));
        let took = begin.elapsed();
        times.add(took);
        largest_work = largest_work.max(metrics.expanded() - before);
        let (trace, last) = (recorder.trace(), recorder.trace().ticks() - 1);
        trace.changes_at(last).iter().for_each(|&change| judge.change(change));
        trace.errands_at(last).iter().for_each(|note| judge.errand(note));
        trace.delays_at(last).iter().for_each(|delay| judge.slip(delay));
        judge.tick(trace.at(last));
        if keeps {
            seconds.push(took.as_secs_f64());
        } else {
            recorder.forget();
        }
        between(session)?;
    }
    let report = judge.finish(Expect::Legal);
    let (trace, tick_us) = (recorder.into_trace(), times.told());
    Ok(Run { scenario, trace, metrics, report, tick_us, seconds, largest_work })
}

/// How long ticks took; it holds no more for many of them than for few.
#[derive(Debug, Default)]
pub(crate) struct Times(Spread);

impl Times {
    pub(crate) fn add(&mut self, took: Duration) {
        // Tenths of a microsecond.
        self.0.add(u64::try_from(took.as_nanos() / 100).unwrap_or(u64::MAX));
    }

    /// In microseconds, percentiles to the 128th part.
    pub(crate) fn told(&self) -> TickTimes {
        let us = |tenths: u64| tenths as f64 / 10.0;
        let mean = self.0.mean().map(|tenths| tenths.floor() / 10.0);
        TickTimes { mean, p99: self.0.percentile(99).map(us), max: self.0.max().map(us) }
    }
}

/// How long ticks took, in microseconds; nothing if there were none.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct TickTimes {
    pub(crate) mean: Option<f64>,
    pub(crate) p99: Option<f64>,
    pub(crate) max: Option<f64>,
}

impl TickTimes {
    /// For people.
    pub(crate) fn text(&self) -> String {
        let us = |time: Option<f64>| time.map_or_else(|| "–".to_owned(), |time| format!("{time:.0} µs"));
        format!("{} on average, p99 {}, at most {}", us(self.mean), us(self.p99), us(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_leaves_one_in_a_hundred_out() {
        let mut times = Times::default();
        (1..=200).rev().map(Duration::from_micros).for_each(|took| times.add(took));
        let TickTimes { mean, p99, max } = times.told();
        assert_eq!((mean, max), (Some(100.5), Some(200.0)));
        assert!(p99.is_some_and(|p99| (198.0..199.6).contains(&p99)), "{p99:?}");
        assert_eq!(Times::default().told().mean, None);
    }
}
