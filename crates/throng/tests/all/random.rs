//! Random small worlds: whatever a planner does there is legal, and honest about how it ended.

use crate::kit::{reachable, session, travellers, watched};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use throng::check::{check_plan, check_prefix};
use throng::core::{
    AgentId, Budget, Expansions, Outcome, Scenario, Setup, Task, Tick, Timing, Unlimited, Unobserved,
};
use throng::planners::registry;
use throng::{Options, Session, solve};
use throng_testkit::{Worlds, lower_bounds, optimal};

/// Any planner with parameters that matter for what units do.
fn spec() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => refining(),
        1 => coarse(),
        1 => directed(),
        4 => exact(),
    ]
}

/// Those of which one unit alone takes the shortest way.
fn exact() -> impl Strategy<Value = String> {
    prop_oneof![
        (select(&["lra", "dlite", "blocker"]), 0..20u32)
            .prop_map(|(name, agitation)| format!("{name}(agitation={agitation})")),
        (select(&["ca", "hca"]), select(&["given", "longest", "shortest"]), 0..5u32)
            .prop_map(|(name, order, promotions)| format!("{name}(order={order},promotions={promotions})")),
        windowed(),
        ahead(),
    ]
}

/// `pra` with any parameters that small worlds have room for.
fn refining() -> impl Strategy<Value = String> {
    let k = prop_oneof![Just("inf".to_owned()), (1..9u32).prop_map(|k| k.to_string())];
    (k, 0..3u32, 0..4u32, 0..20u32).prop_map(|(k, width, crowd, agitation)| {
        format!("pra(k={k},width={width},crowd={crowd},agitation={agitation})")
    })
}

/// Those who reserve a little ahead, with any parameters.
fn ahead() -> impl Strategy<Value = String> {
    let collective =
        (1..=12u32, 1..=100u32, select(&["delay", "arrival"])).prop_map(|(visibility, threshold, order)| {
            format!("collective(visibility={visibility},threshold={threshold},order={order})")
        });
    let flock = (0..=200u32, 1..=12u32, select(&["rules", "tiles", "replan"])).prop_map(
        |(bonus, delta, conflict)| format!("flock(bonus={bonus},delta={delta},conflict={conflict})"),
    );
    prop_oneof![collective, flock]
}

/// By a direction map, with any parameters.
fn directed() -> impl Strategy<Value = String> {
    let map = (
        0..=100u32,
        0..=10u32,
        prop_oneof![Just("auto".to_owned()), (0..10u32).prop_map(|n| format!("0.{n}"))],
    )
        .prop_map(|(wmax, alpha, neighbour)| {
            format!("wmax={wmax},alpha={}.{},neighbour={neighbour}", alpha / 10, alpha % 10)
        });
    let plans = (map.clone(), 0..7u32, 0..6u32, 0..10u32).prop_map(|(map, visibility, sector, agitation)| {
        format!("dm({map},visibility={visibility},sector={sector},agitation={agitation})")
    });
    let refined = (map.clone(), 1..9u32).prop_map(|(map, k)| format!("pra({map},k={k})"));
    let greedy = map.prop_map(|map| format!("dm-greedy({map})"));
    prop_oneof![3 => plans, 1 => refined, 1 => greedy, 2 => laned()]
}

/// Windows along lanes.
fn laned() -> impl Strategy<Value = String> {
    (select(&["dm-whca", "whca"]), 0..=100u32, 0..=10u32, 1..=20u32, 0..6u32).prop_map(
        |(name, wmax, alpha, window, patience)| {
            let alpha = format!("{}.{}", alpha / 10, alpha % 10);
            format!("{name}(wmax={wmax},alpha={alpha},window={window},patience={patience})")
        },
    )
}

/// Everything that plans by reservations and true distances, tick by tick.
fn any_window() -> impl Strategy<Value = String> {
    prop_oneof![2 => windowed(), 1 => laned(), 2 => ahead()]
}

/// `whca` by distances on a coarser level, and `cpra`.
fn coarse() -> impl Strategy<Value = String> {
    let level = (Just(1u32), select(&["straight", "steps"]), 2..=20u32).prop_map(|(level, bound, window)| {
        format!("whca(window={window},abstraction={level},bound={bound})")
    });
    let crowds = (0..3u32, select(&["auto", "full"]), select(&[0, 10, 25, 100]));
    let corridor = (1..=10u32, 1..=10u32, 0..3u32, 0..4u32, crowds).prop_map(
        |(k, first, width, patience, (crowd, window, jam))| {
            format!(
                "cpra(k={k},first={first},width={width},patience={patience},crowd={crowd},window={window},jam={jam})"
            )
        },
    );
    prop_oneof![level, corridor]
}

/// `whca` with any parameters.
fn windowed() -> impl Strategy<Value = String> {
    let replan = prop_oneof![Just("half".to_owned()), (0..20u32).prop_map(|k| k.to_string())];
    let words = (select(&["all", "spread"]), select(&["rotate", "fixed"]));
    let window =
        prop_oneof![9 => (1..=20u32).prop_map(|steps| steps.to_string()), 1 => Just("auto".to_owned())];
    (window, replan, words, 0..6u32, 0..3u32, 0..6u32).prop_map(
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

/// A budget per tick: none, or a small number of expansions.
fn budget() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), (0..200u64).prop_map(Some)]
}

/// Runs with the judge watching every tick.
fn run(session: &mut Session, ticks: Tick, budget: Option<u64>) -> u64 {
    let budget: &dyn Budget = match &budget {
        None => &Unlimited,
        Some(expansions) => &Expansions(*expansions),
    };
    watched(session, ticks, budget).failed_moves
}

/// Long enough for several windows and promotions.
fn long(scenario: &Scenario) -> Tick {
    60 * Tick::from(scenario.agents().first().map_or(1, |agent| agent.period))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What is called solved is a plan that the judge accepts and that beats no bound; what is called
    /// partial is legal as far as it goes; what is called infeasible has somebody who cannot get there.
    #[test]
    fn outcomes_are_honest(scenario in worlds(Worlds::small(), false), spec in spec(), seed: u64) {
        prop_assume!(registry::fits(&spec, &scenario, &registry::Context::default()).is_ok());
        let options = Options { seed, ..Options::planner(&spec) };
        let solution = solve(&scenario, &options, &Expansions(20_000), &mut Unobserved).expect(&spec);
        let bounds = lower_bounds(&scenario);
        match solution.outcome {
            Outcome::Solved(plan) => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
                let bounds = bounds.expect("it is solved");
                prop_assert!(report.soc >= bounds.soc && report.makespan >= bounds.makespan);
            }
            Outcome::Partial { plan, until, .. } => {
                let report = check_prefix(&scenario, &plan);
                let early = report.violations.iter().find(|violation| match violation {
                    throng::check::Violation::Conflict(conflict) => conflict.tick < until,
                    _ => true,
                });
                prop_assert!(early.is_none(), "until {until}: {early:?}");
            }
            Outcome::OutOfBudget { best, .. } => {
                let report = best.map(|plan| check_prefix(&scenario, &plan));
                prop_assert!(report.is_none_or(|report| report.is_valid()));
            }
            Outcome::Infeasible { .. } => prop_assert!(bounds.is_none()),
        }
    }

    /// No planner beats brute force, and none claims that there is no plan where brute force finds one.
    #[test]
    fn nobody_beats_brute_force(scenario in Worlds::tiny().strategy(), spec in spec(), seed: u64) {
        prop_assume!(registry::fits(&spec, &scenario, &registry::Context::default()).is_ok());
        let options = Options { seed, ..Options::planner(&spec) };
        let solution = solve(&scenario, &options, &Expansions(20_000), &mut Unobserved).expect(&spec);
        let best = optimal(&scenario);
        match solution.outcome {
            Outcome::Solved(plan) => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
                let best = best.expect("it is solved");
                prop_assert!(report.soc >= best.soc, "{} < {}", report.soc, best.soc);
                prop_assert!(report.makespan >= best.makespan, "{} < {}", report.makespan, best.makespan);
            }
            Outcome::Infeasible { .. } => prop_assert!(best.is_none()),
            Outcome::Partial { .. } | Outcome::OutOfBudget { .. } => {}
        }
    }

    /// Whoever is alone takes the shortest way, under every planner that looks at all of the map, and all rules.
    #[test]
    fn one_alone_takes_the_shortest_way(
        scenario in worlds(Worlds { agents: 1..=1, ..Worlds::small() }, true),
        spec in exact(),
        seed: u64,
    ) {
        prop_assume!(registry::fits(&spec, &scenario, &registry::Context::default()).is_ok());
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

    /// A session of any planner, whatever its budget: nothing illegal ever happens.
    #[test]
    fn sessions_are_legal_at_every_tick(
        scenario in worlds(Worlds::small(), true).prop_map(reachable),
        spec in spec(),
        budget in budget(),
        seed: u64,
    ) {
        let ticks = long(&scenario);
        prop_assume!(registry::fits(&spec, &scenario, &registry::Context::default()).is_ok());
        let options = Options { seed, ..Options::planner(&spec) };
        let mut session = Session::new(Setup::new(scenario), &options).expect(&spec);
        run(&mut session, ticks, budget);
    }

    /// Where one planner that reserves moves everybody, cooperation is free of collisions: no move is ever cancelled.
    #[test]
    fn cooperation_never_loses_a_move(scenario in worlds(Worlds::small(), true).prop_map(reachable), spec in any_window()) {
        let ticks = long(&scenario);
        let mut session = session(Setup::new(scenario), &spec);
        prop_assert_eq!(run(&mut session, ticks, None), 0);
    }

    /// Nor is it where units have to go on with old plans because the budget of a tick is spent.
    #[test]
    fn budgets_never_lose_a_move(
        scenario in worlds(Worlds::small(), true).prop_map(reachable),
        spec in any_window(),
        budget in 0..200u64,
    ) {
        let ticks = long(&scenario);
        let mut session = session(Setup::new(scenario), &spec);
        prop_assert_eq!(run(&mut session, ticks, Some(budget)), 0);
    }

    /// A plan that `ca` or `hca` calls solved is carried out without a cancelled move.
    #[test]
    fn whole_plans_never_lose_a_move(
        scenario in worlds(Worlds::small(), true),
        name in select(&["ca", "hca"]),
    ) {
        let solution = solve(&scenario, &Options::planner(name), &Unlimited, &mut Unobserved);
        prop_assume!(solution.is_ok_and(|solution| solution.is_solved()));
        let ticks = long(&scenario);
        let mut session = session(Setup::new(scenario), name);
        prop_assert_eq!(run(&mut session, ticks, None), 0);
    }

    /// Half of the units under `lra`, half under `whca`: they get in each other's way, never through it.
    #[test]
    fn mixed_controllers_are_legal_at_every_tick(
        scenario in worlds(Worlds::small(), true).prop_map(reachable),
        spec in any_window(),
        budget in budget(),
        seed: u64,
    ) {
        let ticks = long(&scenario);
        let even = scenario.agents().iter().filter(|agent| agent.id.0 % 2 == 0);
        let unit_planners: Vec<(AgentId, String)> = even.map(|agent| (agent.id, "lra".to_owned())).collect();
        let setup = Setup { planner: Some(spec), unit_planners, ..Setup::new(scenario) };
        let mut session = Session::new(setup, &Options { seed, ..Options::default() }).expect("two controllers");
        run(&mut session, ticks, budget);
    }
}

/// The strategy above knows every planner, those aside that move in whole ticks only (`placements`, `rescue`, `neighbourhoods`, `conflicts`); a new one must be added.
#[test]
fn every_planner_is_tried() {
    let known = [
        "lra",
        "dlite",
        "pra",
        "ca",
        "hca",
        "whca",
        "cpra",
        "dm",
        "dm-greedy",
        "dm-whca",
        "collective",
        "flock",
        "pibt",
        "epibt",
        "rt-lacam",
        "lacam",
        "lns",
        "cbs",
        "blocker",
    ];
    let names: Vec<_> = travellers().map(|entry| entry.name).collect();
    assert_eq!(names, known);
}
