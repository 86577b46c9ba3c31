//! Worlds that units have to see first: what they do not know they cannot use, and what they learn they keep.

use crate::kit::{Time, session, supports, tick, travellers};
use proptest::prelude::*;
use proptest::sample::Index;
use throng::core::{
    Agent, AgentId, Cause, Cell, CellId, Connectivity, Event, Expansions, Grid, Need, Rules, Scenario, Setup,
    Sight, Task, TerrainEvent, Unlimited,
};
use throng::planners::registry;
use throng::search::GridGraph;
use throng::search::abstraction::{Abstraction, Ruler};
use throng::worlds::generate::CaveMap;
use throng::{Error, NewUnit, Options, Session};
use throng_testkit::Worlds;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// All planners that know how to move in the dark.
fn explorers() -> impl Iterator<Item = &'static str> {
    // Coarser levels of a map have to be those of what is known: once they were of the whole map, and told what nobody had seen.
    travellers().filter(|entry| entry.support.fog).map(|entry| entry.name).chain(["whca(abstraction=1)"])
}

/// A pocket that opens towards a unit whose goal is behind it.
const POCKET: [&str; 7] = [
    "............",
    "..@@@@@@@...",
    "........@...",
    "........@...",
    "........@...",
    "..@@@@@@@...",
    "............",
];

fn pocket(sight: Sight, events: Vec<TerrainEvent>) -> Scenario {
    let agents = vec![Agent::new(0, cell(0, 3), Task::Goal(cell(11, 3)))];
    let grid = Grid::from_rows(&POCKET).unwrap();
    let scenario = Scenario::new("pocket", grid, Rules::default(), agents).unwrap();
    scenario.with_events(events).unwrap().with_sight(sight).unwrap()
}

/// One tick in which nobody runs into a wall that it knows of, and nobody forgets.
fn careful(session: &mut Session, budget: &Expansions) {
    let before: Vec<_> = session.units().map(|unit| session.known_world(unit.agent).grid().clone()).collect();
    tick(session, budget);
    for event in session.events() {
        let Event::Failed { agent, action, blocked_by: None, to } = *event else { continue };
        let scenario = session.scenario();
        let from = scenario.grid().cell(session.state().units[agent.index()].at);
        let covered = scenario.agent(agent).actions(scenario.rules()).footprint(from, action);
        let known = &before[agent.index()];
        assert!(
            covered.cells().all(|cell| known.is_open(cell)),
            "unit {agent} knew that it cannot go to {to}"
        );
        let learned = session.known_world(agent).grid();
        assert!(
            !covered.cells().all(|cell| learned.is_open(cell)),
            "unit {agent} has learned nothing at {to}"
        );
    }
}

/// Into the pocket, for nobody has seen its end, and out again; with the map known, around it at once.
#[test]
fn what_is_not_seen_is_taken_for_open() {
    for planner in explorers() {
        let ticks = [Sight::new(2), Sight { map_known: true, ..Sight::new(2) }].map(|sight| {
            let mut session = session(Setup::new(pocket(sight, vec![])), planner);
            assert_eq!(session.known_world(AgentId(0)).grid().is_open(cell(8, 3)), !sight.map_known);
            while !session.is_done() {
                careful(&mut session, &Expansions(u64::MAX));
                assert!(session.state().tick < 100, "{planner}");
            }
            assert!(!session.known_world(AgentId(0)).grid().is_open(cell(8, 3)), "{planner}");
            session.state().tick
        });
        assert!(ticks[0] >= 24 && ticks[1] == 17, "{planner}: {ticks:?}");
    }
}

/// Walls hide what is behind them, unless units look through them.
#[test]
fn walls_hide() {
    for line_of_sight in [true, false] {
        let sight = Sight { line_of_sight, ..Sight::new(9) };
        let agents = vec![Agent::new(0, cell(0, 0), Task::Hold)];
        let grid = Grid::from_rows(&["..@.@"]).unwrap();
        let scenario = Scenario::new("behind", grid, Rules::default(), agents).unwrap();
        let mut session = session(Setup::new(scenario.with_sight(sight).unwrap()), "whca");
        tick(&mut session, &Unlimited);
        let seen = [0, 1, 2, 3, 4].map(|x| session.has_seen(AgentId(0), cell(x, 0)));
        assert_eq!(seen, [true, true, true, !line_of_sight, !line_of_sight]);
        assert_eq!(session.known_world(AgentId(0)).grid().is_open(cell(4, 0)), line_of_sight);
    }
}

/// What changes out of sight is not known: a unit goes for the door that it remembers open, and finds it closed; what it
/// remembers closed stays closed for it.
#[test]
fn changes_have_to_be_seen() {
    let event =
        |at, close: &[Cell], open: &[Cell]| TerrainEvent { at, close: close.into(), open: open.into() };
    let rows = ["...@....", "...@....", "........", "...@....", "...@....", "...@...."];
    for planner in explorers() {
        // The door closes at once, and another one opens farther away.
        let events = vec![event(1, &[cell(3, 2)], &[cell(3, 5)])];
        let agents = vec![Agent::new(0, cell(0, 2), Task::Goal(cell(7, 2)))];
        let grid = Grid::from_rows(&rows).unwrap();
        let scenario = Scenario::new("doors", grid, Rules::default(), agents).unwrap();
        let sight = Sight { map_known: true, ..Sight::new(1) };
        let scenario = scenario.with_events(events).unwrap().with_sight(sight).unwrap();
        let mut session = session(Setup::new(scenario), planner);
        for _ in 0..6 {
            careful(&mut session, &Expansions(u64::MAX));
        }
        let known = session.known_world(AgentId(0)).grid();
        assert!(!known.is_open(cell(3, 2)) && !known.is_open(cell(3, 5)), "{planner}");
        let why = session.explain(AgentId(0)).unwrap();
        assert!(matches!(why.cause, Cause::NoKnownWay { .. }), "{planner}: {why}");
        assert!(why.to_string().contains("no way is known from"), "{planner}: {why}");
        // Somebody opens it again before its eyes.
        session.open(cell(3, 2)).unwrap();
        while !session.is_done() {
            careful(&mut session, &Expansions(u64::MAX));
            assert!(session.state().tick < 40, "{planner}");
        }
    }
}

/// A team knows what any of its units has seen; on their own, everybody knows its own.
#[test]
fn knowledge_is_shared_or_not() {
    for shared in [true, false] {
        let agents = [cell(0, 0), cell(11, 0)].into_iter().zip(0..);
        let agents = agents.map(|(start, id)| Agent::new(id, start, Task::Hold)).collect();
        let grid = Grid::from_rows(&[".@........@."]).unwrap();
        let scenario = Scenario::new("shared", grid, Rules::default(), agents).unwrap();
        let sight = Sight { shared, ..Sight::new(1) };
        let mut session = session(Setup::new(scenario.with_sight(sight).unwrap()), "whca");
        tick(&mut session, &Unlimited);
        assert_eq!(session.has_seen(AgentId(0), cell(10, 0)), shared);
        assert_eq!(session.known_world(AgentId(1)).grid().is_open(cell(1, 0)), !shared);
        // Whoever comes later knows what its team knows, or nothing yet.
        let new = session.add(NewUnit::new(cell(5, 0), Task::Goal(cell(6, 0)))).unwrap();
        assert_eq!(session.has_seen(new.agent, cell(1, 0)), shared);
        let mut session = Session::resume(&session.save(), 1).unwrap();
        for _ in 0..3 {
            tick(&mut session, &Unlimited);
        }
        assert!(session.has_arrived(new.agent) && session.has_seen(new.agent, cell(7, 0)));
    }
}

/// Whoever knows everything at once says that it cannot do without.
#[test]
fn planners_that_need_to_see_everything_say_so() {
    for entry in registry::all().iter().filter(|entry| !entry.support.fog) {
        let refused = Session::new(Setup::new(pocket(Sight::new(3), vec![])), &Options::planner(entry.name));
        let need = matches!(refused, Err(Error::Unsupported { need: Need::Fog, .. }));
        assert!(need, "{}", entry.name);
    }
    let grid = Grid::empty(2, 2).unwrap();
    let scenario = Scenario::new("blind", grid, Rules::default(), vec![]).unwrap();
    let error = scenario.with_sight(Sight::new(0)).unwrap_err();
    assert_eq!(error.to_string(), "sight has radius 0, expected 1 to 1024");
}

fn sight() -> impl Strategy<Value = Sight> {
    (1..5u32, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(radius, line_of_sight, shared, map_known)| Sight {
            line_of_sight,
            shared,
            map_known,
            ..Sight::new(radius)
        },
    )
}

fn rooms() -> Worlds {
    Worlds { width: 8..=18, height: 8..=14, walls: 10..=35, agents: 1..=6, ..Worlds::small() }
}

/// The same by other rules and with sight.
fn dark(scenario: &Scenario, time: Time, sight: Sight) -> Scenario {
    let scenario = crate::kit::replayed(scenario, time, scenario.rules().connectivity);
    scenario.with_sight(sight).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing leaks: of two worlds that differ in one cell all units do the same until somebody has seen that cell.
    #[test]
    fn what_is_not_seen_changes_no_decision(
        scenario in rooms().strategy(),
        sight in sight(),
        at: (Index, Index),
        budget in prop_oneof![Just(u64::MAX), 20..400u64],
    ) {
        let sight = Sight { map_known: false, ..sight };
        let grid = scenario.grid();
        let odd = cell(at.0.index(grid.width()) as i32, at.1.index(grid.height()) as i32);
        let agents = scenario.agents();
        prop_assume!(agents.iter().all(|agent| agent.start != odd && agent.waypoints().last() != odd));
        let id = grid.id(odd).unwrap();
        let mut other = grid.clone();
        other.set_letter(id, if grid.is_open_id(id) { b'@' } else { b'.' }).unwrap();
        let other = Scenario::new(scenario.name(), other, scenario.rules(), agents.to_vec()).unwrap();
        for planner in explorers() {
            let mut twins = [&scenario, &other].map(|world| {
                session(Setup::new(dark(world, Time::Uniform, sight)), planner)
            });
            for _ in 0..60 {
                twins.iter_mut().for_each(|session| tick(session, &Expansions(budget)));
                let [one, two] = &twins;
                let seen = |session: &Session| agents.iter().any(|agent| session.has_seen(agent.id, odd));
                // A wall shows its sides where an open cell does not show its middle.
                if seen(one) || seen(two) {
                    break;
                }
                prop_assert_eq!(one.events(), two.events(), "{}", planner);
                prop_assert_eq!(one.state(), two.state(), "{}", planner);
            }
        }
    }

    /// In any world, by any rules: nobody runs into a wall that it knows, what is saved goes on in the same way, and in
    /// the end everybody has arrived or can say why not.
    #[test]
    fn everybody_finds_out(
        scenario in rooms().strategy(),
        sight in sight(),
        time in prop::sample::select(&Time::ALL[..]),
        budget in prop_oneof![Just(u64::MAX), 20..400u64],
        at in 1..60u64,
    ) {
        for planner in explorers() {
            let scenario = dark(&scenario, time, sight);
            if !supports(planner, &scenario) {
                continue;
            }
            let (mut session, mut twin) = (session(Setup::new(scenario), planner), None::<Session>);
            let budget = Expansions(budget);
            while !session.is_done() && session.state().tick < 400 {
                careful(&mut session, &budget);
                if let Some(twin) = &mut twin {
                    tick(twin, &budget);
                    prop_assert_eq!(twin.events(), session.events(), "{}", planner);
                    prop_assert_eq!(twin.state(), session.state(), "{}", planner);
                } else if session.state().tick == at {
                    twin = Some(Session::resume(&session.save(), 1).unwrap());
                }
            }
            for unit in session.units() {
                prop_assert!(session.explain(unit.agent).is_some(), "{}", planner);
            }
        }
    }
}

/// Alone in a cave, everybody gets there by what it sees: thousands of ticks.
#[test]
fn alone_everybody_gets_there() {
    for seed in 0..6 {
        let grid = CaveMap { width: 40, height: 40, percent: 43, rounds: 4 }.generate(seed).unwrap();
        let open: Vec<_> = grid.open_ids().collect();
        let (from, to) = (grid.cell(open[0]), grid.cell(open[open.len() - 1]));
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            for planner in explorers() {
                let agents = vec![Agent::new(0, from, Task::Goal(to))];
                let rules = Rules { connectivity, ..Rules::default() };
                let scenario = Scenario::new("cave", grid.clone(), rules, agents).unwrap();
                let scenario = scenario.with_sight(Sight::new(4)).unwrap();
                let mut session = session(Setup::new(scenario), planner);
                while !session.is_done() {
                    careful(&mut session, &Expansions(u64::MAX));
                    assert!(session.state().tick < 3000, "{planner} {seed}");
                }
            }
        }
    }
}

/// By open cell and level: by which name the node goes that stands for it, and how many cells that is.
fn told(grid: &Grid, levels: &Abstraction) -> Vec<(usize, u32, u32)> {
    let of = |id: CellId| (1..=levels.height()).map(move |level| levels.ancestor(id.0, level));
    // Cells with nothing beside them belong to no node.
    let nodes = grid.open_ids().flat_map(of).filter(|&(level, _)| level > 0);
    nodes.map(|(level, node)| (level, levels.name(level, node), levels.weight(level, node))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Coarser levels of what is known grow as it is seen, cell by cell, and are always what building them anew gives; also where
    /// things are forgotten.
    #[test]
    fn levels_grow_with_what_is_known(seed in 0..1000u64, fading in prop::option::of(8..30u32), eight: bool) {
        let grid = CaveMap { width: 20, height: 16, percent: 42, rounds: 3 }.generate(seed).unwrap();
        let start = grid.cell(grid.open_ids().next().unwrap());
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let rules = Rules { connectivity, ..Rules::default() };
        let agents = vec![Agent::new(0, start, Task::Explore)];
        let scenario = Scenario::new("levels", grid, rules, agents).unwrap();
        let scenario = scenario.with_sight(Sight { fading, ..Sight::new(4) }).unwrap();
        let mut session = session(Setup::new(scenario), "explore");
        let known = |session: &Session| session.known_world(AgentId(0)).grid().clone();
        let anew = |grid: &Grid| Abstraction::new(&GridGraph::new(grid, rules, 1), Ruler::of(rules));
        let (mut before, mut walls) = (known(&session), 0);
        let mut levels = anew(&before);
        for _ in 0..60 {
            tick(&mut session, &Unlimited);
            let now = known(&session);
            for id in before.clone().open_ids().chain(now.open_ids()) {
                if before.is_open_id(id) != now.is_open_id(id) {
                    before.set_letter(id, now.letter(id)).unwrap();
                    let graph = GridGraph::new(&before, rules, 1);
                    levels.repair(&graph, &Abstraction::around(&before, id));
                    walls += 1;
                }
            }
            prop_assert_eq!(told(&now, &levels), told(&now, &anew(&now)));
        }
        prop_assert!(walls > 0);
    }
}
