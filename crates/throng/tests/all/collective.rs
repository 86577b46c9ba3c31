//! `collective`: units slow down before they detour, the most delayed go first, and whoever does not get on says so.

use crate::kit::{reachable, session, tick, watched};
use proptest::prelude::*;
use throng::Session;
use throng::core::{Agent, AgentId, Cell, Grid, Rules, Scenario, Setup, Task, Tick, Timing, Unlimited};
use throng_testkit::Worlds;

fn goal(id: u32, start: (i32, i32), goal: (i32, i32)) -> Agent {
    let [start, goal] = [start, goal].map(|(x, y)| Cell::new(x, y));
    Agent::new(id, start, Task::Goal(goal))
}

fn world(rows: &[&str], agents: Vec<Agent>) -> Setup {
    let grid = Grid::from_rows(rows).unwrap();
    Setup::new(Scenario::new("collective", grid, Rules::default(), agents).unwrap())
}

/// Where a unit is at every tick until all are done.
fn walk(session: &mut Session, unit: usize, ticks: Tick) -> Vec<Cell> {
    let at = |session: &Session| session.scenario().grid().cell(session.state().units[unit].at);
    let mut cells = vec![at(session)];
    while !session.is_done() && session.state().tick < ticks {
        tick(session, &Unlimited);
        cells.push(at(session));
    }
    cells
}

/// Two roads that cross, five cells of each before the crossing and nothing beside them.
const CROSSING: [&str; 11] = [
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "...........",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
    "@@@@@.@@@@@",
];

/// Both would be at the crossing at once; the second comes one tick later and waits before it, not at it.
#[test]
fn who_would_meet_somebody_slows_down_before() {
    let agents = vec![goal(0, (0, 5), (10, 5)), goal(1, (5, 0), (5, 10))];
    let mut session = session(world(&CROSSING, agents), "collective");
    let walked = walk(&mut session, 1, 50);
    assert!(session.is_done());
    assert_eq!(session.state().tick, 11, "one tick later than alone");
    let waited: Vec<_> = walked.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].y).collect();
    assert_eq!(waited.len(), 1, "{walked:?}");
    assert!(waited[0] < 5, "before the crossing: {walked:?}");
    let back = walked.windows(2).any(|pair| pair[1].y < pair[0].y);
    assert!(!back, "speed is what changes, not the way: {walked:?}");
}

/// The waits are spread: two cross one after the other, the third lets both pass and does not stand for two ticks.
#[test]
fn waits_are_spread_before_the_meeting_point() {
    let agents = vec![goal(0, (1, 5), (10, 5)), goal(1, (0, 5), (9, 5)), goal(2, (5, 1), (5, 10))];
    let mut session = session(world(&CROSSING, agents), "collective(threshold=30,order=arrival)");
    let walked = walk(&mut session, 2, 50);
    assert!(session.is_done());
    let pairs: Vec<_> = walked.windows(2).map(|pair| pair[0] == pair[1]).collect();
    let first = &pairs[..pairs.len().min(8)];
    assert_eq!(first.iter().filter(|&&stood| stood).count(), 2, "{walked:?}");
    assert!(!first.windows(2).any(|two| two == [true, true]), "{walked:?}");
}

/// With room beside the way: who may go as slowly as it likes stays on its way, who may not goes around.
#[test]
fn the_threshold_decides_between_slower_and_around() {
    let rows = ["........", "........", "........"];
    let guard = Agent::new(0, Cell::new(4, 1), Task::Hold);
    let around = |spec: &str| {
        let agents = vec![guard.clone(), goal(1, (0, 1), (7, 1))];
        let mut session = session(world(&rows, agents), spec);
        walk(&mut session, 1, 30);
        (session.is_done(), session.state().tick)
    };
    // Nobody waits for a guard for ever: even the most patient go around in the end.
    for spec in ["collective(threshold=100)", "collective(threshold=50)", "collective(threshold=10)"] {
        assert_eq!(around(spec), (true, 9), "{spec}");
    }
    // A unit that crosses is worth waiting for only below the threshold.
    let crossing = |spec: &str| {
        let agents = vec![goal(0, (4, 0), (4, 2)), goal(1, (3, 1), (7, 1))];
        let mut session = session(world(&rows, agents), spec);
        let walked = walk(&mut session, 1, 30);
        assert!(session.is_done(), "{spec}");
        walked.iter().any(|cell| cell.y != 1)
    };
    assert!(!crossing("collective(threshold=10)"), "it waits");
}

/// One comes late to a crossing because it had to wait before; a queue that knows delays lets it go first there.
#[test]
fn the_most_delayed_goes_first() {
    // Unit 1 is held up by a slow start (0 crosses its way) and then meets 2, which was never late, at the second crossing.
    let rows = ["@@.@@@@.@@@", "@@.@@@@.@@@", "@@.@@@@.@@@", "...........", "@@.@@@@.@@@", "@@.@@@@.@@@"];
    let agents = vec![goal(0, (2, 1), (2, 5)), goal(1, (0, 3), (10, 3)), goal(2, (7, 5), (7, 0))];
    let mut delays = Vec::new();
    for spec in ["collective", "collective(order=arrival)"] {
        let mut session = session(world(&rows, agents.clone()), spec);
        let mut late = [0; 3];
        while !session.is_done() && session.state().tick < 60 {
            tick(&mut session, &Unlimited);
            for (index, late) in late.iter_mut().enumerate() {
                if !session.rests(AgentId(index as u32)) {
                    *late = session.state().tick;
                }
            }
        }
        assert!(session.is_done(), "{spec}");
        let alone = [4, 10, 5];
        delays.push(late.iter().zip(alone).map(|(late, alone)| late + 1 - alone).collect::<Vec<_>>());
    }
    let largest = |k: usize| delays[k].iter().max().copied();
    assert!(largest(0) <= largest(1), "{delays:?}");
}

/// Head-on in a corridor with a bay: one backs out, however late that makes it, until the other is past.
#[test]
fn one_backs_out_of_a_corridor() {
    for rows in
        [["@@@@@@@.@@@@", "............", "@@@@@@@@@@@@"], ["@.@@@@@@@@@@", "............", "@@@@@@@@@@@@"]]
    {
        for turned in [false, true] {
            let (mut a, mut b) = (((0, 1), (10, 1)), ((10, 1), (0, 1)));
            if turned {
                (a, b) = (b, a);
            }
            let agents = vec![goal(0, a.0, a.1), goal(1, b.0, b.1)];
            let mut session = session(world(&rows, agents), "collective(visibility=6)");
            watched(&mut session, 80, &Unlimited);
            assert!(session.is_done(), "{rows:?} {turned}: {}", session.why(AgentId(1)));
        }
    }
}

/// Whoever is driven into a dead end and can back out no farther is let out.
#[test]
fn who_cannot_back_out_is_let_out() {
    let rows = ["@@@@@@@@.....", ".............", "@@@@@@@@....."];
    let agents = vec![goal(0, (12, 1), (0, 1)), goal(1, (2, 1), (12, 0))];
    let mut session = session(world(&rows, agents), "collective(visibility=6)");
    watched(&mut session, 120, &Unlimited);
    assert!(session.is_done(), "{}", session.why(AgentId(1)));
}

/// Where nobody can ever pass, both say that they are stuck and on whose account.
#[test]
fn where_there_is_no_way_past_both_are_reported() {
    let agents = vec![goal(0, (0, 0), (7, 0)), goal(1, (7, 0), (0, 0))];
    let mut session = session(world(&["........"], agents), "collective");
    watched(&mut session, 200, &Unlimited);
    for unit in [0, 1] {
        let why = session.explain(AgentId(unit)).unwrap();
        assert!(why.cause.is_stuck(), "{why}");
        assert_eq!(why.cause.blocker(), Some(AgentId(1 - unit)), "{why}");
        assert!(why.since < 10, "{why}");
    }
}

/// One goes to and fro between two bays for ever, and another wants to one of them. It gave way to the first until that
/// had arrived; but whoever patrols has another way to go at once and never rests, so it gave way for ever.
#[test]
fn nobody_gives_way_to_a_patrol_for_ever() {
    let rows = ["@@@@.@@@@", ".........", ".........", "@@@@.@@@@"];
    let patrol = |id: u32, start: (i32, i32), goal: (i32, i32)| {
        let [start, goal] = [start, goal].map(|(x, y)| Cell::new(x, y));
        Agent::new(id, start, Task::Patrol { goal, rounds: 1000 })
    };
    // By tiles alone nobody asks who is late.
    for spec in ["collective", "collective(visibility=4)", "flock"] {
        let agents = vec![patrol(0, (4, 0), (4, 3)), patrol(1, (0, 1), (4, 0))];
        let mut session = session(world(&rows, agents), spec);
        watched(&mut session, 300, &Unlimited);
        let legs: Vec<_> = session.state().units.iter().map(|unit| unit.leg).collect();
        assert!(legs.iter().all(|&leg| leg >= 10), "{spec}: {legs:?}");
    }
}

/// Whoever has not arrived after a long time has come nearer to its goal of late, or says what keeps it.
fn gets_on_or_says_why(scenario: Scenario, spec: &str) -> Result<(), TestCaseError> {
    let period = scenario.agents().iter().map(|agent| Tick::from(agent.period)).max().unwrap_or(1);
    let mut session = session(Setup::new(scenario), spec);
    let mut least = vec![(u32::MAX, 0, 0); session.state().units.len()];
    while !session.is_done() && session.state().tick < 300 * period {
        tick(&mut session, &Unlimited);
        for (index, least) in least.iter_mut().enumerate() {
            let unit = &session.state().units[index];
            let (grid, agent) = (session.scenario().grid(), &session.scenario().agents()[index]);
            let (at, goal) = (grid.cell(unit.at), agent.waypoints().target(unit.leg));
            let far = at.x.abs_diff(goal.x) + at.y.abs_diff(goal.y);
            if far < least.0 || unit.leg != least.2 {
                *least = (far, session.state().tick, unit.leg);
            }
        }
    }
    let now = session.state().tick;
    for agent in session.scenario().agents().iter().map(|agent| agent.id) {
        let (_, since, _) = least[agent.index()];
        if session.has_arrived(agent) || now - since < 100 * period {
            continue;
        }
        let why = session.explain(agent).unwrap();
        prop_assert!(why.cause.is_stuck(), "{why} at {now}\n{}", session.why(agent));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn everybody_gets_on_or_says_why(
        scenario in Worlds { rules: Worlds::all_rules(), periods: 1..=3, ..Worlds::small() }.strategy().prop_map(reachable),
        visibility in 2..12u32,
        threshold in 1..=100u32,
    ) {
        gets_on_or_says_why(scenario, &format!("collective(visibility={visibility},threshold={threshold})"))?;
    }

    #[test]
    fn flocks_get_on_or_say_why(
        scenario in Worlds { rules: Worlds::all_rules(), periods: 1..=3, ..Worlds::small() }.strategy().prop_map(reachable),
        delta in 2..12u32,
        conflict in proptest::sample::select(&["rules", "tiles"]),
    ) {
        gets_on_or_says_why(scenario, &format!("flock(delta={delta},conflict={conflict})"))?;
    }
}

/// Bodies of several cells and speeds, in steps.
#[test]
fn large_and_slow_ones_cross() {
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let agents = vec![
        Agent { body: 2, period: 4, ..goal(0, (0, 3), (10, 3)) },
        Agent { period: 2, ..goal(1, (5, 0), (5, 8)) },
        Agent { period: 7, ..goal(2, (11, 5), (0, 5)) },
    ];
    let scenario = Scenario::new("mixed", Grid::empty(12, 9).unwrap(), rules, agents).unwrap();
    let mut session = session(Setup::new(scenario), "collective");
    let report = watched(&mut session, 300, &Unlimited);
    assert!(session.is_done());
    assert_eq!(report.failed_moves, 0);
}
