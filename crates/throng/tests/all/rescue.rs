//! Whoever is stuck goes by priority inheritance until it arrives: no planner with `rescue` stands in a jam for ever.

use crate::kit::{Time, hashes, reachable, replayed, session, supports, tick, watched};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use throng::core::{
    Agent, Cell, Connectivity, Event, Expansions, Grid, Rules, Scenario, Setup, Task, Tick, Unlimited,
    Unobserved,
};
use throng::worlds::builtin;
use throng::{Options, Session, solve};
use throng_testkit::{Worlds, optimal};

/// All whose units are rescued.
const RESCUED: [&str; 4] = ["whca(window=8)", "cpra", "dm", "dm-whca"];

/// The same, the search that rescues them when nothing else does, and those who go by what steps cost in traffic.
const ALL: [&str; 9] = [
    "whca(window=8)",
    "cpra",
    "dm",
    "dm-whca",
    "rt-lacam",
    "pibt(guidance=directions)",
    "pibt(guidance=flow)",
    "pibt(guidance=lanes)",
    "rt-lacam(guidance=flow)",
];

/// So many times what the slowest of all needs alone, or five ticks where that is less, everybody may take.
const BOUND: Tick = 20;

/// Two crowds in a corridor that is one cell wide, each on its way to where the other begins; there is room at both ends.
fn corridor(rules: Rules) -> Scenario {
    let grid = Grid::from_rows(&["....@@@@@@@@@@....", "..................", "....@@@@@@@@@@...."]).unwrap();
    let ends = (0..3).flat_map(|y| (0..2).map(move |x| (Cell::new(x, y), Cell::new(17 - x, y))));
    let both = ends.flat_map(|(a, b)| [(a, b), (b, a)]);
    let agents = (0..).zip(both).map(|(id, (from, to))| Agent::new(id, from, Task::Goal(to)));
    Scenario::new("corridor", grid, rules, agents.collect()).unwrap()
}

/// What the world is about: without rescue local repair along lanes stands in the corridor for ever, face to face.
#[test]
fn a_jam_in_a_corridor_dissolves() {
    let ends = |spec: &str| {
        let mut session = session(Setup::new(corridor(Rules::default())), spec);
        watched(&mut session, BOUND * 19, &Unlimited);
        session.is_done()
    };
    assert!(!ends("dm(rescue=off)"), "then this test says nothing");
    for spec in RESCUED {
        assert!(ends(spec), "{spec}");
    }
}

/// Worlds that brute force can solve, by the rules of graphs.
fn tiny() -> impl Strategy<Value = Scenario> {
    let rules = [Connectivity::Four, Connectivity::Eight]
        .map(|connectivity| Rules { connectivity, ..Rules::default() });
    Worlds { rules: rules.to_vec(), ..Worlds::tiny() }.strategy()
}

/// Crowded worlds that can be solved: small rooms, many of them nearly full.
fn crowded() -> impl Strategy<Value = Scenario> {
    let rules = [Connectivity::Four, Connectivity::Eight]
        .map(|connectivity| Rules { connectivity, ..Rules::default() });
    (3..13usize, 3..11usize, 0..40u64, 10..60u64, select(rules.to_vec()), any::<u64>()).prop_filter_map(
        "nobody has room",
        |(width, height, walls, crowd, rules, seed)| {
            let mut dice = seed | 1;
            let mut roll = |most: u64| {
                dice ^= dice << 13;
                dice ^= dice >> 7;
                dice ^= dice << 17;
                (dice >> 20) % most
            };
            let letters: Vec<u8> =
                (0..width * height).map(|_| if roll(100) < walls { b'@' } else { b'.' }).collect();
            let grid = Grid::new(width, height, &letters, throng::core::TerrainPolicy::default()).ok()?;
            let mut starts: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
            let mut goals = starts.clone();
            for place in (1..starts.len()).rev() {
                starts.swap(place, roll(place as u64 + 1) as usize);
                goals.swap(place, roll(place as u64 + 1) as usize);
            }
            let count = (starts.len() as u64 * crowd / 100) as usize;
            let ends = starts.into_iter().zip(goals).take(count);
            let agents = (0..).zip(ends).map(|(id, (from, to))| Agent::new(id, from, Task::Goal(to)));
            Scenario::new("crowd", grid, rules, agents.collect()).ok().filter(|s| !s.agents().is_empty())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(10), ..ProptestConfig::with_cases(96) })]

    /// Wherever `lacam` finds a plan everybody arrives, within twenty times the makespan that no plan can beat.
    #[test]
    fn everybody_arrives_where_there_is_a_plan(scenario in crowded(), spec in select(&RESCUED), seed: u64) {
        let lacam = Options { seed, ..Options::planner("lacam") };
        let solution = solve(&scenario, &lacam, &Expansions(200_000), &mut Unobserved).expect("lacam");
        let Some(bounds) = solution.bounds.filter(|_| solution.is_solved()) else { return Ok(()) };
        let mut session =
            Session::new(Setup::new(scenario), &Options { seed, ..Options::planner(spec) }).expect(spec);
        let most = BOUND * bounds.makespan.max(5);
        watched(&mut session, most, &Unlimited);
        prop_assert!(session.is_done(), "{}: {} there after {} ticks", spec, session.arrived(), most);
    }

    /// The search is complete, however little there is for a tick: all arrive in every world that brute force can solve.
    #[test]
    fn the_search_is_complete(scenario in tiny(), pace in 1..60u64, seed: u64) {
        let options = Options { seed, ..Options::planner(&format!("rt-lacam(pace={pace})")) };
        let solvable = optimal(&scenario).is_some();
        let mut session = Session::new(Setup::new(reachable(scenario)), &options).expect("rt-lacam");
        if solvable {
            watched(&mut session, 5000, &Unlimited);
            prop_assert!(session.is_done(), "{} there", session.arrived());
        }
    }

    /// With any budget everything is legal and within the budget; saved at any tick it goes on as it would have; and with two threads
    /// as with one.
    #[test]
    fn the_future_is_one(
        scenario in crowded(),
        spec in select(&ALL),
        budget in prop_oneof![Just(u64::MAX), 1..5000u64],
        at in 0..150u64,
        seed: u64,
    ) {
        let budget = Expansions(budget);
        let begin = |threads| {
            let options = Options { seed, threads, ..Options::planner(spec) };
            Session::new(Setup::new(scenario.clone()), &options)
        };
        // Some goals are out of reach, which is an error and no world.
        let (Ok(mut one), Ok(mut other)) = (begin(1), begin(2)) else { return Ok(()) };
        for now in 0..180 {
            if now == at {
                other = Session::resume(&other.save(), 2).expect("saved just now");
            }
            tick(&mut one, &budget);
            other.tick(&budget, &mut Unobserved);
            prop_assert_eq!(one.state().hash(), other.state().hash(), "{} tick {}", spec, now);
        }
    }

    /// In worlds that it is not for, and as long as nobody is stuck, a planner is what it is without it.
    #[test]
    fn elsewhere_nothing_is_different(
        scenario in Worlds::small().strategy().prop_map(reachable),
        place in 0..RESCUED.len(),
    ) {
        let rules = scenario.rules();
        let ticks = if rules.graph_rules() { 8 } else { 120 };
        let plain = ["whca(window=8,rescue=off)", "cpra(rescue=off)", "dm(rescue=off)", "dm-whca(rescue=off)"];
        let run = |spec| hashes(&mut session(Setup::new(scenario.clone()), spec), ticks, &Unlimited);
        if supports(RESCUED[place], &scenario) {
            prop_assert_eq!(run(RESCUED[place]), run(plain[place]));
        }
    }
}

/// Nobody collides while some are rescued, also under a planner that relies on the executor for that: no move is cancelled from then on.
#[test]
fn nobody_who_is_rescued_loses_a_move() {
    let mut session = session(Setup::new(corridor(Rules::default())), "dm");
    let mut failed = Vec::new();
    while !session.is_done() {
        assert!(session.state().tick < 1000);
        session.tick(&Unlimited, &mut Unobserved);
        if session.events().iter().any(|event| matches!(event, Event::Failed { .. })) {
            failed.push(session.state().tick);
        }
    }
    assert!(session.state().tick > 60, "they were stuck for a while: {}", session.state().tick);
    assert!(failed.iter().all(|&tick| tick < 60), "{failed:?}");
}

/// Under the rules of time and conflicts that it is not for the world ends as without it.
#[test]
fn other_rules_are_left_alone() {
    for time in [Time::HoldBoth, Time::Metric] {
        let base = corridor(Rules::default());
        let scenario = replayed(&base, time, Connectivity::Eight);
        let run = |spec| hashes(&mut session(Setup::new(scenario.clone()), spec), 400, &Unlimited);
        assert_eq!(run("dm"), run("dm(rescue=off)"), "{time:?}");
        assert_eq!(run("cpra"), run("cpra(rescue=off)"), "{time:?}");
    }
}

/// Errands go on where they stopped: without rescue nearly all stand in the corridors of the warehouse before long.
#[test]
fn errands_go_on() {
    let done = |spec: &str| {
        let mut session = session(builtin("warehouse", 0).expect("it is built in"), spec);
        let mut late = 0;
        for tick in 0..8000 {
            session.tick(&Unlimited, &mut Unobserved);
            let done = session.events().iter().filter(|event| matches!(event, Event::Done { .. })).count();
            late += if tick < 7000 { 0 } else { done };
        }
        late
    };
    let (with, without) = (done("dm"), done("dm(rescue=off)"));
    assert!(with > 500 && without < 250, "{with} and {without}");
}

/// Distances that count traffic carry more errands than plain ones where it is crowded; what they depend on is saved.
#[test]
fn guidance_carries_more_and_is_saved() {
    let run = |spec: &str, saved: bool| {
        let mut session = session(builtin("warehouse", 0).expect("it is built in"), spec);
        let mut done = 0;
        for tick in 0..600 {
            if saved && tick == 301 {
                session = Session::resume(&session.save(), 1).expect("saved just now");
            }
            session.tick(&Unlimited, &mut Unobserved);
            done += session.events().iter().filter(|event| matches!(event, Event::Done { .. })).count();
        }
        (done, session.state().hash())
    };
    let (plain, _) = run("pibt", false);
    for source in ["directions", "flow", "lanes"] {
        let spec = format!("pibt(guidance={source})");
        let (done, hash) = run(&spec, false);
        assert_eq!(run(&spec, true), (done, hash), "{spec}");
        assert!(source == "lanes" || done > plain, "{spec}: {done}, without guidance {plain}");
    }
}
