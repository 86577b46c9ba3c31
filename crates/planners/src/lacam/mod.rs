//! Lazy constraints addition (`lacam`): a search over placements of everybody, each of which comes from the last by one step
//! of priority inheritance.
//!
//! The search goes depth first over placements (`search`). From each it asks for one more successor at a time; every time it
//! asks again, more is prescribed: where the first in line goes, then also the second, until every step that there is has
//! been asked for (`constraints`). So it is complete: it finds a plan if there is one, and proves that there is none if
//! there is not, given time; and the first answer usually is a plan already.
//!
//! With `improve` it goes on: small groups of units plan anew around the others (`refine`), as in [`crate::neighbourhoods`], and
//! when that brings nothing any more the search itself goes on (LaCAM*): placements that are met again pass on shorter ways,
//! those that cannot lead to a cheaper plan are left alone, and in the end, given time, the plan is the cheapest by its
//! objective. What the sum of costs adds up to cannot be told step by step, since a unit may have to leave its goal again; so for
//! that objective groups plan anew in turns with [`crate::conflicts`], which proves what is the cheapest, where there are at most 256 units.
//!
//! Source: Okumura, "LaCAM: Search-based algorithm for quick multi-agent pathfinding" (2023) and "Improving LaCAM for
//! scalable eventually optimal multi-agent pathfinding" (2023); several next steps, guide paths and what comes after the first plan: "Engineering
//! LaCAM*: towards real-time, large-scale, and near-optimal multi-agent pathfinding" (2024).
//! Guarantees: complete; optimal in the limit, for costs with at most 256 units; deterministic for a seed and a budget of expansions.
//! Cost: a decision per unit and step, and memory for every placement.

mod constraints;
mod knots;
mod live;
mod placements;
mod refine;
mod search;
mod shunting;
mod successor;

pub(crate) use live::{Live, SavedLive, World, rest_apart};

use crate::neighbourhoods::Objective;
use crate::pibt::{Compass, Ground};
use search::Search;
use std::sync::Arc;
use throng_core::{Budget, Observer, Outcome, Planner, Scenario};
use throng_search::Workers;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What is improved.
    pub objective: Objective,
    /// How many expansions may go into improving the first plan; [`u64::MAX`]: as many as the budget has.
    pub improve: u64,
    /// How many next steps are made from each placement at first, of which the best is taken.
    pub generators: u32,
    /// Whether the first plan keeps to lanes.
    pub lanes: bool,
    /// Seed of everything that is drawn by lot.
    pub seed: u64,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

impl Settings {
    /// Those of whoever wants nothing but a first plan.
    const FIRST: Self = Self {
        objective: Objective::Makespan,
        improve: 0,
        generators: 1,
        lanes: false,
        seed: 0,
        memory: 1 << 30,
    };
}

/// The planner.
#[derive(Debug)]
pub struct Lacam {
    settings: Settings,
    workers: Arc<Workers>,
}

impl Lacam {
    /// A planner.
    #[must_use]
    pub const fn new(settings: Settings, workers: Arc<Workers>) -> Self {
        Self { settings, workers }
    }
}

impl Planner for Lacam {
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        let ground = Ground::new(scenario.grid(), scenario.rules());
        let compass = Compass::new(self.settings.memory);
        Search::new(self.settings, scenario, ground, compass).run(budget, observer, &self.workers)
    }
}
