//! The planner that ends with the least sum of costs, or within a factor of it: `cbs`.

use proptest::prelude::*;
use proptest::sample::select;
use throng::check::check_plan;
use throng::core::{
    Agent, Cell, Connectivity, Expansions, Grid, Outcome, Reason, Rules, Scenario, Task, Unlimited,
    Unobserved,
};
use throng::{Options, solve};
use throng_testkit::{Worlds, optimal};

/// Tiny worlds of several shapes: open, crowded, and a little larger with fewer units.
fn worlds() -> impl Strategy<Value = Scenario> {
    let crowded = Worlds { width: 2..=5, height: 2..=4, walls: 0..=25, agents: 2..=4, ..Worlds::tiny() };
    let wide = Worlds { width: 3..=5, height: 3..=5, agents: 2..=3, ..Worlds::tiny() };
    prop_oneof![Worlds::tiny().strategy(), crowded.strategy(), wide.strategy()]
}

fn scenario(rows: &[&str], ends: &[[i32; 4]], connectivity: Connectivity) -> Scenario {
    let agent =
        |(&[x, y, u, v], id): (&[i32; 4], u32)| Agent::new(id, Cell::new(x, y), Task::Goal(Cell::new(u, v)));
    let agents = ends.iter().zip(0..).map(agent).collect();
    let rules = Rules { connectivity, ..Rules::default() };
    Scenario::new("drawn", Grid::from_rows(rows).unwrap(), rules, agents).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Exactly what brute force finds, and infeasible if and only if there is no plan. The bound that it proves is the cost.
    #[test]
    fn the_least_sum_of_costs(scenario in worlds()) {
        let solution = solve(&scenario, &Options::planner("cbs"), &Unlimited, &mut Unobserved).expect("cbs");
        match solution.outcome {
            Outcome::Solved(plan) => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
                let best = optimal(&scenario).expect("it is solved");
                prop_assert_eq!(report.soc, best.soc);
                prop_assert_eq!(solution.bounds.map(|bounds| bounds.soc), Some(best.soc));
            }
            Outcome::Infeasible { .. } => prop_assert!(optimal(&scenario).is_none()),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    /// Within the factor, whatever it is; and what it proves is true.
    #[test]
    fn within_a_factor(scenario in worlds(), percent in select(&[100u64, 105, 120, 150, 300])) {
        let spec = format!("cbs(suboptimality={}.{:02})", percent / 100, percent % 100);
        let solution = solve(&scenario, &Options::planner(&spec), &Unlimited, &mut Unobserved).expect("cbs");
        match solution.outcome {
            Outcome::Solved(plan) => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
                let best = optimal(&scenario).expect("it is solved");
                prop_assert!(100 * report.soc <= percent * best.soc, "{} of {}", report.soc, best.soc);
                prop_assert!(solution.bounds.is_some_and(|bounds| bounds.soc <= best.soc));
            }
            Outcome::Infeasible { .. } => prop_assert!(optimal(&scenario).is_none()),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    /// However early the budget ends: what it has proven is true, a plan that it has is one, and it spends no more than it may.
    #[test]
    fn budgets_end_honestly(
        scenario in worlds(),
        spec in select(&["cbs", "cbs(suboptimality=1.2)"]),
        budget in 0..3000u64,
    ) {
        let solution = solve(&scenario, &Options::planner(spec), &Expansions(budget), &mut Unobserved).expect(spec);
        prop_assert!(solution.expanded <= budget, "{} of {budget}", solution.expanded);
        let best = optimal(&scenario).map(|best| best.soc);
        if let (Some(bounds), Some(best)) = (solution.bounds, best) {
            prop_assert!(bounds.soc <= best, "{} of {best}", bounds.soc);
        }
        match solution.outcome {
            Outcome::Solved(plan) | Outcome::OutOfBudget { best: Some(plan), .. } => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
            }
            Outcome::OutOfBudget { best: None, .. } => {}
            Outcome::Infeasible { .. } => prop_assert!(best.is_none()),
            Outcome::Partial { .. } => prop_assert!(false, "never in part"),
        }
    }
}

/// Two diagonals that cross conflict, so that one of them waits.
#[test]
fn crossing_diagonals_conflict() {
    let rows = ["...", "...", "..."];
    let crossing = scenario(&rows, &[[0, 0, 1, 1], [1, 0, 0, 1]], Connectivity::Eight);
    let solution = solve(&crossing, &Options::planner("cbs"), &Unlimited, &mut Unobserved).expect("cbs");
    assert_eq!(solution.report.map(|report| (report.is_valid(), report.soc)), Some((true, 3)));
}

/// Whoever holds its place does so: others go around it, and where they cannot there is no plan.
#[test]
fn holders_stay() {
    for (rows, soc) in [(&["...", "..."][..], Some(4)), (&["..."][..], None)] {
        let world = scenario(rows, &[[0, 0, 2, 0]], Connectivity::Four);
        let mut agents = world.agents().to_vec();
        agents.push(Agent::new(1, Cell::new(1, 0), Task::Hold));
        let world = Scenario::new("held", world.grid().clone(), world.rules(), agents).unwrap();
        let solution = solve(&world, &Options::planner("cbs"), &Unlimited, &mut Unobserved).expect("cbs");
        assert_eq!(solution.report.map(|report| report.soc), soc, "{:?}", solution.outcome);
        assert_eq!(matches!(solution.outcome, Outcome::Infeasible { .. }), soc.is_none());
    }
}

/// That nobody gets past anybody is told in words of its own: once it was said that others had reserved the way, as planners do
/// that plan one unit after the other and prove nothing.
#[test]
fn what_was_proven_is_told() {
    let narrow = scenario(&["....."], &[[0, 0, 4, 0], [4, 0, 0, 0]], Connectivity::Four);
    let solution = solve(&narrow, &Options::planner("cbs"), &Unlimited, &mut Unobserved).expect("cbs");
    let Outcome::Infeasible { why: why @ Reason::Contradiction { .. } } = solution.outcome else {
        panic!("{:?}", solution.outcome)
    };
    assert!(why.to_string().starts_with("no plan brings everybody there: agent 1 has no way"), "{why}");
}

/// What was proven when the budget ended is told, and more than the sum of distances: two have to pass each other in a niche.
#[test]
fn a_bound_is_told_when_the_budget_ends() {
    let niche = scenario(&["........", "@@@.@@@@"], &[[0, 0, 7, 0], [7, 0, 0, 0]], Connectivity::Four);
    let best = optimal(&niche).expect("there is a niche").soc;
    let told = (40..400).filter(|&budget| {
        let options = Options::planner("cbs");
        let solution = solve(&niche, &options, &Expansions(budget), &mut Unobserved).expect("cbs");
        let bound = solution.bounds.expect("everybody can get there").soc;
        assert!(bound <= best, "{bound} of {best} after {budget}");
        matches!(solution.outcome, Outcome::OutOfBudget { .. }) && bound > 14
    });
    assert!(told.count() > 0, "it never knew more than distances before it was done");
}
