//! Units that come to a world under way and are not like those before them.

use crate::kit::{session, tick};
use throng::core::{Cell, Event, Expansions, Grid, Rules, Scenario, Setup, Task, Timing};
use throng::{NewUnit, Session};

/// A hero of a new priority, a slower unit or the first larger one comes to a crowd under way: nobody stops for it,
/// though the planner's table has to be made anew for the last two, and distances are not found anew.
#[test]
fn who_is_new_stops_nobody() {
    let metric = Rules { timing: Timing::Metric, ..Rules::default() };
    let unit = NewUnit::new(Cell::new(38, 0), Task::Goal(Cell::new(0, 36)));
    let news = [
        (Rules::default(), NewUnit { priority: 7, ..unit.clone() }),
        (metric, NewUnit { priority: -3, ..unit.clone() }),
        (metric, NewUnit { period: 9, ..unit.clone() }),
        (metric, NewUnit { body: 2, ..unit }),
    ];
    for (case, (rules, new)) in news.into_iter().enumerate() {
        let scenario = Scenario::new("live", Grid::empty(40, 40).unwrap(), rules, Vec::new()).unwrap();
        let mut session = session(Setup::new(scenario), "whca(window=8)");
        for k in 0..30 {
            let (at, to) = (Cell::new(k % 6 * 3, k / 6 * 3), Cell::new(39 - k % 6 * 3, 39 - k / 6 * 3));
            session.add(NewUnit::new(at, Task::Patrol { goal: to, rounds: 99 })).unwrap();
        }
        let moves = |session: &mut Session, ticks| {
            let count = (0..ticks).map(|_| {
                tick(session, &Expansions(800));
                session.events().iter().filter(|e| matches!(e, Event::Moved { .. })).count()
            });
            count.sum::<usize>()
        };
        moves(&mut session, 120);
        let before = moves(&mut session, 5);
        session.add(new).unwrap();
        let after = moves(&mut session, 5);
        assert!(before > 100 && 4 * after > 3 * before, "{case}: {after} moves instead of {before}");
    }
}

/// A door closes on a unit's only way: that is told once, and the unit goes on when it opens.
#[test]
fn who_has_no_way_left_says_so() {
    let scenario = Scenario::new("door", Grid::empty(12, 1).unwrap(), Rules::default(), Vec::new()).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    let unit = session.add(NewUnit::new(Cell::new(0, 0), Task::Goal(Cell::new(11, 0)))).unwrap();
    let gave_up = |session: &mut Session, ticks| {
        let told = (0..ticks).map(|_| {
            tick(session, &Expansions(500));
            let told = |e: &&Event| matches!(e, Event::GaveUp { blocked_by: None, .. });
            session.events().iter().filter(told).count()
        });
        told.sum::<usize>()
    };
    assert_eq!(gave_up(&mut session, 3), 0);
    session.close(Cell::new(8, 0)).unwrap();
    assert_eq!(gave_up(&mut session, 30), 1);
    session.open(Cell::new(8, 0)).unwrap();
    assert_eq!((gave_up(&mut session, 20), session.rests(unit.agent)), (0, true));
}
