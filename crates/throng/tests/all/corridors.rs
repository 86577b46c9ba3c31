//! A group that is sent into a dead end, or before it.

use crate::kit::{comes_to_rest, session};
use throng::core::{
    Budget, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Task, Timing, Unlimited,
};
use throng::group::{Shape, SlotsError};
use throng::{GroupError, NewUnit, Session, UnitId};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

/// Rules and budgets.
fn runs() -> [(Rules, &'static dyn Budget); 4] {
    let few = &Expansions(500);
    [(Rules::default(), &Unlimited), (METRIC, &Unlimited), (Rules::default(), few), (METRIC, few)]
}

/// A room of 4×5 with a corridor of 8×1 that ends.
const ROOM: [&str; 5] = ["....@@@@@@@@", "....@@@@@@@@", "............", "....@@@@@@@@", "....@@@@@@@@"];

fn group(rules: Rules, count: i32) -> (Session, Vec<UnitId>) {
    let grid = Grid::from_rows(&ROOM).unwrap();
    let mut session = session(Setup::new(Scenario::new("dead end", grid, rules, vec![]).unwrap()), "whca");
    let at = |k: i32| Cell::new(k % 3, k / 3);
    let units = (0..count).map(|k| session.add(NewUnit::new(at(k), Task::Hold)).unwrap()).collect();
    (session, units)
}

/// Steps from a cell to the first of the corridor, and on into it.
fn to_mouth(cell: Cell) -> i32 {
    if cell.x >= 4 { cell.x - 4 } else { 4 - cell.x + (cell.y - 2).abs() }
}

/// Whoever goes into the corridor goes the deeper the nearer it was: nobody has to pass anybody who rests there.
#[test]
fn the_first_go_deepest() {
    for (count, x) in (2..=8).flat_map(|n| [3, 5, 8, 11].map(|x| (n, x))) {
        let (mut session, units) = group(Rules::default(), count);
        let places = session.order_group(&units, Cell::new(x, 2), Shape::Block).unwrap();
        let ways = (0..count).map(|k| to_mouth(Cell::new(k % 3, k / 3))).zip(places);
        let mut inside: Vec<_> = ways.filter(|(_, place)| place.x >= 4).collect();
        inside.sort_by_key(|(_, place)| place.x);
        assert!(inside.is_sorted_by(|a, b| a.0 >= b.0), "{count} to ({x},2): {inside:?}");
    }
}

/// Every group fills the corridor, or stops before it: whoever is in front goes deepest, whatever place it was given.
#[test]
fn groups_fill_a_dead_end() {
    for (count, x) in (2..=8).flat_map(|n| [3, 5, 8, 11].map(|x| (n, x))) {
        for (rules, budget) in runs() {
            let (mut session, units) = group(rules, count);
            session.order_group(&units, Cell::new(x, 2), Shape::Block).unwrap();
            comes_to_rest(
                &format!("{count} to ({x},2), {:?}, {}", rules.timing, budget.limit()),
                session,
                200,
                budget,
            );
        }
    }
}

/// The same with units that were sent one by one.
#[test]
fn units_sent_one_by_one_fill_a_dead_end() {
    for (count, x) in (2..=8).flat_map(|n| [3, 5, 8, 11].map(|x| (n, x))) {
        for (rules, budget) in runs() {
            let (mut session, units) = group(rules, count);
            units.iter().for_each(|&unit| session.order(unit, Task::Goal(Cell::new(x, 2))).unwrap());
            comes_to_rest(
                &format!("{count} to ({x},2), {:?}, {}", rules.timing, budget.limit()),
                session,
                300,
                budget,
            );
        }
    }
}

/// A body that is too large for the door is refused, and nobody is sent.
#[test]
fn a_member_that_cannot_come_there_is_named() {
    let (mut session, mut units) = group(Rules::default(), 2);
    let wagon = NewUnit { body: 2, ..NewUnit::new(Cell::new(0, 3), Task::Hold) };
    units.push(session.add(wagon).unwrap());
    session.open(Cell::new(11, 1)).unwrap();
    session.open(Cell::new(10, 1)).unwrap();
    let before = session.save();
    for shape in [Shape::Block, Shape::Formation] {
        let refused = session.order_group(&units, Cell::new(11, 2), shape);
        let expected = SlotsError::Unreachable { goal: Cell::new(11, 2), members: vec![2] };
        assert_eq!(refused, Err(GroupError::Slots(expected)));
    }
    assert!(session.save() == before, "the world is as it was");
}
