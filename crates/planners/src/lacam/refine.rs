//! What comes after the first plan: groups of units plan anew, and the search goes on below what that costs.

use super::search::Search;
use crate::neighbourhoods::{Effort, Fields, Objective, Ways, improve};
use throng_core::{Budget, Observer, Plan};
use throng_search::Workers;

/// Units in a group.
const SIZE: usize = 8;

/// Rounds without a gain after which the search goes on instead.
const PATIENCE: u64 = 48;

impl Search<'_> {
    /// The best plan there is when the budget ends, or the very best.
    pub(super) fn refined(
        &mut self,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        workers: &Workers,
    ) -> Plan {
        let objective = self.settings.objective;
        let first = self.plan();
        let mut ways = Ways::of(self.scenario, &first);
        observer.found(ways.price(objective).0);
        let end = self.spent.saturating_add(self.settings.improve);
        self.improve(&mut ways, end, budget, workers);
        let refined = ways.price(objective);
        observer.found(refined.0);
        if objective != Objective::Costs {
            self.bound = self.bound.min(refined.0);
            self.search(budget, end);
            let found = Ways::of(self.scenario, &self.plan());
            if found.price(objective).0 < refined.0 {
                ways = found;
                observer.found(ways.price(objective).0);
            }
        }
        ways.plan(self.scenario, &self.ground)
    }

    fn improve(&mut self, ways: &mut Ways, most: u64, budget: &dyn Budget, workers: &Workers) {
        let units = ways.all.len() as u32;
        let mut fields = Fields::new(ways.all.len(), self.settings.memory);
        for unit in 0..units {
            if let Some(field) = self.compass.withdraw(unit) {
                fields.give_back(unit, field);
            }
        }
        let objective = self.settings.objective;
        let patience = (objective != Objective::Costs).then_some(PATIENCE);
        let effort = Effort { objective, size: SIZE, patience, most, seed: self.settings.seed };
        let grid = self.ground.grid();
        let spent = &mut self.spent;
        match self.ground.graph.plain() {
            Some(plain) => improve((&plain, grid), ways, &mut fields, effort, budget, workers, spent),
            None => improve((&self.ground.graph, grid), ways, &mut fields, effort, budget, workers, spent),
        }
        for unit in 0..units {
            if let Some(field) = fields.withdraw(unit) {
                self.compass.deposit(unit, field);
            }
        }
    }
}
