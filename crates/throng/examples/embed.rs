//! The README's example: two units pass each other in a corridor.

use throng::core::{Agent, AgentId, Cell, Event, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
use throng::{Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two units want to pass each other in a corridor with one bay.
    let grid = Grid::from_rows(&["@@.@@", "....."])?;
    let agents = vec![
        Agent::new(0, Cell::new(0, 1), Task::Goal(Cell::new(4, 1))),
        Agent::new(1, Cell::new(4, 1), Task::Goal(Cell::new(0, 1))),
    ];
    let scenario = Scenario::new("corridor", grid, Rules::default(), agents)?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca(window=8)"))?;
    // No planner here is complete, so a loop needs an end of its own; `Session::why` says what keeps a unit.
    while !session.is_done() && session.state().tick < 100 {
        // `Expansions(n)` instead of `Unlimited` bounds the searches of a tick.
        for event in session.tick(&Unlimited, &mut Unobserved) {
            if let Event::Finished { agent } = event {
                println!("unit {agent} is there");
            }
        }
    }
    assert!(session.is_done(), "{}", session.why(AgentId(0)));
    Ok(())
}
