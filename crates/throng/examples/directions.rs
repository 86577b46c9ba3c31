//! Lanes that emerge: units learn a direction map, which is kept and given to those who come later.

use throng::core::{Agent, Cell, Grid, Rules, Scenario, Task, Unlimited};
use throng::formats::directions;
use throng::search::directions::{Rate, Rates};
use throng::sim::Flow;
use throng::{Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Eight patrols from each end of a street of four cells across.
    let patrol = |id: u32| {
        let (row, rank) = ((id % 4) as i32, (id / 4) as i32);
        let (start, goal) = if rank < 2 { (rank, 29 - rank) } else { (29 - rank, rank) };
        Agent::new(id, Cell::new(start, row), Task::Patrol { goal: Cell::new(goal, 3 - row), rounds: 3 })
    };
    let agents: Vec<_> = (0..16).map(patrol).collect();
    let scenario = Scenario::new("street", Grid::empty(30, 4)?, Rules::default(), agents)?;

    // An observer learns from what units do, whoever plans for them, and tells how coherent it is.
    let rates = Rates { own: Rate::new(4000).unwrap_or_default(), near: Rate::ZERO };
    let coherence = |planner: &str, setup: Setup| -> Result<_, throng::Error> {
        let mut session = Session::new(setup, &Options::planner(planner))?;
        let mut flow = Flow::new(session.scenario().grid(), rates, 0);
        while !session.is_done() && session.state().tick < 1000 {
            session.tick(&Unlimited, &mut flow);
        }
        let coherence = flow.map().coherence(session.scenario().grid()).value();
        println!("{planner}: {} ticks, coherence {coherence:.2}", session.state().tick);
        Ok((coherence, session.directions()))
    };
    let (plain, none) = coherence("whca(window=8)", Setup::new(scenario.clone()))?;
    let (lanes, learned) = coherence("dm-whca(window=8)", Setup::new(scenario.clone()))?;
    assert!(lanes > plain && none.is_none());

    // What was learned is kept as text, and given to those who begin with it. With `alpha=0` it stays as it is.
    let kept = directions::write(&learned.expect("it learns"));
    let setup = Setup { directions: Some(directions::parse(kept.as_bytes())?), ..Setup::new(scenario) };
    let (_, still) = coherence("dm-whca(window=8,alpha=0)", setup.clone())?;
    assert_eq!(still, setup.directions);
    Ok(())
}
