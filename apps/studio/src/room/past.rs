//! What a run has come to by a tick, found out from its trace alone.

use super::charts::{Visits, flow};
use super::stage::{Placements, Stage};
use throng::Observers;
use throng::core::{Observer, Scenario, Tick, Trace};
use throng::sim::Flow;

/// The world of a trace at a tick, and what those have heard until then who listen.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub(crate) stage: Stage,
    pub(crate) flow: Flow,
    pub(crate) visits: Visits,
}

impl Past {
    /// At the beginning.
    pub(crate) fn new(scenario: &Scenario, trace: &Trace) -> Self {
        let stage = Stage::new(scenario, trace);
        let (scenario, state) = (stage.scenario(), stage.state());
        Self { flow: flow(scenario.grid()), visits: Visits::new(scenario, state), stage }
    }

    /// On to `tick`, if that is later; `observer` hears what happens.
    pub(crate) fn go_on(
        &mut self,
        trace: &Trace,
        placed: &Placements,
        tick: Tick,
        observer: &mut dyn Observer,
    ) {
        while self.stage.state().tick < tick {
            let mut all: [&mut dyn Observer; 3] = [&mut self.flow, &mut self.visits, &mut *observer];
            self.stage.step(trace, placed, &mut Observers(&mut all));
        }
    }
}
