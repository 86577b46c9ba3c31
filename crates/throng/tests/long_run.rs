//! Traffic that never ends takes no more memory than it did when it was warm.
//!
//! This is a test program of its own because the counter has to be the allocator of the whole program, and nothing else may
//! run beside it.

use throng::core::{Agent, Brings, Places, Rules, Scenario, Setup, Stream, Supply, Task, Tick, Unlimited};
use throng::sim::Metrics;
use throng::worlds::generate::WarehouseMap;
use throng::{Options, Session};
use throng_testkit::{CountingAllocator, held_bytes};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Twenty units that carry from anywhere to anywhere between shelves, always with a few errands to spare.
fn shelves() -> Scenario {
    let map = WarehouseMap { columns: 3, rows: 4, shelf_width: 5, shelf_height: 2, corridor: 1, margin: 3 };
    let grid = map.generate(0).expect("a map");
    let starts = grid.open_ids().map(|id| grid.cell(id)).take(20);
    let units = (0..).zip(starts).map(|(id, start)| Agent::new(id, start, Task::Errands(Vec::new())));
    let brings = Brings::Drawn(vec![Places::Anywhere; 2]);
    let stream = Stream { supply: Supply::Open(25), brings, count: None, seed: None };
    Scenario::new("shelves", grid.clone(), Rules::default(), units.collect())
        .and_then(|scenario| scenario.with_stream(Some(stream)))
        .expect("valid")
}

#[test]
fn a_hundred_thousand_ticks_take_no_more_memory() {
    let mut session = Session::new(Setup::new(shelves()), &Options::planner("pibt")).expect("valid");
    let mut metrics = Metrics::new(session.scenario(), session.state());
    let mut held = |until: Tick| {
        while session.state().tick < until {
            session.tick(&Unlimited, &mut metrics);
        }
        held_bytes()
    };
    let warm = held(20_000);
    let most = (21..=100).map(|thousand| held(thousand * 1000)).max().unwrap_or(0);
    assert!(metrics.service().done() > 40_000, "{}", metrics.service().done());
    // What is drawn by lot differs a little.
    assert!(most < warm + warm / 10, "{warm} bytes after 20,000 ticks, {most} later");
}
