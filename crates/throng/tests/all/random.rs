//! Random small worlds: whatever a planner does there is legal, and honest about how it ended.

use crate::kit::{session, watched};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use throng::core::{Scenario, Setup, Task, Tick, Timing, Unlimited, Unobserved};
use throng::planners::registry;
use throng::{Options, solve};
use throng_testkit::{Worlds, lower_bounds};

/// Any planner with parameters that matter for what units do.
fn spec() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..20u32).prop_map(|agitation| format!("lra(agitation={agitation})")),
        (select(&["ca", "hca"]), select(&["given", "longest", "shortest"]), 0..5u32)
            .prop_map(|(name, order, promotions)| format!("{name}(order={order},promotions={promotions})")),
        windowed(),
    ]
}

/// `whca` with any parameters.
fn windowed() -> impl Strategy<Value = String> {
    let replan = prop_oneof![Just("half".to_owned()), (0..20u32).prop_map(|k| k.to_string())];
    let words = (select(&["all", "spread"]), select(&["rotate", "fixed"]));
    (1..=20u32, replan, words, 0..6u32, 0..3u32, 0..6u32).prop_map(
        |(window, replan, (first, order), patience, penalty, courtesy)| {
            format!(
                "whca(window={window},replan={replan},first={first},order={order},patience={patience},\
                 penalty={penalty},courtesy={courtesy})"
            )
        },
    )
}

/// Worlds of this size by any rules, with goals and lists and, if asked for, patrols; units of one speed.
fn worlds(size: Worlds, patrols: bool) -> impl Strategy<Value = Scenario> {
    let kinds = prop::collection::vec((0..4u8, any::<Index>(), 1..=2u32), 8);
    let size = Worlds { rules: Worlds::all_rules(), ..size };
    (size.strategy(), kinds, 1..=5u8).prop_map(move |(scenario, kinds, period)| {
        let cells: Vec<_> = scenario.grid().open_ids().map(|id| scenario.grid().cell(id)).collect();
        let mut agents = scenario.agents().to_vec();
        for (agent, (kind, via, rounds)) in agents.iter_mut().zip(kinds) {
            if scenario.rules().timing == Timing::Metric {
                agent.period = period;
            }
            let Task::Goal(goal) = agent.task else { continue };
            match kind {
                2 => agent.task = Task::Goals(vec![*via.get(&cells), goal]),
                3 if patrols => agent.task = Task::Patrol { goal, rounds },
                _ => {}
            }
        }
        Scenario::new("random", scenario.grid().clone(), scenario.rules(), agents)
            .unwrap_or_else(|e| panic!("{e}"))
    })
}

/// Long enough for several windows and promotions.
fn long(scenario: &Scenario) -> Tick {
    60 * Tick::from(scenario.agents().first().map_or(1, |agent| agent.period))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whoever is alone takes the shortest way, under every planner and all rules.
    #[test]
    fn one_alone_takes_the_shortest_way(
        scenario in worlds(Worlds { agents: 1..=1, ..Worlds::small() }, true),
        spec in spec(),
        seed: u64,
    ) {
        let options = Options { seed, ..Options::planner(&spec) };
        let solution = solve(&scenario, &options, &Unlimited, &mut Unobserved).expect(&spec);
        match lower_bounds(&scenario) {
            Some(bounds) => {
                prop_assert!(solution.is_solved(), "{:?}", solution.outcome);
                prop_assert_eq!(solution.report.map(|report| report.soc), Some(bounds.soc));
            }
            None => prop_assert!(!solution.is_solved()),
        }
    }

    /// A plan that `ca` or `hca` calls solved is carried out without a cancelled move.
    #[test]
    fn whole_plans_never_lose_a_move(
        scenario in worlds(Worlds::small(), true),
        name in select(&["ca", "hca"]),
    ) {
        let ticks = long(&scenario);
        let mut session = session(Setup::new(scenario), name);
        let failed = watched(&mut session, ticks, &Unlimited).failed_moves;
        let blamed = session.scenario().agents().first().and_then(|agent| session.complaint(agent.id));
        prop_assert!(failed == 0 || blamed.is_some(), "{failed} moves of a whole plan failed");
    }

}

/// The strategy above knows every planner; a new one must be added to it.
#[test]
fn every_planner_is_tried() {
    let known = ["lra", "ca", "hca", "whca"];
    let names: Vec<_> = registry::all().iter().map(|entry| entry.name).collect();
    assert_eq!(names, known);
}
