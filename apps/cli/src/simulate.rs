//! A run with everything that watches it.

use crate::error::CliError;
use crate::rest;
use serde::Serialize;
use std::time::{Duration, Instant};
use throng::check::{Expect, Judge, Report};
use throng::core::{Budget, Scenario, Tick, Trace};
use throng::sim::{Metrics, Recorder};
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
    let (mut times, mut largest_work) = (Vec::new(), 0);
    between(session)?;
    while !session.is_done() && session.state().tick < until {
        let (begin, before) = (Instant::now(), metrics.expanded());
        session.tick(budget, &mut Observers(&mut [&mut metrics, &mut recorder]));
        times.push(begin.elapsed());
        largest_work = largest_work.max(metrics.expanded() - before);
        let (trace, last) = (recorder.trace(), recorder.trace().ticks() - 1);
        trace.changes_at(last).iter().for_each(|&change| judge.change(change));
        trace.errands_at(last).iter().for_each(|note| judge.errand(note));
        judge.tick(trace.at(last));
        if !keeps {
            recorder.forget();
        }
        between(session)?;
    }
    let report = judge.finish(Expect::Legal);
    let (trace, tick_us) = (recorder.into_trace(), TickTimes::of(times));
    Ok(Run { scenario, trace, metrics, report, tick_us, largest_work })
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

    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let us = |time: Duration| (time.as_nanos() / 100) as f64 / 10.0;
        let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
        // The smallest time that at least 99 of 100 ticks do not exceed.
        let p99 = (times.len() * 99).div_ceil(100).saturating_sub(1);
        Self {
            mean: times.iter().sum::<Duration>().checked_div(count).map(us),
            p99: times.get(p99).copied().map(us),
            max: times.last().copied().map(us),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_leaves_one_in_a_hundred_out() {
        let times = TickTimes::of((1..=200).rev().map(Duration::from_micros).collect());
        assert_eq!((times.mean, times.p99, times.max), (Some(100.5), Some(198.0), Some(200.0)));
        assert_eq!(TickTimes::of(Vec::new()).mean, None);
    }
}
