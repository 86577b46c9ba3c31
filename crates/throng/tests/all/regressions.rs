//! Faults that once were in the engine, reduced to the least that shows them. Each says what was wrong.

use crate::kit::{Time, session, watched};
use throng::core::{
    Agent, AgentId, Budget, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Task, TerrainEvent,
    Timing, Unlimited,
};
use throng::planners::registry;
use throng::{Options, Session};
use throng_testkit::corpus;

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

const fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

const fn goal(x: i32, y: i32) -> Task {
    Task::Goal(cell(x, y))
}

/// Cancelled moves within 300 ticks, with the judge watching.
fn lost(rows: &[&str], rules: Rules, units: Vec<(Cell, Task)>, spec: &str, budget: &dyn Budget) -> u64 {
    let period = if rules.timing == Timing::Metric { 5 } else { 1 };
    let unit = |(id, (start, task))| Agent { period, ..Agent::new(id as u32, start, task) };
    let agents = units.into_iter().enumerate().map(unit).collect();
    let scenario =
        Scenario::new("drawn", Grid::from_rows(rows).expect("a map"), rules, agents).expect("valid");
    watched(&mut session(Setup::new(scenario), spec), 300, budget).failed_moves
}

/// A unit in a corner asked for a rank above that of whoever pushed it, which had given up in the meantime and
/// so had the highest of all: the sum overflowed.
#[test]
fn a_pusher_may_give_up_before_the_pushed() {
    let cases = corpus();
    let case = cases.iter().find(|case| case.name == "one-hole-one-turn").expect("it is in the corpus");
    let scenario = case.scenario(Time::HoldBoth.rules(Connectivity::Four));
    watched(&mut session(Setup::new(scenario), "whca"), 300, &Unlimited);
}

/// A promoted unit planned through the cell where another was standing at that very tick, or through the sweep
/// of a move in progress. Such a reservation cannot be given up: whoever is there is there until its move
/// is over, so the promoted unit ran into it and lost its move.
#[test]
fn nobody_plans_through_a_unit_that_is_there() {
    let units = vec![
        (cell(1, 0), goal(0, 1)),
        (cell(1, 5), goal(1, 2)),
        (cell(0, 2), Task::Patrol { goal: cell(2, 0), rounds: 2 }),
        (cell(1, 1), goal(2, 5)),
        (cell(0, 0), goal(0, 2)),
    ];
    let rows = ["...", "...", "...", "..@", ".@@", "...", "@@@"];
    let spec = "whca(window=3,replan=12,order=fixed,patience=4,penalty=0,courtesy=1)";
    assert_eq!(lost(&rows, METRIC, units, spec, &Unlimited), 0);
}

/// A unit whose reservations were taken, but which could not plan again because the budget of the tick was
/// spent, went on with its old path and ran into whoever had taken them. It has to stand instead.
#[test]
fn a_unit_without_budget_gives_up_what_was_taken() {
    let units = vec![
        (cell(0, 0), Task::Goals(vec![cell(1, 0), cell(0, 1)])),
        (cell(1, 0), goal(0, 2)),
        (cell(0, 2), Task::Patrol { goal: cell(0, 0), rounds: 1 }),
    ];
    let rows = ["...", "...", "..."];
    let spec = "whca(window=16,replan=10,patience=2,penalty=0,courtesy=4)";
    let rules = Rules { follow: true, ..METRIC };
    assert_eq!(lost(&rows, rules, units, spec, &Expansions(65)), 0);
}

/// A unit alone on its cell gets no corridor, so that there was none to widen when its search found nothing.
#[test]
fn nobody_widens_a_corridor_that_was_not_laid() {
    let units = vec![(cell(0, 2), goal(0, 2)), (cell(1, 0), goal(0, 0))];
    let rows = ["...", "@@.", ".@."];
    for spec in ["cpra(k=8,first=3,width=1,patience=3,crowd=1)", "cpra"] {
        assert_eq!(lost(&rows, Rules::default(), units.clone(), spec, &Unlimited), 0, "{spec}");
    }
}

/// Where moves hold all that they cover, a diagonal past somebody who rests is cancelled. Local repair without eyes planned around the cells
/// that others are in, but not around those diagonals, and tried the same one for ever on an open map.
#[test]
fn a_diagonal_past_somebody_is_no_way() {
    let held = Rules { connectivity: Connectivity::Eight, hold_both: true, ..Rules::default() };
    for entry in registry::all().iter().filter(|entry| entry.name != "blocker") {
        for (rules, period) in [(METRIC, 5), (held, 1)] {
            let unit = |id, from: Cell, to: Cell| Agent { period, ..Agent::new(id, from, Task::Goal(to)) };
            for agents in [
                vec![unit(0, cell(2, 1), cell(2, 1)), unit(1, cell(1, 1), cell(2, 2))],
                vec![
                    unit(0, cell(5, 3), cell(5, 3)),
                    unit(1, cell(0, 0), cell(5, 4)),
                    unit(2, cell(9, 0), cell(4, 3)),
                ],
            ] {
                let scenario =
                    Scenario::new("open", Grid::from_rows(&[".........."; 6]).expect("a map"), rules, agents)
                        .expect("valid");
                let options = Options::planner(entry.name);
                let Ok(mut session) = Session::new(Setup::new(scenario), &options) else { continue };
                watched(&mut session, 400, &Unlimited);
                assert!(session.is_done(), "{}: {}", entry.name, session.why(AgentId(1)));
            }
        }
    }
}

/// Closings left no two open cells side by side, so that there were no levels any more to lay corridors on: `cpra` looked into the
/// first of them and panicked. With a budget a corridor was being laid when that happened.
#[test]
fn a_world_may_fall_apart_into_single_cells() {
    let close = [(0, 1), (1, 0), (2, 1), (3, 0)].map(|(x, y)| cell(x, y)).to_vec();
    for entry in registry::all().iter().filter(|entry| entry.support.closings) {
        for (at, budget) in [(1, u64::MAX), (0, u64::MAX), (1, 1), (2, 3), (3, 5)] {
            let agents = vec![Agent::new(0, cell(2, 1), goal(3, 0)), Agent::new(1, cell(0, 0), goal(2, 0))];
            let grid = Grid::from_rows(&["....", "...."]).expect("a map");
            let scenario = Scenario::new("apart", grid, Rules::default(), agents).expect("valid");
            let events = vec![
                TerrainEvent { at, close: close.clone(), open: vec![] },
                TerrainEvent { at: 20, close: vec![], open: close.clone() },
            ];
            let scenario = scenario.with_events(events).expect("on the map");
            let options = Options::planner(entry.name);
            let Ok(mut session) = Session::new(Setup::new(scenario), &options) else { continue };
            watched(&mut session, 200, &Expansions(budget));
            let settles = !["blocker", "explore"].contains(&entry.name);
            assert!(session.is_done() || !settles, "{} at {at}: {}", entry.name, session.why(AgentId(0)));
        }
    }
}
