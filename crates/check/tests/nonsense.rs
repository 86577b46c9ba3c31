//! Whatever it is given, the judge answers.

use proptest::prelude::*;
use throng_check::{Expect, check_plan, check_positions, check_trace};
use throng_core::{Action, AgentId, Cell, Deed, Path, Plan, Trace};
use throng_testkit::Worlds;

fn cell() -> impl Strategy<Value = Cell> {
    let number = || prop_oneof![4 => -2..8i32, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)];
    (number(), number()).prop_map(|(x, y)| Cell::new(x, y))
}

fn action() -> impl Strategy<Value = Action> {
    (0..9u8).prop_map(|code| Action::from_code(code).unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn plans(
        scenario in Worlds::small().of_all_kinds().strategy(),
        paths in prop::collection::vec((cell(), prop::collection::vec(action(), 0..20)), 0..10),
    ) {
        let paths = paths.into_iter().map(|(start, actions)| Path { start, actions }).collect();
        let report = check_plan(&scenario, &Plan { paths });
        prop_assert!(report.total >= report.violations.len() as u64);
        prop_assert!(report.sum_of_loss <= report.soc && report.makespan <= report.ticks);
        report.to_string();
    }

    #[test]
    fn positions(
        scenario in Worlds::small().of_all_kinds().strategy(),
        rows in prop::collection::vec(prop::collection::vec(cell(), 0..10), 0..10),
    ) {
        check_positions(&scenario, &rows).to_string();
    }

    #[test]
    fn traces(
        scenario in Worlds::small().of_all_kinds().strategy(),
        starts in prop::collection::vec(cell(), 0..10),
        ticks in prop::collection::vec(
            prop::collection::vec((prop_oneof![9 => 0..9u32, 1 => any::<u32>()], action(), any::<bool>()), 0..9),
            0..20,
        ),
    ) {
        let mut trace = Trace::new(starts);
        for tick in ticks {
            for (agent, action, failed) in tick {
                trace.push(Deed { agent: AgentId(agent), action, failed });
            }
            trace.end_tick();
        }
        check_trace(&scenario, &trace, Expect::Finished).to_string();
    }
}

#[test]
fn a_pile_of_agents_is_judged_in_linear_time() {
    // 20,000 agents are said to be in one cell for 20 ticks: a judge of all pairs would need 4·10⁹ looks.
    use throng_core::{Agent, Grid, Rules, Scenario, Task};
    let grid = Grid::empty(200, 100).unwrap();
    let starts = || (0..20_000).map(|n| Cell::new(n % 200, n / 200));
    let agents = starts().enumerate().map(|(id, at)| Agent::new(id as u32, at, Task::Goal(at))).collect();
    let scenario = Scenario::new("pile", grid, Rules::default(), agents).unwrap();
    let rows = vec![vec![Cell::new(0, 0); 20_000]; 20];
    let report = check_positions(&scenario, &rows);
    assert!(report.collisions >= 20_000 - 1);
    assert_eq!(report.violations.len(), throng_check::Judge::DEFAULT_LIMIT);
}
