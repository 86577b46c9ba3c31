//! A world that has to be seen first: into a dead end that nobody knew of, and out again.

use throng::core::{Agent, AgentId, Cell, Grid, Rules, Scenario, Sight, Task, Unlimited, Unobserved};
use throng::{Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&["..........", "..@@@@@@..", ".......@..", "..@@@@@@.."])?;
    let (start, goal) = (Cell::new(0, 2), Cell::new(9, 2));
    let agents = vec![Agent::new(0, start, Task::Goal(goal))];
    let scenario = Scenario::new("dead end", grid, Rules::default(), agents)?.with_sight(Sight::new(3))?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("dlite"))?;
    let scout = AgentId(0);
    // Nobody has seen the wall, so it is taken for open ground.
    assert!(session.known_world(scout).grid().is_open(Cell::new(7, 2)));
    while !session.is_done() && session.state().tick < 60 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    assert!(session.is_done() && session.has_seen(scout, Cell::new(7, 2)));
    println!("there after {} ticks; 9 would have done", session.state().tick);
    Ok(())
}
