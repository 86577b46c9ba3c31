//! Cooperative A* (`ca`, `hca`): whole paths in space and time, one unit after the other.
//!
//! Each unit searches space and time around the reservations of those before it and reserves its path,
//! its resting place for ever. `ca` guides the search by the straight line, `hca` by the true distance.
//! A unit that finds no path gets a second chance: it is promoted and plans through the reservations of
//! lower rank, as few as possible; those it overrides plan again.
//!
//! Beyond the article: the search goes from one free interval of a cell to the next instead of from tick to tick,
//! which finds the same paths; a unit that would come very late is promoted too; searches are capped, so that
//! finding nothing stays cheap; who finds no path plans first in the next of a few rounds; and those whom
//! promotions have moved about plan once more in the end (`polish`). The distances that everybody needs alone are
//! worked out first, for the order and to tell what cannot be reached. Lists and patrols are planned leg by leg.
//!
//! Source: Silver, "The Third Dimension", "Choosing a Heuristic", "Unit Priorities".
//! Guarantees: deterministic, collision-free; neither complete nor optimal (with a single goal and without
//! promotions each path is the best around the reservations it found). Cost: one backwards search a unit and
//! one search in space and time of at least the path's length.

mod attempt;
mod effort;

use attempt::Attempt;
use std::sync::Arc;
use throng_core::{Budget, Observer, Outcome, Planner, Scenario};
use throng_search::Workers;

/// What guides the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    /// The straight line (Manhattan or octile distance).
    Straight,
    /// The true distance.
    True,
}

/// Who plans first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order of the scenario.
    Given,
    /// Those with the longest way first.
    Longest,
    /// Those with the shortest way first.
    Shortest,
}

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What guides the search.
    pub guide: Guide,
    /// Who plans first.
    pub order: Order,
    /// How often a unit may be promoted on average before everybody starts over (four times at most); 0 for never,
    /// and then nobody starts over.
    pub promotions: u32,
    /// How often the delayed plan again once everybody has a path.
    pub polish: u32,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { guide: Guide::True, order: Order::Shortest, promotions: 8, polish: 2, memory: 1 << 30 }
    }
}

/// The planner.
#[derive(Debug)]
pub struct Cooperative {
    settings: Settings,
    workers: Arc<Workers>,
}

impl Cooperative {
    /// A planner.
    #[must_use]
    pub const fn new(settings: Settings, workers: Arc<Workers>) -> Self {
        Self { settings, workers }
    }
}

impl Planner for Cooperative {
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        Attempt::new(self.settings, scenario, budget, observer).run(&self.workers)
    }
}
