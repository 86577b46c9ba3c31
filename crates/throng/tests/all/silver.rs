//! What Silver's article says of cooperative planning holds here.

use crate::kit::{Watch, session, travellers};
use std::collections::BTreeMap;
use throng::core::{
    Agent, AgentId, Cell, Grid, Observer, Outcome, Reason, Rules, Scenario, SearchKind, Setup, Task, Tick,
    Unlimited, Unobserved,
};
use throng::worlds::builtin;
use throng::{Options, solve};

/// Units given as start x, y and goal x, y.
fn scenario(rows: &[&str], units: &[[i32; 4]]) -> Scenario {
    let unit = |(id, &[x, y, to_x, to_y]): (usize, &[i32; 4])| {
        Agent::new(id as u32, Cell::new(x, y), Task::Goal(Cell::new(to_x, to_y)))
    };
    let agents = units.iter().enumerate().map(unit).collect();
    Scenario::new("drawn", Grid::from_rows(rows).expect("a map"), Rules::default(), agents).expect("valid")
}

/// Expansions of the main search.
#[derive(Default)]
struct Expanded(u64);

impl Observer for Expanded {
    fn expanded(&mut self, _agent: AgentId, kind: SearchKind, count: u64) {
        self.0 += if kind == SearchKind::Main { count } else { 0 };
    }
}

/// "Choosing a Heuristic": the straight line leads into the dead end and floods it, the true distance does
/// not even look at it.
#[test]
fn hca_expands_less_than_ca_before_a_dead_end() {
    let rows =
        ["..........", ".@@@@@@@..", "........@.", "........@.", "........@.", ".@@@@@@@..", ".........."];
    let scenario = scenario(&rows, &[[1, 3, 9, 3], [1, 2, 9, 2]]);
    let expanded = |planner| {
        let mut counter = Expanded::default();
        let solution = solve(&scenario, &Options::planner(planner), &Unlimited, &mut counter).expect(planner);
        assert!(solution.is_solved(), "{planner}");
        counter.0
    };
    let (ca, hca) = (expanded("ca"), expanded("hca"));
    assert!(2 * hca < ca, "hca {hca}, ca {ca}");
}

/// "Windowing": replanning halfway through a window of d, each in its own tick, n units do about 2n/d
/// searches a tick. In the open nobody is promoted and nobody has to plan out of turn.
#[test]
fn searches_are_spread_over_the_ticks() {
    let spread = "whca(window=16,first=spread)";
    for (spec, window) in [("whca(window=16)", 16), ("whca(window=8)", 8), (spread, 16)] {
        let setup = builtin("field", 0).expect("it is built in");
        let field = setup.scenario.clone();
        let mut watch = Watch::new(&field);
        let mut session = session(setup, spec);
        while !session.is_done() {
            assert!(session.state().tick < 200, "{spec}");
            session.tick(&Unlimited, &mut watch);
        }
        let even = 2 * field.agents().len() as u64 / window;
        let first = if spec == spread { even + SLACK } else { 100 };
        assert!(watch.searches[0] <= first, "{spec}: {} searches in the first tick", watch.searches[0]);
        let most = watch.searches[1..].iter().copied().max().unwrap_or(0);
        println!("{spec}: {even} expected, {most} at most");
        assert!(most <= even + SLACK, "{spec}: {most} searches in a tick, about {even} expected");
    }
}

/// Units that plan out of turn.
const SLACK: u64 = 1;

/// How many ticks ahead everybody has planned last.
#[derive(Default)]
struct Depths(BTreeMap<AgentId, Tick>);

impl Observer for Depths {
    fn reserved(&mut self, agent: AgentId, from: Tick, until: Tick) {
        self.0.insert(agent, until - from);
    }
}

/// With `window=auto` units plan farther ahead where it is crowded, and take turns all the same.
#[test]
fn the_window_follows_the_crowd() {
    let row = ".".repeat(80);
    let rows = [row.as_str(); 16];
    // A block of 64 that goes to the right for a while, and one far ahead of it.
    let mut units: Vec<_> = (0..64).map(|k| [k % 8, 4 + k / 8, 30 + k % 8, 4 + k / 8]).collect();
    units.push([60, 8, 79, 8]);
    let mut session = session(Setup::new(scenario(&rows, &units)), "whca(window=auto)");
    let mut depths = Depths::default();
    session.tick(&Unlimited, &mut depths);
    assert_eq!(depths.0[&AgentId(64)], 8, "alone");
    assert_eq!(depths.0[&AgentId(27)], 16, "in the midst of it");
    let world = session.scenario().clone();
    let mut session = crate::kit::session(Setup::new(world.clone()), "whca(window=auto)");
    let mut watch = Watch::new(&world);
    while !session.is_done() {
        assert!(session.state().tick < 100, "not done");
        session.tick(&Unlimited, &mut watch);
    }
    let most = watch.searches[1..].iter().copied().max().unwrap_or(0);
    // Were all windows 8, a quarter of them would plan in a tick.
    assert!(most <= 65 / 4 + SLACK, "{most} searches in a tick");
}

/// "Units at their goal keep planning": those parked in the hallway step aside and come back.
#[test]
fn parked_units_step_aside_and_return() {
    for seed in 0..10 {
        let setup = builtin("hallway", seed).expect("it is built in");
        let hallway = setup.scenario.clone();
        let mut watch = Watch::new(&hallway);
        let mut session = session(setup, "whca(window=16)");
        while !session.is_done() {
            assert!(session.state().tick < 200, "seed {seed}: not done");
            session.tick(&Unlimited, &mut watch);
        }
        let parked: Vec<_> =
            hallway.agents().iter().filter(|agent| agent.waypoints().last() == agent.start).collect();
        assert_eq!(parked.len(), 2);
        for agent in parked {
            assert!(watch.moves[agent.id.index()] >= 2, "seed {seed}: agent {} never moved", agent.id);
            assert!(session.rests(agent.id), "seed {seed}: agent {} is not back", agent.id);
        }
    }
}

/// Whoever stands at its goal and is in nobody's way stays, under every planner.
#[test]
fn units_at_their_goals_stay() {
    let rows = ["......", "......", "......"];
    let scenario = scenario(&rows, &[[0, 0, 5, 0], [2, 2, 2, 2], [5, 2, 5, 2]]);
    for entry in travellers() {
        let mut watch = Watch::new(&scenario);
        let mut session = session(Setup::new(scenario.clone()), entry.name);
        while !session.is_done() {
            assert!(session.state().tick < 50, "{}", entry.name);
            session.tick(&Unlimited, &mut watch);
        }
        assert_eq!(watch.moves, [5, 0, 0], "{}", entry.name);
        let solution =
            solve(&scenario, &Options::planner(entry.name), &Unlimited, &mut Unobserved).expect(entry.name);
        assert_eq!(solution.report.map(|r| (r.soc, r.makespan)), Some((5, 5)), "{}", entry.name);
    }
}

/// Where a unit cannot get to its goal at all, the outcome says so and names it.
#[test]
fn an_unreachable_goal_is_infeasible() {
    let scenario = scenario(&["...@.", "...@."], &[[0, 0, 2, 0], [0, 1, 4, 1], [2, 1, 1, 1]]);
    for entry in travellers() {
        let solution =
            solve(&scenario, &Options::planner(entry.name), &Unlimited, &mut Unobserved).expect(entry.name);
        assert_eq!(solution.bounds, None, "{}", entry.name);
        let why = Reason::Unreachable { agent: AgentId(1), from: Cell::new(0, 1), to: Cell::new(4, 1) };
        assert_eq!(solution.outcome, Outcome::Infeasible { why }, "{}", entry.name);
    }
}
