//! `lns`: plans of others, repaired and made better.

use proptest::prelude::*;
use proptest::sample::select;
use throng::check::check_plan;
use throng::core::{
    Action, Agent, Cell, Connectivity, Expansions, Outcome, Path, Plan, Rules, Scenario, Task, Unlimited,
    Unobserved,
};
use throng::worlds::{UnitOptions, generate::RandomMap};
use throng::{Error, Options, Solution, solve, solve_from};
use throng_testkit::{Worlds, optimal};

/// By the rules of graphs: whole ticks, and moving on behind somebody is allowed.
fn steps(size: Worlds) -> Worlds {
    let rules = [Connectivity::Four, Connectivity::Eight]
        .map(|connectivity| Rules { connectivity, ..Rules::default() });
    Worlds { rules: rules.to_vec(), ..size }
}

fn solved(scenario: &Scenario, spec: &str, seed: u64) -> Solution {
    let options = Options { seed, ..Options::planner(spec) };
    solve(scenario, &options, &Expansions(3_000_000), &mut Unobserved).expect(spec)
}

/// What a plan costs by an objective.
fn cost(solution: &Solution, objective: &str) -> Option<u64> {
    let report = solution.report.as_ref().filter(|_| solution.is_solved())?;
    assert!(report.is_valid(), "{report}");
    Some(match objective {
        "loss" => report.sum_of_loss,
        "makespan" => report.makespan,
        _ => report.soc,
    })
}

/// A map with scattered walls and many units, crowded but not full.
fn crowd(units: usize, seed: u64) -> Scenario {
    let map = RandomMap { width: 20, height: 20, percent: 15, connected: true };
    let grid = map.generate(seed).expect("a map");
    let agents = throng::worlds::units(&grid, Rules::default(), units, seed, &UnitOptions::default());
    Scenario::new("crowd", grid, Rules::default(), agents.expect("units")).expect("a world")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    /// Whatever it begins with, the plan is legal, never costs more than that, and never less than the best.
    #[test]
    fn plans_get_better_and_stay_plans(
        scenario in steps(Worlds::tiny()).strategy(),
        from in select(&["lacam", "hca", "pibt", "whca(window=8)"]),
        objective in select(&["costs", "loss", "makespan"]),
        seed: u64,
    ) {
        let first = solved(&scenario, from, seed);
        let spec = format!("lns(from={from},objective={objective},patience=6)");
        let better = solved(&scenario, &spec, seed);
        let (Some(before), Some(after)) = (cost(&first, objective), cost(&better, objective)) else {
            prop_assert!(!first.is_solved(), "{:?} became {:?}", first.outcome, better.outcome);
            return Ok(());
        };
        prop_assert!(after <= before, "{after} > {before}");
        let best = optimal(&scenario).expect("it is solved");
        match objective {
            "costs" => prop_assert!(after >= best.soc),
            "makespan" => prop_assert!(after >= best.makespan),
            _ => {}
        }
    }

    /// From nothing but everybody's own way: if it says solved, it is.
    #[test]
    fn collisions_are_repaired(scenario in steps(Worlds::small()).strategy(), seed: u64) {
        let options = Options { seed, ..Options::planner("lns(from=none,patience=4)") };
        let solution = solve(&scenario, &options, &Expansions(400_000), &mut Unobserved).expect("lns");
        if let Outcome::Solved(plan) = &solution.outcome {
            let report = check_plan(&scenario, plan);
            prop_assert!(report.is_valid(), "{report}");
        } else {
            let held = matches!(solution.outcome, Outcome::Partial { until: 1.., .. });
            prop_assert!(!held, "it promises nothing of a plan with collisions");
        }
    }
}

/// A crowd that walks through each other is brought into order, and on any number of threads in the same way.
#[test]
fn a_plan_with_collisions_becomes_one_without() {
    for seed in 0..4 {
        let scenario = crowd(60, seed);
        // Everybody's own way: alone, nobody is in anybody's way.
        let alone = |agent: &Agent| {
            let one = Agent { id: throng::core::AgentId(0), ..agent.clone() };
            let world = Scenario::new("one", scenario.grid().clone(), scenario.rules(), vec![one]).unwrap();
            let Outcome::Solved(plan) = solved(&world, "hca", 0).outcome else { panic!("alone") };
            plan.paths[0].clone()
        };
        let plan = Plan { paths: scenario.agents().iter().map(alone).collect() };
        assert!(!check_plan(&scenario, &plan).is_valid(), "seed {seed}: nothing to repair");
        let run = |threads| {
            let options = Options { threads, seed, ..Options::planner("lns(patience=12)") };
            let from = Some(plan.clone());
            solve_from(&scenario, from, &options, &Expansions(4_000_000), &mut Unobserved).expect("lns")
        };
        let one = run(1);
        let report = one.report.as_ref().unwrap_or_else(|| panic!("seed {seed}: {:?}", one.outcome));
        assert!(report.is_valid(), "{report}");
        for threads in [2, 3] {
            assert_eq!(run(threads).outcome, one.outcome, "{threads} threads");
        }
    }
}

/// Groups that plan anew bring a plan of steps taken one at a time a good deal nearer to what cannot be beaten.
#[test]
fn a_hasty_plan_loses_most_of_its_detours() {
    for seed in 0..3 {
        let scenario = crowd(70, seed);
        let (first, better) = (solved(&scenario, "lacam", seed), solved(&scenario, "lns(patience=20)", seed));
        let bound = first.bounds.unwrap().soc;
        let extra = |solution: &Solution| cost(solution, "costs").unwrap() - bound;
        assert!(extra(&better) * 3 < extra(&first), "{} of {}", extra(&better), extra(&first));
        let improved = solved(&scenario, "lacam(improve=2000000)", seed);
        assert!(extra(&improved) * 3 < extra(&first), "{} of {}", extra(&improved), extra(&first));
    }
}

/// A plan that leads off the map, or nowhere, is no harm: whoever it is about finds a way of its own.
#[test]
fn any_plan_will_do_to_begin_with() {
    let scenario = crowd(10, 1);
    let nonsense = |agent: &Agent| Path {
        start: Cell::new(0, 0),
        actions: vec![Action::Go(throng::core::Dir::N); 30 + agent.id.index()],
    };
    for paths in [Vec::new(), scenario.agents().iter().map(nonsense).collect()] {
        let options = Options::planner("lns(patience=2)");
        let better =
            solve_from(&scenario, Some(Plan { paths }), &options, &Unlimited, &mut Unobserved).expect("lns");
        assert!(better.is_solved(), "{:?}", better.outcome);
    }
    let plan = Some(Plan::default());
    let refused = solve_from(&scenario, plan, &Options::planner("hca"), &Unlimited, &mut Unobserved);
    assert!(matches!(refused, Err(Error::NoUseForPlan { .. })));
}

/// Whoever holds its place does so while others are planned around it.
#[test]
fn holders_stay_when_plans_get_better() {
    for spec in ["lns(patience=4)", "lns(from=none,patience=4)", "lacam(improve=100000)"] {
        let world = crowd(30, 2);
        let free = world.grid().open_ids().map(|id| world.grid().cell(id));
        let taken = |cell: &Cell| {
            world.agents().iter().any(|agent| agent.start == *cell || agent.waypoints().last() == *cell)
        };
        let mut agents = world.agents().to_vec();
        let places: Vec<Cell> = free.filter(|cell| !taken(cell)).step_by(37).take(4).collect();
        for place in places {
            agents.push(Agent::new(agents.len() as u32, place, Task::Hold));
        }
        let world = Scenario::new("held", world.grid().clone(), world.rules(), agents).unwrap();
        let solution = solved(&world, spec, 0);
        assert!(solution.is_solved(), "{spec}: {:?}", solution.outcome);
    }
}
