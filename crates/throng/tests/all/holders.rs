//! Units that were told to hold their place: the others find their way around them, however far that is.

use crate::kit::{self, session, tick};
use proptest::prelude::*;
use std::collections::VecDeque;
use throng::core::{
    AgentId, Budget, Cell, Connectivity, Dir, Event, Expansions, Grid, Rules, Scenario, Setup, Task, Timing,
    Unlimited, Unobserved,
};
use throng::{NewUnit, Session, UnitId};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

/// Two rooms with a door of `width` in the middle and one far below.
fn two_doors(width: usize, rules: Rules, planner: &str) -> Session {
    let wall = |y: usize| (4..4 + width).contains(&y) || y >= 22;
    let rows: Vec<_> = (0..22 + width)
        .map(|y| if wall(y) { ".".repeat(17) } else { [".".repeat(8), "@".into(), ".".repeat(8)].concat() })
        .collect();
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    session(Setup::new(Scenario::new("two doors", grid, rules, vec![]).unwrap()), planner)
}

fn add(session: &mut Session, unit: NewUnit) -> UnitId {
    session.add(unit).unwrap()
}

/// Ticks until all have arrived who do not hold.
fn arrival(session: &mut Session, budget: &dyn Budget) -> Option<u64> {
    let end = session.state().tick + 600;
    while !session.is_done() && session.state().tick < end {
        tick(session, budget);
    }
    session.is_done().then_some(session.state().tick)
}

#[test]
fn the_other_door_is_taken_whatever_the_window() {
    for (window, body) in [4, 8, 16, 32, 64].into_iter().flat_map(|w| [(w, 1), (w, 2)]) {
        for (rules, budget) in [
            (Rules::default(), &Unlimited as &dyn Budget),
            (METRIC, &Unlimited),
            (Rules::default(), &Expansions(200)),
        ] {
            let mut session =
                two_doors(usize::from(body), rules, &format!("whca(window={window},patience=2)"));
            let holder = NewUnit { body, ..NewUnit::new(Cell::new(8, 4), Task::Hold) };
            add(&mut session, holder);
            for k in 0..3 {
                let at = Cell::new(2 * k, 4);
                add(&mut session, NewUnit { body, ..NewUnit::new(at, Task::Goal(Cell::new(11 + 2 * k, 4))) });
            }
            let done = arrival(&mut session, budget);
            assert!(done.is_some(), "window {window}, body {body}, {rules:?}, budget {}", budget.limit());
        }
    }
}

/// A car measures by its own curves, and a runner by its runs.
#[test]
fn cars_and_runners_take_the_other_door() {
    use throng::core::Motion;
    for motion in [Motion::Car { radius: 2, heading: Dir::E }, Motion::Gaits { run: 1 }] {
        let mut session = two_doors(3, METRIC, "whca");
        for y in 4..7 {
            add(&mut session, NewUnit::new(Cell::new(8, y), Task::Hold));
        }
        let unit =
            NewUnit { motion, period: 2, ..NewUnit::new(Cell::new(3, 5), Task::Goal(Cell::new(13, 5))) };
        add(&mut session, unit);
        assert!(arrival(&mut session, &Unlimited).is_some(), "{motion:?}");
    }
}

/// Who waits before a door because there is no other goes through as soon as it is free, and who is on its way
/// around turns back.
#[test]
fn a_holder_that_leaves_frees_the_way() {
    for both in [false, true] {
        let mut session = two_doors(1, Rules::default(), "whca(window=8)");
        let keeper = add(&mut session, NewUnit::new(Cell::new(8, 4), Task::Hold));
        if both {
            add(&mut session, NewUnit::new(Cell::new(8, 22), Task::Hold));
        }
        let unit = add(&mut session, NewUnit::new(Cell::new(5, 4), Task::Goal(Cell::new(11, 4))));
        (0..40).for_each(|_| tick(&mut session, &Unlimited));
        assert!(!session.has_arrived(unit.agent));
        session.order(keeper, Task::Goal(Cell::new(14, 0))).unwrap();
        let from = session.state().tick;
        // Around it would be 23 more ticks at least.
        let left = arrival(&mut session, &Unlimited).unwrap() - from;
        assert!(left <= 30, "{left} ticks, both {both}");
    }
}

/// Who can get nowhere until somebody leaves waits standing, and goes on when the door is free.
#[test]
fn whoever_is_barred_waits_standing() {
    for window in [8, 16, 32] {
        let mut session = two_doors(1, Rules::default(), &format!("whca(window={window})"));
        let keeper = add(&mut session, NewUnit::new(Cell::new(8, 4), Task::Hold));
        add(&mut session, NewUnit::new(Cell::new(8, 22), Task::Hold));
        add(&mut session, NewUnit::new(Cell::new(1, 0), Task::Goal(Cell::new(12, 0))));
        let mut moves = 0;
        for t in 0..300 {
            tick(&mut session, &Unlimited);
            let moved = |e: &&Event| matches!(e, Event::Moved { .. });
            moves += if t < 200 { 0 } else { session.events().iter().filter(moved).count() };
        }
        assert_eq!(moves, 0, "window {window}");
        session.order(keeper, Task::Goal(Cell::new(14, 9))).unwrap();
        assert!(arrival(&mut session, &Unlimited).is_some(), "window {window}");
        assert!(!session.has_arrived(AgentId(99)) && !session.rests(AgentId(99)), "nobody is there");
    }
}

/// A crowd before a held door comes to rest. Once, everybody planned to be at the nearest place that was free at the
/// end of its own window; since windows end at different ticks, nobody ever stayed there.
#[test]
fn a_barred_crowd_comes_to_rest_and_passes_when_it_can() {
    for (planner, budget) in [8, 16, 32]
        .map(|window| (format!("whca(window={window})"), &Unlimited as &dyn Budget))
        .into_iter()
        .chain([
            ("whca(window=auto)".into(), &Unlimited as _),
            ("whca(window=8)".into(), &Expansions(400) as _),
        ])
    {
        let wall = [".".repeat(10), "@".into(), ".".repeat(10)].concat();
        let open = ".".repeat(21);
        let grid = Grid::from_rows(&[&wall, &wall, &open, &wall, &wall].map(|row| &row[..])).unwrap();
        let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
        let world = Scenario::new("held door", grid, rules, vec![]).unwrap();
        let mut session = session(Setup::new(world), &planner);
        let door = add(&mut session, NewUnit::new(Cell::new(10, 2), Task::Hold));
        for k in 0..12 {
            let goal = Cell::new(15 + k % 4, k / 4);
            add(&mut session, NewUnit::new(Cell::new(k % 4, k / 4), Task::Goal(goal)));
        }
        let mut still = 0;
        while still < 50 {
            assert!(session.state().tick < 1_500, "{planner}, budget {}: no rest", budget.limit());
            tick(&mut session, budget);
            let moved = session.events().iter().any(|event| matches!(event, Event::Moved { .. }));
            still = if moved { 0 } else { still + 1 };
        }
        session.order(door, Task::Goal(Cell::new(20, 4))).unwrap();
        let arrived = arrival(&mut session, budget).is_some();
        let why = || session.units().map(|unit| session.explain(unit.agent).unwrap().to_string() + "\n");
        assert!(arrived, "{planner}, budget {}:\n{}", budget.limit(), why().collect::<String>());
    }
}

/// What leads around holders is part of the future, so it is saved.
#[test]
fn a_saved_session_goes_on_alike() {
    let mut session = two_doors(1, Rules::default(), "whca(window=8)");
    add(&mut session, NewUnit::new(Cell::new(8, 4), Task::Hold));
    for y in [3, 4, 5] {
        add(&mut session, NewUnit::new(Cell::new(5, y), Task::Goal(Cell::new(11, y))));
    }
    while !session.is_done() {
        let mut other = Session::resume(&session.save(), 1).unwrap();
        for _ in 0..5 {
            tick(&mut session, &Expansions(300));
            other.tick(&Expansions(300), &mut Unobserved);
            assert_eq!(session.state().hash(), other.state().hash(), "tick {}", session.state().tick);
        }
        assert!(session.state().tick < 400);
    }
}

/// Whether a body can walk from one cell to the other; nothing of the engine is asked.
fn reaches(rows: &[Vec<bool>], body: i32, from: Cell, to: Cell) -> bool {
    let open = |x: i32, y: i32| {
        (0..body * body).all(|k| {
            let cell = rows.get((y + k / body) as usize).and_then(|row| row.get((x + k % body) as usize));
            x >= 0 && y >= 0 && cell.copied().unwrap_or(false)
        })
    };
    let mut seen = vec![from];
    let mut queue = VecDeque::from([from]);
    while let Some(Cell { x, y }) = queue.pop_front() {
        for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)].map(|(x, y)| Cell::new(x, y)) {
            if open(next.x, next.y) && !seen.contains(&next) {
                seen.push(next);
                queue.push_back(next);
            }
        }
    }
    seen.contains(&to)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// In rooms of random walls and random holders, one unit of any size arrives if there is a way around.
    #[test]
    fn whoever_can_walk_around_arrives(
        cells in prop::collection::vec(0..20u8, 144),
        body in 1..=2i32,
        window in 3..=16u32,
        (x, y) in (0..11i32, 0..11i32),
    ) {
        let (from, to) = (Cell::new(0, 0), Cell::new(x, y));
        let own = |k: usize, at: Cell| {
            let (dx, dy) = ((k % 12) as i32 - at.x, (k / 12) as i32 - at.y);
            (0..body).contains(&dx) && (0..body).contains(&dy)
        };
        let kind = |k: usize| if own(k, from) || own(k, to) { 9 } else { cells[k] };
        let rows: Vec<String> = (0..12)
            .map(|y| (0..12).map(|x| if kind(y * 12 + x) < 3 { '@' } else { '.' }).collect())
            .collect();
        let rows: Vec<_> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        let scenario = Scenario::new("holders", grid, Rules::default(), vec![]).unwrap();
        let mut session = session(Setup::new(scenario), &format!("whca(window={window})"));
        for k in (0..144).filter(|&k| (3..5).contains(&kind(k))) {
            add(&mut session, NewUnit::new(Cell::new(k as i32 % 12, k as i32 / 12), Task::Hold));
        }
        let free: Vec<Vec<_>> = (0..12).map(|y| (0..12).map(|x| kind(y * 12 + x) >= 5).collect()).collect();
        if !reaches(&free, body, from, to) {
            return Ok(());
        }
        add(&mut session, NewUnit { body: body as u8, ..NewUnit::new(from, Task::Goal(to)) });
        kit::tick(&mut session, &Unlimited);
        prop_assert!(arrival(&mut session, &Unlimited).is_some());
    }
}
