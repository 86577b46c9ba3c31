//! What comes after the first plan: better ones to begin with, groups of units that plan anew, and the search that goes on below
//! what that costs.
//!
//! The first plan is there soon and costs much, since nobody in it looks further than one step. A second comes from another search over
//! placements, in which everybody keeps to lanes, where the first shows that it is crowded. A third comes from ways that are planned one after the other, if the collisions that are left
//! can be repaired soon; if not, from a search in which everybody is led along a way that collides little with those of others. The
//! best is what groups begin with. When they gain nothing any more, conflict-based search tries to prove what the least sum of costs is, in turns
//! with them; for other objectives the search over placements goes on.

use super::placements::Placements;
use super::search::Search;
use crate::conflicts::{self, ConflictBased, Factor};
use crate::neighbourhoods::{Effort, Fields, Objective, Repair, Way, Ways, guides, improve, streams};
use crate::pibt::{Compass, Ground, Lanes, mix};
use std::sync::Arc;
use throng_core::{AgentId, Budget, CellId, Observer, Outcome, Plan, Planner as _, Rest, SearchKind};
use throng_search::{Graph, GridGraph, Workers};

/// With more units than this nobody tries to prove that a plan is the best.
const PROVABLE: usize = 256;

/// Units in a group.
const SIZE: usize = 8;

/// Rounds without a gain after which somebody else goes on; twice as many each time.
const PATIENCE: u64 = 48;

/// Lanes are worth what they take where the first plan costs more than so many times what everybody's way alone does (5 to 4).
const CROWDED: (u64, u64) = (4, 5);

/// How many expansions finding ways one by one may take, for each step of everybody's way alone, and at least.
const ONE_BY_ONE: (u64, u64) = (40, 500_000);

/// How much repairing may take, in units of what finding the ways took.
const REPAIR: u64 = 3;

/// How much another search over placements may take, in units of what the first one took.
const ANOTHER: u64 = 4;

impl Search<'_> {
    /// The best plan there is when the budget ends, or the very best. `alone` is how far everybody is from its goal.
    pub(super) fn refined(
        &mut self,
        alone: &[u32],
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        workers: &Arc<Workers>,
    ) -> Plan {
        let objective = self.settings.objective;
        let mut ways = Ways::of(self.scenario, &self.plan());
        observer.found(ways.price(objective).0);
        let mut take = |ways: &mut Ways, other: Ways| {
            if other.price(objective) < ways.price(objective) {
                observer.found(other.price(objective).0);
                *ways = other;
            }
        };
        if objective == Objective::Costs {
            // Nobody comes back to these.
            (self.placements, self.open) = (Placements::default(), Vec::new());
        }
        // Of the memory that is left others have half.
        let half = self.settings.memory.saturating_sub(self.placements.bytes()) / 2;
        self.settings.memory -= half;
        let mut fields = Fields::new(ways.all.len(), half);
        let budget = &Capped { budget, most: self.total().saturating_add(self.settings.improve) };
        let graph = GridGraph::new(self.scenario.grid(), self.scenario.rules(), 1);
        let all = (&mut ways, &mut fields, alone);
        match graph.plain() {
            Some(plain) => self.second(&plain, all, budget, workers, &mut take),
            None => self.second(&graph, all, budget, workers, &mut take),
        }
        self.backwards += fields.expanded();
        if objective != Objective::Costs {
            self.exact = Some((fields, Ways::resting(self.scenario)));
            self.bound = self.bound.min(ways.price(objective).0);
            self.search(budget, u64::MAX);
            take(&mut ways, Ways::of(self.scenario, &self.plan()));
        }
        ways.plan(self.scenario)
    }

    /// Looks for a better plan to begin with, and lets groups plan anew from the best there is.
    fn second<G: Graph>(
        &mut self,
        graph: &G,
        (ways, fields, alone): (&mut Ways, &mut Fields, &[u32]),
        budget: &dyn Budget,
        workers: &Arc<Workers>,
        take: &mut dyn FnMut(&mut Ways, Ways),
    ) {
        let objective = self.settings.objective;
        let (first, resting) = (self.spent, Ways::resting(self.scenario));
        let steps: u64 = alone.iter().map(|&far| u64::from(far)).sum();
        let crowded = CROWDED.0 * ways.price(Objective::Costs).0 > CROWDED.1 * steps;
        let worth = crowded && !self.settings.lanes;
        if worth && self.lay_lanes(graph, alone, budget, workers) {
            if let Some(lanes) = self.another(alone, budget, ANOTHER * first) {
                take(ways, lanes);
            }
            self.lift_lanes();
        }
        let rest = Rest { whole: budget, before: self.total() };
        let mut one_by_one = resting.clone();
        let capped = Capped { budget: &rest, most: ONE_BY_ONE.0 * steps + ONE_BY_ONE.1 };
        // Where many collide there is no end to repairing.
        let few = alone.len() / 2;
        let (whole, spent) = match Repair::new(graph, &mut one_by_one, fields, alone, few, &capped) {
            Ok(mut repair) => {
                let most = repair.expanded().saturating_mul(1 + REPAIR);
                let capped = Capped { budget: &rest, most };
                let whole = repair.pairs() <= few && repair.run(SIZE, self.settings.seed, &capped);
                (whole, repair.expanded())
            }
            Err(spent) => (false, spent),
        };
        self.spent += spent;
        if whole {
            take(ways, one_by_one);
        } else {
            let rest = Rest { whole: budget, before: self.total() };
            let (guides, spent) = guides(graph, &resting, fields, alone, &rest);
            self.spent += spent;
            self.lead(&guides);
            if let Some(led) = self.another(alone, budget, ANOTHER * first) {
                take(ways, led);
            }
            self.lead(&[]);
        }
        let grid = self.scenario.grid();
        let (mut patience, mut seed) = (PATIENCE, self.settings.seed);
        loop {
            let effort = Effort { objective, size: SIZE, patience: Some(patience), seed };
            let (mut better, mut spent) = (ways.clone(), self.total());
            improve((graph, grid), (&mut better, fields, alone), effort, budget, workers, &mut spent);
            self.spent += spent - self.total();
            take(ways, better);
            // What is left of the other objectives is for the search over placements.
            if self.is_over(budget) || objective != Objective::Costs || ways.price(objective).0 == steps {
                return;
            }
            if alone.len() <= PROVABLE
                && let Some(best) = self.proven(budget, workers)
            {
                take(ways, best);
                return;
            }
            // Each time as long again, so that neither waits for the other for ever.
            (patience, seed) = (patience.saturating_mul(2), mix(seed));
        }
    }

    /// The plan with the least sum of costs, by conflict-based search, if it takes no more than everything so far has.
    fn proven(&mut self, budget: &dyn Budget, workers: &Arc<Workers>) -> Option<Ways> {
        let rest = Rest { whole: budget, before: self.total() };
        let (seed, memory) = (self.settings.seed, self.settings.memory.saturating_sub(self.compass.bytes()));
        let settings = conflicts::Settings { suboptimality: Factor::ONE, seed, memory };
        let mut search = ConflictBased::new(settings, Arc::clone(workers));
        let mut spent = Spent(0);
        let outcome = search.plan(self.scenario, &Capped { budget: &rest, most: self.spent }, &mut spent);
        self.spent += spent.0;
        match outcome {
            Outcome::Solved(plan) => Some(Ways::of(self.scenario, &plan)),
            _ => None,
        }
    }

    /// Lays lanes along the ways that everybody would take for the others' sake. Whether there was budget and room for it.
    pub(super) fn lay_lanes<G: Graph>(
        &mut self,
        graph: &G,
        alone: &[u32],
        budget: &dyn Budget,
        workers: &Workers,
    ) -> bool {
        if !Lanes::fit(&self.ground, self.goals.len(), self.settings.memory) {
            return false;
        }
        let size = Lanes::size(&self.ground, self.goals.len());
        let resting = Ways::resting(self.scenario);
        let rest = Rest { whole: budget, before: self.total() };
        let (ways, spent) = streams((graph, self.scenario.grid()), &resting, alone, &rest);
        self.spent += spent;
        let Some(mut ways) = ways else { return false };
        for cell in ways.iter_mut().flatten() {
            *cell = self.ground.number(CellId(*cell));
        }
        let ways = ways.iter().map(Vec::as_slice);
        let rest = Rest { whole: budget, before: self.total() };
        let (lanes, laid) = Lanes::along(&self.ground, ways, &self.goals, &rest, workers);
        self.spent += lanes.expanded();
        self.backwards += lanes.expanded();
        if laid {
            self.settings.memory -= size;
            self.compass.keep_to(Some(lanes));
        }
        laid
    }

    /// From now on nobody keeps to lanes.
    fn lift_lanes(&mut self) {
        self.settings.memory += Lanes::size(&self.ground, self.goals.len());
        self.compass.keep_to(None);
    }

    /// Leads everybody along one of these ways.
    fn lead(&mut self, guides: &[Way]) {
        let number = |&cell: &u32| self.ground.number(CellId(cell));
        self.compass.lead(guides.iter().map(|way| way.iter().map(number).collect()));
    }

    /// What a search over placements finds that begins anew, with so many more decisions at most.
    fn another(&mut self, alone: &[u32], budget: &dyn Budget, more: u64) -> Option<Ways> {
        let compass = core::mem::replace(&mut self.compass, Compass::new(0));
        let ground = Ground::new(self.scenario.grid(), self.scenario.rules());
        let mut search = Search::new(self.settings, self.scenario, ground, compass);
        search.settings.memory = self.settings.memory.saturating_sub(self.placements.bytes());
        search.spent = self.spent;
        search.add_first(self.starts(), alone);
        search.search(budget, self.spent.saturating_add(more));
        let found = search.is_solved().then(|| Ways::of(self.scenario, &search.plan()));
        self.backwards += search.backwards;
        (self.spent, self.compass) = (search.spent, search.compass);
        found
    }
}

/// A part of a budget.
struct Capped<'a> {
    budget: &'a dyn Budget,
    most: u64,
}

impl Budget for Capped<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.most || self.budget.should_stop(spent)
    }

    fn limit(&self) -> u64 {
        self.most.min(self.budget.limit())
    }
}

/// Counts what somebody else expands.
struct Spent(u64);

impl Observer for Spent {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}
