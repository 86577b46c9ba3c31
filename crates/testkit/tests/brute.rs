//! Brute force is right: its plans are judged, and on the tiniest worlds every plan there is is tried.

use proptest::prelude::*;
use throng_check::check_plan;
use throng_core::{Action, Agent, Cell, Dir, Grid, Path, Plan, Rules, Scenario, Task};
use throng_testkit::{Worlds, lower_bounds, optimal, witness};

/// Least sum of costs and least makespan over all plans of `ticks` actions per agent.
fn by_trying_everything(scenario: &Scenario, ticks: usize) -> (Option<u64>, Option<u64>) {
    let mut paths: Vec<Vec<Path>> = Vec::new();
    for agent in scenario.agents() {
        let actions = agent.actions(scenario.rules());
        let mut all = vec![Path { start: agent.start, actions: vec![] }];
        for _ in 0..ticks {
            let longer = |path: &Path| {
                let legal = Dir::ALL.map(Action::Go).into_iter().chain([Action::Wait]);
                let legal = legal.filter(|&a| actions.legal(scenario.grid(), path.end(), 0, a));
                let extend = |a| Path { start: path.start, actions: [&path.actions[..], &[a]].concat() };
                legal.map(extend).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.retain(|path| path.end() == agent.waypoints().last());
        paths.push(all);
    }
    let mut plans = vec![Plan::default()];
    for all in paths {
        let with = |plan: &Plan| {
            let join = |path: &Path| Plan { paths: [&plan.paths[..], std::slice::from_ref(path)].concat() };
            all.iter().map(join).collect::<Vec<_>>()
        };
        plans = plans.iter().flat_map(with).collect();
    }
    let valid = || plans.iter().map(|plan| check_plan(scenario, plan)).filter(|report| report.is_valid());
    (valid().map(|r| r.soc).min(), valid().map(|r| r.makespan).min())
}

fn mirrored_in_time(scenario: &Scenario) -> Scenario {
    let turn = |agent: &Agent| Agent::new(agent.id.0, agent.waypoints().last(), Task::Goal(agent.start));
    let agents = scenario.agents().iter().map(turn).collect();
    Scenario::new("mirrored", scenario.grid().clone(), scenario.rules(), agents).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn its_plans_are_valid_and_cost_what_it_says(scenario in Worlds::tiny().strategy()) {
        let bounds = lower_bounds(&scenario);
        let found = witness(&scenario, 1).map(|plan| check_plan(&scenario, &plan));
        let Some(best) = optimal(&scenario) else {
            prop_assert_eq!(found, None);
            return Ok(());
        };
        let report = check_plan(&scenario, &best.plan);
        prop_assert!(report.is_valid(), "{}", report);
        prop_assert_eq!(report.soc, best.soc);
        prop_assert!(report.makespan >= best.makespan);
        let bounds = bounds.unwrap();
        prop_assert!(bounds.soc <= best.soc && bounds.makespan <= best.makespan);
        if let Some(found) = found {
            prop_assert!(found.is_valid(), "{}", found);
            prop_assert!(found.soc >= best.soc && found.makespan >= best.makespan);
        }
    }

    #[test]
    fn a_plan_can_be_run_backwards(scenario in Worlds::tiny().strategy()) {
        let there = optimal(&scenario).map(|best| best.makespan);
        prop_assert_eq!(there, optimal(&mirrored_in_time(&scenario)).map(|best| best.makespan));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn agrees_with_trying_everything(
        scenario in Worlds { width: 1..=3, walls: 30..=60, agents: 1..=2, ..Worlds::tiny() }
            .strategy()
            .prop_filter("few cells", |s| s.grid().open_cells() <= 5)
    ) {
        const TICKS: usize = 4;
        let (soc, makespan) = by_trying_everything(&scenario, TICKS);
        let best = optimal(&scenario);
        let short = best.as_ref().filter(|best| best.makespan <= TICKS as u64);
        prop_assert_eq!(makespan, short.map(|best| best.makespan));
        if let Some(best) = best {
            let length = best.plan.paths.iter().map(|path| path.actions.len()).max().unwrap_or(0);
            if length <= TICKS {
                prop_assert_eq!(soc, Some(best.soc));
            } else {
                prop_assert!(soc.is_none_or(|soc| soc >= best.soc));
            }
        }
    }
}

#[test]
fn leaving_the_goal_is_paid_for() {
    // The one at home steps into the bay and back: it pays for all ticks until it rests again, also for
    // those it spent at home before.
    let agent = |id, from, to| Agent::new(id, Cell::new(from, 0), Task::Goal(Cell::new(to, 0)));
    let grid = Grid::from_rows(&["......", "@@@@.@"]).unwrap();
    let scenario = Scenario::new("t", grid, Rules::default(), vec![agent(0, 0, 5), agent(1, 4, 4)]).unwrap();
    let best = optimal(&scenario).unwrap();
    assert_eq!((best.soc, best.makespan), (5 + 5, 5));
}
