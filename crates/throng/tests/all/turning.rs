//! Units that turn where they stand: as the executor moves them, the judge sees them and `epibt` plans for them.

use crate::kit::{session, supports, watched};
use proptest::prelude::*;
use throng::check::{Expect, Judge, check_step, check_trace_alone};
use throng::core::{
    Action, Agent, AgentId, Brings, Cell, Connectivity, Deed, Delays, Dir, Event, Grid, Motion, Need, Places,
    Rules, Scenario, Setup, Stream, Supply, Task, TerrainEvent, Trace, Unlimited, Unobserved,
};
use throng::formats::trace::{self, TraceFile};
use throng::sim::{Executor, Recorder};
use throng::{Error, Options, Session};
use throng_testkit::Worlds;

const HEADINGS: [Dir; 4] = [Dir::N, Dir::E, Dir::S, Dir::W];

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn turning(id: u32, start: Cell, goal: Cell, heading: Dir) -> Agent {
    Agent { motion: Motion::Turns { heading }, ..Agent::new(id, start, Task::Goal(goal)) }
}

fn world(rows: &[&str], agents: Vec<Agent>) -> Scenario {
    Scenario::new("turning", Grid::from_rows(rows).unwrap(), Rules::default(), agents).unwrap()
}

/// A hall with pillars in which so many units do errands.
fn hall(units: u32) -> Scenario {
    let rows: Vec<String> = (0..10)
        .map(|y| (0..14).map(|x| if x % 4 == 2 && y % 3 == 1 { '@' } else { '.' }).collect())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let servant = |id: u32| {
        let at = cell((id % 14) as i32, (id / 14) as i32 * 3);
        Agent { task: Task::Errands(vec![]), ..turning(id, at, at, HEADINGS[id as usize % 4]) }
    };
    let brings = Brings::Drawn(vec![Places::Anywhere; 2]);
    let stream = Stream { supply: Supply::Open(units + 8), brings, count: None, seed: None };
    world(&rows, (0..units).map(servant).collect()).with_stream(Some(stream)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Doors, delays and errands that stream in: nobody collides, no move fails, traces keep headings, and what is saved goes on.
    #[test]
    fn fleets_live_with_whatever_comes(
        depth in 1..=4u32,
        revisits in 1..=12u32,
        units in 2..=30u32,
        rate in 0..100_000u32,
        doors in prop::collection::vec((0..80u64, 0..14i32, 0..10i32), 0..8),
        seed in 0..1000u64,
    ) {
        let events = doors.into_iter().map(|(at, x, y)| TerrainEvent { at, close: vec![cell(x, y)], open: vec![] });
        let delays = Delays { rate, longest: 6, ..Delays::default() };
        let scenario = hall(units).with_events(events.collect()).unwrap().with_delays(delays).unwrap();
        let options = Options { seed, ..Options::planner(&format!("epibt(depth={depth},revisits={revisits})")) };
        let mut session = Session::new(Setup::new(scenario.clone()), &options).unwrap();
        let mut recorder = Recorder::new(&scenario, session.state());
        for _ in 0..120 {
            let before = session.state().clone();
            let told = session.tick(&Unlimited, &mut recorder);
            let failed = told.iter().find(|event| matches!(event, Event::Failed { .. }));
            prop_assert_eq!(failed, None);
            let wrong = check_step(session.scenario(), &before, session.state());
            prop_assert!(wrong.is_empty(), "{:?}", wrong);
        }
        let report = check_trace_alone(&scenario, recorder.trace(), Expect::Legal);
        prop_assert!(report.is_valid(), "{}", report);
        let trace = recorder.into_trace();
        let file = TraceFile { scenario, planner: String::new(), seed, state_hash: 0, trace };
        let bytes = trace::write(&file);
        let again = trace::parse(&bytes);
        prop_assert_eq!(again.as_ref(), Ok(&file));
        let last = trace::Reader::open(&bytes).unwrap().positions_at(120).unwrap();
        for (told, unit) in last.iter().zip(&session.state().units) {
            prop_assert_eq!((told.at, told.pose), (session.scenario().grid().cell(unit.at), unit.pose));
        }
        let mut twin = Session::resume(&session.save(), 2).unwrap();
        for _ in 0..30 {
            session.tick(&Unlimited, &mut Unobserved);
            twin.tick(&Unlimited, &mut Unobserved);
            prop_assert_eq!(session.state().hash(), twin.state().hash());
        }
    }

    /// Whatever is asked of units that turn, and of others among them, what happens is legal.
    #[test]
    fn the_executor_knows_headings(
        scenario in Worlds { rules: vec![Rules::default(), Rules { hold_both: true, ..Rules::default() }], ..Worlds::small() }.strategy(),
        asked in prop::collection::vec(prop::collection::vec(0..7usize, 8), 1..30),
    ) {
        let all = [Action::Wait, Action::TurnLeft, Action::TurnRight, Action::Go(Dir::N), Action::Go(Dir::E), Action::Go(Dir::S), Action::Go(Dir::W)];
        let mut agents = scenario.agents().to_vec();
        for agent in agents.iter_mut().filter(|agent| agent.id.0 % 3 > 0) {
            agent.motion = Motion::Turns { heading: HEADINGS[agent.id.index() % 4] };
        }
        let scenario = Scenario::new("mixed", scenario.grid().clone(), scenario.rules(), agents).unwrap();
        let (mut executor, mut state, mut judge) = (Executor::new(), throng::core::State::new(&scenario), Judge::new(&scenario));
        for row in asked {
            let actions: Vec<Action> = row.iter().map(|&which| all[which]).collect();
            let (before, mut events) = (state.clone(), Vec::new());
            executor.step(&scenario, &mut state, &actions, &mut events);
            let deeds: Vec<Deed> = events.iter().filter_map(|event| match *event {
                Event::Moved { agent, action } => Some(Deed { agent, action, failed: false }),
                Event::Failed { agent, action, .. } => Some(Deed { agent, action, failed: true }),
                _ => None,
            }).collect();
            prop_assert!(judge.tick(&deeds).is_empty(), "{:?}", judge.violations());
            prop_assert!(check_step(&scenario, &before, &state).is_empty());
            for Deed { agent, action, failed } in deeds {
                let owns = scenario.agent(agent).actions(scenario.rules()).owns(before.units[agent.index()].pose, action);
                prop_assert!(owns || failed, "{agent} {action:?}");
            }
        }
        prop_assert!(judge.finish(Expect::Legal).is_valid());
    }
}

/// Ahead, two turns, and ahead again; a unit alone takes the shortest way by actions, not the shortest by cells.
#[test]
fn turns_take_their_time() {
    for (heading, ticks) in [(Dir::E, 3), (Dir::N, 4), (Dir::S, 4), (Dir::W, 5)] {
        let scenario = world(&["...."], vec![turning(0, cell(0, 0), cell(3, 0), heading)]);
        let mut session = session(Setup::new(scenario), "epibt");
        let report = watched(&mut session, 20, &Unlimited);
        assert_eq!((session.state().tick, report.makespan), (ticks, ticks), "{heading:?}");
    }
}

/// Who turns at its goal is there all the while.
#[test]
fn a_turn_is_no_move_for_the_judge() {
    let scenario = world(&[".."], vec![turning(0, cell(0, 0), cell(1, 0), Dir::E)]);
    let mut trace = Trace::new(vec![cell(0, 0)]);
    for action in [Action::Go(Dir::E), Action::TurnLeft, Action::TurnLeft] {
        trace.push(Deed { agent: AgentId(0), action, failed: false });
        trace.end_tick();
    }
    let report = check_trace_alone(&scenario, &trace, Expect::Finished);
    assert!(report.is_valid(), "{report}");
    assert_eq!((report.soc, report.straight), (1, 1));
}

#[test]
fn the_judge_knows_headings() {
    let scenario = world(&["...", "..."], vec![turning(0, cell(0, 0), cell(2, 0), Dir::E)]);
    let steps = world(&["..."], vec![Agent::new(0, cell(0, 0), Task::Goal(cell(2, 0)))]);
    let kinds = |scenario: &Scenario, ticks: &[&[Action]]| {
        let mut trace = Trace::new(vec![cell(0, 0)]);
        for tick in ticks {
            tick.iter().for_each(|&action| trace.push(Deed { agent: AgentId(0), action, failed: false }));
            trace.end_tick();
        }
        let report = check_trace_alone(scenario, &trace, Expect::Legal);
        report.violations.iter().map(|why| why.kind()).collect::<Vec<_>>()
    };
    let (east, south) = (Action::Go(Dir::E), Action::Go(Dir::S));
    assert_eq!(kinds(&scenario, &[&[east], &[Action::TurnRight], &[south]]), [""; 0]);
    assert_eq!(kinds(&scenario, &[&[south]]), ["across-heading"]);
    assert_eq!(kinds(&scenario, &[&[east], &[Action::Go(Dir::W)]]), ["across-heading"], "nobody backs out");
    assert_eq!(kinds(&scenario, &[&[Action::TurnRight, Action::TurnRight]]), ["busy"]);
    assert_eq!(kinds(&scenario, &[&[Action::TurnRight, east]]), ["busy"]);
    assert_eq!(kinds(&steps, &[&[Action::TurnRight]]), ["not-its-motion"]);
}

/// Crowds on open ground and among pillars get where they want, none of them ever losing a move.
#[test]
fn crowds_arrive() {
    for seed in 0..12u64 {
        let scenario = hall(20);
        let goals: Vec<Cell> = scenario.agents().iter().map(|agent| agent.start).collect();
        let count = goals.len();
        let agents = scenario.agents().iter().enumerate().map(|(k, agent)| {
            let goal = goals[(k * 7 + seed as usize + 3) % count];
            Agent { task: Task::Goal(goal), ..agent.clone() }
        });
        let scenario =
            Scenario::new("crowd", scenario.grid().clone(), Rules::default(), agents.collect()).unwrap();
        let options = Options { seed, ..Options::planner("epibt") };
        let mut session = Session::new(Setup::new(scenario), &options).unwrap();
        watched(&mut session, 400, &Unlimited);
        assert!(session.is_done(), "seed {seed}: {} of {count}", session.arrived());
    }
}

/// To look several actions ahead pays where units turn: more errands are done than by looking at one.
#[test]
fn looking_ahead_pays() {
    let done = |depth: u32| {
        let mut session = session(Setup::new(hall(24)), &format!("epibt(depth={depth})"));
        for _ in 0..600 {
            session.tick(&Unlimited, &mut Unobserved);
        }
        session.errands().done
    };
    let (one, three) = (done(1), done(3));
    assert!(three > one, "{three} errands with three actions, {one} with one");
}

/// Who knows nothing of headings refuses them.
#[test]
fn others_refuse_units_that_turn() {
    let scenario = world(&["..."], vec![turning(0, cell(0, 0), cell(2, 0), Dir::E)]);
    for planner in ["whca", "pibt", "lacam", "lra"] {
        assert!(!supports(planner, &scenario));
        let error = Session::new(Setup::new(scenario.clone()), &Options::planner(planner)).err();
        assert!(matches!(error, Some(Error::Unsupported { need: Need::Turns, .. })), "{planner}: {error:?}");
    }
    let eight = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    let agents = scenario.agents().to_vec();
    let eight = Scenario::new("eight", scenario.grid().clone(), eight, agents).unwrap();
    assert!(!supports("epibt", &eight) && supports("epibt", &scenario));
}
