//! Two explorers in a ruin that nobody knows: one looks for a hidden place, the other one wants to see everything.

use throng::core::{
    Agent, AgentId, Cause, Cell, Event, Grid, Rules, Scenario, Sight, Task, Unlimited, Unobserved,
};
use throng::{Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&["........", ".@@@@@@.", ".@...@..", ".@.@.@@.", "...@...."])?;
    let agents = vec![
        Agent::new(0, Cell::new(0, 0), Task::Find(Cell::new(4, 2))),
        Agent::new(1, Cell::new(1, 0), Task::Explore),
    ];
    let sight = Sight { angle: 90, inner: Some(1), ..Sight::new(4) };
    let scenario = Scenario::new("ruin", grid, Rules::default(), agents)?.with_sight(sight)?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("explore"))?;
    // Nobody is told where it is.
    assert_eq!(session.known_world(AgentId(0)).agent(AgentId(0)).task, Task::Explore);
    while !session.is_done() && session.state().tick < 100 {
        for event in session.tick(&Unlimited, &mut Unobserved) {
            if let Event::Found { agent, cell } = event {
                println!("unit {agent} has found {cell}");
            }
        }
        if session.state().tick == 5 {
            session = Session::resume(&session.save(), 1)?;
        }
    }
    assert_eq!(
        session.explain(AgentId(0)).map(|why| why.cause),
        Some(Cause::Found { cell: Cell::new(4, 2) })
    );
    let why = session.explain(AgentId(1)).ok_or("nobody")?;
    assert!(matches!(why.cause, Cause::Explored { beyond: 0, .. }), "{why}");
    let explored = session.exploration(AgentId(1)).ok_or("nothing explored")?;
    println!("{} cells seen, {} not, {} to go", explored.seen, explored.unseen, explored.frontier);
    assert_eq!(explored.frontier, 0);
    Ok(())
}
