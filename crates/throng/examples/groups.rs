//! Orders to a group, as in a strategy game: twelve units gather, then move on in formation.

use throng::core::{Cell, Expansions, Grid, Rules, Scenario, Task, Unobserved};
use throng::group::Shape;
use throng::{NewUnit, Options, Session, Setup};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario::new("field", Grid::empty(40, 24)?, Rules::default(), Vec::new())?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca"))?;
    let mut units = Vec::new();
    for k in 0..12 {
        let at = Cell::new(k % 4 * 3, k / 4 * 5);
        units.push(session.add(NewUnit::new(at, Task::Hold))?);
    }
    for (goal, shape) in [(Cell::new(20, 12), Shape::Block), (Cell::new(34, 12), Shape::Formation)] {
        let places = session.order_group(&units, goal, shape)?;
        let begun = session.state().tick;
        while !session.is_done() && session.state().tick < begun + 200 {
            session.tick(&Expansions(2_000), &mut Unobserved);
        }
        assert!(session.is_done(), "everybody rests at a place of its own");
        println!(
            "tick {}: {} units around {goal}, the first at {}",
            session.state().tick,
            places.len(),
            places[0]
        );
    }
    Ok(())
}
