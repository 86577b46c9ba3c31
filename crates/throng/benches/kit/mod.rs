//! Worlds that the benchmarks share. All of them are generated, so nothing has to be at hand.

use throng::core::{Agent, Grid, Observer, Rules, Scenario, Setup, Task, Unlimited};
use throng::worlds::generate::RandomMap;
use throng::worlds::{UnitOptions, units};
use throng::{Options, Session};

/// Everything here is drawn with this seed.
const SEED: u64 = 1;

/// Units with random goals on a map, at most `within` moves away if that is given.
pub(crate) fn crowd(name: &str, grid: Grid, count: usize, within: Option<u32>) -> Scenario {
    let rules = Rules::default();
    let agents = units(&grid, rules, count, SEED, &UnitOptions { within, ..UnitOptions::default() })
        .expect("room for all");
    Scenario::new(name, grid, rules, agents).expect("a valid world")
}

/// A square map with so many percent of walls.
pub(crate) fn random(side: u32, percent: u32) -> Grid {
    let map = RandomMap { width: side, height: side, percent, connected: true };
    map.generate(SEED).expect("a map")
}

/// The world that ticks are measured in: 512×512 cells, a tenth of them walls, and units that go to a place at
/// most 64 moves away and back, for ever.
fn patrols(count: usize) -> Scenario {
    let world = crowd("patrols", random(512, 10), count, Some(64));
    let patrol = |agent: &Agent| {
        let task = Task::Patrol { goal: agent.waypoints().last(), rounds: u32::MAX / 2 };
        Agent { task, ..agent.clone() }
    };
    let agents = world.agents().iter().map(patrol).collect();
    Scenario::new("patrols", world.grid().clone(), world.rules(), agents).expect("a valid world")
}

/// Ticks after which nearly everybody has been at both ends of its patrol.
pub(crate) const WARM: u64 = 256;

/// Those patrols under `planner`, after [`WARM`] ticks, which `observer` has watched.
pub(crate) fn warm(count: usize, planner: &str, observer: &mut dyn Observer) -> Session {
    let setup = Setup::new(patrols(count));
    let mut session = Session::new(setup, &Options::planner(planner)).expect("a planner");
    for _ in 0..WARM {
        session.tick(&Unlimited, observer);
    }
    session
}
