use super::*;
use throng_core::{Agent, Bend, Cell, Connectivity, Dir, Grid, Motion, Rules, Task, Timing};

fn world(rows: &[&str], rules: Rules, units: &[((i32, i32), i32)]) -> Scenario {
    let agents = units.iter().enumerate().map(|(id, &((x, y), priority))| Agent {
        priority,
        period: if rules.timing == Timing::Metric { 5 } else { 1 },
        ..Agent::new(id as u32, Cell::new(x, y), Task::Goal(Cell::new(x, y)))
    });
    Scenario::new("t", Grid::from_rows(rows).unwrap(), rules, agents.collect()).unwrap()
}

/// Where everybody is, and who failed because of whom.
type After = (Vec<(i32, i32)>, Vec<(u32, Option<u32>)>);

/// Runs one tick.
fn tick(scenario: &Scenario, actions: &[Action]) -> After {
    let (mut state, mut events) = (State::new(scenario), Vec::new());
    Executor::new().step(scenario, &mut state, actions, &mut events);
    let at = state.units.iter().map(|u| scenario.grid().cell(u.at)).map(|c| (c.x, c.y)).collect();
    let failed = events.iter().filter_map(|e| match e {
        Event::Failed { agent, blocked_by, .. } => Some((agent.0, blocked_by.map(|b| b.0))),
        _ => None,
    });
    (at, failed.collect())
}

const E: Action = Action::Go(Dir::E);
const W: Action = Action::Go(Dir::W);
const N: Action = Action::Go(Dir::N);
const S: Action = Action::Go(Dir::S);
const SE: Action = Action::Go(Dir::SE);
const SW: Action = Action::Go(Dir::SW);
const WAIT: Action = Action::Wait;

#[test]
fn walls_cancel() {
    let scenario = world(&[".@"], Rules::default(), &[((0, 0), 0)]);
    assert_eq!(tick(&scenario, &[E]), (vec![(0, 0)], vec![(0, None)]));
    assert_eq!(tick(&scenario, &[W]), (vec![(0, 0)], vec![(0, None)]));
    assert_eq!(tick(&scenario, &[SE]).1, [(0, None)], "no diagonal under four moves");
}

#[test]
fn a_contested_cell_goes_to_priority_then_to_the_lower_id() {
    let scenario = world(&["..."], Rules::default(), &[((0, 0), 0), ((2, 0), 0)]);
    assert_eq!(tick(&scenario, &[E, W]), (vec![(1, 0), (2, 0)], vec![(1, Some(0))]));
    let scenario = world(&["..."], Rules::default(), &[((0, 0), 0), ((2, 0), 1)]);
    assert_eq!(tick(&scenario, &[E, W]), (vec![(0, 0), (1, 0)], vec![(0, Some(1))]));
}

#[test]
fn who_stays_wins_and_the_queue_behind_waits() {
    let scenario = world(&["...."], Rules::default(), &[((0, 0), 9), ((1, 0), 9), ((2, 0), 0)]);
    assert_eq!(
        tick(&scenario, &[E, E, WAIT]),
        (vec![(0, 0), (1, 0), (2, 0)], vec![(0, Some(1)), (1, Some(2))])
    );
    assert_eq!(tick(&scenario, &[E, E, E]), (vec![(1, 0), (2, 0), (3, 0)], vec![]), "following is legal");
}

#[test]
fn swaps_and_crossings_cancel_both_sides() {
    let scenario = world(&[".."], Rules::default(), &[((0, 0), 9), ((1, 0), 0)]);
    assert_eq!(tick(&scenario, &[E, W]), (vec![(0, 0), (1, 0)], vec![(0, Some(1)), (1, Some(0))]));
    let eight = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    let scenario = world(&["..", ".."], eight, &[((0, 0), 0), ((1, 0), 0)]);
    assert_eq!(tick(&scenario, &[SE, SW]), (vec![(0, 0), (1, 0)], vec![(0, Some(1)), (1, Some(0))]));
}

#[test]
fn cycles_survive() {
    let scenario =
        world(&["..", ".."], Rules::default(), &[((0, 0), 0), ((1, 0), 0), ((1, 1), 0), ((0, 1), 0)]);
    assert_eq!(tick(&scenario, &[E, S, W, N]), (vec![(1, 0), (1, 1), (0, 1), (0, 0)], vec![]));
}

#[test]
fn holding_both_cells_forbids_following() {
    let rules = Rules { hold_both: true, ..Rules::default() };
    let scenario = world(&["..."], rules, &[((0, 0), 0), ((1, 0), 0)]);
    assert_eq!(tick(&scenario, &[E, E]), (vec![(0, 0), (2, 0)], vec![(0, Some(1))]));
    let rules = Rules { follow: true, ..rules };
    let scenario = world(&["..."], rules, &[((0, 0), 0), ((1, 0), 0)]);
    assert_eq!(tick(&scenario, &[E, E]), (vec![(1, 0), (2, 0)], vec![]), "unless follow is on");
}

#[test]
fn a_move_in_progress_holds_its_cells_and_never_fails() {
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let scenario = world(&["...", "...", "..."], rules, &[((0, 0), 0), ((2, 1), 0)]);
    let (mut state, mut events) = (State::new(&scenario), Vec::new());
    let mut executor = Executor::new();
    executor.step(&scenario, &mut state, &[SE, WAIT], &mut events);
    for _ in 1..7 {
        assert!(!state.units[0].stands(state.tick));
        events.clear();
        executor.step(&scenario, &mut state, &[N, W], &mut events);
        let failed = events.iter().filter(|e| matches!(e, Event::Failed { .. })).count();
        assert_eq!((failed, events.len()), (1, 1), "the other is kept out; the mover goes on: {events:?}");
    }
    assert!(state.units[0].stands(state.tick));
    assert_eq!(scenario.grid().cell(state.units[0].at), Cell::new(1, 1));
}

#[test]
fn waypoints_are_counted_in_order() {
    let grid = Grid::from_rows(&["..."]).unwrap();
    let goals = vec![Cell::new(1, 0), Cell::new(2, 0), Cell::new(2, 0)];
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goals(goals))];
    let scenario = Scenario::new("t", grid, Rules::default(), agents).unwrap();
    let (mut state, mut events) = (State::new(&scenario), Vec::new());
    let mut executor = Executor::new();
    executor.step(&scenario, &mut state, &[E], &mut events);
    assert_eq!(state.units[0].leg, 1);
    executor.step(&scenario, &mut state, &[E], &mut events);
    assert_eq!(state.units[0].leg, 3);
    assert!(events.contains(&Event::Finished { agent: AgentId(0) }));
}

/// Does one action after the other, each until it is over; answers where and how the unit then stands, and how
/// many actions failed.
fn drive(scenario: &Scenario, todo: &[Action]) -> ((i32, i32), u8, usize) {
    let (mut state, mut events, mut executor) = (State::new(scenario), Vec::new(), Executor::new());
    for &action in todo {
        executor.step(scenario, &mut state, &[action, WAIT], &mut events);
        while !state.units[0].stands(state.tick) {
            executor.step(scenario, &mut state, &[WAIT, WAIT], &mut events);
        }
    }
    let at = scenario.grid().cell(state.units[0].at);
    let failed = events.iter().filter(|e| matches!(e, Event::Failed { .. })).count();
    ((at.x, at.y), state.units[0].pose, failed)
}

fn moving(rows: &[&str], motion: Motion, others: &[(i32, i32)]) -> Scenario {
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let starts = std::iter::once(&(1, 3)).chain(others);
    let agents = starts.enumerate().map(|(id, &(x, y))| Agent {
        period: 4,
        motion: if id == 0 { motion } else { Motion::Steps },
        ..Agent::new(id as u32, Cell::new(x, y), Task::Hold)
    });
    Scenario::new("t", Grid::from_rows(rows).unwrap(), rules, agents.collect()).unwrap()
}

#[test]
fn a_run_needs_its_first_step_and_ends_with_a_pause() {
    use Action::{Accelerate, Run};
    let scenario = moving(&["......"; 6], Motion::Gaits { run: 2 }, &[]);
    let running = 1 + Dir::E as u8;
    assert_eq!(drive(&scenario, &[Run(Dir::E)]), ((1, 3), 0, 1));
    assert_eq!(drive(&scenario, &[Accelerate(Dir::E), Run(Dir::E)]), ((3, 3), running, 0));
    assert_eq!(drive(&scenario, &[Accelerate(Dir::E), Run(Dir::N)]), ((2, 3), 0, 1), "too sharp");
    assert_eq!(drive(&scenario, &[Accelerate(Dir::E), WAIT, Run(Dir::E)]), ((2, 3), 0, 1));
    assert_eq!(drive(&scenario, &[Accelerate(Dir::E), E, Accelerate(Dir::N)]), ((3, 2), 1, 0));
}

#[test]
fn a_car_drives_curves_where_there_is_room() {
    let (heading, curve) = (Dir::E as u8, Action::Curve(Bend::EN, 2));
    let car = Motion::Car { radius: 2, heading: Dir::E };
    let field = ["......"; 6];
    assert_eq!(drive(&moving(&field, car, &[]), &[curve]), ((3, 1), Dir::N as u8, 0));
    assert_eq!(drive(&moving(&field, car, &[]), &[curve, Action::Curve(Bend::SW, 2)]), ((1, 3), heading, 0));
    assert_eq!(drive(&moving(&field, car, &[]), &[N]), ((1, 3), heading, 1), "not sideways");
    assert_eq!(drive(&moving(&field, car, &[]), &[Action::Curve(Bend::EN, 1)]), ((1, 3), heading, 1));
    assert_eq!(drive(&moving(&field, car, &[(3, 2)]), &[curve]), ((1, 3), heading, 1), "through a unit");
    let wall = ["......", "......", "...@..", "......", "......", "......"];
    assert_eq!(drive(&moving(&wall, car, &[]), &[curve]), ((1, 3), heading, 1), "through a wall");
}
