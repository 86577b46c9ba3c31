//! Units of mixed size and speed, and a hero for whom the others make way.

use throng::core::{Cell, Connectivity, Event, Grid, Rules, Scenario, Task, Timing, Unlimited, Unobserved};
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
    let task = Task::Goal(Cell::new(18, 19));
    let hero = NewUnit { period: 2, priority: 1, ..NewUnit::new(Cell::new(18, 0), task) };
    let hero = session.add(hero)?;
    let mut made_way = 0;
    while !session.is_done() && session.state().tick < 2_000 {
        for event in session.tick(&Unlimited, &mut Unobserved) {
            match event {
                Event::Overridden { by, .. } if *by == hero.agent => made_way += 1,
                Event::Finished { agent } => println!("unit {agent} is there"),
                _ => {}
            }
        }
    }
    assert!(session.is_done());
    println!("{} ticks; others made way for the hero {made_way} times", session.state().tick);
    Ok(())
}
