//! Saving at any tick and going on from there gives the same future; other bytes give an error.

use crate::kit::{Time, enough, hashes, replayed, session, supports, travellers};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Sight, StateHash,
    Task, Unlimited, Unobserved,
};
use throng::planners::registry;
use throng::worlds::builtin;
use throng::{Error, Options, Session};

/// Runs to the end, once in one go and once with a save at each of these ticks; the hashes of all ticks after
/// the save must agree, also with another number of threads.
pub(crate) fn same_future(
    name: &str,
    make: impl Fn() -> Session,
    saves: &[u64],
    ticks: u64,
    budget: &Expansions,
) {
    let whole = hashes(&mut make(), ticks, budget);
    for &at in saves {
        let mut first = make();
        hashes(&mut first, at, budget);
        let at = first.state().tick;
        let saved = first.save();
        let mut second = Session::resume(&saved, 1).unwrap_or_else(|e| panic!("{name} at {at}: {e}"));
        assert_eq!(second.state(), first.state(), "{name} at {at}");
        assert_eq!(second.save(), saved, "{name}: resumed at {at}, it saves the same again");
        let future = hashes(&mut second, ticks, budget);
        let differ = whole[at as usize..].iter().zip(&future).position(|(a, b)| a != b);
        assert_eq!(differ, None, "{name}: saved at {at}, another future after so many ticks");
        assert_eq!(future.len(), whole.len() - at as usize, "{name} at {at}");
    }
}

/// Every planner, every time; under metric timing most saves fall into the middle of moves.
#[test]
fn every_planner_goes_on_as_if_nothing_had_happened() {
    for entry in registry::all() {
        for time in Time::ALL {
            let doorway = builtin("doorway", 1).expect("it is built in").scenario;
            let scenario = replayed(&doorway, time, Connectivity::Eight);
            if !supports(entry.name, &scenario) {
                continue;
            }
            let make = || session(Setup::new(scenario.clone()), entry.name);
            let what = format!("{} {time:?}", entry.name);
            same_future(&what, make, &[0, 1, 2, 7, 18, 33, 61], 150, &enough(entry));
        }
    }
}

/// A save between two halves of a search that the budget cut short.
#[test]
fn budgets_are_taken_up_too() {
    for entry in travellers() {
        let make = || session(builtin("doorway", 2).expect("it is built in"), entry.name);
        same_future(entry.name, make, &[0, 3, 9, 20, 40], 120, &Expansions(150));
    }
}

/// The small people of the town, all of one speed and none first, which every planner can move.
fn town_on_foot() -> Setup {
    let Setup { scenario, planner, .. } = builtin("town", 0).expect("it is built in");
    let small = scenario
        .agents()
        .iter()
        .filter(|agent| agent.body == 1 && agent.team == 0 && agent.task != Task::Hold);
    let agents = small.zip(0..).map(|(agent, id)| Agent::new(id, agent.start, agent.task.clone()));
    let scenario = Scenario::new("on foot", scenario.grid().clone(), Rules::default(), agents.collect());
    Setup { planner, ..Setup::new(scenario.expect("fewer units in the same town")) }
}

/// Lists, patrols and parked units, two controllers in one world.
#[test]
fn two_controllers_are_both_taken_up() {
    let setup = town_on_foot();
    let half = setup.scenario.agents().iter().filter(|agent| agent.id.0 % 2 == 0);
    let unit_planners: Vec<(AgentId, String)> = half.map(|agent| (agent.id, "lra".to_owned())).collect();
    let make = || {
        let setup = Setup { unit_planners: unit_planners.clone(), ..setup.clone() };
        Session::new(setup, &Options::default()).expect("two controllers")
    };
    same_future("town on foot", make, &[5, 40], 90, &Expansions(u64::MAX));
}

/// Sizes, speeds, a hero, guards: all of it is taken up.
#[test]
fn the_town_is_taken_up() {
    let make = || session(builtin("town", 2).expect("it is built in"), "whca(window=12)");
    same_future("town", make, &[1, 37, 111], 200, &Expansions(u64::MAX));
}

/// Units that are stuck are promoted after a while; who is promoted is part of the future.
#[test]
fn promotions_are_taken_up_too() {
    let make = || session(builtin("pushers", 0).expect("it is built in"), "whca(window=8)");
    let saves: Vec<u64> = (0..60).collect();
    same_future("pushers", make, &saves, 120, &Expansions(u64::MAX));
}

/// A cap on memory changes what is computed again, never what is decided.
#[test]
fn memory_changes_nothing() {
    let scenario = large_field();
    let run = |memory: u32| {
        let spec = format!("whca(memory={memory})");
        hashes(&mut session(Setup::new(scenario.clone()), &spec), 150, &Unlimited)
    };
    assert_eq!(run(1), run(1024));
}

/// Distances to a hundred goals on 128×128 cells do not fit into one MiB.
fn large_field() -> Scenario {
    let rules = throng::core::Rules::default();
    let grid = throng::worlds::generate::RandomMap { width: 128, height: 128, ..Default::default() };
    let grid = grid.generate(5).expect("a map");
    let agents = throng::worlds::units(&grid, rules, 100, 5, &Default::default()).expect("units");
    Scenario::new("large", grid, rules, agents).expect("valid")
}

/// Snapshots to spoil: of every planner, in the middle of a run.
static SNAPSHOTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let of = |name: &str| {
        let scenario = builtin("hallway", 0).expect("it is built in").scenario;
        let metric = replayed(&scenario, Time::Metric, Connectivity::Four);
        let scenario = if supports(name, &metric) { metric } else { scenario };
        let mut session = session(Setup::new(scenario), name);
        hashes(&mut session, 23, &enough(registry::find(name).expect(name)));
        session.save()
    };
    let names = travellers().map(|entry| entry.name).chain(["whca(abstraction=1)"]);
    names.map(of).chain([face_to_face()]).collect()
});

/// Two strangers in the dark, one of whom has made way for the other.
fn face_to_face() -> Vec<u8> {
    let grid = Grid::from_rows(&["............", "@..@@@@@@..@"]).expect("a map");
    let agent = |id, from, to| Agent {
        team: id as u16,
        ..Agent::new(id, Cell::new(from, 0), Task::Goal(Cell::new(to, 0)))
    };
    let agents = vec![agent(0, 0, 11), agent(1, 11, 0)];
    let scenario = Scenario::new("face to face", grid, Rules::default(), agents).expect("a scenario");
    let scenario = scenario.with_sight(Sight { map_known: true, ..Sight::new(3) }).expect("eyes");
    let mut session = session(Setup::new(scenario), "whca");
    let gives_way = |session: &Session, id| {
        let why = session.explain(AgentId(id)).expect("it is there");
        matches!(why.cause, Cause::GivesWay { .. })
    };
    while !gives_way(&session, 0) && !gives_way(&session, 1) {
        session.tick(&Unlimited, &mut Unobserved);
        assert!(session.state().tick < 200, "nobody makes way");
    }
    session.save()
}

/// Numbers that no session would write, at every place where one can stand: an error or a session that goes
/// on somehow, never a panic.
#[test]
fn numbers_out_of_range_never_panic() {
    SNAPSHOTS.iter().for_each(|bytes| never_panics(bytes));
}

/// Writes numbers over a snapshot, at every place but in the scenario.
pub(crate) fn never_panics(bytes: &[u8]) {
    let states = bytes.len() / 3; // what comes before is the scenario, as text
    for place in states..bytes.len() {
        for number in [&[0xff, 0xff, 0xff, 0xff, 0x0f][..], &[&[0xff; 9][..], &[0x01]].concat()] {
            let mut bytes = bytes.to_vec();
            bytes.splice(place..=place, number.iter().copied());
            go_on(&sealed(bytes));
        }
        // In place, so that what controllers remember is as long as it says.
        for byte in [0x02, 0x7f] {
            let mut bytes = bytes.to_vec();
            bytes[place] = byte;
            go_on(&sealed(bytes));
        }
    }
}

/// The same with a seal that says that nothing is damaged: eight bytes after the first twelve.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut hash = StateHash::new();
    if let Some(body) = bytes.get(20..) {
        body.iter().for_each(|&byte| hash.add(byte.into()));
        bytes[12..20].copy_from_slice(&hash.finish().to_le_bytes());
    }
    bytes
}

/// Resumes and runs for a while, if it can be resumed.
fn go_on(bytes: &[u8]) {
    if let Ok(mut session) = Session::resume(bytes, 1) {
        for _ in 0..30 {
            session.tick(&Expansions(10_000), &mut Unobserved);
        }
    }
}

/// A place and what to write there: a byte, or one of the numbers at which arithmetic overflows.
fn spoilt() -> impl Strategy<Value = (Index, Vec<u8>)> {
    let large = [&[0xff; 9][..], &[0x01]].concat(); // 2^64 - 1 as snapshots write numbers
    let values = prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => Just(vec![0xff, 0xff, 0xff, 0xff, 0x0f]), // 2^32 - 1
        1 => Just(large),
    ];
    (any::<Index>(), values)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_an_error(bytes: Vec<u8>) {
        prop_assert!(matches!(Session::resume(&bytes, 1), Err(Error::Snapshot(_))));
        let mut bytes = bytes;
        bytes.splice(0..0, *b"THRONG-SAVE\x01");
        prop_assert!(Session::resume(&bytes, 1).is_err());
    }

    #[test]
    fn what_is_cut_off_is_an_error(which: Index, end: Index) {
        let bytes = which.get(&SNAPSHOTS);
        let refused = Session::resume(&bytes[..end.index(bytes.len())], 1).err().map(|e| e.to_string());
        prop_assert!(refused.as_ref().is_some_and(|why| why.contains("cut short")), "{refused:?}");
    }

    /// Spoilt bytes are an error. If the seal says that they are not, they give an error or a session that goes on
    /// somehow, never a panic.
    #[test]
    fn spoilt_bytes_never_panic(which: Index, spoilt in prop::collection::vec(spoilt(), 1..4)) {
        let mut bytes = which.get(&SNAPSHOTS).clone();
        for (place, values) in spoilt {
            let place = place.index(bytes.len());
            let end = bytes.len().min(place + values.len());
            bytes[place..end].copy_from_slice(&values[..end - place]);
        }
        if bytes != *which.get(&SNAPSHOTS) {
            prop_assert!(Session::resume(&bytes, 1).is_err());
        }
        go_on(&sealed(bytes));
    }
}
