//! Large neighbourhood search (`lns`): a plan that somebody else has made gets better, a few units at a time.
//!
//! A group of units (`groups`) plans anew around all others, one after the other in any order, each by a search over free intervals
//! (`lane`); if that costs no more than before it is taken over (`improve`). Several groups do so at the same time. A plan in which
//! units collide, or do not arrive, is repaired first (`repair`): reservations may overlap then (`crowd`), each way is the one with
//! the fewest collisions, and whatever does not collide more often than before is taken over.
//!
//! Source: Li, Chen, Harabor, Stuckey and Koenig, "Anytime multi-agent path finding via large neighborhood search" (2021) and
//! "MAPF-LNS2: fast repairing for multi-agent path finding via large neighborhood search" (2022). Beyond them: groups of one round
//! plan in parallel around the same ways and are merged in a fixed order, so that the plan does not depend on the number of threads; a
//! group is given up as soon as it cannot cost less than before any more; the objective may also be the loss or the makespan.
//! Guarantees: deterministic; never worse than what it begins with; neither complete nor optimal. Cost: a search for each unit of a
//! group, most of them short.

mod crowd;
mod fields;
mod groups;
mod guides;
mod improve;
mod lane;
mod repair;
mod streams;
mod ways;

pub(crate) use fields::Fields;
pub(crate) use guides::guides;
pub(crate) use improve::{Effort, improve};
pub(crate) use repair::Repair;
pub(crate) use streams::streams;
pub use ways::Objective;
pub(crate) use ways::{Way, Ways};

use crate::reach::unreachable;
use std::sync::Arc;
use throng_core::{
    AgentId, Budget, Grid, Observer, Outcome, Plan, Planner, Reason, Rest, Scenario, SearchKind, Tick,
};
use throng_search::{Graph, GridGraph, Workers};

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What is improved.
    pub objective: Objective,
    /// Units in a group.
    pub size: usize,
    /// Rounds without a gain after which it ends; `None`: when the budget does.
    pub patience: Option<u64>,
    /// Seed of everything that is drawn by lot.
    pub seed: u64,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

/// What it begins with.
pub enum First {
    /// Everybody goes as if it were alone.
    Nothing,
    /// This plan, whatever is wrong with it.
    Plan(Arc<Plan>),
    /// The plan of this planner.
    Planner(Box<dyn Planner + Send>),
}

/// The planner.
pub struct Neighbourhoods {
    settings: Settings,
    first: First,
    workers: Arc<Workers>,
}

impl std::fmt::Debug for Neighbourhoods {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Neighbourhoods").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Neighbourhoods {
    /// A planner.
    #[must_use]
    pub const fn new(settings: Settings, first: First, workers: Arc<Workers>) -> Self {
        Self { settings, first, workers }
    }

    /// What it begins with, as far as that got; or how it ended, if there is nothing to make better.
    fn begin(
        &mut self,
        scenario: &Scenario,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Result<Ways, Outcome> {
        let plan = match &mut self.first {
            First::Nothing => return Ok(Ways::resting(scenario)),
            First::Plan(plan) => return Ok(Ways::of(scenario, plan)),
            First::Planner(planner) => planner.plan(scenario, budget, observer),
        };
        match plan {
            Outcome::Solved(plan) | Outcome::Partial { plan, .. } => Ok(Ways::of(scenario, &plan)),
            Outcome::OutOfBudget { best: Some(plan), .. } => Ok(Ways::of(scenario, &plan)),
            none => Err(none),
        }
    }

    /// Repairs and improves.
    fn better<G: Graph>(
        &self,
        (graph, grid): (&G, &Grid),
        scenario: &Scenario,
        mut ways: Ways,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let Settings { objective, size, patience, seed, memory } = self.settings;
        let mut fields = Fields::new(ways.all.len(), memory);
        let Some(alone) = fields.alone(graph, &ways, budget, &self.workers) else {
            observer.expanded(AgentId(0), SearchKind::Backwards, fields.expanded());
            return over(fields.expanded());
        };
        for (agent, &far) in (0..).zip(&alone) {
            observer.alone(AgentId(agent), u64::from(far));
        }
        let mut spent = fields.expanded();
        let rest = Rest { whole: budget, before: spent };
        let (mut collide, repairing) =
            match Repair::new(graph, &mut ways, &mut fields, &alone, usize::MAX, &rest) {
                Ok(mut repair) => {
                    repair.run(size, seed, &rest);
                    (Some(repair.pairs()), repair.expanded())
                }
                Err(expanded) => (None, expanded),
            };
        spent += repairing;
        if collide == Some(0) {
            observer.found(ways.price(objective).0);
            let effort = Effort { objective, size, patience, seed };
            let all = (&mut ways, &mut fields, &alone[..]);
            improve((graph, grid), all, effort, budget, &self.workers, &mut spent);
        } else if budget.should_stop(spent) || spent >= budget.limit() {
            collide = None;
        }
        if !ways.all.is_empty() {
            observer.expanded(AgentId(0), SearchKind::Main, spent - fields.expanded());
            observer.expanded(AgentId(0), SearchKind::Backwards, fields.expanded());
        }
        let plan = ways.plan(scenario);
        match collide {
            Some(0) => Outcome::Solved(plan),
            Some(pairs) => {
                Outcome::Partial { plan, until: 0, why: Reason::Colliding { pairs: pairs as u64 } }
            }
            None => over(spent),
        }
    }
}

/// The budget ended before anything was whole.
const fn over(expanded: u64) -> Outcome {
    Outcome::OutOfBudget { best: None, why: Reason::OutOfBudget { agent: None, expanded } }
}

impl Planner for Neighbourhoods {
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        if let Some(why) = unreachable(scenario) {
            return Outcome::Infeasible { why };
        }
        let mut counted = Counted { inner: observer, expanded: 0 };
        let ways = match self.begin(scenario, budget, &mut counted) {
            Ok(ways) => ways,
            Err(outcome) => return outcome,
        };
        let grid = scenario.grid();
        let graph = GridGraph::new(grid, scenario.rules(), 1);
        let budget = &Rest { whole: budget, before: counted.expanded };
        match graph.plain() {
            Some(plain) => self.better((&plain, grid), scenario, ways, budget, observer),
            None => self.better((&graph, grid), scenario, ways, budget, observer),
        }
    }
}

/// Counts what the first plan takes.
struct Counted<'a> {
    inner: &'a mut dyn Observer,
    expanded: u64,
}

impl Observer for Counted<'_> {
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.expanded += count;
        self.inner.expanded(agent, kind, count);
    }
    fn alone(&mut self, agent: AgentId, ticks: Tick) {
        self.inner.alone(agent, ticks);
    }
}
