//! Units sent to one place one by one: all of them come to rest, and then nobody moves any more.

use crate::kit::{session, tick};
use throng::core::{
    Budget, Cell, Connectivity, Dir, Event, Expansions, Grid, Motion, Rules, Scenario, Setup, Task, Timing,
    Unlimited,
};
use throng::{NewUnit, OrderError, Session};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

fn world(rows: &[&str], rules: Rules, planner: &str, units: Vec<NewUnit>) -> Session {
    let grid = Grid::from_rows(rows).unwrap();
    let mut session = session(Setup::new(Scenario::new("crowd", grid, rules, vec![]).unwrap()), planner);
    for unit in units {
        match session.add(unit) {
            // Some cars can drive to every other cell only.
            Err(OrderError::Unreachable { .. }) => {}
            added => drop(added.unwrap()),
        }
    }
    session
}

/// So many units from the left, row by row, all to `goal`.
fn to(goal: (i32, i32), count: i32, height: i32) -> Vec<NewUnit> {
    let goal = Task::Goal(Cell::new(goal.0, goal.1));
    (0..count).map(|k| NewUnit::new(Cell::new(k / height, k % height), goal.clone())).collect()
}

/// Runs until all rest and nobody has moved for 50 ticks; saved and taken up again in the middle.
fn settles(name: &str, mut session: Session, ticks: u64, budget: &dyn Budget) {
    let (mut told, mut still, mut twin) = (0, 0, None::<Session>);
    while still < 50 {
        assert!(session.state().tick < ticks, "{name} {:?}: {} rest after {ticks}", session.options().planner, session.arrived());
        tick(&mut session, budget);
        let count = |test: fn(&Event) -> bool| session.events().iter().filter(|e| test(e)).count();
        assert_eq!(count(|e| matches!(e, Event::Failed { .. })), 0, "{name}: {:?}", session.events());
        told += count(|e| matches!(e, Event::Settled { .. }));
        let moved = count(|e| matches!(e, Event::Moved { .. })) > 0;
        still = if moved || !session.is_done() { 0 } else { still + 1 };
        if let Some(twin) = &mut twin {
            tick(twin, budget);
            assert_eq!(twin.events(), session.events(), "{name}");
            assert_eq!(twin.state().hash(), session.state().hash(), "{name}");
        } else if told >= 3 {
            twin = Some(Session::resume(&session.save(), 1).unwrap());
        }
    }
    assert!(twin.is_some(), "{name}: only {told} found their goal taken");
}

#[test]
fn a_crowd_settles_wherever_it_was_sent() {
    let open = ["...................."; 12];
    let mut dead_end = ["@@@@@@@@@@@@@@@@@@@@"; 12];
    dead_end[4..8].fill("........@@@@@@@@@@@@");
    dead_end[5] = "................@@@@";
    let mut corner = open;
    corner[6] = "..........@@@@@@@@@@";
    for planner in ["whca(window=8)", "whca(window=auto)", "lra"] {
        let run = |name: &str, rows: &[&str], units, budget: &dyn Budget| {
            settles(name, world(rows, Rules::default(), planner, units), 400, budget)
        };
        run("open", &open, to((14, 6), 12, 12), &Unlimited);
        run("wall", &open, to((19, 6), 12, 12), &Unlimited);
        run("corner", &corner, to((15, 7), 12, 12), &Unlimited);
        let units = to((15, 5), 12, 4).into_iter().map(|u| NewUnit { at: Cell::new(u.at.x, u.at.y + 4), ..u });
        run("dead end", &dead_end, units.collect(), &Unlimited);
        run("open, 200 expansions", &open, to((14, 6), 12, 12), &Expansions(200));
        run("open, many", &open, to((14, 6), 60, 12), &Unlimited);
    }
}

#[test]
fn bodies_speeds_and_motions_settle_together() {
    let open = ["........................................"; 30];
    let goal = Task::Goal(Cell::new(30, 15));
    for seed in 0..3 {
        let units = (0..12).map(|k| {
            let (body, period) = ([1, 2, 3, 1, 4, 2][(k + seed) % 6], [1, 3, 5, 2, 8, 4][(k * 5 + seed) % 6]);
            let motion = match (k + seed) % 4 {
                1 if period > 1 => Motion::Gaits { run: 1 },
                2 => Motion::Car { radius: 2, heading: Dir::E },
                _ => Motion::Steps,
            };
            let at = Cell::new((k / 6 * 5) as i32, (k % 6 * 5) as i32);
            NewUnit { body, period: period as u8, motion, ..NewUnit::new(at, goal.clone()) }
        });
        let session = world(&open, METRIC, "whca(window=6)", units.collect());
        settles(&format!("mixed {seed}"), session, 3000, &Unlimited);
    }
}

/// Who holds a place or rests at it has it: whoever is sent there later stops beside it.
#[test]
fn one_who_comes_later_stops_beside_the_first() {
    for first in [Task::Hold, Task::Goal(Cell::new(15, 6)), Task::Goals(vec![Cell::new(15, 6)])] {
        let mut session = world(&["...................."; 12], Rules::default(), "whca", vec![]);
        let guard = session.add(NewUnit::new(Cell::new(15, 6), first)).unwrap();
        let other = session.add(NewUnit::new(Cell::new(0, 6), Task::Goal(Cell::new(15, 6)))).unwrap();
        let end = settles_one(&mut session);
        assert!(end < 20, "{end}");
        let at = |unit| session.scenario().grid().cell(session.unit(unit).unwrap().at);
        assert_eq!((at(guard), at(other)), (Cell::new(15, 6), Cell::new(14, 6)));
    }
}

fn settles_one(session: &mut Session) -> u64 {
    while !session.is_done() && session.state().tick < 100 {
        tick(session, &Unlimited);
    }
    session.state().tick
}

/// Lists and patrols go on to share their ends with anybody.
#[test]
fn lists_and_patrols_are_not_stopped() {
    let mut session = world(&["...................."; 12], Rules::default(), "whca", vec![]);
    let end = Cell::new(15, 6);
    session.add(NewUnit::new(end, Task::Goal(end))).unwrap();
    let patrol = session.add(NewUnit::new(Cell::new(0, 3), Task::Patrol { goal: end, rounds: 2 })).unwrap();
    let list = vec![end, Cell::new(0, 9)];
    let list = session.add(NewUnit::new(Cell::new(0, 6), Task::Goals(list))).unwrap();
    for _ in 0..200 {
        tick(&mut session, &Unlimited);
        assert!(!session.events().iter().any(|e| matches!(e, Event::Settled { .. })));
    }
    assert_eq!((session.unit(patrol).unwrap().leg, session.unit(list).unwrap().leg), (4, 2));
    assert!(session.is_done());
}
