//! One-shot planners whose budget or memory ends: what they have by then is told, and they stop soon after.

use crate::kit::reachable;
use proptest::prelude::*;
use proptest::sample::select;
use throng::check::check_plan;
use throng::core::{
    Budget, Connectivity, Expansions, Outcome, Reason, Rules, Scenario, Unlimited, Unobserved,
};
use throng::planners::registry::SpecError;
use throng::worlds::generate::{RandomMap, WarehouseMap};
use throng::worlds::{UnitOptions, units};
use throng::{Error, Options, Solution, solve};
use throng_testkit::Worlds;

const LACAM: [&str; 7] = [
    "lacam",
    "lacam(improve=all)",
    "lacam(improve=all,objective=loss)",
    "lacam(improve=all,objective=makespan)",
    "lacam(improve=2000,lanes=on)",
    "lacam(improve=all,generators=4)",
    "lacam(improve=all,memory=1)",
];

fn steps(size: Worlds) -> Worlds {
    let rules = [Connectivity::Four, Connectivity::Eight]
        .map(|connectivity| Rules { connectivity, ..Rules::default() });
    Worlds { rules: rules.to_vec(), ..size }
}

fn crowd(side: u32, count: usize, connectivity: Connectivity) -> Scenario {
    let grid = RandomMap { width: side, height: side, percent: 20, ..RandomMap::default() };
    let grid = grid.generate(3).expect("a map");
    let rules = Rules { connectivity, ..Rules::default() };
    let agents = units(&grid, rules, count, 1, &UnitOptions::default()).expect("room");
    Scenario::new("crowd", grid, rules, agents).expect("legal")
}

fn run(scenario: &Scenario, spec: &str, threads: usize, budget: &dyn Budget) -> Solution {
    let options = Options { threads, ..Options::planner(spec) };
    solve(scenario, &options, budget, &mut Unobserved).expect(spec)
}

/// What a plan costs by the objective of its planner.
fn cost(solution: &Solution, spec: &str) -> Option<u64> {
    let report = solution.report.as_ref()?;
    assert!(report.is_valid(), "{report}");
    Some(match spec {
        spec if spec.contains("loss") => report.sum_of_loss,
        spec if spec.contains("makespan") => report.makespan,
        _ => report.soc,
    })
}

/// Ends like a clock: whoever asks is told, and nobody knows before.
struct Bell(u64);

impl Budget for Bell {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// However early the budget ends: no more is spent than it has and what is done between two questions, on any number of
    /// threads the plan is the same, and a larger budget never makes it worse.
    #[test]
    fn lacam_ends_honestly(
        scenario in steps(Worlds::small()).strategy().prop_map(reachable),
        spec in select(&LACAM),
        budget in 0..6000u64,
        clock: bool,
    ) {
        let budgets: [Box<dyn Budget>; 2] = match clock {
            true => [budget, 2 * budget].map(|budget| Box::new(Bell(budget)) as _),
            false => [budget, 2 * budget].map(|budget| Box::new(Expansions(budget)) as _),
        };
        let solution = run(&scenario, spec, 1, &*budgets[0]);
        for threads in [2, 4] {
            prop_assert_eq!(&run(&scenario, spec, threads, &*budgets[0]).outcome, &solution.outcome);
        }
        let (units, cells) = (scenario.agents().len() as u64, scenario.grid().open_cells() as u64);
        // Distances of everybody, or of the groups of a round; and the searches of a round.
        let chunk = 2 * (units + 64) * cells + 16 * cells + 1024;
        prop_assert!(solution.expanded <= budget + chunk, "{} of {budget} and {chunk}", solution.expanded);
        match &solution.outcome {
            Outcome::Solved(_) => {
                let more = run(&scenario, spec, 1, &*budgets[1]);
                prop_assert!(cost(&more, spec) <= cost(&solution, spec) && more.is_solved());
            }
            Outcome::OutOfBudget { best: Some(plan), .. } => {
                let report = check_plan(&scenario, plan);
                prop_assert!(report.is_valid(), "{report}");
            }
            Outcome::OutOfBudget { best: None, .. } | Outcome::Infeasible { .. } => {}
            Outcome::Partial { .. } => prop_assert!(false, "never in part"),
        }
    }
}

/// Once everybody's distances were worked out whatever the budget said: with ten thousand units, planners went on for seconds after
/// their time was over.
#[test]
fn distances_ask_the_budget() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let scenario = crowd(48, 500, connectivity);
        let cells = scenario.grid().open_cells() as u64;
        for spec in ["lacam", "lacam(improve=all)", "lns(from=none)", "hca", "ca", "cbs"] {
            let all = run(&scenario, spec, 1, &Bell(400_000)).expanded;
            assert!(all > 80 * cells, "{spec}: {all} is no more than a portion");
            let solution = run(&scenario, spec, 1, &Bell(1));
            assert!(
                matches!(solution.outcome, Outcome::OutOfBudget { .. }),
                "{spec}: {:?}",
                solution.outcome
            );
            let spent = solution.expanded;
            assert!((1..=64 * cells).contains(&spent), "{spec}: {spent} with {cells} cells");
            // A second thread changes nothing.
            assert_eq!(run(&scenario, spec, 2, &Bell(1)).expanded, spent, "{spec}");
        }
    }
}

/// Whoever improves its plan has one when the budget ends, and with more budget a better one; on any number of threads the same.
#[test]
fn the_best_so_far_is_what_there_is() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let scenario = crowd(48, 200, connectivity);
        for objective in ["costs", "loss", "makespan"] {
            let spec = format!("lacam(improve=all,objective={objective})");
            let mut last = u64::MAX;
            for budget in [400_000, 1_000_000, 2_500_000] {
                let solution = run(&scenario, &spec, 1, &Expansions(budget));
                let now = cost(&solution, &spec).unwrap_or_else(|| panic!("{:?}", solution.outcome));
                assert!(now <= last, "{spec}: {now} after {budget}, {last} before");
                for threads in [2, 4] {
                    let other = run(&scenario, &spec, threads, &Expansions(budget));
                    assert_eq!(
                        (other.outcome, other.expanded),
                        (solution.outcome.clone(), solution.expanded)
                    );
                }
                last = now;
            }
        }
    }
}

/// Placements were kept without any bound: five gigabytes for a crowd that did not come apart.
#[test]
fn a_search_that_is_full_says_so() {
    // Nobody gets past anybody: there are more placements than fit anywhere.
    let rows: Vec<String> = (0..30).map(|y| if y == 7 { ".".repeat(30) } else { "@".repeat(30) }).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = throng::core::Grid::from_rows(&rows).unwrap();
    let at = |x| throng::core::Cell::new(x, 7);
    let goal = |x| throng::core::Task::Goal(at(x));
    let agents = (0..12).map(|id| throng::core::Agent::new(id, at(2 * id as i32), goal(29 - 2 * id as i32)));
    let line = Scenario::new("line", grid, Rules::default(), agents.collect()).unwrap();
    for (spec, most) in [("lacam(memory=1)", 1 << 20), ("lacam(memory=4)", 4 << 20)] {
        let solution = run(&line, spec, 1, &Unlimited);
        let Outcome::OutOfBudget { best: None, why: Reason::OutOfMemory { nodes, bytes } } = solution.outcome
        else {
            panic!("{spec}: {:?}", solution.outcome)
        };
        assert!((most / 3..=most + (64 << 10)).contains(&bytes) && nodes > 100, "{spec}: {bytes} of {nodes}");
    }
}

/// With little memory what is known is found out again and again, and comes to the same.
#[test]
fn memory_changes_no_plan() {
    for (name, units, memory) in [("lacam", 200, 1), ("cbs(suboptimality=3)", 30, 4)] {
        let scenario = crowd(128, units, Connectivity::Eight);
        let with = |memory: u32| {
            let spec = name
                .strip_suffix(')')
                .map_or(format!("{name}(memory={memory})"), |name| format!("{name},memory={memory})"));
            run(&scenario, &spec, 1, &Unlimited)
        };
        let (little, much) = (with(memory), with(1024));
        assert!(much.is_solved() && little.is_solved(), "{name}");
        assert!(little.expanded > much.expanded, "{name}: {} and {}", little.expanded, much.expanded);
        assert!(little.outcome == much.outcome, "{name}");
    }
}

/// Lanes that do not fit are refused, and nobody plans without them instead.
#[test]
fn lanes_that_do_not_fit_are_refused() {
    let grid = WarehouseMap::default().generate(0).expect("a map");
    let agents = units(&grid, Rules::default(), 300, 1, &UnitOptions::default()).expect("room");
    let scenario = Scenario::new("crowd", grid, Rules::default(), agents).expect("legal");
    let with = |memory: u64| {
        let options = Options::planner(&format!("lacam(lanes=on,memory={memory})"));
        solve(&scenario, &options, &Unlimited, &mut Unobserved)
    };
    let Err(Error::Spec(SpecError::NoRoom { needs, memory: 1, .. })) = with(1) else {
        panic!("{:?}", with(1))
    };
    let enough = with(needs).expect("as much as it asks for");
    assert!(enough.report.is_some_and(|report| report.is_valid()));
    assert!(with(needs - 1).is_err());
}
