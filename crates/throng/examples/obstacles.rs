//! Obstacles that change: a door closes before a unit, and another one opens.

use throng::core::{Cell, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
use throng::{NewUnit, Options, OrderError, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&["....@....", ".........", "....@....", "....@....", "....@...."])?;
    let scenario = Scenario::new("doors", grid, Rules::default(), Vec::new())?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca"))?;
    let unit = session.add(NewUnit::new(Cell::new(0, 1), Task::Goal(Cell::new(8, 1))))?;
    let (door, other) = (Cell::new(4, 1), Cell::new(4, 4));
    for _ in 0..2 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    // Somebody stands in its own cell, which cannot be closed; the world stays as it was.
    let here = session.scenario().grid().cell(session.unit(unit)?.at);
    assert!(matches!(session.close(here), Err(OrderError::Taken { .. })));
    session.open(other)?;
    session.close(door)?;
    while !session.is_done() && session.state().tick < 100 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    assert!(session.is_done(), "it went around through the other door");
    println!("there after {} ticks", session.state().tick);
    Ok(())
}
