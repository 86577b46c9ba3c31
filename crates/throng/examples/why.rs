//! Why a unit is stuck, as data: what keeps it, what keeps that, and since when.

use throng::core::{Agent, AgentId, Cause, Cell, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
use throng::{History, Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A guard holds the only door; two units want through.
    let grid = Grid::from_rows(&["....@..", ".......", "....@.."])?;
    let agents = vec![
        Agent::new(0, Cell::new(0, 1), Task::Goal(Cell::new(6, 1))),
        Agent::new(1, Cell::new(1, 1), Task::Goal(Cell::new(6, 0))),
        Agent::new(2, Cell::new(4, 1), Task::Hold),
    ];
    let scenario = Scenario::new("guard", grid, Rules::default(), agents)?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("lra"))?;
    let mut history = History::new(AgentId(1));
    for _ in 0..30 {
        session.tick(&Unlimited, &mut Unobserved);
        history.note(&session);
    }
    // The unit first, then what keeps it, then what keeps that; `cycle` marks units that keep each other.
    let chain = session.why(AgentId(1));
    println!("{chain}");
    for link in &chain.links {
        match &link.cause {
            Cause::Cancelled { by: Some(by), .. } => println!("ask unit {by} to step aside"),
            Cause::NoPath { rivals } => println!("ask one of {rivals:?} to step aside"),
            cause => println!("unit {}: {cause:?}", link.agent),
        }
    }
    for period in history.periods() {
        println!("{period}");
    }
    assert_eq!(chain.links.last().map(|link| (link.agent, &link.cause)), Some((AgentId(2), &Cause::Holds)));
    Ok(())
}
