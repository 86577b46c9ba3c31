//! Cars in groups.

use crate::kit::session;
use throng::core::{
    Agent, Cell, Connectivity, Dir, Grid, Motion, Rules, Scenario, Setup, Task, Timing, Unlimited, Unobserved,
};
use throng::group::Shape;

/// Places are chosen by bodies; a car has no curve into a corner. Once that was an error for the whole group.
#[test]
fn cars_get_places_that_they_can_drive_to() {
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let car = Motion::Car { radius: 2, heading: Dir::E };
    let at = |id: u32| Cell::new(10 + id as i32 % 3, 10 + id as i32 / 3);
    let rest = |id: u32| Agent::new(id, at(id), Task::Goal(at(id)));
    let agents = (0..9).map(|id| if id % 2 == 0 { Agent { motion: car, ..rest(id) } } else { rest(id) });
    let scenario = Scenario::new("cars", Grid::empty(20, 20).unwrap(), rules, agents.collect()).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    let units: Vec<_> = session.units().collect();
    let places = session.order_group(&units, Cell::new(0, 0), Shape::Block).expect("there is room around it");
    assert!(places.iter().all(|place| place.x < 8 && place.y < 8), "{places:?}");
    for _ in 0..400 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    assert!(session.is_done());
}
