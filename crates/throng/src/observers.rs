//! Several observers of one run.

use throng_core::{AgentId, CellId, Event, Observer, Scenario, SearchKind, State, Tick};

/// Passes everything on to each of several observers, in order.
///
/// ```
/// use throng::core::Unlimited;
/// use throng::sim::{Metrics, Recorder};
/// use throng::{Observers, Options, Session, worlds};
///
/// let mut session = Session::new(worlds::builtin("hallway", 0)?, &Options::default())?;
/// let mut metrics = Metrics::new(session.scenario(), session.state());
/// let mut recorder = Recorder::new(session.scenario(), session.state());
/// session.tick(&Unlimited, &mut Observers(&mut [&mut metrics, &mut recorder]));
/// assert_eq!((metrics.ticks(), recorder.trace().ticks()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Observers<'a, 'b>(pub &'a mut [&'b mut dyn Observer]);

impl std::fmt::Debug for Observers<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} observers", self.0.len())
    }
}

impl Observer for Observers<'_, '_> {
    fn wants_nodes(&self) -> bool {
        self.0.iter().any(|one| one.wants_nodes())
    }
    fn node(&mut self, agent: AgentId, at: CellId, tick: Tick) {
        self.0.iter_mut().filter(|one| one.wants_nodes()).for_each(|one| one.node(agent, at, tick));
    }
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.0.iter_mut().for_each(|one| one.expanded(agent, kind, count));
    }
    fn alone(&mut self, agent: AgentId, ticks: Tick) {
        self.0.iter_mut().for_each(|one| one.alone(agent, ticks));
    }
    fn found(&mut self, cost: u64) {
        self.0.iter_mut().for_each(|one| one.found(cost));
    }
    fn bound(&mut self, soc: Tick) {
        self.0.iter_mut().for_each(|one| one.bound(soc));
    }
    fn wants_memory(&self) -> bool {
        self.0.iter().any(|one| one.wants_memory())
    }
    fn memory(&mut self, open: u64, closed: u64, bytes: usize) {
        self.0.iter_mut().for_each(|one| one.memory(open, closed, bytes));
    }
    fn reserved(&mut self, agent: AgentId, from: Tick, until: Tick) {
        self.0.iter_mut().for_each(|one| one.reserved(agent, from, until));
    }
    fn replanned(&mut self, agent: AgentId, tick: Tick) {
        self.0.iter_mut().for_each(|one| one.replanned(agent, tick));
    }
    fn event(&mut self, tick: Tick, event: &Event) {
        self.0.iter_mut().for_each(|one| one.event(tick, event));
    }
    fn tick(&mut self, scenario: &Scenario, state: &State) {
        self.0.iter_mut().for_each(|one| one.tick(scenario, state));
    }
}
