//! What the search makes use of changes how long it takes, never what a plan costs.

use super::rounds::Rounds;
use super::{Factor, Reasoning, Settings};
use proptest::prelude::*;
use std::sync::Arc;
use throng_check::check_plan;
use throng_core::{Expansions, Observer, Outcome, Scenario, Tick};
use throng_search::Workers;
use throng_testkit::{Worlds, optimal};

const NONE: Reasoning =
    Reasoning { bypass: false, targets: false, corridors: false, rectangles: false, pairs: false };

/// Each alone, and all but each.
const KINDS: [Reasoning; 11] = [
    NONE,
    Reasoning { bypass: true, ..NONE },
    Reasoning { targets: true, ..NONE },
    Reasoning { corridors: true, ..NONE },
    Reasoning { rectangles: true, ..NONE },
    Reasoning { pairs: true, ..NONE },
    Reasoning { bypass: false, ..Reasoning::ALL },
    Reasoning { targets: false, ..Reasoning::ALL },
    Reasoning { corridors: false, ..Reasoning::ALL },
    Reasoning { rectangles: false, ..Reasoning::ALL },
    Reasoning { pairs: false, ..Reasoning::ALL },
];

/// The bound that was told.
struct Bound(Tick);

impl Observer for Bound {
    fn bound(&mut self, soc: Tick) {
        self.0 = soc;
    }
}

/// Cost and bound; nothing if there is no plan. The turns of others are put off as long as there are expansions.
fn cost(scenario: &Scenario, reasoning: Reasoning) -> Option<Result<(Tick, Tick), Tick>> {
    let settings = Settings { suboptimality: Factor::ONE, seed: 0, memory: 1 << 26 };
    let workers = Arc::new(Workers::default());
    let mut bound = Bound(0);
    let rounds = Rounds::new(settings, reasoning, scenario, &workers);
    match rounds.run(&Expansions(300_000), &mut bound) {
        Outcome::Solved(plan) => {
            let report = check_plan(scenario, &plan);
            assert!(report.is_valid(), "{reasoning:?}: {report}");
            Some(Ok((report.soc, bound.0)))
        }
        Outcome::Infeasible { .. } => None,
        Outcome::OutOfBudget { .. } => Some(Err(bound.0)),
        Outcome::Partial { .. } => panic!("never in part"),
    }
}

fn agree(scenario: &Scenario) {
    let best = optimal(scenario).map(|best| best.soc);
    for reasoning in KINDS {
        match cost(scenario, reasoning) {
            None => assert_eq!(best, None, "{reasoning:?}"),
            Some(Ok((soc, bound))) => assert_eq!((Some(soc), soc), (best, bound), "{reasoning:?}"),
            Some(Err(bound)) => assert!(best.is_none_or(|best| bound <= best), "{reasoning:?}: {bound}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Walls and crowds: corridors and goals in the way.
    #[test]
    fn reasons_change_no_cost_in_narrow_worlds(
        scenario in Worlds { width: 3..=6, height: 2..=4, walls: 20..=50, agents: 2..=3, ..Worlds::tiny() }.strategy()
    ) {
        agree(&scenario);
    }

    /// Open rooms: rectangles.
    #[test]
    fn reasons_change_no_cost_in_open_worlds(
        scenario in Worlds { width: 3..=5, height: 3..=5, walls: 0..=8, agents: 2..=3, ..Worlds::tiny() }.strategy()
    ) {
        agree(&scenario);
    }
}
