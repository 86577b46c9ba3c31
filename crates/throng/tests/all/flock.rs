//! `flock`: units travel together where that costs nobody time, and the larger flock goes first.

use crate::kit::{reachable, session, tick, watched};
use proptest::prelude::*;
use proptest::sample::select;
use throng::core::{
    Action, Agent, AgentId, Cell, Event, Grid, Motion, Rules, Scenario, Setup, Task, Tick, Timing, Unlimited,
};
use throng::search::{AStar, GridGraph};
use throng::worlds::generate::RoadMap;
use throng::worlds::{UnitOptions, units};
use throng::{Options, Session};
use throng_testkit::Worlds;

/// Walks at four ticks a step and runs at two.
fn walker(id: u32, start: (i32, i32), goal: (i32, i32)) -> Agent {
    let [start, goal] = [start, goal].map(|(x, y)| Cell::new(x, y));
    Agent { period: 4, motion: Motion::Gaits { run: 2 }, ..Agent::new(id, start, Task::Goal(goal)) }
}

fn world(rows: &[&str], agents: Vec<Agent>) -> Setup {
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    Setup::new(Scenario::new("flock", Grid::from_rows(rows).unwrap(), rules, agents).unwrap())
}

/// A road that two ways lead to and two lead away from: a bone.
const BONE: [&str; 5] = [
    ".@@@@@@@@@@@@@@@@@@@@.",
    ".@@@@@@@@@@@@@@@@@@@@.",
    "......................",
    ".@@@@@@@@@@@@@@@@@@@@.",
    ".@@@@@@@@@@@@@@@@@@@@.",
];

/// When each unit came to its goal, and all that happened to flocks.
fn arrivals(session: &mut Session, ticks: Tick) -> (Vec<Tick>, Vec<Event>) {
    let mut arrived = vec![0; session.state().units.len()];
    let mut told = Vec::new();
    while !session.is_done() && session.state().tick < ticks {
        tick(session, &Unlimited);
        for event in session.events() {
            match event {
                Event::Finished { agent } => arrived[agent.index()] = session.state().tick,
                Event::JoinedFlock { .. } | Event::LeftFlock { .. } => told.push(*event),
                _ => {}
            }
        }
    }
    (arrived, told)
}

/// Two come from the two ends of the bone, share its road and part; both are sooner there than alone, and just when they
/// had expected to be.
#[test]
fn two_travel_together_over_a_bone() {
    let agents = vec![walker(0, (0, 1), (21, 0)), walker(1, (0, 4), (21, 4))];
    let (alone, nobody) = arrivals(&mut session(world(&BONE, agents.clone()), "flock(bonus=0)"), 300);
    assert_eq!(nobody, []);
    let mut together = session(world(&BONE, agents), "flock");
    tick(&mut together, &Unlimited);
    let flocks = together.flocks();
    assert_eq!(flocks.len(), 1, "{flocks:?}");
    let members = &flocks[0].members;
    assert_eq!(members.iter().map(|member| member.agent.0).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(members[0].split, Cell::new(21, 2));
    assert!(members.iter().all(|member| member.together < member.alone), "{members:?}");
    let (arrived, told) = arrivals(&mut together, 300);
    let expected: Vec<_> = members.iter().map(|member| member.together).collect();
    assert_eq!(arrived, expected, "alone {alone:?}");
    let left = told.iter().filter(|event| matches!(event, Event::LeftFlock { .. })).count();
    assert_eq!(left, 2, "{told:?}");
    assert!(together.flocks().is_empty());
}

/// The same wherever the two come from: those who have agreed and not met yet go in the order that they have agreed on. They ranked
/// by delay before, and whoever slowed down so as to meet got late and took the other's place at the meeting point.
#[test]
fn two_who_are_not_disturbed_arrive_when_they_agreed_to() {
    let road = |y: i32| if y == 3 { ".".repeat(24) } else { format!(".{}.", "@".repeat(22)) };
    let bone: Vec<String> = (0..7).map(road).collect();
    let bone: Vec<&str> = bone.iter().map(String::as_str).collect();
    let pairs = (0..3).flat_map(|up| (4..7).map(move |down| (up, down)));
    for (up, down) in pairs {
        let agents = vec![walker(0, (0, up), (23, up)), walker(1, (0, down), (23, down))];
        let mut session = session(world(&bone, agents), "flock");
        tick(&mut session, &Unlimited);
        let members: Vec<_> = session.flocks().iter().flat_map(|flock| flock.members.clone()).collect();
        assert_eq!(members.len(), 2, "rows {up} and {down}");
        let (arrived, _) = arrivals(&mut session, 400);
        for member in members {
            assert_eq!(
                arrived[member.agent.index()],
                member.together,
                "{member:?}, rows {up} and {down}: {arrived:?}"
            );
        }
    }
}

/// One that joins from a side road is disturbed by the crossing, and both are sooner there than alone all the same. Under the old order the
/// one on the road let the other pass, and was left behind at every crossing.
#[test]
fn one_joins_from_a_side_road() {
    let side = [
        "@@@@@@@@@@@@@@@@@@.@@@@@",
        "........................",
        "@@.@@@@@@@@@@@@@@@.@@@@@",
        "@@.@@@@@@@@@@@@@@@.@@@@@",
    ];
    let agents = || vec![walker(0, (0, 1), (23, 1)), walker(1, (2, 3), (18, 3))];
    let (alone, _) = arrivals(&mut session(world(&side, agents()), "flock(bonus=0)"), 300);
    let (arrived, told) = arrivals(&mut session(world(&side, agents()), "flock"), 300);
    assert!(
        arrived.iter().zip(&alone).all(|(together, alone)| together + 20 < *alone),
        "{arrived:?}, {alone:?}"
    );
    let joined = told.iter().filter(|event| matches!(event, Event::JoinedFlock { .. })).count();
    assert_eq!(joined, 2, "{told:?}");
}

/// Who stands cannot run at once. Its cell was taken to be free as soon as a run would have been over, so that others reserved it, and
/// whoever stood there could neither go nor let them: both took turns at nothing for ever.
#[test]
fn runners_that_stand_get_away() {
    let bay = [".@..", "....", ".@.."];
    let hall = ["...@..@@", ".....@..", "........", "........", "@.@.@..."];
    let cases: [(&[&str], [Agent; 2]); 2] = [
        (&bay, [walker(0, (0, 1), (0, 1)), walker(1, (0, 0), (2, 1))]),
        (&hall, [walker(0, (2, 2), (4, 0)), walker(1, (5, 0), (6, 4))]),
    ];
    for (rows, agents) in cases {
        for spec in ["flock", "flock(bonus=0)", "flock(conflict=tiles)"] {
            let mut session = session(world(rows, agents.to_vec()), spec);
            watched(&mut session, 400, &Unlimited);
            assert!(session.is_done(), "{spec} after {} ticks", session.state().tick);
        }
    }
}

/// How fast a flock is on average is what the bonus allows, and never faster.
#[test]
fn the_bonus_bounds_the_speed() {
    let agents = vec![walker(0, (0, 1), (21, 0)), walker(1, (0, 4), (21, 4))];
    let mut before = Tick::MAX;
    for bonus in [0, 20, 50, 100, 200] {
        let mut session = session(world(&BONE, agents.clone()), &format!("flock(bonus={bonus})"));
        let (arrived, _) = arrivals(&mut session, 300);
        let last = arrived.into_iter().max().unwrap();
        assert!(last <= before, "{bonus}: {last} after {before}");
        before = last;
        // 84 ticks of road at a walk, and nothing faster before and after it.
        let fastest = 84 * 100 / (100 + bonus.min(100)) + 8;
        assert!(last >= fastest, "{bonus}: {last} before {fastest}");
    }
}

/// Three could go in pairs. Two of them agree on what neither would rather do with the third; the third joins them, and holds
/// up nobody: both arrive as if it were not there.
#[test]
fn pairs_are_in_equilibrium_and_others_join_later() {
    let agents = vec![walker(0, (0, 1), (21, 0)), walker(1, (0, 3), (21, 4)), walker(2, (0, 4), (12, 2))];
    let (pair, _) = arrivals(&mut session(world(&BONE, agents[..2].to_vec()), "flock"), 300);
    let mut session = session(world(&BONE, agents), "flock");
    let (all, told) = arrivals(&mut session, 300);
    assert!(session.is_done());
    let joined = told.iter().filter_map(|event| match event {
        Event::JoinedFlock { agent, with, .. } => Some((agent.0, with.0)),
        _ => None,
    });
    let joined: Vec<_> = joined.collect();
    assert_eq!(&joined[..2], [(0, 1), (1, 0)], "{joined:?}");
    assert_eq!(joined.get(2).map(|join| join.0), Some(2), "{joined:?}");
    assert_eq!(all[..2], pair, "{told:?}");
    assert!(all[2] < 52, "alone it takes 52 ticks and a wait: {all:?}");
}

/// Two pairs have the same road before them, and the second comes up behind the first: they become one flock, and nobody's estimate
/// is worse than alone. They arrive as they do by themselves, since nothing else is on the road.
#[test]
fn a_flock_that_comes_up_behind_another_becomes_one_with_it() {
    let road = |y: i32| if y == 2 { ".".repeat(40) } else { format!(".{}.", "@".repeat(38)) };
    let rows: Vec<String> = (0..5).map(road).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let front = [walker(0, (4, 2), (39, 0)), walker(1, (2, 2), (39, 4))];
    let behind = [walker(2, (0, 1), (30, 2)), walker(3, (0, 4), (29, 2))];
    let mut session = session(world(&rows, front.into_iter().chain(behind).collect()), "flock");
    let mut sizes = Vec::new();
    while !session.is_done() && session.state().tick < 400 {
        tick(&mut session, &Unlimited);
        let flocks = session.flocks();
        let members = || flocks.iter().flat_map(|flock| &flock.members);
        assert!(members().all(|member| member.together <= member.alone), "{flocks:?}");
        let now: Vec<usize> = flocks.iter().map(|flock| flock.members.len()).collect();
        if sizes.last() != Some(&now) {
            sizes.push(now);
        }
    }
    assert!(session.is_done());
    let place = |wanted: &[usize]| sizes.iter().position(|sizes| sizes == wanted);
    assert!(place(&[2, 2]).is_some() && place(&[2, 2]) < place(&[4]), "{sizes:?}");
}

/// Two roads that cross, with room for flocks on all four sides.
fn crossing() -> Vec<String> {
    let open = |x: usize, y: usize| x == 12 || y == 12;
    (0..25).map(|y| (0..25).map(|x| if open(x, y) { '.' } else { '@' }).collect()).collect()
}

/// In which order units come to the middle of the crossing: two that travel together from the west, and one from the north
/// that would come between them.
fn at_the_crossing(spec: &str) -> Vec<usize> {
    let rows = crossing();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let agents =
        vec![walker(0, (12, 7), (12, 24)), walker(1, (4, 12), (24, 12)), walker(2, (2, 12), (22, 12))];
    let (middle, mut order) = (Cell::new(12, 12), Vec::new());
    let mut session = session(world(&rows, agents), spec);
    while !session.is_done() && session.state().tick < 400 {
        tick(&mut session, &Unlimited);
        for (index, unit) in session.state().units.iter().enumerate() {
            if session.scenario().grid().cell(unit.at) == middle && order.last() != Some(&index) {
                order.push(index);
            }
        }
    }
    assert!(session.is_done(), "{spec}: {}", session.why(AgentId(0)));
    order
}

/// The flock passes as one, before the single unit, though that comes sooner. By tiles alone whoever asked first goes first.
#[test]
fn the_larger_flock_goes_first() {
    assert_eq!(at_the_crossing("flock"), [1, 2, 0]);
    assert_eq!(at_the_crossing("flock(conflict=tiles)")[0], 0);
}

/// Whoever waits for its partner at the meeting point says so.
#[test]
fn a_unit_that_waits_for_another_says_so() {
    let agents = vec![walker(0, (0, 1), (21, 0)), walker(1, (0, 4), (21, 4))];
    let mut session = session(world(&BONE, agents), "flock");
    let mut said = false;
    while !session.is_done() && session.state().tick < 300 {
        tick(&mut session, &Unlimited);
        said |= [0, 1].iter().any(|&id| session.why(AgentId(id)).to_string().contains("to travel together"));
    }
    assert!(session.is_done() && said);
}

/// Units on roads that can run, from bay to bay.
fn roads(seed: u64, count: usize, lanes: u32, run: u8) -> Scenario {
    let map = RoadMap { width: 42, height: 32, block: 8, lanes, missing: 20, bays: 3 };
    let grid = map.generate(seed).unwrap();
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let options = UnitOptions { bays: true, ..UnitOptions::default() };
    let mut agents = units(&grid, rules, count, seed, &options).unwrap();
    for agent in &mut agents {
        (agent.period, agent.motion) = (4, Motion::Gaits { run });
    }
    Scenario::new("roads", grid, rules, agents).unwrap()
}

/// One tick of a world with flocks: no estimate of a member is worse than alone, what it knows of that is true, and nobody
/// runs but in company.
fn flocking_tick(session: &mut Session, search: &mut AStar) -> Result<(), TestCaseError> {
    let (before, now) = (session.state().clone(), session.state().tick);
    tick(session, &Unlimited);
    let (flocks, scenario) = (session.flocks(), session.scenario());
    let mut members = Vec::new();
    for member in flocks.iter().flat_map(|flock| &flock.members) {
        prop_assert!(member.together <= member.alone, "{member:?} at {now}");
        let (agent, unit) = (scenario.agent(member.agent), &before.units[member.agent.index()]);
        let graph = GridGraph::of(scenario.grid(), scenario.rules(), agent);
        let goal = scenario.grid().id(agent.waypoints().target(unit.leg)).unwrap();
        let left = search.dijkstra(&graph, unit.at.0, goal.0).unwrap();
        prop_assert_eq!(member.alone, unit.until.max(now) + Tick::from(left), "{:?} at {}", member, now);
        prop_assert!(!members.contains(&member.agent), "{:?}", flocks);
        members.push(member.agent);
    }
    for flock in &flocks {
        // The last one may still be on the road when the others have left it.
        prop_assert!(flock.members.len() > 1 || flock.members.iter().all(|m| m.met), "{flock:?}");
    }
    for event in session.events() {
        if let Event::Moved { agent, action: Action::Run(_) | Action::Accelerate(_) } = event {
            prop_assert!(members.contains(agent), "unit {agent} runs alone at {now}");
        }
        prop_assert!(!matches!(event, Event::Failed { .. }), "{event:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// On roads of all kinds, saved in the middle: the property of every tick, and the same after a load.
    #[test]
    fn nobody_is_ever_worse_off_than_alone(
        seed in any::<u64>(),
        count in 2..40usize,
        lanes in 1..=3u32,
        run in 1..=3u8,
        spec in select(&["flock", "flock(bonus=40)", "flock(delta=4)", "flock(conflict=tiles)", "flock(conflict=replan)"]),
        at in 10..120u64,
    ) {
        let mut session = session(Setup::new(roads(seed, count, lanes, run)), spec);
        let (mut search, mut twin) = (AStar::new(), None::<Session>);
        while !session.is_done() && session.state().tick < 240 {
            if session.state().tick == at {
                twin = Some(Session::resume(&session.save(), 1).unwrap());
            }
            flocking_tick(&mut session, &mut search)?;
            if let Some(twin) = &mut twin {
                tick(twin, &Unlimited);
                prop_assert_eq!(twin.events(), session.events());
                prop_assert_eq!(twin.flocks(), session.flocks());
            }
        }
    }

    /// The same anywhere, with several goals and any rules.
    #[test]
    fn nor_in_any_other_world(
        scenario in Worlds { rules: Worlds::all_rules(), periods: 1..=3, ..Worlds::small() }.strategy().prop_map(reachable),
        delta in 1..12u32,
    ) {
        let mut session = session(Setup::new(scenario), &format!("flock(delta={delta})"));
        let mut search = AStar::new();
        while !session.is_done() && session.state().tick < 100 {
            flocking_tick(&mut session, &mut search)?;
        }
    }
}

/// On roads flocks form, and the runs of a seed are the same with any number of threads.
#[test]
fn flocks_form_on_roads() {
    let setup = || Setup::new(roads(3, 24, 2, 2));
    let mut counts = Vec::new();
    for threads in [1, 4] {
        let options = Options { threads, ..Options::planner("flock") };
        let mut session = Session::new(setup(), &options).unwrap();
        let (arrived, told) = arrivals(&mut session, 2000);
        let joined = told.iter().filter(|event| matches!(event, Event::JoinedFlock { .. })).count();
        assert!(joined >= 8, "{joined}");
        counts.push((arrived, joined, session.state().hash()));
    }
    assert_eq!(counts[0], counts[1]);
    let mut session = session(setup(), "flock");
    watched(&mut session, 2000, &Unlimited);
    assert!(session.is_done());
}
