//! Units that run and units that drive curves, together with those that move in steps.

use crate::kit::{Watch, hashes, reachable, session, watched};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use throng::check::check_step;
use throng::core::{
    Action, Agent, AgentId, Bend, Budget, Cell, Connectivity, Dir, Event, Expansions, Grid, Motion, Rules,
    Scenario, Setup, State, Task, Tick, Timing, Unlimited, Unobserved,
};
use throng::{NewUnit, OrderError, Session};
use throng_testkit::Worlds;

const FOUR: Rules =
    Rules { connectivity: Connectivity::Four, timing: Timing::Metric, hold_both: false, follow: false };
const EIGHT: Rules = Rules { connectivity: Connectivity::Eight, ..FOUR };

fn goal(id: u32, start: (i32, i32), to: (i32, i32), period: u8, motion: Motion) -> Agent {
    let task = Task::Goal(Cell::new(to.0, to.1));
    Agent { period, motion, ..Agent::new(id, Cell::new(start.0, start.1), task) }
}

fn world(rows: &[&str], rules: Rules, agents: Vec<Agent>) -> Scenario {
    Scenario::new("motions", Grid::from_rows(rows).unwrap(), rules, agents).unwrap()
}

/// When each unit comes to rest at its goal, with the judge watching every tick.
fn arrivals(scenario: &Scenario, spec: &str, ticks: Tick) -> Vec<Option<Tick>> {
    let mut session = session(Setup::new(scenario.clone()), spec);
    let mut watch = Watch::new(scenario);
    let there = |agent: &Agent| session.rests(agent.id).then_some(0);
    let mut arrived: Vec<_> = scenario.agents().iter().map(there).collect();
    while !session.is_done() && session.state().tick < ticks {
        session.tick(&Unlimited, &mut watch);
        for (agent, arrival) in scenario.agents().iter().zip(&mut arrived) {
            *arrival = if session.rests(agent.id) { arrival.or(Some(session.state().tick)) } else { None };
        }
    }
    let report = watch.finish();
    assert!(report.is_valid() && report.failed_moves == 0, "{report}");
    arrived
}

/// The least time from an agent's start to its goal when it is alone: every pose, every action, nothing clever.
fn alone(scenario: &Scenario, agent: &Agent) -> Option<Tick> {
    let actions = agent.actions(scenario.rules());
    let mut all = vec![];
    for dir in Dir::ALL {
        all.extend([Action::Go(dir), Action::Accelerate(dir), Action::Run(dir)]);
    }
    all.extend(Bend::ALL.into_iter().flat_map(|bend| (1..=8).map(move |r| Action::Curve(bend, r))));
    all.push(Action::Wait);
    let mut open = BinaryHeap::from([Reverse((0, agent.start, agent.motion.first_pose()))]);
    let mut seen = BTreeSet::new();
    while let Some(Reverse((time, at, pose))) = open.pop() {
        if at == agent.waypoints().last() {
            return Some(time);
        }
        if seen.insert((at, pose)) {
            for &action in all.iter().filter(|&&a| actions.legal(scenario.grid(), at, pose, a)) {
                let time = time + Tick::from(actions.duration(action));
                open.push(Reverse((time, at.after(action), actions.pose_after(pose, action))));
            }
        }
    }
    None
}

fn mixes() -> impl Strategy<Value = Scenario> {
    let worlds = Worlds { width: 5..=18, height: 5..=14, walls: 0..=12, agents: 1..=9, ..Worlds::small() };
    Worlds { periods: 1..=6, ..worlds.of_all_motions() }.strategy().prop_map(reachable)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    /// Whatever the mix, the window, the grain and the budget: legal at every tick by both judges, and no move is
    /// ever cancelled.
    #[test]
    fn any_mix_of_motions_is_legal(
        scenario in mixes(),
        window in 1..20u32,
        grain in prop_oneof![2 => Just(1), 1 => 2..=8u32],
        budget in prop::option::of(0..600u64),
    ) {
        let mut session = session(Setup::new(scenario.clone()), &format!("whca(window={window},grain={grain})"));
        let budget: &dyn Budget = match &budget {
            None => &Unlimited,
            Some(expansions) => &Expansions(*expansions),
        };
        let mut watch = Watch::new(&scenario);
        while !session.is_done() && session.state().tick < 300 {
            let before = session.state().clone();
            session.tick(budget, &mut watch);
            let found = check_step(&scenario, &before, session.state());
            prop_assert!(found.is_empty(), "tick {}: {:?}", before.tick, found);
        }
        let most = watch.work.iter().max().copied().unwrap_or(0);
        prop_assert!(most <= budget.limit(), "{} expansions in a tick", most);
        let report = watch.finish();
        prop_assert!(report.is_valid(), "{}", report);
        prop_assert_eq!(report.failed_moves, 0);
    }

    /// What was saved goes on as if it had not been, coarse tables and moves in progress included.
    #[test]
    fn a_saved_mix_goes_on_alike(
        scenario in mixes(), at in 0..60u64, grain in 1..=4u32, budget in prop::option::of(1..200u64),
    ) {
        let budget = Expansions(budget.unwrap_or(u64::MAX));
        let mut first = session(Setup::new(scenario), &format!("whca(window=6,grain={grain})"));
        hashes(&mut first, at, &budget);
        let mut second = Session::resume(&first.save(), 1).unwrap();
        prop_assert_eq!(hashes(&mut first, at + 60, &budget), hashes(&mut second, at + 60, &budget));
    }

    /// A unit that is alone takes the least time that its actions allow; a runner, which is guided by what a
    /// run would take, not much more.
    #[test]
    fn who_is_alone_takes_the_best_way(
        scenario in Worlds { agents: 1..=1, width: 6..=12, height: 6..=12, ..Worlds::small() }.of_all_motions().strategy(),
    ) {
        prop_assume!(!scenario.agents().is_empty());
        let agent = &scenario.agents()[0];
        let best = alone(&scenario, agent);
        if reachable(scenario.clone()).agents().is_empty() {
            prop_assert_eq!(best, None);
            return Ok(());
        }
        let found = arrivals(&scenario, "whca(window=12)", 1000)[0];
        match agent.motion {
            Motion::Steps | Motion::Car { .. } | Motion::Turns { .. } => prop_assert_eq!(found, best),
            Motion::Gaits { .. } => {
                prop_assert_eq!(found.is_some(), best.is_some());
                let (found, best) = (found.unwrap_or(0), best.unwrap_or(0));
                prop_assert!(best <= found && found <= 2 * best, "{found} instead of {best}");
            }
        }
    }
}

/// A car's curve takes long, so a walker who is slower than anybody may come later without being noticed by that:
/// his window is longer all the same, and the table must have room for it.
#[test]
fn who_is_slower_than_all_may_come_later() {
    let row = ".".repeat(40);
    let car = goal(0, (0, 0), (20, 0), 1, Motion::Car { radius: 8, heading: Dir::E });
    let mut session = session(Setup::new(world(&[row.as_str(); 16], FOUR, vec![car])), "whca(window=16)");
    hashes(&mut session, 5, &Unlimited);
    for y in 2..16 {
        let walker = |x, to| NewUnit {
            period: 12,
            ..NewUnit::new(Cell::new(x, y), Task::Goal(Cell::new(to, 17 - y)))
        };
        session.add(walker(0, 39)).unwrap();
        session.add(walker(39, 0)).unwrap();
    }
    while !session.is_done() {
        let before = session.state().clone();
        assert!(before.tick < 2000, "not done");
        session.tick(&Unlimited, &mut Unobserved);
        assert_eq!(check_step(session.scenario(), &before, session.state()), []);
        assert!(!session.events().iter().any(|event| matches!(event, Event::Failed { .. })));
    }
}

/// Three ticks to accelerate, then two a step, where a walker takes four.
#[test]
fn a_runner_is_there_first() {
    let runner = goal(0, (0, 0), (20, 0), 4, Motion::Gaits { run: 2 });
    let walker = goal(0, (0, 0), (20, 0), 4, Motion::Steps);
    let row = ".".repeat(21);
    let time = |agent: &Agent| arrivals(&world(&[&row], FOUR, vec![agent.clone()]), "whca", 200)[0];
    assert_eq!((time(&runner), time(&walker)), (Some(3 + 19 * 2), Some(80)));
}

#[test]
fn a_runner_overtakes_a_walker() {
    let row = ".".repeat(24);
    let agents = vec![
        goal(0, (4, 0), (22, 0), 4, Motion::Steps),
        goal(1, (0, 0), (23, 0), 4, Motion::Gaits { run: 1 }),
    ];
    let both = arrivals(&world(&[&row, &row, &row], EIGHT, agents), "whca", 400);
    assert_eq!(both[0], Some(72), "the walker goes straight on");
    assert!(both[1].unwrap() < 50, "{both:?}");
}

/// A run cannot turn by a quarter: where only four moves exist it is over at every corner.
#[test]
fn a_runner_slows_down_at_corners() {
    let rows = ["......", "@@@@@.", "@@@@@."];
    let agent = goal(0, (0, 0), (5, 2), 4, Motion::Gaits { run: 2 });
    let scenario = world(&rows, FOUR, vec![agent]);
    let mut session = session(Setup::new(scenario.clone()), "whca");
    watched(&mut session, 100, &Unlimited);
    // East: 3 + 4·2. A tick to stop, then south: 3 + 2.
    assert_eq!(session.state().tick, 11 + 1 + 5);
    assert_eq!(alone(&scenario, &scenario.agents()[0]), Some(17));
}

#[test]
fn a_car_turns_a_corner() {
    let rows = [".........", ".........", ".........", "@@@@@....", "@@@@@....", "@@@@@....", "@@@@@...."];
    for (body, radius) in [(1, 2), (2, 2), (2, 1), (1, 1)] {
        let car = goal(0, (0, 1), (6, 5), 2, Motion::Car { radius, heading: Dir::E });
        let scenario = world(&rows, FOUR, vec![Agent { body, ..car }]);
        let best = alone(&scenario, &scenario.agents()[0]);
        assert!(best.is_some());
        assert_eq!(arrivals(&scenario, "whca", 300), [best], "body {body}, radius {radius}");
    }
}

/// Where there is no room to turn, a car drives back the way it came.
#[test]
fn a_car_reverses_out_of_a_lane() {
    let rows = ["......@", "@@@@..."];
    let car = goal(0, (5, 0), (0, 0), 2, Motion::Car { radius: 2, heading: Dir::E });
    assert_eq!(arrivals(&world(&rows, FOUR, vec![car]), "whca", 100), [Some(10)]);
}

/// The scenario that shows them all.
#[test]
fn the_junction_is_crossed() {
    let text = include_str!("../../../../scenarios/junction.toml");
    let setup = throng::formats::scenario::parse(text, &mut throng::formats::scenario::no_files).unwrap();
    for grain in [1, 2, 4, 8] {
        let mut session = session(setup.clone(), &format!("whca(grain={grain})"));
        let report = watched(&mut session, 600, &Unlimited);
        assert!(session.is_done(), "grain {grain}: {} arrived", session.arrived());
        assert_eq!(report.failed_moves, 0);
        assert!(report.curved > 0);
    }
}

/// Two on crossing ways: by ticks the second goes as soon as the first has left, by entries of eight it waits for
/// the next entry.
#[test]
fn a_coarse_table_keeps_units_apart() {
    let agents = vec![goal(0, (0, 2), (4, 2), 2, Motion::Steps), goal(1, (2, 0), (2, 4), 3, Motion::Steps)];
    let scenario = world(&["....."; 5], FOUR, agents);
    let there = |spec: &str| arrivals(&scenario, spec, 100);
    assert_eq!(there("whca(grain=1)"), [Some(8), Some(6 + 9)]);
    assert_eq!(there("whca(grain=8)"), [Some(8), Some(8 + 9)]);
}

#[test]
fn a_coarse_table_is_refused_where_every_move_takes_a_tick() {
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Hold)];
    let scenario = world(&["..."], Rules::default(), agents);
    let options = throng::Options::planner("whca(grain=2)");
    let error = Session::new(Setup::new(scenario), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "planner whca(grain=2) does not support uniform timing, which this scenario needs (see `throng planners`)"
    );
}

#[test]
fn other_planners_name_what_they_lack() {
    for (motion, need) in [
        (Motion::Gaits { run: 1 }, "units that run"),
        (Motion::Car { radius: 1, heading: Dir::N }, "units that drive curves"),
    ] {
        let scenario = world(&["..."], FOUR, vec![goal(0, (0, 0), (2, 0), 2, motion)]);
        for planner in ["lra", "pra", "ca", "hca"] {
            let error = Session::new(Setup::new(scenario.clone()), &throng::Options::planner(planner));
            assert!(error.unwrap_err().to_string().contains(need), "{planner}");
        }
    }
}

/// Somebody who turns without moving, or still runs after a pause, is noticed by the pose alone.
#[test]
fn poses_are_judged() {
    let agents = vec![
        goal(0, (0, 0), (3, 0), 4, Motion::Gaits { run: 2 }),
        goal(1, (0, 2), (3, 2), 2, Motion::Car { radius: 1, heading: Dir::E }),
    ];
    let scenario = world(&["....."; 4], FOUR, agents);
    let before = State::new(&scenario);
    let mut after = State { tick: 1, ..before.clone() };
    assert_eq!(check_step(&scenario, &before, &after), []);
    after.units[0].pose = 1 + Dir::E as u8;
    after.units[1].pose = Dir::S as u8;
    let found: Vec<_> = check_step(&scenario, &before, &after).iter().map(|v| v.to_string()).collect();
    assert_eq!(
        found,
        ["tick 0: agent 0 is in pose 2, expected 0", "tick 0: agent 1 is in pose 2, expected 1"]
    );
}

/// A unit that comes later is planned for like all others, and so is one that the game has put elsewhere. Flush
/// against a wall the car has no room to swing out, and so no way to its goal: there it is refused.
#[test]
fn cars_and_runners_come_and_are_placed() {
    let scenario = world(&["............"; 10], FOUR, vec![]);
    let mut session = session(Setup::new(scenario), "whca(window=8)");
    let car = throng::NewUnit {
        motion: Motion::Car { radius: 2, heading: Dir::S },
        body: 2,
        ..throng::NewUnit::new(Cell::new(0, 0), Task::Goal(Cell::new(8, 6)))
    };
    let runner = throng::NewUnit {
        motion: Motion::Gaits { run: 1 },
        period: 3,
        ..throng::NewUnit::new(Cell::new(11, 0), Task::Goal(Cell::new(0, 9)))
    };
    assert!(matches!(session.add(car.clone()), Err(OrderError::Unreachable(_))));
    let car = session.add(throng::NewUnit { at: Cell::new(3, 2), ..car }).unwrap();
    session.add(runner).unwrap();
    let step = |session: &mut Session| {
        let before = session.state().clone();
        session.tick(&Unlimited, &mut Unobserved);
        assert_eq!(check_step(session.scenario(), &before, session.state()), []);
    };
    (0..7).for_each(|_| step(&mut session));
    let facing = session.unit(car).unwrap().pose;
    session.place(car, Cell::new(5, 2)).unwrap();
    assert_eq!(session.unit(car).unwrap().pose, facing, "it keeps its heading");
    while !session.is_done() && session.state().tick < 200 {
        step(&mut session);
    }
    assert!(session.is_done());
    assert!(session.rests(AgentId(0)) && session.rests(AgentId(1)));
}
