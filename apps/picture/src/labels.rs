//! What the caption says.

use super::replay::Replay;
use throng_core::{Scenario, Tick, Trace};

/// The words of one picture.
pub(crate) struct Labels {
    pub(crate) title: String,
    ticks: Tick,
    agents: usize,
    failures: usize,
}

impl Labels {
    /// For a run of which every `stride`-th tick is shown.
    pub(crate) fn new(title: &str, scenario: &Scenario, trace: &Trace, stride: Tick) -> Self {
        let ticks = trace.ticks();
        let failures = (0..ticks).map(|tick| trace.at(tick).iter().filter(|deed| deed.failed).count()).sum();
        let skips = if stride > 1 { format!("every {stride} ticks") } else { String::new() };
        let title = [title, &skips].map(str::trim).into_iter().filter(|part| !part.is_empty());
        Self { title: title.collect::<Vec<_>>().join(", "), ticks, agents: scenario.agents().len(), failures }
    }

    /// Numbers are padded to their largest, so that the words keep their places.
    pub(crate) fn status(&self, replay: &Replay<'_>) -> String {
        self.words(replay.tick(), replay.arrived(), replay.failures())
    }

    /// Letters of any status of this run.
    pub(crate) fn longest_status(&self) -> usize {
        self.words(self.ticks, self.agents, self.failures as u64).chars().count()
    }

    fn words(&self, tick: Tick, arrived: usize, failures: u64) -> String {
        let Self { ticks, agents, .. } = self;
        let digits = |number: u64| number.to_string().len();
        let mut words = format!(
            "tick {tick:>t$}/{ticks}  {arrived:>a$}/{agents} arrived",
            t = digits(*ticks),
            a = digits(*agents as u64),
        );
        if self.failures > 0 {
            words += &format!("  {failures:>f$} failed", f = digits(self.failures as u64));
        }
        words
    }
}
