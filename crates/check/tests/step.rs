//! One tick, judged by who was where before and after: each thing that can be wrong is found, and nothing else is.

use throng_check::check_step;
use throng_core::{Agent, Cell, Connectivity, Grid, Rules, Scenario, State, Task, Timing};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

/// Two units on a map with a wall at (2,1): the first takes 3 ticks a step, the second is 2×2.
fn world() -> Scenario {
    let grid = Grid::from_rows(&["......", "..@...", "......", "......"]).unwrap();
    let mut agents = vec![
        Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(5, 0))),
        Agent::new(1, Cell::new(3, 2), Task::Goal(Cell::new(0, 2))),
    ];
    (agents[0].period, agents[1].period, agents[1].body) = (3, 2, 2);
    Scenario::new("two", grid, METRIC, agents).unwrap()
}

/// What is said of a tick in which unit `id` goes from one cell to another, by its own account in `ticks`.
fn said(from: (i32, i32), to: (i32, i32), id: usize, ticks: u64) -> Vec<String> {
    let scenario = world();
    let cell = |(x, y)| scenario.grid().id(Cell::new(x, y)).unwrap();
    let mut before = State::new(&scenario);
    (before.units[id].at, before.units[id].from) = (cell(from), cell(from));
    let mut after = State { tick: 1, ..before.clone() };
    (after.units[id].at, after.units[id].since, after.units[id].until) = (cell(to), 0, ticks);
    check_step(&scenario, &before, &after).iter().map(ToString::to_string).collect()
}

#[test]
fn a_legal_step_is_allowed() {
    assert_eq!(said((0, 0), (1, 0), 0, 3), [""; 0]);
    assert_eq!(said((0, 0), (1, 1), 0, 4), [""; 0], "a diagonal takes √2 of it");
    assert_eq!(said((3, 2), (2, 2), 1, 2), [""; 0]);
}

#[test]
fn a_step_takes_its_time() {
    for ticks in [1, 2, 4] {
        assert_eq!(said((0, 0), (1, 0), 0, ticks), ["tick 0: agent 0 jumps from (0,0) to (1,0)"], "{ticks}");
    }
}

#[test]
fn nobody_jumps_or_enters_walls() {
    assert_eq!(said((0, 0), (2, 0), 0, 3), ["tick 0: agent 0 jumps from (0,0) to (2,0)"]);
    let wall = said((1, 1), (2, 1), 0, 3);
    assert_eq!(wall.len(), 2, "{wall:?}");
    assert!(wall[1].ends_with("into the wall at (2,1)"), "{wall:?}");
    let corner = said((1, 1), (2, 0), 0, 4);
    assert!(corner.iter().any(|said| said.contains("(2,1)")), "{corner:?}");
    let body = said((3, 2), (2, 1), 1, 3);
    assert!(
        body.iter().any(|said| said.ends_with("into the wall at (2,1)")),
        "all of a body counts: {body:?}"
    );
}

#[test]
fn a_move_in_progress_goes_on() {
    let scenario = world();
    let cell = |x, y| scenario.grid().id(Cell::new(x, y)).unwrap();
    let mut before = State { tick: 5, ..State::new(&scenario) };
    let unit = &mut before.units[0];
    (unit.at, unit.since, unit.until) = (cell(1, 0), 4, 7);
    let mut after = State { tick: 6, ..before.clone() };
    assert_eq!(check_step(&scenario, &before, &after), []);
    let unit = &mut after.units[0];
    (unit.from, unit.at, unit.since, unit.until) = (cell(1, 0), cell(2, 0), 5, 8);
    let found: Vec<_> = check_step(&scenario, &before, &after).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["tick 5: agent 0 begins an action while its move is in progress until tick 7"]);
}

#[test]
fn bodies_that_touch_one_cell_are_a_conflict() {
    let found = said((2, 3), (2, 2), 0, 3);
    assert_eq!(found, [""; 0], "beside it there is room");
    let found = said((2, 2), (3, 2), 0, 3);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("agents 0 and 1") && found[0].contains("(3,2)"), "{found:?}");
}

#[test]
fn who_has_left_is_in_nobodys_way_and_everybody_is_accounted_for() {
    let scenario = world();
    let mut before = State::new(&scenario);
    before.units[0].at = before.units[1].at;
    before.units[0].from = before.units[1].at;
    let after = State { tick: 1, ..before.clone() };
    assert_eq!(check_step(&scenario, &before, &after).len(), 1, "both are in one place");
    let (mut gone, mut later) = (before.clone(), after.clone());
    (gone.units[0].gone, later.units[0].gone) = (true, true);
    assert_eq!(check_step(&scenario, &gone, &later), []);
    later.units.pop();
    let found = check_step(&scenario, &gone, &later);
    assert_eq!(found[0].to_string(), "tick 0: 1 agents, expected 2");
}
