//! What no plan can beat.

use std::sync::Arc;
use throng_core::{Action, Agent, AgentId, Budget, Motion, Observer, Scenario, SearchKind, Tick, Unlimited};
use throng_search::{AStar, CarGraph, CarShape, Graph as _, GridGraph, TrueDistance};

/// Sum and maximum of the ticks that agents would need alone, unless a planner has proven that the sum is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LowerBounds {
    /// No plan has a smaller sum of costs.
    pub soc: Tick,
    /// No plan has a smaller makespan.
    pub makespan: Tick,
}

impl LowerBounds {
    /// By own searches on the grid; `None` if somebody cannot get there at all.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        Self::with_known(scenario, &vec![None; scenario.agents().len()], &Unlimited)
    }

    /// The same, where some agents' ticks are known already; `None` also if the budget ends before the others' are.
    pub(crate) fn with_known(
        scenario: &Scenario,
        known: &[Option<Tick>],
        budget: &dyn Budget,
    ) -> Option<Self> {
        let mut bounds = Self::default();
        let mut search = AStar::new();
        let mut path = Vec::new();
        for (agent, known) in scenario.agents().iter().zip(known) {
            let ticks = match known {
                Some(ticks) => *ticks,
                None if budget.should_stop(search.expanded()) => return None,
                None => match agent.motion {
                    // Turns are not counted: no way is shorter than its steps.
                    Motion::Steps | Motion::Gaits { .. } | Motion::Turns { .. } => {
                        on_foot(scenario, agent, &mut search, &mut path)?
                    }
                    Motion::Car { .. } => by_car(scenario, agent)?,
                },
            };
            bounds.soc += ticks;
            bounds.makespan = bounds.makespan.max(ticks);
        }
        Some(bounds)
    }
}

/// What the whole task takes alone; a runner is taken to be at a run all the time.
fn on_foot(scenario: &Scenario, agent: &Agent, search: &mut AStar, path: &mut Vec<Action>) -> Option<Tick> {
    let graph = GridGraph::of_kind(scenario.grid(), scenario.rules(), GridGraph::kind(agent));
    let way = agent.waypoints();
    let mut from = scenario.grid().id(agent.start)?;
    let mut ticks = 0;
    for leg in 0..way.len() {
        let to = scenario.grid().id(way.target(leg))?;
        ticks += Tick::from(search.path(&graph, from.0, to.0, 0, |_| Some(0), path)?);
        from = to;
    }
    Some(ticks)
}

/// What the whole task takes alone; after the first leg the heading is taken to be the best.
fn by_car(scenario: &Scenario, agent: &Agent) -> Option<Tick> {
    let shape = Arc::new(CarShape::of(scenario.rules(), agent)?);
    let graph = CarGraph::new(scenario.grid(), scenario.rules(), shape);
    let way = agent.waypoints();
    let start = graph.roots(scenario.grid().id(agent.start)?.0).start + u32::from(agent.motion.first_pose());
    let mut from = start..start + 1;
    let mut ticks = 0;
    for leg in 0..way.len() {
        let to = scenario.grid().id(way.target(leg))?.0;
        let mut field = TrueDistance::new(&graph, to, Some(from.start));
        ticks += Tick::from(from.filter_map(|node| field.distance(&graph, node)).min()?);
        from = graph.roots(to);
    }
    Some(ticks)
}

/// Counts expansions and collects what planners learn about distances, passing everything on.
pub(crate) struct Counter<'a> {
    pub inner: &'a mut dyn Observer,
    pub expanded: u64,
    pub alone: Vec<Option<Tick>>,
    /// The best bound on the sum of costs that was proven.
    pub bound: Tick,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(scenario: &Scenario, inner: &'a mut dyn Observer) -> Self {
        Self { inner, expanded: 0, alone: vec![None; scenario.agents().len()], bound: 0 }
    }

    /// The best that is known, or that there is still budget for.
    pub(crate) fn bounds(&self, scenario: &Scenario, budget: &dyn Budget) -> Option<LowerBounds> {
        let alone = LowerBounds::with_known(scenario, &self.alone, budget)?;
        Some(LowerBounds { soc: alone.soc.max(self.bound), ..alone })
    }
}

impl Observer for Counter<'_> {
    fn wants_nodes(&self) -> bool {
        self.inner.wants_nodes()
    }
    fn node(&mut self, agent: AgentId, at: throng_core::CellId, tick: Tick) {
        self.inner.node(agent, at, tick);
    }
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.expanded += count;
        self.inner.expanded(agent, kind, count);
    }
    fn alone(&mut self, agent: AgentId, ticks: Tick) {
        self.alone[agent.index()] = Some(ticks);
        self.inner.alone(agent, ticks);
    }
    fn found(&mut self, cost: u64) {
        self.inner.found(cost);
    }
    fn bound(&mut self, soc: Tick) {
        self.bound = self.bound.max(soc);
        self.inner.bound(soc);
    }
    fn wants_memory(&self) -> bool {
        self.inner.wants_memory()
    }
    fn memory(&mut self, open: u64, closed: u64, bytes: usize) {
        self.inner.memory(open, closed, bytes);
    }
    fn reserved(&mut self, agent: AgentId, from: Tick, until: Tick) {
        self.inner.reserved(agent, from, until);
    }
    fn replanned(&mut self, agent: AgentId, tick: Tick) {
        self.inner.replanned(agent, tick);
    }
    fn event(&mut self, tick: Tick, event: &throng_core::Event) {
        self.inner.event(tick, event);
    }
    fn tick(&mut self, scenario: &Scenario, state: &throng_core::State) {
        self.inner.tick(scenario, state);
    }
}
