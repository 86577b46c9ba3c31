//! Direction maps: what a move teaches, what a follower costs, and how searches along lanes compare with plain ones.

mod kit;

use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use throng::core::{Action, CellId, Dir, Unlimited, Unobserved, View};
use throng::planners::registry::{self, Built, Context};
use throng::search::directions::{DirectionMap, LaneGraph, Rate, Rates};
use throng::search::{AStar, GridGraph};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    learning(&mut criterion);
    followers(&mut criterion);
    searches(&mut criterion);
    criterion.final_summary();
}

/// Steps that units could make, in no order.
fn steps(grid: &throng::core::Grid, count: usize) -> Vec<(CellId, Dir)> {
    let open: Vec<_> = grid.open_ids().collect();
    let mut steps = Vec::new();
    for k in 0.. {
        let from = open[(k * 7919) % open.len()];
        let dir = Dir::ALL[(k * 31) % 8];
        if grid.exits(from) >> dir as u8 & 1 == 1 {
            steps.push((from, dir));
        }
        if steps.len() == count {
            return steps;
        }
    }
    steps
}

/// Per cell that learns: two of a move, and with the neighbour rule all that are around it.
fn learning(criterion: &mut Criterion) {
    let grid = kit::random(512, 10);
    let steps = steps(&grid, 10_000);
    let own = Rate::new(4000).expect("a rate");
    let mut group = criterion.benchmark_group("learning, per cell");
    for (name, near, cells) in [("cells of a move", Rate::ZERO, 2), ("with neighbours", own.quarter(), 9)] {
        let mut map = DirectionMap::blank(&grid);
        group.throughput(Throughput::Elements(cells * steps.len() as u64));
        group.bench_function(name, |bench| {
            bench.iter(|| {
                for &(from, dir) in black_box(&steps) {
                    map.learn(&grid, from, dir, Rates { own, near });
                }
            });
        });
    }
}

/// Per unit: what 10,000 followers on 512×512 cells see, learn and decide in a tick, in a world that has been running for a while.
fn followers(criterion: &mut Criterion) {
    // From one tick to the next and back, so that there is something to see and to learn each time.
    let mut session = kit::warm(10_000, "dm-greedy", &mut Unobserved);
    let before = session.state().clone();
    session.tick(&Unlimited, &mut Unobserved);
    let (scenario, after) = (session.scenario(), session.state());
    let mine: Vec<_> = session.units().map(|unit| unit.agent).collect();
    let views =
        [&before, after].map(|state| View { scenario, state, mine: &mine, seen: None, sightings: &[] });
    let mut turn = 0;
    let Ok(Built::Controller(mut greedy)) = registry::build("dm-greedy", &Context::default()) else {
        panic!("a controller")
    };
    let mut actions = vec![Action::Wait; mine.len()];
    let mut group = criterion.benchmark_group("followers");
    group.throughput(Throughput::Elements(mine.len() as u64));
    group.bench_function(BenchmarkId::from_parameter(mine.len()), |bench| {
        bench.iter(|| {
            turn ^= 1;
            greedy.decide(black_box(&views[turn]), &Unlimited, &mut Unobserved, &mut actions);
        });
    });
    let mut session = kit::warm(10_000, "dm-greedy", &mut Unobserved);
    group.bench_function("whole ticks, learning included", |bench| {
        bench.iter(|| session.tick(&Unlimited, &mut Unobserved).len());
    });
}

/// Per expansion: A* along lanes against A* on the plain grid.
fn searches(criterion: &mut Criterion) {
    let session = kit::warm(1_000, "dm", &mut Unobserved);
    let grid = session.scenario().grid();
    let learned = session.directions().expect("it learns");
    let map = DirectionMap::of(grid, &learned).expect("the same grid");
    let plain = GridGraph::new(grid, session.scenario().rules(), 1);
    let lanes = LaneGraph::new(plain, &map, 1000, 1, 1);
    let agents = session.scenario().agents().iter().take(50);
    let id = |cell| grid.id(cell).expect("on the map").0;
    let ends: Vec<_> = agents.map(|agent| (id(agent.start), id(agent.waypoints().target(0)))).collect();
    let mut group = criterion.benchmark_group("searches, per expansion");
    let (mut search, mut path) = (AStar::new(), Vec::new());
    let mut all = |along: bool| {
        let before = search.expanded();
        for &(start, goal) in &ends {
            let found = match along {
                true => search.path(&lanes, start, goal, 0, |_| Some(0), &mut path),
                false => search.path(&plain, start, goal, 0, |_| Some(0), &mut path),
            };
            black_box(found);
        }
        search.expanded() - before
    };
    for (name, along) in [("plain", false), ("along lanes", true)] {
        group.throughput(Throughput::Elements(all(along)));
        group.bench_function(name, |bench| bench.iter(|| all(along)));
    }
}
