//! Conflict-based search (`cbs`): everybody takes its own shortest way, and where two meet the search branches.
//!
//! A node of the upper search (`tree`, `search`) is a set of demands on single units, and ways that keep to them (`walk`).
//! Where two ways meet, two demands are made of which every plan keeps at least one (`split`), and each makes a child. The
//! node with the least sum of costs is next, so that the first without a meeting is the best plan there is. What keeps the
//! tree small:
//!
//! - All shortest ways of a unit are known (`layers`), and so whether a demand delays it. Meetings that delay both, whichever way
//!   they are taken apart, come first; then those that delay one.
//! - If a child costs no more and meets fewer, the node takes its ways instead of having children.
//! - Units that meet in a corridor (`corridor`), in an open rectangle (`rectangle`) or at the goal of one of them (`split`)
//!   would meet again and again a little later; one demand ends that.
//! - What pairs of units need more than alone is found out by searches for two, and what all of them need together follows
//!   from a cover of the pairs (`pairs`, `cover`): a bound that is never too high.
//!
//! With `suboptimality` above 1 both searches prefer fewer meetings to shorter ways, as long as the plan costs at most that
//! factor more than the best one can; which is next is decided as in explicit estimation search (`open`).
//!
//! The search never ends where there is no plan: it makes units wait ever longer. So it takes turns (`rounds`), each for
//! twice as long as before, with `lacam`, which is complete: it either proves that there is none, or it finds a plan, which
//! serves as the best so far, and does not get another turn. Small teams that are too tangled for demands on single units are
//! also searched as one (`joint`), which ends with the best plan or without any. Easy worlds are solved before the first turn ends.
//!
//! Departures: a demand not to swap or cross is about the midpoint of a move, which units may not pass in either direction or
//! diagonal, since any two that do conflict. Rectangles are demanded as single cells of layers. Where one rests at its goal, the
//! second child lets nobody through from then on. There is no disjoint splitting.
//!
//! Source: Sharon et al., "Conflict-based search for optimal multi-agent pathfinding" (2015); Boyarski et al., "ICBS" (2015);
//! Li et al. on symmetries (2019 to 2021) and on pairwise dependencies ("Improved heuristics for multi-agent path finding with
//! conflict-based search", 2019); Barer et al., "Suboptimal variants" (2014); Li, Ruml and Koenig, "EECBS" (2021).
//! Guarantees: complete; optimal for the sum of costs, or within the factor; deterministic for a budget of expansions. It
//! tells the best lower bound on the sum of costs that it has proven, also when the budget ends.
//! Cost: exponential in the number of conflicts that delay somebody; a table of distances per unit, as far as there is memory for them.

mod corridor;
mod cover;
mod demands;
mod field;
mod joint;
mod layers;
mod meter;
mod open;
mod pairs;
mod rectangle;
mod rounds;
mod search;
mod seen;
mod split;
mod tables;
#[cfg(test)]
mod tests;
mod traffic;
mod tree;
mod walk;
mod world;

use rounds::Rounds;
use std::sync::Arc;
use throng_core::{Budget, Observer, Outcome, Planner, Scenario};
use throng_search::Workers;

/// By how much a plan may cost more than the best one, in ten thousandths; never less than 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(u32);

impl Factor {
    /// The best plan.
    pub const ONE: Self = Self(10_000);

    /// A factor in ten thousandths; less than 1 counts as 1.
    #[must_use]
    pub const fn new(parts: u32) -> Self {
        Self(if parts < Self::ONE.0 { Self::ONE.0 } else { parts })
    }

    const fn of(self, cost: u64) -> u64 {
        (cost as u128 * self.0 as u128 / Self::ONE.0 as u128) as u64
    }

    const fn times(self, ticks: u32) -> u32 {
        let most = self.of(ticks as u64);
        if most < u32::MAX as u64 { most as u32 } else { u32::MAX }
    }
}

/// What the search makes use of. The answer costs the same with or without any of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
struct Reasoning {
    bypass: bool,
    targets: bool,
    corridors: bool,
    rectangles: bool,
    pairs: bool,
}

impl Reasoning {
    const ALL: Self = Self { bypass: true, targets: true, corridors: true, rectangles: true, pairs: true };
}

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How much more than the best a plan may cost.
    pub suboptimality: Factor,
    /// Seed of `lacam` in its turns.
    pub seed: u64,
    /// Memory for everything, in bytes.
    pub memory: usize,
}

/// The planner.
#[derive(Debug)]
pub struct ConflictBased {
    settings: Settings,
    workers: Arc<Workers>,
}

impl ConflictBased {
    /// A planner.
    #[must_use]
    pub const fn new(settings: Settings, workers: Arc<Workers>) -> Self {
        Self { settings, workers }
    }
}

impl Planner for ConflictBased {
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        Rounds::new(self.settings, Reasoning::ALL, scenario, &self.workers).run(budget, observer)
    }
}
