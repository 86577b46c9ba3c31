//! Units under `dm` look at their next step before they take it. Each of these worlds was a jam, or full of cancelled moves.

use crate::kit::{session, watched};
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Grid, Rules, Scenario, Setup, Task, Timing, Unlimited,
};

const PLANNERS: [&str; 2] = ["dm", "dm(sector=4)"];

/// Both kinds of time, each with a period for it.
const TIMES: [(Timing, u8); 2] = [(Timing::Uniform, 1), (Timing::Metric, 5)];

fn world(rows: &[&str], (timing, period): (Timing, u8), ways: &[[Cell; 2]]) -> Scenario {
    let agent = |(id, &[start, goal]): (usize, &[Cell; 2])| Agent {
        period,
        ..Agent::new(id as u32, start, Task::Goal(goal))
    };
    let agents = ways.iter().enumerate().map(agent).collect();
    let rules = Rules { timing, ..Rules::default() };
    Scenario::new("look ahead", Grid::from_rows(rows).unwrap(), rules, agents).unwrap()
}

/// One rests in a corridor with a bay, one comes along it: the first steps into the bay and goes back. Who saw the other from
/// afar and found no way around used to stay away for ever; who stood beside it had no way either, so that the first
/// did not know where it would be out of the way.
#[test]
fn who_rests_steps_aside_and_goes_back() {
    let rows = ["..........", "@@@@.@@@@@"];
    let at = |x| Cell::new(x, 0);
    for planner in PLANNERS {
        for time in TIMES {
            for from in [0, 3] {
                let scenario = world(&rows, time, &[[at(4), at(4)], [at(from), at(9)]]);
                let mut session = session(Setup::new(scenario), planner);
                watched(&mut session, 200, &Unlimited);
                assert!(session.is_done(), "{planner} {time:?} from {from}: {}", session.why(AgentId(1)));
            }
        }
    }
}

/// Eight against eight through a hall that is three cells wide: as long as all in view were walls, nobody had a way.
#[test]
fn crowds_that_meet_get_through() {
    let (open, hall) = ("........................", "........@@@@@@@@........");
    let rows = [hall, hall, hall, open, open, open, hall, hall, hall];
    let ways: Vec<_> = (0..8)
        .flat_map(|y| [(0, 19), (23, 4)].map(|(from, to)| [Cell::new(from, y), Cell::new(to, y)]))
        .collect();
    for planner in PLANNERS {
        for time in TIMES {
            let scenario = world(&rows, time, &ways);
            let mut session = session(Setup::new(scenario), planner);
            watched(&mut session, 1500, &Unlimited);
            assert!(session.is_done(), "{planner} {time:?}: {} arrive", session.arrived());
        }
    }
}

/// Where moves hold their cells for as long as they take, nobody tries what would be cancelled.
#[test]
fn no_move_fails_among_themselves() {
    let ways: Vec<_> = (0..10)
        .map(|k: i32| {
            let (y, left) = (k / 2, k % 2 == 0);
            let ends = [Cell::new(0, y), Cell::new(19, 4 - y)];
            if left { ends } else { [Cell::new(18, y), Cell::new(1, 4 - y)] }
        })
        .collect();
    let rows = ["...................."; 5];
    let scenario = world(&rows, TIMES[1], &ways);
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let rules = Rules { connectivity, ..scenario.rules() };
        let agents = scenario.agents().to_vec();
        let scenario = Scenario::new("street", scenario.grid().clone(), rules, agents).unwrap();
        for planner in PLANNERS {
            let mut session = session(Setup::new(scenario.clone()), planner);
            let report = watched(&mut session, 2000, &Unlimited);
            assert!(session.is_done(), "{planner} {connectivity:?}: {} arrive", session.arrived());
            assert_eq!(report.failed_moves, 0, "{planner} {connectivity:?}");
        }
    }
}

/// Who waits says for whom.
#[test]
fn who_waits_says_for_whom() {
    let at = |x| Cell::new(x, 0);
    let agents = vec![Agent::new(0, at(3), Task::Hold), Agent::new(1, at(0), Task::Goal(at(5)))];
    let grid = Grid::from_rows(&["......"]).unwrap();
    let scenario = Scenario::new("barred", grid, Rules::default(), agents).unwrap();
    let mut session = session(Setup::new(scenario), "dm");
    watched(&mut session, 40, &Unlimited);
    let why = session.why(AgentId(1));
    let cause = &why.links[0].cause;
    assert_eq!(*cause, Cause::Occupied { blocker: AgentId(0), cell: at(3) }, "{why}");
}
