//! What a run cost, counted by listening.

use crate::Service;
use throng_core::{Action, AgentId, Event, Observer, Scenario, SearchKind, State, Task, Tick};

/// Counts for one leg (for a patrol: one way) of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegMetrics {
    /// When the waypoint was reached.
    pub arrived: Tick,
    /// Expansions of the main search.
    pub expanded: u64,
    /// Straight steps.
    pub straight: u64,
    /// Diagonal steps.
    pub diagonal: u64,
    /// Quarters of circles, as the sum of their radii.
    pub curved: u64,
    /// Cancelled moves.
    pub failed: u64,
}

impl LegMetrics {
    /// Geometric length of the path: 1 for a straight step, √2 for a diagonal, π/2 of its radius for a curve.
    #[must_use]
    pub fn length(&self) -> f64 {
        let curved = self.curved as f64 * core::f64::consts::FRAC_PI_2;
        self.straight as f64 + self.diagonal as f64 * core::f64::consts::SQRT_2 + curved
    }

    fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.straight += other.straight;
        self.diagonal += other.diagonal;
        self.curved += other.curved;
        self.failed += other.failed;
    }
}

/// Counts for one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentMetrics {
    /// Finished legs; none of those who do errands, of whom only the sum is kept.
    pub legs: Vec<LegMetrics>,
    /// All finished legs of one that does errands together.
    pub earlier: LegMetrics,
    /// The leg under way.
    pub current: LegMetrics,
    /// When it finished its task, if it has.
    pub finished: Option<Tick>,
    /// Searches.
    pub replans: u64,
    /// Expansions of backwards searches on its behalf.
    pub backwards: u64,
    /// Ticks in which it did not rest at its last waypoint both before and after.
    pub loss: u64,
    /// Ticks that it lost by being late.
    pub late: u64,
    /// Ticks in which it waited for another one that had to go first by their plan and was late.
    pub waits: u64,
    /// The first tick after which it has stayed at its last waypoint.
    pub settled: Option<Tick>,
}

impl AgentMetrics {
    /// All legs together.
    #[must_use]
    pub fn total(&self) -> LegMetrics {
        let mut total = self.current;
        total.add(&self.earlier);
        self.legs.iter().for_each(|leg| total.add(leg));
        total
    }
}

/// An observer that counts.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    agents: Vec<AgentMetrics>,
    ticks: Tick,
    failed: u64,
    expanded: u64,
    backwards: u64,
    replans: u64,
    /// How often units have joined a flock, and left one.
    joined: u64,
    left: u64,
    /// Expansions in the present tick, and the largest of any tick.
    in_tick: u64,
    largest_tick: u64,
    largest_lists: u64,
    largest_bytes: usize,
    service: Service,
}

impl Metrics {
    /// Counts for the agents of `scenario`, from `state` on.
    #[must_use]
    pub fn new(scenario: &Scenario, state: &State) -> Self {
        let mut metrics =
            Self { agents: vec![AgentMetrics::default(); scenario.agents().len()], ..Self::default() };
        metrics.ticks = state.tick;
        metrics.service.begin(state);
        for agent in scenario.agents() {
            let unit = &state.units[agent.id.index()];
            if rests(scenario, state, agent.id) {
                metrics.agents[agent.id.index()].settled = Some(state.tick);
            }
            if unit.leg >= agent.waypoints().len() {
                metrics.agents[agent.id.index()].finished = Some(state.tick);
            }
        }
        metrics
    }

    /// One agent's own; a unit that has just come is new here too.
    fn of(&mut self, agent: AgentId) -> &mut AgentMetrics {
        if self.agents.len() <= agent.index() {
            self.agents.resize_with(agent.index() + 1, AgentMetrics::default);
        }
        &mut self.agents[agent.index()]
    }

    /// By agent.
    #[must_use]
    pub fn agents(&self) -> &[AgentMetrics] {
        &self.agents
    }

    /// How often units have joined a flock, and left one.
    #[must_use]
    pub const fn flocks(&self) -> (u64, u64) {
        (self.joined, self.left)
    }

    /// Ticks that units lost by being late, and ticks in which others waited for them since a plan has those go first.
    #[must_use]
    pub fn lateness(&self) -> (u64, u64) {
        self.agents.iter().fold((0, 0), |(late, waits), agent| (late + agent.late, waits + agent.waits))
    }

    /// How errands were done.
    #[must_use]
    pub const fn service(&self) -> &Service {
        &self.service
    }

    /// The last tick seen.
    #[must_use]
    pub const fn ticks(&self) -> Tick {
        self.ticks
    }

    /// Cancelled moves.
    #[must_use]
    pub const fn failed_moves(&self) -> u64 {
        self.failed
    }

    /// Expansions of main and backwards searches.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded + self.backwards
    }

    /// Expansions of backwards searches alone.
    #[must_use]
    pub const fn backwards(&self) -> u64 {
        self.backwards
    }

    /// The most expansions in any one tick.
    #[must_use]
    pub const fn largest_tick(&self) -> u64 {
        self.largest_tick
    }

    /// The largest sum of the sizes of all open and closed lists at any tick.
    #[must_use]
    pub const fn largest_lists(&self) -> u64 {
        self.largest_lists
    }

    /// Bytes of those lists at their largest, per unit.
    #[must_use]
    pub fn bytes_per_unit(&self) -> usize {
        self.largest_bytes / self.agents.len().max(1)
    }

    /// Searches.
    #[must_use]
    pub const fn replans(&self) -> u64 {
        self.replans
    }

    /// How many agents have finished their task.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.agents.iter().filter(|a| a.finished.is_some()).count()
    }

    /// Geometric length of all paths together.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.agents.iter().map(|a| a.total().length()).sum()
    }

    /// Sum over agents of the first tick after which each stayed at its goal; `None` if one did not.
    #[must_use]
    pub fn soc(&self) -> Option<Tick> {
        self.agents.iter().map(|a| a.settled).sum()
    }

    /// The largest of those ticks.
    #[must_use]
    pub fn makespan(&self) -> Option<Tick> {
        self.agents.iter().map(|a| a.settled).try_fold(0, |most, tick| Some(most.max(tick?)))
    }

    /// Ticks that agents spent not at rest at their goals.
    #[must_use]
    pub fn sum_of_loss(&self) -> u64 {
        self.agents.iter().map(|a| a.loss).sum()
    }
}

/// Whether a unit stands at its last waypoint, its task done.
fn rests(scenario: &Scenario, state: &State, agent: AgentId) -> bool {
    let (agent, unit) = (scenario.agent(agent), &state.units[agent.index()]);
    let way = agent.waypoints();
    // Whoever has explored may be anywhere.
    let there = agent.task.is_search()
        || matches!(agent.task, Task::Errands(_))
        || scenario.grid().id(way.last()) == Some(unit.at);
    unit.leg >= way.len() && !unit.is_moving(state.tick) && there
}

impl Observer for Metrics {
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.in_tick += count;
        match kind {
            SearchKind::Main => {
                self.expanded += count;
                self.of(agent).current.expanded += count;
            }
            SearchKind::Backwards => {
                self.backwards += count;
                self.of(agent).backwards += count;
            }
        }
    }

    fn wants_memory(&self) -> bool {
        true
    }

    fn memory(&mut self, open: u64, closed: u64, bytes: usize) {
        self.largest_lists = self.largest_lists.max(open + closed);
        self.largest_bytes = self.largest_bytes.max(bytes);
    }

    fn replanned(&mut self, agent: AgentId, _tick: Tick) {
        self.replans += 1;
        self.of(agent).replans += 1;
    }

    fn event(&mut self, tick: Tick, event: &Event) {
        match *event {
            Event::Moved { agent, action } => {
                let leg = &mut self.of(agent).current;
                match (action, action.dir()) {
                    (_, Some(dir)) if dir.is_diagonal() => leg.diagonal += 1,
                    (_, Some(_)) => leg.straight += 1,
                    (Action::Curve(_, radius), _) => leg.curved += u64::from(radius),
                    _ => {}
                }
            }
            Event::Slipped { agent, ticks } => self.of(agent).late += u64::from(ticks),
            Event::Waits { agent, .. } => self.of(agent).waits += 1,
            Event::Failed { agent, .. } => {
                self.failed += 1;
                self.of(agent).current.failed += 1;
            }
            Event::Arrived { agent, .. } => {
                let agent = self.of(agent);
                let leg = core::mem::take(&mut agent.current);
                agent.legs.push(LegMetrics { arrived: tick + 1, ..leg });
            }
            Event::Finished { agent } => self.of(agent).finished = Some(tick + 1),
            // Told before anything of this tick begins.
            Event::Explored { agent, .. } | Event::Found { agent, .. } => {
                let agent = self.of(agent);
                let leg = core::mem::take(&mut agent.current);
                agent.legs.push(LegMetrics { arrived: tick, ..leg });
                agent.finished = Some(tick);
            }
            Event::Appeared { .. }
            | Event::Assigned { .. }
            | Event::Done { .. }
            | Event::Returned { .. }
            | Event::Refused { .. } => self.service.event(tick, event),
            Event::JoinedFlock { .. } => self.joined += 1,
            Event::LeftFlock { .. } => self.left += 1,
            Event::Overridden { .. }
            | Event::Promoted { .. }
            | Event::Settled { .. }
            | Event::Exchanged { .. }
            | Event::Closed { .. }
            | Event::Opened { .. }
            | Event::GaveUp { .. } => {}
        }
    }

    fn tick(&mut self, scenario: &Scenario, state: &State) {
        self.ticks = state.tick;
        self.largest_tick = self.largest_tick.max(self.in_tick);
        self.in_tick = 0;
        self.agents.resize_with(scenario.agents().len(), AgentMetrics::default);
        for (id, agent) in self.agents.iter_mut().enumerate().filter(|(id, _)| !state.units[*id].gone) {
            let before = agent.settled.is_some();
            if rests(scenario, state, AgentId(id as u32)) {
                agent.settled.get_or_insert(state.tick);
            } else {
                agent.settled = None;
            }
            agent.loss += u64::from(!(before && agent.settled.is_some()));
            if matches!(scenario.agents()[id].task, Task::Errands(_)) {
                // They have as many legs as there are errands.
                agent.legs.drain(..).for_each(|leg| agent.earlier.add(&leg));
            }
        }
        self.service.tick(state);
    }
}
