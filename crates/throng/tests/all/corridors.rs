//! A group that is sent into a dead end, or before it.

use crate::kit::{session, tick};
use throng::core::{Cell, Connectivity, Grid, Rules, Scenario, Setup, Task, Timing, Unlimited};
use throng::group::{Shape, SlotsError};
use throng::{GroupError, NewUnit, Session, UnitId};

const METRIC: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

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

/// Runs until all rest; how many ticks that took, if they do.
fn ticks(rules: Rules, count: i32, x: i32) -> Option<u64> {
    let (mut session, units) = group(rules, count);
    session.order_group(&units, Cell::new(x, 2), Shape::Block).unwrap();
    while !session.is_done() && session.state().tick < 300 {
        tick(&mut session, &Unlimited);
    }
    session.is_done().then_some(session.state().tick)
}

#[test]
fn small_groups_fill_the_corridor_and_larger_ones_stop_before_it() {
    for (count, x) in (2..=4).flat_map(|n| [3, 5, 8, 11].map(|x| (n, x))) {
        assert!(ticks(Rules::default(), count, x).is_some(), "{count} to ({x},2)");
    }
    for (count, rules) in (5..=8).flat_map(|n| [(n, Rules::default()), (n, METRIC)]) {
        assert!(ticks(rules, count, 3).is_some(), "{count}, {:?}", rules.timing);
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
