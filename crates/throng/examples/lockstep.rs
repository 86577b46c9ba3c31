//! Lockstep: two machines get the same orders and compare the hash of the state after every tick.

use throng::core::{Cell, Expansions, Grid, Rules, Scenario, Task, Unobserved};
use throng::group::Shape;
use throng::{NewUnit, Options, Session, Setup};

/// One machine; how many threads it plans on is its own business.
fn machine(threads: usize) -> Result<Session, Box<dyn std::error::Error>> {
    let scenario = Scenario::new("field", Grid::empty(24, 24)?, Rules::default(), Vec::new())?;
    let options = Options { threads, ..Options::planner("whca") };
    Ok(Session::new(Setup::new(scenario), &options)?)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut here, mut there) = (machine(1)?, machine(2)?);
    for tick in 0..60 {
        for session in [&mut here, &mut there] {
            if tick % 3 == 0 && tick < 30 {
                session.add(NewUnit::new(Cell::new(0, tick / 3), Task::Hold))?;
            }
            if tick == 30 {
                let units: Vec<_> = session.units().collect();
                session.order_group(&units, Cell::new(18, 12), Shape::Block)?;
            }
            // A budget in expansions is the same work on every machine; milliseconds would not be.
            session.tick(&Expansions(500), &mut Unobserved);
        }
        assert_eq!(here.state().hash(), there.state().hash(), "out of step at tick {tick}");
    }
    println!("in step for 60 ticks: {:016x}", here.state().hash());
    Ok(())
}
