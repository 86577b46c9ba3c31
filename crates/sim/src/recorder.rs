//! Writes down what happens.

use throng_core::{
    Cell, Deed, Delay, ErrandId, ErrandNote, Event, Fate, News, Observer, Scenario, State, TerrainChange,
    Tick, Trace, Unit,
};

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
        // Errands that are open by now begin with what is left of them.
        for job in state.errands.jobs.iter().filter(|job| job.fate.is_open()) {
            let note = |news| ErrandNote { tick: 0, errand: job.id, news };
            let Fate::UnderWay(agent) = job.fate else {
                trace.errands.push(note(News::Appeared(job.stops.clone())));
                continue;
            };
            let leg = state.units[agent.index()].leg as usize;
            let left = job.stops.get(leg..).unwrap_or_default().to_vec();
            trace.errands.extend([note(News::Appeared(left)), note(News::Assigned(agent))]);
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

    /// Notes what became of an errand in the tick being recorded.
    fn errand(&mut self, errand: ErrandId, news: News) {
        let tick = self.trace.ticks();
        self.trace.errands.push(ErrandNote { tick, errand, news });
    }

    /// Forgets all ticks recorded so far: for whoever only wants to know what happened in the last one.
    pub fn forget(&mut self) {
        self.trace.forget();
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
            Event::Slipped { agent, ticks } => {
                let tick = self.trace.ticks();
                self.trace.delays.push(Delay { tick, agent, ticks });
            }
            Event::Closed { cell } => self.change(cell, false),
            Event::Opened { cell } => self.change(cell, true),
            // Its stops are in the state, which comes with the end of the tick.
            Event::Appeared { errand, .. } => self.errand(errand, News::Appeared(Vec::new())),
            Event::Assigned { errand, agent, .. } => self.errand(errand, News::Assigned(agent)),
            Event::Done { errand, agent, .. } => self.errand(errand, News::Done(agent)),
            Event::Returned { errand } => self.errand(errand, News::Returned),
            Event::Refused { errand, .. } => self.errand(errand, News::Refused),
            Event::Arrived { .. }
            | Event::Finished { .. }
            | Event::Waits { .. }
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

    fn tick(&mut self, _scenario: &Scenario, state: &State) {
        let begun = self.trace.errands.partition_point(|note| note.tick < self.trace.ticks());
        for note in &mut self.trace.errands[begun..] {
            if let News::Appeared(stops) = &mut note.news
                && let Some(job) = state.errands.job(note.errand)
                && stops.is_empty()
            {
                stops.clone_from(&job.stops);
            }
        }
        self.trace.end_tick();
    }
}
