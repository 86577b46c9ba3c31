//! Direction maps: what is learned, kept, given back and followed.

use crate::kit::{session, watched};
use throng::core::{
    Agent, AgentId, Cell, Connectivity, DirectionVector, Directions, DirectionsError, Grid, Outcome, Rules,
    Scenario, Setup, Task, Timing, Unlimited, Unobserved,
};
use throng::search::directions::{DirectionMap, Rate, Rates};
use throng::sim::{Flow, Metrics};
use throng::worlds::builtin;
use throng::{Error, Observers, Options, Session, solve};

/// The rates of all planners by default.
fn rates() -> Rates {
    let own = Rate::new(4000).unwrap();
    Rates { own, near: own.quarter() }
}

fn coherence(grid: &Grid, learned: &Directions) -> f64 {
    DirectionMap::of(grid, learned).unwrap().coherence(grid).value()
}

/// Patrols of both ends of a street.
fn street(rules: Rules, period: u8) -> Scenario {
    let patrol = |id: u32| {
        let (row, rank) = ((id % 5) as i32, (id / 5) as i32);
        let (start, goal) = if rank < 2 {
            (Cell::new(rank, row), Cell::new(17 - rank, row))
        } else {
            (Cell::new(18 + row % 2, row), Cell::new(4, row))
        };
        Agent { period, ..Agent::new(id, start, Task::Patrol { goal, rounds: 2 }) }
    };
    let agents = (0..15).map(patrol).collect();
    Scenario::new("street", Grid::empty(20, 5).unwrap(), rules, agents).unwrap()
}

/// A controller learns from what was done and nothing else: an observer of the same moves learns the same.
#[test]
fn controllers_learn_what_observers_see() {
    for (timing, period) in [(Timing::Uniform, 1), (Timing::Metric, 5)] {
        for planner in ["dm", "dm(sector=4)", "dm-greedy", "dm-whca", "whca(wmax=10)", "pra(wmax=10)"] {
            let rules = Rules { connectivity: Connectivity::Eight, timing, ..Rules::default() };
            let mut session = session(Setup::new(street(rules, period)), planner);
            let mut flow = Flow::new(session.scenario().grid(), rates(), 0);
            for _ in 0..60 {
                session.tick(&Unlimited, &mut flow);
            }
            // What happened in the last tick a controller learns in the next.
            let seen = flow.map().learned(session.scenario().grid());
            session.tick(&Unlimited, &mut Unobserved);
            assert_eq!(session.directions(), Some(seen), "{planner} {timing:?}");
        }
    }
}

/// So it is with large bodies, runners and cars, which windows along lanes move as windows alone do.
#[test]
fn all_bodies_keep_to_lanes() {
    for planner in ["dm-whca", "whca(wmax=3)"] {
        let mut town = builtin("town", 0).unwrap();
        // Maps forget where cells close, which the observer does not hear of.
        town.scenario = town.scenario.with_events(Vec::new()).unwrap();
        let mut session = session(town, planner);
        let mut flow = Flow::new(session.scenario().grid(), rates(), 0);
        for _ in 0..150 {
            session.tick(&Unlimited, &mut flow);
        }
        let seen = flow.map().learned(session.scenario().grid());
        session.tick(&Unlimited, &mut Unobserved);
        assert_eq!(session.directions(), Some(seen), "{planner}");
    }
}

/// Planners without a map have none to tell of; with a weight of 0 `dm` learns one and does not plan by it.
#[test]
fn who_keeps_no_map_has_none() {
    for (planner, keeps) in [("whca", false), ("lra", false), ("pra", false), ("dm(wmax=0)", true)] {
        let mut session = session(Setup::new(street(Rules::default(), 1)), planner);
        session.tick(&Unlimited, &mut Unobserved);
        assert_eq!(session.directions().is_some(), keeps, "{planner}");
    }
}

/// The promenade begins with lanes and keeps them; what it ships is what is learned there.
#[test]
fn the_promenade_begins_coherent() {
    let setup = builtin("promenade", 0).unwrap();
    let grid = setup.scenario.grid().clone();
    let shipped = setup.directions.clone().expect("it brings a map");
    let begins = coherence(&grid, &shipped);
    assert!(begins > 0.6, "{begins}");
    // From nothing, the same planner learns lanes that run the same way.
    let blank = Setup { directions: None, ..setup.clone() };
    let mut learning = Session::new(blank, &Options::default()).unwrap();
    watched(&mut learning, 600, &Unlimited);
    let learned = learning.directions().unwrap();
    let along: i64 = learned
        .vectors()
        .iter()
        .zip(shipped.vectors())
        .map(|(a, b)| i64::from(a.x) * i64::from(b.x) + i64::from(a.y) * i64::from(b.y))
        .sum();
    let whole: i64 = shipped.vectors().iter().map(|vector| i64::from(vector.square())).sum();
    assert!(10 * along > 9 * whole, "{along} of {whole}");
    // Under other seeds, with what is shipped, traffic is coherent from the first ticks on.
    let early = |directions: Option<Directions>, seed| {
        let setup = Setup { directions, ..builtin("promenade", seed).unwrap() };
        let mut session = Session::new(setup, &Options::default()).unwrap();
        let mut flow = Flow::new(&grid, Rates { near: Rate::ZERO, ..rates() }, 0);
        for _ in 0..60 {
            session.tick(&Unlimited, &mut flow);
        }
        flow.map().coherence(&grid).value()
    };
    let with: f64 = (1..6).map(|seed| early(Some(shipped.clone()), seed)).sum();
    let without: f64 = (1..6).map(|seed| early(None, seed)).sum();
    assert!(with > without, "{with} with, {without} without");
}

/// Units of three planners share a world. Followers and repairers do not step aside for each other, so that not all arrive.
#[test]
fn followers_planners_and_windows_share_a_world() {
    let scenario = street(Rules { connectivity: Connectivity::Eight, ..Rules::default() }, 1);
    let spec = |id: u32| ["dm", "dm-greedy", "dm-whca"][id as usize % 3].to_owned();
    let unit_planners = (0..15).map(|id| (AgentId(id), spec(id))).collect();
    let setup = Setup { unit_planners, ..Setup::new(scenario) };
    let mut session = Session::new(setup, &Options::default()).unwrap();
    watched(&mut session, 2000, &Unlimited);
    assert!(session.arrived() >= 10, "{} of 15", session.arrived());
}

/// Along a lane a greedy follower goes where it leads, one expansion a tick, and arrives.
#[test]
fn greedy_followers_follow() {
    let setup = builtin("promenade", 3).unwrap();
    let mut session = session(setup, "dm-greedy");
    let mut metrics = Metrics::new(session.scenario(), session.state());
    let units = session.scenario().agents().len() as u64;
    while !session.is_done() && session.state().tick < 2000 {
        session.tick(&Unlimited, &mut metrics);
        assert!(metrics.largest_tick() <= units);
    }
    assert!(session.arrived() > 15, "{}", session.arrived());
}

/// Saved in the middle of learning, a map goes on as it would have; so does what units are shown of it.
#[test]
fn maps_are_saved_and_taken_up() {
    for planner in ["dm", "dm(sector=4)", "dm-greedy", "dm-whca(window=6)", "pra(wmax=5)"] {
        let mut whole = session(builtin("promenade", 5).unwrap(), planner);
        let (mut saves, mut hashes) = (Vec::new(), Vec::new());
        for tick in 0..150 {
            if [0, 1, 15, 16, 17, 79, 81].contains(&tick) {
                saves.push((tick, whole.save()));
            }
            whole.tick(&Unlimited, &mut Unobserved);
            hashes.push(whole.state().hash());
        }
        for (tick, saved) in saves {
            let mut twin = Session::resume(&saved, 2).unwrap();
            assert_eq!(twin.save(), saved, "{planner} at {tick}");
            for expected in &hashes[tick..] {
                twin.tick(&Unlimited, &mut Unobserved);
                assert_eq!(twin.state().hash(), *expected, "{planner} saved at {tick}");
            }
            assert_eq!(twin.directions(), whole.directions(), "{planner} saved at {tick}");
        }
    }
}

/// A map of another size is refused before anything runs.
#[test]
fn maps_of_other_worlds_are_refused() {
    let small = Directions::new(2, 2, vec![DirectionVector::ZERO; 4]).unwrap();
    let setup = Setup { directions: Some(small), ..Setup::new(street(Rules::default(), 1)) };
    let refused = Session::new(setup, &Options::planner("dm")).expect_err("another size");
    assert!(
        matches!(refused, Error::Directions(DirectionsError::OtherMap { found: (2, 2), map: (20, 5) })),
        "{refused}"
    );
    let both =
        solve(&street_alone(), &Options::planner("whca(abstraction=1,wmax=5)"), &Unlimited, &mut Unobserved);
    assert_eq!(
        both.expect_err("both").to_string(),
        "planner whca: expected one of abstraction and wmax, not both"
    );
}

fn street_alone() -> Scenario {
    let agent = Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(9, 9)));
    Scenario::new("alone", Grid::empty(10, 10).unwrap(), Rules::default(), vec![agent]).unwrap()
}

/// With `alpha=0` a map stays as it is.
#[test]
fn frozen_maps_do_not_learn() {
    let setup = builtin("promenade", 2).unwrap();
    for planner in ["dm(alpha=0)", "dm-greedy(alpha=0)", "dm-whca(alpha=0)"] {
        let mut session = session(setup.clone(), planner);
        for _ in 0..40 {
            session.tick(&Unlimited, &mut Unobserved);
        }
        assert_eq!(session.directions(), setup.directions, "{planner}");
    }
}

/// From every cell to every other, whatever the size of sectors: also along, across and at the ends of their boundaries, in
/// sectors of several regions, and where the map ends within a sector.
#[test]
fn sectors_lead_everywhere() {
    let rows = ["..@....", ".@@.@@.", "....@..", ".@@@@@.", "......."];
    let grid = Grid::from_rows(&rows).unwrap();
    let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    let cells: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
    for sector in [1, 2, 3, 4, 5, 7, 100] {
        let options = Options::planner(&format!("dm(sector={sector})"));
        for &start in &cells {
            for &goal in &cells {
                let agents = vec![Agent::new(0, start, Task::Goal(goal))];
                let scenario = Scenario::new("one", grid.clone(), rules, agents).unwrap();
                let solution = solve(&scenario, &options, &Unlimited, &mut Unobserved).unwrap();
                assert!(matches!(solution.outcome, Outcome::Solved(_)), "sector={sector} {start} {goal}");
            }
        }
    }
}

/// What cannot be reached is told, with and without sectors.
#[test]
fn sectors_know_islands() {
    let grid = Grid::from_rows(&["...@..", "...@..", "...@.."]).unwrap();
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(5, 2)))];
    let scenario = Scenario::new("islands", grid, Rules::default(), agents).unwrap();
    for planner in ["dm", "dm(sector=2)", "dm(sector=8)"] {
        let solution = solve(&scenario, &Options::planner(planner), &Unlimited, &mut Unobserved).unwrap();
        assert!(matches!(solution.outcome, Outcome::Infeasible { .. }), "{planner}: {:?}", solution.outcome);
    }
}

/// Where a cell closes, sectors are cut anew: units that were to pass go round.
#[test]
fn sectors_are_cut_anew() {
    let grid = Grid::from_rows(&["......", ".@@@@.", "......"]).unwrap();
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(5, 0)))];
    let scenario = Scenario::new("loop", grid, Rules::default(), agents).unwrap();
    let mut session = session(Setup::new(scenario), "dm(sector=2)");
    session.tick(&Unlimited, &mut Unobserved);
    assert_eq!(session.close(Cell::new(3, 0)), Ok(true));
    for _ in 0..20 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    assert!(session.is_done());
}

/// Traffic along the map is more coherent than that of windows alone, by `dm` and by windows along lanes, which lose no move.
#[test]
fn lanes_are_more_coherent() {
    let scenario = street(Rules { connectivity: Connectivity::Eight, ..Rules::default() }, 1);
    let run = |planner: &str| {
        let mut session = session(Setup::new(scenario.clone()), planner);
        let mut metrics = Metrics::new(session.scenario(), session.state());
        let mut flow = Flow::new(session.scenario().grid(), rates(), 0);
        while !session.is_done() && session.state().tick < 2000 {
            session.tick(&Unlimited, &mut Observers(&mut [&mut metrics, &mut flow]));
        }
        (flow.map().coherence(session.scenario().grid()).value(), metrics.failed_moves())
    };
    let [(dm, _), (whca, _), (both, failed)] = ["dm", "whca(window=8)", "dm-whca(window=8)"].map(run);
    assert!(dm > whca && both > whca, "dm {dm}, whca {whca}, dm-whca {both}");
    assert_eq!(failed, 0);
}
