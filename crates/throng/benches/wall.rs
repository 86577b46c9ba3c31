//! Wall time: whole problems, the parts they spend it on, and one warm tick.

mod kit;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use throng::core::{Connectivity, Expansions, Outcome, Rules, Scenario, Timing, Unlimited, Unobserved};
use throng::search::abstraction::{Abstraction, Ruler};
use throng::search::reservations::{Ring, Rule, Sparse, Store, Table};
use throng::search::{AStar, Graph, GridGraph, TrueDistance};
use throng::worlds::generate::{CrossingMap, RoomMap, Scene, WarehouseMap};
use throng::{Options, Solution, solve};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    problems(&mut criterion);
    distances(&mut criterion);
    reservations(&mut criterion);
    levels(&mut criterion);
    ticks(&mut criterion);
    criterion.final_summary();
}

/// Worlds like those of the public benchmark.
fn worlds() -> Vec<Scenario> {
    let room = RoomMap::default().generate(1).expect("a map");
    let warehouse = WarehouseMap::default().generate(1).expect("a map");
    vec![
        kit::crowd("random-32-10 100", kit::random(32, 10), 100, None),
        kit::crowd("random-32-10 200", kit::random(32, 10), 200, None),
        kit::crowd("random-32-20 100", kit::random(32, 20), 100, None),
        kit::crowd("random-32-20 200", kit::random(32, 20), 200, None),
        kit::crowd("room-64 100", room, 100, None),
        kit::crowd("warehouse 200", warehouse, 200, None),
        kit::crowd("random-256-10 500", kit::random(256, 10), 500, None),
    ]
}

/// An end to planners that do not get there.
const MOST: Expansions = Expansions(100_000_000);

fn attempt(world: &Scenario, planner: &str) -> Solution {
    solve(world, &Options::planner(planner), &MOST, &mut Unobserved).expect("a known planner")
}

/// `solve`, judge included.
fn problems(criterion: &mut Criterion) {
    let worlds = worlds();
    for planner in ["hca", "whca(window=10)"] {
        let mut group = criterion.benchmark_group(format!("solve {planner}"));
        for world in &worlds {
            // A planner that fails is timed as well, so say what it was that took so long.
            let mut told = false;
            group.bench_function(BenchmarkId::from_parameter(world.name()), |bench| {
                if !told {
                    tell(world, &attempt(world, planner));
                    told = true;
                }
                bench.iter(|| attempt(black_box(world), planner));
            });
        }
    }
}

fn tell(world: &Scenario, solution: &Solution) {
    let bound = solution.bounds.map_or(0, |bounds| bounds.soc);
    let outcome = match (&solution.outcome, &solution.report) {
        (Outcome::Solved(_), Some(report)) => {
            format!("solved, sum of costs {} (at least {bound})", report.soc)
        }
        _ => "not solved".to_owned(),
    };
    println!("{}: {outcome}, {} expansions", world.name(), solution.expanded);
}

/// One backwards search per unit, from its goal until its start is known.
fn distances(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("true distances");
    for world in [
        kit::crowd("random-32-10 100", kit::random(32, 10), 100, None),
        kit::crowd("random-256-10 100", kit::random(256, 10), 100, None),
    ] {
        let graph = GridGraph::new(world.grid(), world.rules(), 1);
        let ends: Vec<_> = world.agents().iter().map(|agent| ends(&world, agent)).collect();
        let search = || {
            let fields = ends.iter().map(|&(start, goal)| {
                let mut field = TrueDistance::new(&graph, goal, Some(start));
                field.distance(&graph, start);
                field.expanded()
            });
            fields.sum::<u64>()
        };
        group.throughput(Throughput::Elements(search()));
        group.bench_function(BenchmarkId::from_parameter(world.name()), |bench| bench.iter(search));
    }
}

fn ends(world: &Scenario, agent: &throng::core::Agent) -> (u32, u32) {
    let id = |cell| world.grid().id(cell).expect("on the map").0;
    (id(agent.start), id(agent.waypoints().last()))
}

/// How many ticks ahead units have reserved where look-ups are measured.
const AHEAD: u64 = 16;

/// Whether a unit may go to each neighbour, at each tick of a window, in a table that 200 units on a 32×32 map
/// have filled.
fn reservations(criterion: &mut Criterion) {
    let world = kit::crowd("random-32-10 200", kit::random(32, 10), 200, None);
    let graph = GridGraph::new(world.grid(), world.rules(), 1);
    let mut group = criterion.benchmark_group("reservations");
    let ring = Ring::new(world.grid().len(), AHEAD as u32);
    let (moves, steps) = (moves(&world, &graph), steps(&world, &graph));
    group.throughput(Throughput::Elements(moves.len() as u64));
    let full = filled(&graph, &steps, ring.clone());
    group.bench_function("look up in a ring", |bench| bench.iter(|| count(&full, &graph, &moves)));
    let full = filled(&graph, &steps, Sparse::new(world.grid().len()));
    group.bench_function("look up in a hash", |bench| bench.iter(|| count(&full, &graph, &moves)));
    group.throughput(Throughput::Elements(steps.len() as u64));
    group.bench_function("fill a ring", |bench| {
        bench.iter_batched(|| ring.clone(), |ring| filled(&graph, &steps, ring), BatchSize::SmallInput);
    });
}

/// Every move from every open cell at every tick.
fn moves(world: &Scenario, graph: &GridGraph<'_>) -> Vec<(u32, u32, u64)> {
    let mut moves = Vec::new();
    for tick in 0..AHEAD {
        for from in world.grid().open_ids() {
            graph.edges(from.0, |edge| moves.push((from.0, edge.to, tick)));
        }
    }
    moves
}

fn count<S: Store>(table: &Table<S>, graph: &GridGraph<'_>, moves: &[(u32, u32, u64)]) -> usize {
    let free = |&&(from, to, tick): &&(u32, u32, u64)| {
        table.admits(graph, u32::MAX - 1, from, to, tick, 1).is_some()
    };
    black_box(moves).iter().filter(free).count()
}

/// The first steps of everybody's shortest way to its goal: who, from, to, tick.
fn steps(world: &Scenario, graph: &GridGraph<'_>) -> Vec<(u32, u32, u32, u64)> {
    let (mut search, mut path, mut steps) = (AStar::new(), Vec::new(), Vec::new());
    for agent in world.agents() {
        let (start, goal) = ends(world, agent);
        search.path(graph, start, goal, 0, |_| Some(0), &mut path).expect("a way");
        let mut at = start;
        for tick in 0..AHEAD {
            let mut to = at;
            let action = path.get(tick as usize).copied();
            graph.edges(at, |edge| to = if Some(edge.action) == action { edge.to } else { to });
            steps.push((agent.id.0, at, to, tick));
            at = to;
        }
    }
    steps
}

/// A table in which everybody has reserved its steps, whoever else has.
fn filled<S: Store>(graph: &GridGraph<'_>, steps: &[(u32, u32, u32, u64)], store: S) -> Table<S> {
    let mut table = Table::new(Rule::of(&Rules::default(), 1), store);
    for &(owner, from, to, tick) in steps {
        table.reserve(graph, owner, (from, to), tick, 1, |_| {});
    }
    table
}

/// The coarser levels of a large map, which a session with abstraction begins with.
fn levels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("levels");
    let grid = CrossingMap { scene: Scene::S1, scale: 32 }.generate().expect("a map");
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let rules = Rules { connectivity, timing: Timing::Metric, ..Rules::default() };
        group.throughput(Throughput::Elements(grid.open_cells() as u64));
        group.bench_function(format!("S1 1024x1024, {connectivity:?}"), |bench| {
            let ground = GridGraph::new(&grid, rules, 1);
            bench.iter(|| Abstraction::new(&ground, Ruler::of(rules)).height());
        });
    }
}

/// One tick of a world that has been running for a while.
fn ticks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("warm tick");
    let mut session = None;
    group.bench_function("whca(window=16) 1000", |bench| {
        let session = session.get_or_insert_with(|| kit::warm(1000, "whca(window=16)", &mut Unobserved));
        bench.iter(|| session.tick(&Unlimited, &mut Unobserved).len());
    });
}
