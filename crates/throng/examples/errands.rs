//! Orders that stream in: whoever is near does them, and what is closed off is refused.

use throng::core::{Cell, Event, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
use throng::{NewUnit, Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&["..........", ".@@@@.@@@.", "..........", ".@@@@.@@@.", ".........."])?;
    let scenario = Scenario::new("kitchen", grid, Rules::default(), Vec::new())?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca(window=8)"))?;
    for y in [0, 2, 4] {
        session.add(NewUnit::new(Cell::new(0, y), Task::Errands(Vec::new())))?;
    }
    // From the kitchen to the tables: more of them than there are waiters.
    for x in 2..9 {
        session.add_errand(vec![Cell::new(9, 4), Cell::new(x, if x % 2 == 0 { 0 } else { 2 })])?;
    }
    let (mut done, mut refused) = (0, 0);
    while !session.is_done() && session.state().tick < 300 {
        if session.state().tick == 4 {
            // A table is taken away.
            session.close(Cell::new(8, 0))?;
        }
        for event in session.tick(&Unlimited, &mut Unobserved) {
            match *event {
                Event::Assigned { errand, agent, .. } => println!("unit {agent} does errand {errand}"),
                Event::Done { .. } => done += 1,
                Event::Refused { .. } => refused += 1,
                _ => {}
            }
        }
    }
    assert_eq!((done, refused), (6, 1), "all that can be done");
    println!("{done} done, {refused} refused after {} ticks", session.state().tick);
    Ok(())
}
