//! Random units are distinct, can reach their goals, and stay within what was asked for.

use crate::reach;
use proptest::prelude::*;
use std::collections::BTreeSet;
use throng_core::{Agent, Cell, Connectivity, Grid, Rules, Scenario};
use throng_worlds::generate::{RandomMap, RoadMap};
use throng_worlds::{UnitOptions, UnitsError, units};

fn goal(agent: &Agent) -> Cell {
    agent.waypoints().last()
}

fn assert_fair(grid: &Grid, rules: Rules, agents: Vec<Agent>, within: Option<u32>) {
    let starts: BTreeSet<Cell> = agents.iter().map(|a| a.start).collect();
    let goals: BTreeSet<Cell> = agents.iter().map(goal).collect();
    assert_eq!((starts.len(), goals.len()), (agents.len(), agents.len()));
    for agent in &agents {
        assert_ne!(agent.start, goal(agent));
        let steps = reach::distance(grid, rules.connectivity, agent.start, goal(agent)).expect("reachable");
        assert!(within.is_none_or(|within| steps <= within), "{steps} moves");
    }
    Scenario::new("units", grid.clone(), rules, agents).unwrap().require_distinct_goals().unwrap();
}

#[test]
fn same_seed_same_units_and_others_differ() {
    let grid = Grid::empty(20, 20).unwrap();
    for options in [UnitOptions::default(), UnitOptions { within: Some(9), ..UnitOptions::default() }] {
        let of = |seed| units(&grid, Rules::default(), 50, seed, &options).unwrap();
        assert_eq!(of(3), of(3));
        assert_ne!(of(3), of(4));
    }
}

#[test]
fn a_full_map_still_works() {
    let grid = Grid::from_rows(&["...@..", "...@@@", "@@@.@."]).unwrap();
    for seed in 0..50 {
        let agents = units(&grid, Rules::default(), 8, seed, &UnitOptions::default()).unwrap();
        assert_fair(&grid, Rules::default(), agents, None);
    }
    let error = units(&grid, Rules::default(), 9, 0, &UnitOptions::default());
    assert_eq!(error, Err(UnitsError::NotEnoughRoom { asked: 9, fit: 8 }));
}

#[test]
fn nothing_is_within_no_moves() {
    let grid = Grid::empty(4, 4).unwrap();
    let error =
        units(&grid, Rules::default(), 1, 0, &UnitOptions { within: Some(0), ..UnitOptions::default() });
    assert_eq!(error, Err(UnitsError::NotEnoughRoom { asked: 1, fit: 0 }));
    assert_eq!(
        units(&grid, Rules::default(), 0, 0, &UnitOptions { within: Some(0), ..UnitOptions::default() }),
        Ok(vec![])
    );
}

#[test]
fn ten_thousand_on_a_large_map() {
    let grid = Grid::empty(512, 512).unwrap();
    let far = units(&grid, Rules::default(), 10_000, 0, &UnitOptions::default()).unwrap();
    let near = units(
        &grid,
        Rules::default(),
        10_000,
        0,
        &UnitOptions { within: Some(64), ..UnitOptions::default() },
    )
    .unwrap();
    assert_eq!((far.len(), near.len()), (10_000, 10_000));
    let apart = |a: &Agent| a.start.x.abs_diff(goal(a).x) + a.start.y.abs_diff(goal(a).y);
    assert!(near.iter().all(|a| apart(a) <= 64));
}

proptest! {
    #[test]
    fn units_are_fair_or_refused(
        (width, height, percent) in (1u32..24, 1u32..24, 0u32..70),
        connected: bool,
        eight: bool,
        count in 0usize..80,
        within in proptest::option::of(0u32..20),
        seed: u64,
    ) {
        let grid = RandomMap { width, height, percent, connected }.generate(seed).unwrap();
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let rules = Rules { connectivity, ..Rules::default() };
        match units(&grid, rules, count, seed, &UnitOptions { within, ..UnitOptions::default() }) {
            Ok(agents) => {
                prop_assert_eq!(agents.len(), count);
                assert_fair(&grid, rules, agents, within);
            }
            Err(UnitsError::NotEnoughRoom { asked, fit }) => {
                prop_assert_eq!(asked, count);
                prop_assert!(fit < count);
                // What is said to fit does fit.
                let again = units(&grid, rules, fit, seed, &UnitOptions { within, ..UnitOptions::default() });
                prop_assert!(again.is_ok());
            }
        }
    }
}

/// On roads units begin and rest in bays, where they are in nobody's way.
#[test]
fn who_parks_in_bays_blocks_no_road() {
    let grid = RoadMap::default().generate(3).unwrap();
    let bays = UnitOptions { bays: true, ..UnitOptions::default() };
    let agents = units(&grid, Rules::default(), 80, 3, &bays).unwrap();
    for agent in &agents {
        for cell in [agent.start, agent.waypoints().last()] {
            let id = grid.id(cell).unwrap();
            assert_eq!((grid.exits(id) & 0x0f).count_ones(), 1, "{cell}");
        }
    }
    let room = units(&grid, Rules::default(), 100_000, 3, &bays);
    assert!(matches!(room, Err(UnitsError::NotEnoughRoom { fit, .. }) if fit > 80), "{room:?}");
}
