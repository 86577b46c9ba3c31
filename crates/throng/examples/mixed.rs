//! Units of mixed size, speed and motion, and a hero for whom the others make way.

use throng::core::{
    Cell, Connectivity, Dir, Event, Grid, Motion, Rules, Scenario, Task, Timing, Unlimited, Unobserved,
};
use throng::{NewUnit, Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let scenario = Scenario::new("march", Grid::empty(40, 20)?, rules, Vec::new())?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca(window=12)"))?;
    // Side of the body and ticks per straight step: a scout, a soldier, a wagon, a siege tower.
    for (row, (body, period)) in [(1, 2), (1, 5), (2, 6), (4, 8)].into_iter().enumerate() {
        let y = 5 * row as i32;
        for (from, to) in [(0, 36), (36, 0)] {
            let task = Task::Goal(Cell::new(to, y));
            session.add(NewUnit { body, period, ..NewUnit::new(Cell::new(from, y), task) })?;
        }
    }
    // A messenger who runs once he has got going, and a cart that needs room to turn.
    let task = Task::Goal(Cell::new(38, 3));
    let motion = Motion::Gaits { run: 1 };
    let messenger = session.add(NewUnit { period: 4, motion, ..NewUnit::new(Cell::new(1, 13), task) })?;
    let task = Task::Goal(Cell::new(4, 3));
    let motion = Motion::Car { radius: 3, heading: Dir::W };
    session.add(NewUnit { body: 2, period: 3, motion, ..NewUnit::new(Cell::new(30, 12), task) })?;
    // The hero crosses where half of the others have just set out.
    let task = Task::Goal(Cell::new(34, 19));
    let hero = NewUnit { period: 2, priority: 1, ..NewUnit::new(Cell::new(34, 0), task) };
    let hero = session.add(hero)?;
    let (mut made_way, mut delivered, mut crossed) = (0, None, None);
    while !session.is_done() && session.state().tick < 2_000 {
        for event in session.tick(&Unlimited, &mut Unobserved) {
            match event {
                Event::Overridden { by, .. } if *by == hero.agent => made_way += 1,
                Event::Finished { agent } => println!("unit {agent} is there"),
                _ => {}
            }
        }
        delivered = delivered.or(session.rests(messenger.agent).then_some(session.state().tick));
        crossed = crossed.or(session.rests(hero.agent).then_some(session.state().tick));
    }
    assert!(session.is_done());
    // 37 steps, of which 10 are diagonal, would take 168 ticks at a walk.
    assert!(delivered.is_some_and(|tick| tick < 90), "{delivered:?}");
    // The others make way, and so 19 steps take him hardly longer than if he were alone.
    assert!(made_way > 0 && crossed.is_some_and(|tick| tick <= 2 * 19 + 4), "{made_way}, {crossed:?}");
    println!("{} ticks; others made way for the hero {made_way} times", session.state().tick);
    Ok(())
}
