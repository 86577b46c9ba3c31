//! Units sent to one place where there is little room: all of them come to rest, since whoever is in another's way
//! exchanges places with it.

use crate::kit::{comes_to_rest, session};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use throng::core::{
    Agent, Budget, Cell, Connectivity, Dir, Expansions, Grid, Motion, Rules, Scenario, Setup, Task, Timing,
    Unlimited,
};
use throng::group::Shape;
use throng::{NewUnit, Session};
use throng_testkit::Worlds;

const EIGHT: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Uniform, hold_both: false, follow: false };
const METRIC: Rules = Rules { timing: Timing::Metric, ..EIGHT };

/// How units are told where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Together,
    OneByOne,
}

const SENT: [Sent; 2] = [Sent::Together, Sent::OneByOne];

/// Rules and budgets.
fn runs() -> [(Rules, &'static dyn Budget); 5] {
    let few = &Expansions(500);
    [
        (Rules::default(), &Unlimited),
        (EIGHT, &Unlimited),
        (METRIC, &Unlimited),
        (Rules::default(), few),
        (METRIC, few),
    ]
}

fn world(rows: &[String], rules: Rules, units: &[NewUnit], goal: (i32, i32), sent: Sent) -> Session {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let scenario = Scenario::new("narrow", Grid::from_rows(&rows).unwrap(), rules, vec![]).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    let units: Vec<_> = units.iter().map(|unit| session.add(unit.clone()).unwrap()).collect();
    let goal = Cell::new(goal.0, goal.1);
    match sent {
        Sent::Together => drop(session.order_group(&units, goal, Shape::Block).unwrap()),
        Sent::OneByOne => {
            units.iter().for_each(|&unit| session.order(unit, Task::Goal(goal)).unwrap());
        }
    }
    session
}

/// So many units of this side, row by row from the corner.
fn block(count: i32, columns: i32, body: u8) -> Vec<NewUnit> {
    let at = |k: i32| Cell::new(k % columns * i32::from(body), k / columns * i32::from(body));
    (0..count).map(|k| NewUnit { body, ..NewUnit::new(at(k), Task::Hold) }).collect()
}

/// A hall on the left, and rows `from..until` that go on to the right.
fn hall(width: usize, height: usize, until: usize, open: std::ops::Range<usize>) -> Vec<String> {
    let row = |y| {
        if open.contains(&y) { ".".repeat(until) } else { ".".repeat(width) + &"@".repeat(until - width) }
    };
    (0..height).map(row).collect()
}

#[test]
fn a_long_dead_end_fills_from_its_end() {
    let rows = hall(4, 5, 20, 2..3);
    let mut exchanged = 0;
    for (count, x) in [4, 8, 12, 16].into_iter().flat_map(|n| [4, 6, 12, 19].map(|x| (n, x))) {
        for ((rules, budget), sent) in runs().into_iter().flat_map(|run| SENT.map(|sent| (run, sent))) {
            let session = world(&rows, rules, &block(count, 4, 1), (x, 2), sent);
            let name = format!("{count} to ({x},2) {sent:?}, {rules:?}, {}", budget.limit());
            exchanged += comes_to_rest(&name, session, 400, budget);
        }
    }
    assert!(exchanged > 0);
}

#[test]
fn a_dead_end_two_cells_wide_fills_with_large_bodies() {
    let rows = hall(6, 8, 16, 3..5);
    for (count, x) in (2..=6).flat_map(|n| [4, 7, 12, 14].map(|x| (n, x))) {
        for ((rules, budget), sent) in runs().into_iter().flat_map(|run| SENT.map(|sent| (run, sent))) {
            let session = world(&rows, rules, &block(count, 2, 2), (x, 3), sent);
            comes_to_rest(&format!("{count} to ({x},3) {sent:?}, {rules:?}"), session, 400, budget);
        }
    }
}

/// A room behind a door one cell wide, with as many units as it has cells.
#[test]
fn a_room_fills_to_its_last_cell() {
    for (width, height) in [(2, 2), (3, 2), (3, 3), (4, 3)] {
        let mut rows = hall(6, 6, 7 + width, 1..1 + height);
        for (y, row) in rows.iter_mut().enumerate() {
            row.replace_range(6..7, if y == 2 { "." } else { "@" });
        }
        let (right, low) = (6 + width as i32, height as i32);
        for (goal, sent) in [(right, low), (7, 2)].into_iter().flat_map(|goal| SENT.map(|sent| (goal, sent)))
        {
            for (rules, budget) in runs() {
                let session = world(&rows, rules, &block((width * height) as i32, 6, 1), goal, sent);
                let name = format!("{width}×{height} to {goal:?} {sent:?}, {rules:?}, {}", budget.limit());
                comes_to_rest(&name, session, 400, budget);
            }
        }
    }
}

/// Who walks and who runs may exchange places: where each rests does not matter.
#[test]
fn walkers_and_runners_fill_a_dead_end() {
    let rows = hall(4, 5, 12, 2..3);
    for (count, x) in [4, 6, 8].into_iter().flat_map(|n| [5, 8, 11].map(|x| (n, x))) {
        let kind = |(k, unit)| match k % 3 {
            0 => NewUnit { period: 5, motion: Motion::Gaits { run: 2 }, ..unit },
            1 => NewUnit { period: 5, ..unit },
            _ => NewUnit { period: 2, ..unit },
        };
        let units: Vec<_> = block(count, 3, 1).into_iter().enumerate().map(kind).collect();
        for (sent, budget) in SENT.into_iter().zip([&Unlimited as &dyn Budget, &Expansions(500)]) {
            let session = world(&rows, METRIC, &units, (x, 2), sent);
            comes_to_rest(&format!("{count} to ({x},2) {sent:?}"), session, 600, budget);
        }
    }
}

#[test]
fn cars_gather_in_the_open() {
    let rows = vec![".".repeat(48); 36];
    let kinds = (1..=3).flat_map(|body| [1, 2].map(|radius| (body, radius)));
    for ((body, radius), sent) in kinds.flat_map(|kind| SENT.map(|sent| (kind, sent))) {
        let car = |k: i32| NewUnit {
            body,
            period: 1 + (k * 3 % 4) as u8,
            motion: Motion::Car { radius, heading: [Dir::E, Dir::N, Dir::S, Dir::W][k as usize % 4] },
            ..NewUnit::new(Cell::new(2 + k / 6 * 6, 2 + k % 6 * 5), Task::Hold)
        };
        let units: Vec<_> = (0..8).map(car).collect();
        let session = world(&rows, METRIC, &units, (34, 16), sent);
        comes_to_rest(&format!("body {body}, radius {radius}, {sent:?}"), session, 1500, &Unlimited);
    }
}

/// In a formation everybody keeps its place, whoever is in its way.
#[test]
fn a_formation_exchanges_nobody() {
    let rows = hall(4, 5, 12, 2..3);
    let mut session = world(&rows, Rules::default(), &block(6, 3, 1), (3, 2), Sent::Together);
    let units: Vec<_> = session.units().collect();
    let places = session.order_group(&units, Cell::new(8, 2), Shape::Formation).unwrap();
    for _ in 0..200 {
        crate::kit::tick(&mut session, &Unlimited);
        let tasks = units.iter().map(|unit| session.scenario().agent(unit.agent).waypoints().last());
        assert!(tasks.eq(places.iter().copied()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Rooms with walls anywhere, as full as they get.
    #[test]
    fn groups_come_to_rest_anywhere(
        scenario in Worlds { walls: 20..=40, agents: 2..=16, ..Worlds::small() }.strategy(),
        goal in 0..16usize,
        sent in prop::sample::select(&SENT[..]),
    ) {
        room(&scenario, goal, sent, 600);
    }
}

/// The same with bodies and speeds of all kinds, which are in each other's way far more: those who do not come to their
/// places for long rest where they are. Always the same worlds, since no planner here is complete.
#[test]
fn mixed_groups_come_to_rest() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..24 {
        let tree = (mixed(), 0..16usize, prop::sample::select(&SENT[..])).new_tree(&mut runner).unwrap();
        let (scenario, goal, sent) = tree.current();
        room(&scenario, goal, sent, 6000);
    }
}

fn mixed() -> impl Strategy<Value = Scenario> {
    let rules = vec![Rules::default(), EIGHT, METRIC];
    let size = Worlds { width: 5..=14, height: 5..=12, walls: 5..=30, agents: 2..=12, ..Worlds::small() };
    Worlds { rules, bodies: 1..=3, periods: 1..=3, ..size }.strategy()
}

/// Sends the units of a scenario to where one of them is.
fn room(scenario: &Scenario, goal: usize, sent: Sent, ticks: u64) {
    let (grid, rules, starts) = (scenario.grid().clone(), scenario.rules(), scenario.agents());
    let Some(goal) = starts.get(goal % starts.len().max(1)).map(|unit| unit.start) else { return };
    let mut session = session(Setup::new(Scenario::new("room", grid, rules, vec![]).unwrap()), "whca");
    let mut units = Vec::new();
    for Agent { start, body, period, .. } in starts.iter().cloned() {
        // Only those on the goal's side of the walls.
        let unit = NewUnit { body, period, ..NewUnit::new(start, Task::Goal(goal)) };
        units.extend(session.add(unit));
    }
    if sent == Sent::Together {
        session.order_group(&units, goal, Shape::Block).unwrap();
    }
    comes_to_rest("room", session, ticks, &Unlimited);
}

/// Three bodies fill the only room that there is around their goal, so that nobody can come to it.
#[test]
fn who_cannot_move_at_all_rests() {
    let rows = ["....", "....", "@@..", "@@.."].map(str::to_owned);
    let at = |x, y| NewUnit { body: 2, ..NewUnit::new(Cell::new(x, y), Task::Hold) };
    let units = [at(0, 0), at(2, 0), at(2, 2)];
    comes_to_rest("full", world(&rows, Rules::default(), &units, (1, 0), Sent::OneByOne), 500, &Unlimited);
}
