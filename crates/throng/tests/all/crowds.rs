//! Units sent to one place one by one: all of them come to rest, and then nobody moves any more.

use crate::kit::{session, settles_after, tick};
use throng::core::{
    AgentId, Budget, Cause, Cell, Connectivity, Dir, Event, Expansions, Grid, Motion, Rules, Scenario, Setup,
    Task, Timing, Unlimited,
};
use throng::group::{Shape, SlotsError};
use throng::{GroupError, NewUnit, NoWay, OrderError, Session, Unreachable};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

fn world(rows: &[&str], rules: Rules, planner: &str, units: Vec<NewUnit>) -> Session {
    let grid = Grid::from_rows(rows).unwrap();
    let mut session = session(Setup::new(Scenario::new("crowd", grid, rules, vec![]).unwrap()), planner);
    for unit in units {
        match session.add(unit) {
            // Some cars can drive to every other cell only.
            Err(OrderError::Unreachable(_)) => {}
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
fn settles(name: &str, session: Session, ticks: u64, budget: &dyn Budget) {
    let told = settles_after(name, session, ticks, budget, (3, |e| matches!(e, Event::Settled { .. })));
    assert!(told >= 3, "{name}: only {told} found their goal taken");
}

#[test]
fn a_crowd_settles_wherever_it_was_sent() {
    let open = ["...................."; 12];
    let mut dead_end = ["@@@@@@@@@@@@@@@@@@@@"; 12];
    dead_end[4..8].fill("........@@@@@@@@@@@@");
    dead_end[5] = "................@@@@";
    let mut corner = open;
    corner[6] = "..........@@@@@@@@@@";
    for planner in ["whca(window=8)", "whca(window=auto)"] {
        let run = |name: &str, rows: &[&str], units, budget: &dyn Budget| {
            settles(name, world(rows, Rules::default(), planner, units), 1000, budget)
        };
        run("open", &open, to((14, 6), 12, 12), &Unlimited);
        run("wall", &open, to((19, 6), 12, 12), &Unlimited);
        run("corner", &corner, to((15, 7), 12, 12), &Unlimited);
        let units =
            to((15, 5), 12, 4).into_iter().map(|u| NewUnit { at: Cell::new(u.at.x, u.at.y + 4), ..u });
        run("dead end", &dead_end, units.collect(), &Unlimited);
        run("open, 200 expansions", &open, to((14, 6), 12, 12), &Expansions(200));
        run("open, 30 expansions", &open, to((14, 6), 12, 12), &Expansions(30));
        run("open, many", &open, to((14, 6), 60, 12), &Unlimited);
    }
    settles("repair", world(&open, Rules::default(), "lra", to((14, 6), 12, 12)), 1000, &Unlimited);
}

/// Cars are another matter: they need room for their curves.
#[test]
fn bodies_and_speeds_settle_together() {
    let open = ["........................................"; 30];
    let goal = Task::Goal(Cell::new(30, 15));
    for seed in 0..4 {
        let units = (0..12).map(|k| {
            let (body, period) = ([1, 2, 3, 1, 4, 2][(k + seed) % 6], [1, 3, 5, 2, 8, 4][(k * 5 + seed) % 6]);
            let motion = match (k + seed) % 4 {
                1 if period > 1 => Motion::Gaits { run: 1 },
                _ => Motion::Steps,
            };
            let at = Cell::new((k / 6 * 5) as i32, (k % 6 * 5) as i32);
            NewUnit { body, period: period as u8, motion, ..NewUnit::new(at, goal.clone()) }
        });
        let session = world(&open, METRIC, "whca(window=8)", units.collect());
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

/// A list ends like a goal: whoever finds the last place taken rests beside it.
#[test]
fn lists_settle_at_their_end() {
    let list = |y: i32| Task::Goals(vec![Cell::new(4, y), Cell::new(14, 6)]);
    let units = (0..12).map(|y| NewUnit::new(Cell::new(0, y), list(y)));
    let session = world(&["...................."; 12], Rules::default(), "whca(window=8)", units.collect());
    settles("lists", session, 1000, &Unlimited);
}

/// Groups sent to one place take different places, and keep off those of units that are still on their way.
#[test]
fn two_groups_share_a_place() {
    let mut session = world(&["...................."; 12], Rules::default(), "whca(window=8)", vec![]);
    let goal = Cell::new(12, 6);
    let mut add = |at, task| session.add(NewUnit::new(at, task)).unwrap();
    add(Cell::new(19, 6), Task::Goal(Cell::new(12, 7)));
    let mut row = |x: i32| (0..9).map(|y| add(Cell::new(x, y), Task::Hold)).collect::<Vec<_>>();
    let (first, second) = (row(0), row(2));
    let mut places = session.order_group(&first, goal, Shape::Block).unwrap();
    places.extend(session.order_group(&second, goal, Shape::Block).unwrap());
    places.push(Cell::new(12, 7));
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count);
    while !session.is_done() {
        assert!(session.state().tick < 200);
        tick(&mut session, &Unlimited);
        assert!(!session.events().iter().any(|e| matches!(e, Event::Settled { .. })));
    }
}

/// Where all room is wanted by others there is none left: a typed error, and nobody's task changes.
#[test]
fn a_group_without_room_is_refused() {
    let mut session = world(&["...", "..."], Rules::default(), "whca", vec![]);
    session.add(NewUnit::new(Cell::new(0, 0), Task::Goal(Cell::new(1, 0)))).unwrap();
    let large = NewUnit { body: 2, ..NewUnit::new(Cell::new(1, 0), Task::Hold) };
    let large = session.add(large).unwrap();
    let before = session.save();
    let refused = session.order_group(&[large], Cell::new(0, 0), Shape::Block);
    assert!(matches!(refused, Err(GroupError::Slots(SlotsError::TooLittleRoom { .. }))), "{refused:?}");
    assert!(session.save() == before, "the world is as it was");
}

/// In a formation everybody keeps its place, also where others would have a shorter way.
#[test]
fn a_formation_is_not_permuted() {
    let mut session = world(&["...................."; 12], Rules::default(), "whca(window=8)", vec![]);
    let cells = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)].map(|(x, y)| Cell::new(x, y));
    let units = cells.map(|at| session.add(NewUnit::new(at, Task::Hold)).unwrap());
    let places = session.order_group(&units, Cell::new(2, 0), Shape::Formation).unwrap();
    assert_eq!(places, cells.map(|at| Cell::new(at.x + 1, at.y)));
    while !session.is_done() {
        assert!(session.state().tick < 200);
        tick(&mut session, &Unlimited);
    }
}

/// A car is refused what its curves do not lead to.
#[test]
fn cars_are_asked_about_their_curves() {
    let rows = ["......", "@@@@@.", "@@@@@.", "......"];
    let mut session = world(&rows, METRIC, "whca(window=8)", vec![]);
    let motion = Motion::Car { radius: 4, heading: Dir::E };
    let car = |at, to| NewUnit { motion, ..NewUnit::new(at, Task::Goal(to)) };
    let (here, ahead, below) = (Cell::new(0, 0), Cell::new(4, 0), Cell::new(0, 3));
    let why = NoWay::Curves { body: 1, radius: 4 };
    let unreachable = |from, to| OrderError::from(Unreachable { agent: AgentId(0), from, to, why });
    assert_eq!(session.add(car(here, below)), Err(unreachable(here, below)));
    let unit = session.add(car(here, ahead)).unwrap();
    let before = session.save();
    assert_eq!(session.order(unit, Task::Goal(below)), Err(unreachable(here, below)));
    let refused = session.order(unit, Task::Goals(vec![ahead, below]));
    assert_eq!(refused, Err(unreachable(here, below)));
    assert!(session.save() == before, "the world is as it was");
    // Where the game has put it is a fact.
    session.place(unit, below).unwrap();
    tick(&mut session, &Unlimited);
    let cause = session.explain(unit.agent).unwrap().cause;
    assert_eq!(cause, Cause::NoWay { from: below, to: ahead });
    session.remove(unit).unwrap();
    session.add(NewUnit::new(Cell::new(0, 3), Task::Goal(Cell::new(1, 0)))).unwrap();
}

/// On a winding way two units are near their common goal for long before they come there. Once, both were told to rest
/// where they were, far away by any road, though nobody was in their way.
#[test]
fn a_winding_way_is_gone_to_its_end() {
    let rows: Vec<String> = (0..51)
        .map(|y| match y % 4 {
            1 => "@".repeat(48) + ".",
            3 => [".", &"@".repeat(48)].concat(),
            _ => ".".repeat(49),
        })
        .collect();
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    let goal = Cell::new(24, 48);
    let world = Scenario::new("winding", grid, Rules::default(), vec![]).unwrap();
    let mut session = session(Setup::new(world), "whca(window=8)");
    for x in [0, 1] {
        session.add(NewUnit::new(Cell::new(x, 0), Task::Goal(goal))).unwrap();
    }
    while !session.is_done() {
        assert!(session.state().tick < 3_000);
        tick(&mut session, &Unlimited);
    }
    let at = |k: usize| session.scenario().grid().cell(session.state().units[k].at);
    assert!([at(0), at(1)].contains(&goal), "{:?}", [at(0), at(1)]);
}
