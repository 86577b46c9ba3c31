//! Explorers that share what they see with nobody: to each other they are strangers, who meet in corridors and dead ends.

use crate::kit::{Watch, session};
use proptest::prelude::*;
use proptest::sample::select;
use throng::check::Expect;
use throng::core::{
    Agent, Cause, Cell, Connectivity, Event, Grid, Regions, Rules, Scenario, Setup, Sight, Task, Unlimited,
};
use throng::worlds::generate::{RoomMap, TunnelMap};

const METHODS: [&str; 5] = [
    "explore",
    "explore(potential=1,block=4,repulsion=1,radius=5)",
    "explore(assign=on)",
    "explore(assign=on,glance=5,gain=0.1)",
    "explore(assign=on,glance=3,window=6)",
];

/// Corridors of one cell without or with some rounds, tunnels with bays, rooms with one door each.
fn map(kind: usize, (width, height): (u32, u32), seed: u64) -> Grid {
    let tunnels = |max_connections, noise| TunnelMap {
        width,
        height,
        min_connections: 1,
        max_connections,
        noise,
        min_island: 2,
        wall: 1,
        tunnel: 1,
    };
    match kind {
        0 => tunnels(1, 0).generate(seed),
        1 => tunnels(2, 0).generate(seed),
        2 => tunnels(2, 3).generate(seed),
        _ => RoomMap { width, height, room: 5, doors: 1 }.generate(seed),
    }
    .expect("a map")
}

/// Some cells of the largest region, far apart or side by side.
fn starts(grid: &Grid, units: usize, apart: bool) -> (Vec<Cell>, usize) {
    let regions = Regions::of(grid, 1);
    let joined = |id: &_| Some(regions.of_cell(*id)) == regions.largest();
    let open: Vec<Cell> = grid.open_ids().filter(joined).map(|id| grid.cell(id)).collect();
    let step = if apart { (open.len() / units).max(1) } else { 1 };
    (open.iter().copied().step_by(step).take(units).collect(), open.len())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Whether they share what they see or not, and in however narrow a maze: every expedition ends, everybody has seen all that
    /// it can reach, nobody collides and the judge agrees.
    #[test]
    fn every_expedition_ends(
        kind in 0..4usize,
        size in (12..24u32, 12..22u32),
        seed in 0..100_000u64,
        method in select(&METHODS[..]),
        units in 2..=8usize,
        (apart, eight) in (any::<bool>(), any::<bool>()),
        (radius, angle) in (1..7u32, select(&[60, 90, 200, 360][..])),
        shared in prop_oneof![1 => Just(true), 4 => Just(false)],
    ) {
        let grid = map(kind, size, seed);
        let (starts, open) = starts(&grid, units, apart);
        let units = starts.len();
        let agents = starts.into_iter().zip(0..).map(|(at, id)| Agent::new(id, at, Task::Explore)).collect();
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let rules = Rules { connectivity, ..Rules::default() };
        let sight = Sight { angle, inner: Some(radius.div_ceil(2)), shared, ..Sight::new(radius) };
        let scenario = Scenario::new("loners", grid, rules, agents).unwrap().with_sight(sight).unwrap();
        let mut session = session(Setup::new(scenario.clone()), method);
        let (mut watch, mut ends) = (Watch::new(&scenario), 0);
        while !session.is_done() {
            let why = || session.units().map(|unit| format!("{}\n", session.why(unit.agent))).collect::<String>();
            prop_assert!(session.state().tick < 400 * open as u64 + 5000, "{}", why());
            let told = session.tick(&Unlimited, &mut watch);
            ends += told.iter().filter(|event| matches!(event, Event::Explored { .. })).count();
        }
        prop_assert_eq!(ends, units);
        let report = watch.finish_with(Expect::Finished);
        prop_assert!(report.is_valid(), "{}", report);
        for unit in session.units() {
            let cause = session.explain(unit.agent).unwrap().cause;
            prop_assert!(matches!(cause, Cause::Explored { .. }), "{:?}", cause);
            prop_assert_eq!(session.exploration(unit.agent).unwrap().frontier, 0);
        }
    }
}
