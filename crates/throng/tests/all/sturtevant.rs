//! What Sturtevant and Buro say of planning with map abstraction holds here.

use crate::kit::{Watch, session, tick, watched};
use proptest::prelude::*;
use throng::core::{
    Agent, Cause, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Task, TerrainPolicy, Timing,
    Unlimited,
};
use throng::worlds::generate::{CrossingMap, Scene};
use throng::worlds::{UnitOptions, units};
use throng::{Error, Options, Session};

fn rules(eight: bool, metric: bool) -> Rules {
    let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
    let timing = if metric { Timing::Metric } else { Timing::Uniform };
    Rules { connectivity, timing, ..Rules::default() }
}

fn lone(grid: Grid, rules: Rules, start: Cell, goal: Cell, period: u8) -> Scenario {
    let agent = Agent { period, ..Agent::new(0, start, Task::Goal(goal)) };
    Scenario::new("lone", grid, rules, vec![agent]).expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// "As long as that abstract path is followed, a unit is guaranteed to eventually reach its goal": however
    /// little is refined at a time, and whatever the map.
    #[test]
    fn who_is_alone_arrives(
        letters in prop::collection::vec(prop_oneof![5 => Just(b'.'), 3 => Just(b'@')], 28 * 28),
        ends in any::<(prop::sample::Index, prop::sample::Index)>(),
        k in 1..6u32,
        width in 0..3u32,
        moves in any::<(bool, bool)>(),
    ) {
        let grid = Grid::new(28, 28, &letters, TerrainPolicy::default()).expect("a map");
        let regions = throng::core::Regions::of(&grid, 1);
        let largest = regions.largest();
        let cells: Vec<_> = grid.open_ids().filter(|&id| Some(regions.of_cell(id)) == largest).collect();
        let [start, goal] = [ends.0, ends.1].map(|end| grid.cell(*end.get(&cells)));
        let period = if moves.1 { 5 } else { 1 };
        let scenario = lone(grid, rules(moves.0, moves.1), start, goal, period);
        let mut session = session(Setup::new(scenario), &format!("pra(k={k},width={width})"));
        let report = watched(&mut session, 28 * 28 * u64::from(period), &Unlimited);
        prop_assert!(session.is_done() && report.failed_moves == 0, "k {k}, width {width}, {moves:?}");
    }
}

/// Whole paths with wide corridors are shortest where nothing is in the way.
#[test]
fn an_open_field_is_crossed_straight() {
    let grid = Grid::empty(60, 40).expect("a map");
    let scenario = lone(grid, rules(true, true), Cell::new(3, 5), Cell::new(57, 31), 5);
    for spec in ["pra(k=inf)", "pra(k=4)"] {
        let mut session = session(Setup::new(scenario.clone()), spec);
        watched(&mut session, 10_000, &Unlimited);
        assert!(session.is_done(), "{spec}");
        let ticks = session.state().tick;
        assert!((26 * 7 + 28 * 5..=26 * 7 + 28 * 5 + 20).contains(&ticks), "{spec}: {ticks}");
    }
}

/// Start and goal without a way between them: found out without a single expansion.
#[test]
fn another_island_is_seen_on_the_coarse_map() {
    let mut rows = vec![".".repeat(64); 64];
    rows.iter_mut().skip(1).for_each(|row| row.replace_range(40..41, "@"));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).expect("a map");
    let scenario = lone(grid, Rules::default(), Cell::new(1, 1), Cell::new(60, 60), 1);
    for planner in ["pra", "whca(abstraction=1)", "cpra"] {
        let mut watch = Watch::new(&scenario);
        let mut session = session(Setup::new(scenario.clone()), planner);
        session.close(Cell::new(40, 0)).unwrap();
        session.tick(&Unlimited, &mut watch);
        assert_eq!(watch.work, [0], "{planner}");
        let no_way = Cause::NoWay { from: Cell::new(1, 1), to: Cell::new(60, 60) };
        assert_eq!(session.why(throng::core::AgentId(0)).links[0].cause, no_way, "{planner}");
    }
}

#[test]
fn a_level_that_is_not_there_is_an_error_that_names_the_highest() {
    let scenario =
        lone(Grid::empty(16, 16).expect("a map"), rules(true, false), Cell::new(0, 0), Cell::new(9, 9), 1);
    let make = |spec: &str| Session::new(Setup::new(scenario.clone()), &Options::planner(spec));
    assert!(make("pra(level=4)").is_ok());
    let error = make("pra(level=5)").expect_err("a map of 16×16 has four levels");
    assert!(matches!(error, Error::Spec(_)));
    assert!(error.to_string().ends_with("level=5: the highest level of this map is 4"), "{error}");
    assert!(make("whca(abstraction=4)").is_ok());
    let error = make("whca(abstraction=5)").expect_err("a map of 16×16 has four levels");
    assert!(error.to_string().ends_with("abstraction=5: the highest level of this map is 4"), "{error}");
    let error = make("whca(bound=steps)").expect_err("a bound of no level");
    assert!(error.to_string().ends_with("bound=steps means nothing without abstraction above 0"), "{error}");
}

/// A level that was there and is not any more, because nearly all cells have closed: units go on by a lower one, and so they do
/// after the session was saved.
#[test]
fn levels_may_go_while_units_move() {
    let grid = Grid::empty(16, 16).expect("a map");
    let ends = (Cell::new(0, 0), Cell::new(1, 3));
    for spec in ["whca(abstraction=4)", "pra(level=4)"] {
        let mut session =
            session(Setup::new(lone(grid.clone(), rules(true, false), ends.0, ends.1, 1)), spec);
        for at in (0..256).map(|k| Cell::new(k % 16, k / 16)).filter(|at| at.x > 1 || at.y > 3) {
            session.close(at).expect("nobody is there");
        }
        let mut loaded = Session::resume(&session.save(), 1).expect(spec);
        for session in [&mut session, &mut loaded] {
            watched(session, 10, &Unlimited);
            assert!(session.is_done(), "{spec}");
        }
    }
}

/// Doors close and open while units go through: the shared levels are mended, and everybody arrives.
#[test]
fn levels_are_mended_while_units_move() {
    let mut rows = vec![".".repeat(32); 32];
    rows[16] = format!("{}..{}", "@".repeat(15), "@".repeat(15));
    rows[8] = format!("..{}..", "@".repeat(28));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).expect("a map");
    let agents =
        (0..12).map(|k| Agent::new(k, Cell::new(2 * k as i32, 0), Task::Goal(Cell::new(2 * k as i32, 31))));
    let scenario = Scenario::new("doors", grid, rules(true, false), agents.collect()).expect("valid");
    let mut session = session(Setup::new(scenario), "pra(k=3,crowd=2)");
    let doors = [(0, 8), (1, 8), (30, 8), (31, 8)].map(|(x, y)| Cell::new(x, y));
    for now in 0..400 {
        // First the left doors are open, then the right ones, in turns; the one in the middle stays.
        if now % 20 == 0 && now <= 200 {
            let (open, shut) =
                if now % 40 == 0 { (&doors[..2], &doors[2..]) } else { (&doors[2..], &doors[..2]) };
            open.iter().for_each(|&door| drop(session.open(door)));
            shut.iter().for_each(|&door| drop(session.close(door)));
        }
        tick(&mut session, &Unlimited);
    }
    assert_eq!(session.arrived(), 12);
}

/// Levels that were mended and levels that were built anew lead to the same future, though their nodes have other
/// numbers.
#[test]
fn what_is_mended_and_what_is_built_anew_decide_alike() {
    for spec in
        ["pra(k=3)", "whca(window=8,abstraction=1)", "whca(window=8,abstraction=2,bound=steps)", "cpra(k=5)"]
    {
        for budget in [u64::MAX, 300] {
            let grid = CrossingMap { scene: Scene::S2, scale: 1 }.generate().expect("a map");
            let rules = rules(true, true);
            let across = UnitOptions { across: true, ..UnitOptions::default() };
            let mut agents = units(&grid, rules, 12, 5, &across).expect("room");
            agents.iter_mut().for_each(|agent| agent.period = 3 + (agent.id.0 % 2) as u8);
            let scenario = Scenario::new("s2", grid, rules, agents).expect("valid");
            let mut whole = session(Setup::new(scenario), spec);
            let budget = Expansions(budget);
            for now in 0..60 {
                if now % 7 == 3 {
                    // Where somebody stands nothing closes, which is all right.
                    let _ = whole.close(Cell::new(9 + now % 5, 14 + now % 4));
                    let _ = whole.open(Cell::new(15, 9 + now % 6));
                }
                tick(&mut whole, &budget);
            }
            let mut loaded = Session::resume(&whole.save(), 1).expect(spec);
            assert_eq!(loaded.save(), whole.save(), "{spec}");
            for _ in 0..120 {
                tick(&mut whole, &budget);
                tick(&mut loaded, &budget);
                assert_eq!(loaded.state(), whole.state(), "{spec} {budget:?}");
            }
        }
    }
}

/// Everybody gets across, cooperating by coarser guides, without a single lost move.
#[test]
fn crowds_cross_by_coarser_guides() {
    for scene in [Scene::S1, Scene::S2] {
        let grid = CrossingMap { scene, scale: 1 }.generate().expect("a map");
        let rules = rules(true, true);
        let across = UnitOptions { across: true, ..UnitOptions::default() };
        let mut agents = units(&grid, rules, 20, 1, &across).expect("room");
        agents.iter_mut().for_each(|agent| agent.period = 5);
        let scenario = Scenario::new("crossing", grid, rules, agents).expect("valid");
        for spec in [
            "whca(window=16,abstraction=1)",
            "whca(window=16,abstraction=2)",
            "whca(window=16,abstraction=3)",
            "whca(window=16,abstraction=1,bound=steps)",
            "cpra(k=8)",
            "cpra(k=10,first=4,replan=3)",
            "cpra(k=4,width=2)",
        ] {
            let mut session = session(Setup::new(scenario.clone()), spec);
            let report = watched(&mut session, 4000, &Unlimited);
            assert_eq!((session.arrived(), report.failed_moves), (20, 0), "{scene:?} {spec}");
        }
    }
}

/// Where moves hold what they cover, nobody can be gone from a place at once. A promoted unit that counted on it left
/// those in its way only places to which they could not get in time, so that they claimed the way back from it: in each
/// of these crowds somebody stood for ever beside free places.
#[test]
fn dense_crowds_make_way() {
    let grid = CrossingMap { scene: Scene::S1, scale: 1 }.generate().expect("a map");
    let rules = rules(true, true);
    let across = UnitOptions { across: true, ..UnitOptions::default() };
    for (seed, spec) in
        [(5, "whca(window=16)"), (12, "whca(window=16)"), (1, "whca(window=16,replan=3,abstraction=1)")]
    {
        let mut agents = units(&grid, rules, 50, seed, &across).expect("room");
        agents.iter_mut().for_each(|agent| agent.period = 5);
        let scenario = Scenario::new("crossing", grid.clone(), rules, agents).expect("valid");
        let mut session = session(Setup::new(scenario), spec);
        watched(&mut session, 2000, &Unlimited);
        assert_eq!(session.arrived(), 50, "seed {seed}, {spec}");
    }
}

/// Corridors without a ring around them, in which units meet and wait: who waits for long gets a wider one. With corridors that
/// stay as they are, somebody is left behind for ever in each of these crowds.
#[test]
fn a_jammed_corridor_is_widened() {
    let grid = CrossingMap { scene: Scene::S2, scale: 1 }.generate().expect("a map");
    let rules = rules(true, true);
    let across = UnitOptions { across: true, ..UnitOptions::default() };
    for (seed, spec) in [
        (1, "cpra(k=4,width=0,window=full)"),
        (5, "cpra(k=4,width=0,window=full)"),
        (6, "cpra(k=8,width=0)"),
        (3, "cpra(k=8)"),
    ] {
        let mut agents = units(&grid, rules, 20, seed, &across).expect("room");
        agents.iter_mut().for_each(|agent| agent.period = 5);
        let scenario = Scenario::new("crossing", grid.clone(), rules, agents).expect("valid");
        let mut session = session(Setup::new(scenario), spec);
        watched(&mut session, 2000, &Unlimited);
        assert_eq!(session.arrived(), 20, "seed {seed}, {spec}");
    }
}

/// "This information can be used to help avoid congested routes": before the nearer of two gates a crowd stands, and who
/// counts that takes the other one.
#[test]
fn crowds_are_avoided() {
    let mut rows = vec![".".repeat(48); 32];
    // Gates at 10 to 13 and 38 to 41; the unit comes from 22.
    rows[16] = format!("{}....{}....{}", "@".repeat(10), "@".repeat(24), "@".repeat(6));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).expect("a map");
    let walker = Agent::new(0, Cell::new(22, 2), Task::Goal(Cell::new(22, 30)));
    // Every other column in front of the nearer gate is taken, for ever.
    let crowd = (1..=8).map(|k: u32| {
        let (x, y) = (10 + 2 * (k as i32 % 2), 11 + (k as i32 + 1) / 2);
        Agent::new(k, Cell::new(x, y), Task::Hold)
    });
    let agents = std::iter::once(walker).chain(crowd).collect();
    let scenario = Scenario::new("gates", grid, rules(true, false), agents).expect("valid");
    for planner in ["pra", "cpra"] {
        let gate = |crowd: u32| {
            let mut session = session(Setup::new(scenario.clone()), &format!("{planner}(crowd={crowd})"));
            let mut gate = None;
            while !session.rests(throng::core::AgentId(0)) {
                assert!(session.state().tick < 300, "{planner} {crowd}");
                tick(&mut session, &Unlimited);
                let at = session.scenario().grid().cell(session.state().units[0].at);
                gate = gate.or((at.y == 16).then_some(at.x < 20));
            }
            gate.expect("it came through")
        };
        assert_eq!((gate(0), gate(40)), (true, false), "{planner}: by the crowded gate?");
    }
}

/// The first search of a unit looks less far ahead, all later ones farther.
#[test]
fn the_first_corridor_is_shorter() {
    #[derive(Default)]
    struct Depths(Vec<u64>);
    impl throng::core::Observer for Depths {
        fn reserved(&mut self, _agent: throng::core::AgentId, from: u64, until: u64) {
            self.0.push(until - from);
        }
    }
    let scenario =
        lone(Grid::empty(64, 64).expect("a map"), rules(true, false), Cell::new(2, 2), Cell::new(60, 50), 1);
    let mut session = session(Setup::new(scenario), "cpra(k=10,first=4,window=full)");
    let mut depths = Depths::default();
    while !session.is_done() {
        assert!(session.state().tick < 100);
        session.tick(&Unlimited, &mut depths);
    }
    assert_eq!(depths.0[..2], [8, 20]);
    assert_eq!(session.state().tick, 58, "straight across");
}
