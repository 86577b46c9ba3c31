//! A warm tick allocates nothing.
//!
//! Memory that grows with the run, or a list made anew every tick, would show up as jitter in a game. This
//! is a test program of its own because the counter has to be the allocator of the whole program.

use throng::core::{
    Agent, Brings, Cell, Connectivity, Grid, Places, Rules, Scenario, Setup, Stream, Supply, Task, Timing,
    Unlimited, Unobserved,
};
use throng::{Options, Session};
use throng_testkit::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const SIDE: i32 = 24;

/// Patrols along the streets of a town of blocks, ten from side to side and ten from top to bottom: they meet
/// at a hundred crossings, wait for each other and turn round at the ends, for ever.
fn patrols(rules: Rules, period: u8) -> Scenario {
    let inside = 1..SIDE - 1;
    let block = |x, y| x % 2 == 0 && y % 2 == 0 && inside.contains(&x) && inside.contains(&y);
    let row = |y| (0..SIDE).map(|x| if block(x, y) { '@' } else { '.' }).collect();
    let rows: Vec<String> = (0..SIDE).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let streets = (0..10).map(|street| 2 * street + 1);
    let ends = streets.flat_map(|at| {
        [(Cell::new(0, at), Cell::new(SIDE - 1, at)), (Cell::new(at, 0), Cell::new(at, SIDE - 1))]
    });
    let agents = ends.enumerate().map(|(id, (start, goal))| {
        let task = Task::Patrol { goal, rounds: 1_000_000 };
        Agent { period, ..Agent::new(id as u32, start, task) }
    });
    Scenario::new("patrols", Grid::from_rows(&rows).expect("a map"), rules, agents.collect()).expect("valid")
}

/// Ticks, with the allocations of each that has any.
fn ticks(session: &mut Session, count: u64) -> Vec<(u64, u64)> {
    let mut found = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let before = allocations();
        session.tick(&Unlimited, &mut Unobserved);
        let more = allocations() - before;
        if more > 0 {
            found.push((session.state().tick, more));
        }
    }
    found
}

#[test]
fn a_warm_tick_allocates_nothing() {
    let uniform = Rules::default();
    let eight = Rules { connectivity: Connectivity::Eight, ..uniform };
    let hold_both = Rules { hold_both: true, ..uniform };
    let metric = Rules { timing: Timing::Metric, ..eight };
    let exact =
        [(uniform, 1), (eight, 1), (hold_both, 1), (metric, 5)].map(|(r, p)| ("whca(window=16)", r, p));
    let coarse = ["pra", "whca(abstraction=1)"].map(|spec| (spec, eight, 1));
    for (spec, rules, period) in exact.into_iter().chain(coarse) {
        let setup = Setup::new(patrols(rules, period));
        let mut session = Session::new(setup, &Options::planner(spec)).expect(spec);
        // Long enough for every list to have been as long as it will ever be.
        let warming = ticks(&mut session, 2400 * u64::from(period));
        assert!(!warming.is_empty(), "the counter counts");
        let legs = |session: &Session| session.state().units.iter().map(|unit| unit.leg).sum::<u32>();
        let before = legs(&session);
        let warm = ticks(&mut session, 1000 * u64::from(period));
        assert_eq!(warm, [], "{spec} {rules:?}: (tick, allocations)");
        assert!(legs(&session) > before + 600, "{spec} {rules:?}: the patrols go on");
    }
}

/// Corridors never repeat, so that once in a while one asks for a longer list than any before. Nothing else does.
#[test]
fn corridors_hardly_ever_ask_for_memory() {
    let eight = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    for spec in ["cpra(crowd=0,window=full)", "cpra(crowd=4,jam=25)"] {
        let mut session = Session::new(Setup::new(patrols(eight, 1)), &Options::planner(spec)).expect(spec);
        ticks(&mut session, 4800);
        let warm: u64 = ticks(&mut session, 2000).iter().map(|(_, more)| more).sum();
        assert!(warm <= 20, "{spec}: {warm} allocations in 2000 ticks");
    }
}

/// The same town, and units that do errands from one of `stops` to another, always as many as there are units.
fn errands(stops: Places) -> Scenario {
    let town = patrols(Rules::default(), 1);
    let employed = |agent: &Agent| Agent { task: Task::Errands(Vec::new()), ..agent.clone() };
    let agents: Vec<_> = town.agents().iter().map(employed).collect();
    let supply = Supply::Open(agents.len() as u32 + 5);
    let stream = Stream { supply, brings: Brings::Drawn(vec![stops; 2]), count: None, seed: None };
    Scenario::new("errands", town.grid().clone(), town.rules(), agents)
        .and_then(|scenario| scenario.with_stream(Some(stream)))
        .expect("valid")
}

/// Errands are appointed, given and done without asking for memory: once it is known how far everything is, nothing is asked for.
#[test]
fn errands_ask_for_no_memory() {
    let stations: Vec<_> =
        (0..6).map(|k| Cell::new(3 + 3 * k, if k % 2 == 0 { 1 } else { SIDE - 3 })).collect();
    let setup = Setup::new(errands(Places::Cells(stations)));
    let mut session = Session::new(setup, &Options::planner("whca(window=16)")).expect("valid");
    ticks(&mut session, 6000);
    let before = session.errands().done;
    let warm = ticks(&mut session, 1000);
    assert_eq!(warm, [], "(tick, allocations)");
    assert!(session.errands().done > before + 200);
}
