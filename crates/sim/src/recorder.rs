//! Writes down what happens.

use throng_core::{Cell, Deed, Event, Observer, Scenario, State, TerrainChange, Tick, Trace, Unit};

/// An observer that records a [`Trace`].
#[derive(Clone, Debug)]
pub struct Recorder {
    trace: Trace,
}

impl Recorder {
    /// Records from `state` on.
    #[must_use]
    pub fn new(scenario: &Scenario, state: &State) -> Self {
        let mut trace = Trace::new(state.units.iter().map(|u| scenario.grid().cell(u.at)).collect());
        let mut begun = scenario.agents().iter().zip(&state.units);
        if begun.any(|(agent, unit)| unit.pose != agent.motion.first_pose()) {
            let pose = |unit: &Unit| (unit.pose, unit.until.saturating_sub(state.tick));
            trace.poses = state.units.iter().map(pose).collect();
        }
        Self { trace }
    }

    /// What was recorded.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Notes that a cell has closed or opened in the tick being recorded.
    fn change(&mut self, cell: Cell, open: bool) {
        let tick = self.trace.ticks();
        self.trace.changes.push(TerrainChange { tick, cell, open });
    }

    /// What was recorded, taken out.
    #[must_use]
    pub fn into_trace(self) -> Trace {
        self.trace
    }
}

impl Observer for Recorder {
    fn event(&mut self, _tick: Tick, event: &Event) {
        match *event {
            Event::Moved { agent, action } => self.trace.push(Deed { agent, action, failed: false }),
            Event::Failed { agent, action, .. } => self.trace.push(Deed { agent, action, failed: true }),
            Event::Closed { cell } => self.change(cell, false),
            Event::Opened { cell } => self.change(cell, true),
            Event::Arrived { .. }
            | Event::Finished { .. }
            | Event::Overridden { .. }
            | Event::Promoted { .. }
            | Event::Settled { .. }
            | Event::Exchanged { .. }
            | Event::JoinedFlock { .. }
            | Event::LeftFlock { .. }
            | Event::Explored { .. }
            | Event::Found { .. }
            | Event::GaveUp { .. } => {}
        }
    }

    fn tick(&mut self, _scenario: &Scenario, _state: &State) {
        self.trace.end_tick();
    }
}
