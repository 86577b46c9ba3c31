//! Units that slip: plans are followed in order, whoever decides every tick lives with it, and the judge watches that nobody
//! moves who is late.

use crate::kit::{session, supports, travellers, watched};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use throng::check::{Expect, check_trace, check_trace_alone};
use throng::core::{
    Agent, AgentId, Brings, Cause, Cell, Deed, Delay, Delays, Dir, Event, Expansions, Grid, Outcome, Places,
    Rules, Scenario, ScenarioError, Setup, Stream, Supply, Task, TerrainEvent, Tick, Trace, Unlimited,
    Unobserved,
};
use throng::formats::trace::{self, TraceFile};
use throng::sim::{Metrics, Recorder};
use throng::{Observers, Options, OrderError, Session, solve};
use throng_testkit::Worlds;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn going(rows: &[&str], ways: &[(Cell, Cell)]) -> Scenario {
    let agents = ways.iter().zip(0..).map(|(&(start, goal), id)| Agent::new(id, start, Task::Goal(goal)));
    Scenario::new("late", Grid::from_rows(rows).unwrap(), Rules::default(), agents.collect()).unwrap()
}

fn listed(delays: &[(Tick, u32, u32)]) -> Delays {
    let delay = |&(tick, agent, ticks): &(Tick, u32, u32)| Delay { tick, agent: AgentId(agent), ticks };
    Delays { listed: delays.iter().map(delay).collect(), ..Delays::default() }
}

/// By cell: who came to it, in this order.
fn visits(scenario: &Scenario, trace: &Trace) -> BTreeMap<Cell, Vec<AgentId>> {
    let mut at: Vec<Cell> = trace.starts.clone();
    let mut visits: BTreeMap<Cell, Vec<AgentId>> = BTreeMap::new();
    for tick in 0..trace.ticks() {
        for Deed { agent, action, .. } in trace.at(tick).iter().filter(|deed| !deed.failed) {
            at[agent.index()] = at[agent.index()].after(*action);
            assert!(scenario.grid().contains(at[agent.index()]));
            visits.entry(at[agent.index()]).or_default().push(*agent);
        }
    }
    visits
}

/// Runs to the end under the judge, who also looks at the trace, written and read again.
fn run(session: &mut Session, ticks: Tick) -> (Trace, Metrics) {
    let scenario = session.scenario().clone();
    let mut recorder = Recorder::new(&scenario, session.state());
    let mut metrics = Metrics::new(&scenario, session.state());
    while !session.is_done() && session.state().tick < ticks {
        session.tick(&Unlimited, &mut Observers(&mut [&mut recorder, &mut metrics]));
    }
    let trace = recorder.into_trace();
    let report = check_trace_alone(&scenario, &trace, Expect::Legal);
    assert!(report.is_valid(), "{report}");
    let file = TraceFile { scenario, planner: String::new(), seed: 0, state_hash: 0, trace };
    assert_eq!(trace::parse(&trace::write(&file)).as_ref(), Ok(&file));
    (file.trace, metrics)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whoever is late, nobody loses a move, everybody passes every cell in the order of the plan, and all arrive: the order
    /// never locks, circles that turn at once included.
    #[test]
    fn plans_are_followed_in_order(
        scenario in Worlds { agents: 2..=8, rules: Worlds::all_rules(), ..Worlds::small() }.strategy(),
        planner in select(&["lacam", "hca", "lns"]),
        rate in 1..200_000u32,
        longest in 1..12u32,
        seed in 0..1000u64,
    ) {
        prop_assume!(supports(planner, &scenario) && scenario.require_distinct_goals().is_ok());
        let options = Options { seed, replan: None, ..Options::planner(planner) };
        let Ok(solution) = solve(&scenario, &options, &Expansions(200_000), &mut Unobserved) else { return Ok(()) };
        let Outcome::Solved(_) = solution.outcome else { return Ok(()) };
        let as_planned = {
            let Ok(mut session) = Session::new(Setup::new(scenario.clone()), &options) else { return Ok(()) };
            run(&mut session, 2000).0
        };
        let delays = Delays { rate, longest, ..Delays::default() };
        let late = scenario.clone().with_delays(delays).unwrap();
        let mut session = Session::new(Setup::new(late), &options).unwrap();
        let (trace, metrics) = run(&mut session, 20_000);
        prop_assert!(session.is_done(), "locked at {}", session.state().tick);
        prop_assert_eq!(metrics.failed_moves(), 0);
        prop_assert_eq!(visits(&scenario, &trace), visits(&scenario, &as_planned));
        prop_assert!(trace.ticks() >= as_planned.ticks());
    }

    /// The same with plans that are made anew: who goes where changes, nothing else does.
    #[test]
    fn plans_made_anew_bring_everybody_there(
        scenario in Worlds { agents: 2..=8, ..Worlds::small() }.strategy(),
        planner in select(&["lacam", "lns"]),
        rate in 10_000..200_000u32,
        every in 1..10u64,
        seed in 0..1000u64,
    ) {
        prop_assume!(supports(planner, &scenario) && scenario.require_distinct_goals().is_ok());
        let options = Options { seed, replan: Some(every), ..Options::planner(planner) };
        let delays = Delays { rate, longest: 20, ..Delays::default() };
        let late = scenario.with_delays(delays).unwrap();
        let Ok(mut session) = Session::new(Setup::new(late), &options) else { return Ok(()) };
        session.tick(&Expansions(200_000), &mut Unobserved);
        let solved = session.explain(AgentId(0)).is_some_and(|why| !matches!(why.cause, Cause::NoPlan { .. } | Cause::NoWay { .. } | Cause::NoPath { .. } | Cause::TooLittle { .. }));
        prop_assume!(solved);
        let twin = Session::resume(&session.save(), 2).unwrap();
        let mut metrics = Metrics::new(session.scenario(), session.state());
        while !session.is_done() && session.state().tick < 20_000 {
            session.tick(&Expansions(200_000), &mut metrics);
        }
        prop_assert!(session.is_done());
        prop_assert_eq!(metrics.failed_moves(), 0);
        let mut twin = twin;
        while !twin.is_done() && twin.state().tick < 20_000 {
            twin.tick(&Expansions(200_000), &mut Unobserved);
        }
        prop_assert_eq!(twin.state().hash(), session.state().hash());
    }

    /// Whoever decides every tick lives with delays, doors that close and errands that stream in: the judge objects to nothing,
    /// and what is saved in the middle has the same future.
    #[test]
    fn controllers_live_with_delays(
        spec in select(&["pibt", "whca", "cpra", "lra", "dlite", "dm", "dm-whca", "dm-greedy", "collective", "flock", "pra"]),
        rate in 1..200_000u32,
        longest in 1..15u32,
        doors in prop::collection::vec((0..80u64, 0..12i32, 0..9i32, any::<bool>()), 0..12),
        seed in 0..1000u64,
    ) {
        let rows: Vec<String> = (0..9).map(|y| (0..12).map(|x| if x % 4 == 2 && y % 3 == 1 { '@' } else { '.' }).collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let servant = |id: u32| Agent::new(id, cell((id % 12) as i32, (id / 12) as i32 * 3), Task::Errands(vec![]));
        let grid = Grid::from_rows(&rows).unwrap();
        let events = doors.into_iter().map(|(at, x, y, open)| {
            let door = vec![cell(x, y)];
            if open { TerrainEvent { at, close: vec![], open: door } } else { TerrainEvent { at, close: door, open: vec![] } }
        });
        let stream = Stream { supply: Supply::Open(20), brings: Brings::Drawn(vec![Places::Anywhere; 2]), count: None, seed: None };
        let scenario = Scenario::new("hall", grid, Rules::default(), (0..16).map(servant).collect()).unwrap();
        let scenario = scenario.with_events(events.collect()).unwrap().with_stream(Some(stream)).unwrap();
        let delays = Delays { rate, longest, ..Delays::default() };
        let scenario = scenario.with_delays(delays).unwrap();
        let options = Options { seed, ..Options::planner(spec) };
        let mut session = Session::new(Setup::new(scenario), &options).unwrap();
        let (trace, _) = run(&mut session, 120);
        prop_assert!(!trace.delays.is_empty() || rate < 20_000);
        let mut twin = Session::resume(&session.save(), 1).unwrap();
        for _ in 0..30 {
            session.tick(&Unlimited, &mut Unobserved);
            twin.tick(&Unlimited, &mut Unobserved);
            prop_assert_eq!(session.state().hash(), twin.state().hash());
        }
    }
}

/// Every planner that brings units to goals brings them there late, too, though some now and then stand.
#[test]
fn every_planner_lives_with_delays() {
    for entry in travellers() {
        let office = throng::worlds::builtin("office", 3).unwrap();
        let delays = Delays { rate: 30_000, longest: 6, ..Delays::default() };
        let scenario = office.scenario.clone().with_delays(delays).unwrap();
        if !supports(entry.name, &scenario) {
            continue;
        }
        let in_time = Setup { unit_planners: Vec::new(), ..office };
        let setup = Setup { scenario, ..in_time.clone() };
        let arrive = |setup| {
            let mut session = session(setup, entry.name);
            watched(&mut session, 3000, &crate::kit::enough(entry));
            session.is_done()
        };
        // Who looks one step ahead may stand for ever, late or not.
        assert!(arrive(setup) || !arrive(in_time), "{}", entry.name);
    }
}

/// Four units that turn about the middle of a block, one of which slips: nobody can go alone, so all wait and then go at once.
#[test]
fn a_circle_turns_as_a_whole() {
    let corners = [cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)];
    let ways: Vec<_> = (0..4).map(|k| (corners[k], corners[(k + 1) % 4])).collect();
    let scenario = going(&["..", ".."], &ways).with_delays(listed(&[(0, 2, 3)])).unwrap();
    let options = Options { replan: None, ..Options::planner("lacam") };
    let mut session = Session::new(Setup::new(scenario), &options).unwrap();
    let told = session.tick(&Unlimited, &mut Unobserved).to_vec();
    assert!(told.contains(&Event::Slipped { agent: AgentId(2), ticks: 3 }));
    let waits = told.iter().filter(|event| matches!(event, Event::Waits { .. })).count();
    assert_eq!(waits, 3, "{told:?}");
    assert!(told.contains(&Event::Waits { agent: AgentId(1), on: AgentId(2) }));
    assert_eq!(session.explain(AgentId(2)).unwrap().cause, Cause::Late { until: 3 });
    assert_eq!(session.explain(AgentId(1)).unwrap().cause.blocker(), Some(AgentId(2)));
    let moves = (0..3).map(|_| {
        let told = session.tick(&Unlimited, &mut Unobserved);
        told.iter().filter(|event| matches!(event, Event::Moved { .. })).count()
    });
    assert_eq!(moves.collect::<Vec<_>>(), [0, 0, 4]);
    assert!(session.is_done());
}

/// Two diagonals that cross one after the other by the plan never cross at once, however late the first is.
#[test]
fn crossings_keep_their_order() {
    let rules = Rules { connectivity: throng::core::Connectivity::Eight, ..Rules::default() };
    for late in 1..6 {
        let agents = vec![
            Agent::new(0, cell(0, 0), Task::Goal(cell(3, 3))),
            Agent::new(1, cell(3, 0), Task::Goal(cell(0, 3))),
        ];
        let scenario = Scenario::new("crossing", Grid::empty(4, 4).unwrap(), rules, agents).unwrap();
        for agent in 0..2 {
            let scenario = scenario.clone().with_delays(listed(&[(1, agent, late)])).unwrap();
            let options = Options { replan: None, ..Options::planner("cbs") };
            let mut session = Session::new(Setup::new(scenario), &options).unwrap();
            let (_, metrics) = run(&mut session, 40);
            assert!(session.is_done() && metrics.failed_moves() == 0);
        }
    }
}

/// Somebody slips for long in a gap, and another gap is near: a plan made anew leads round, without it all wait.
#[test]
fn a_plan_is_made_anew_where_that_pays() {
    let rows = ["...@...", "...@...", ".......", "...@...", "...@...", "...@...", "......."];
    let ways = [(cell(2, 2), cell(6, 2)), (cell(1, 2), cell(6, 5)), (cell(0, 2), cell(5, 5))];
    let arrivals = |replan| {
        let scenario = going(&rows, &ways).with_delays(listed(&[(1, 0, 100)])).unwrap();
        let options = Options { replan, ..Options::planner("lacam") };
        let mut session = Session::new(Setup::new(scenario), &options).unwrap();
        let (_, metrics) = run(&mut session, 400);
        assert!(session.is_done() && metrics.failed_moves() == 0);
        (metrics.soc().unwrap(), metrics.lateness())
    };
    let ((patient, (late, waits)), (quick, (also_late, fewer))) = (arrivals(None), arrivals(Some(4)));
    assert_eq!((late, also_late), (100, 100));
    assert!(quick + 100 < patient && fewer < waits, "{patient} {quick} {waits} {fewer}");
}

/// By hand: a unit that is told to wait does, also one that follows a plan; nobody is told twice, and a stranger cannot be.
#[test]
fn units_are_kept_by_hand() {
    for planner in ["lacam", "pibt", "whca"] {
        let mut session = session(Setup::new(going(&["....."], &[(cell(0, 0), cell(4, 0))])), planner);
        let unit = session.unit_id(AgentId(0)).unwrap();
        session.tick(&Unlimited, &mut Unobserved);
        session.delay(unit, 3).unwrap();
        let saved = session.save();
        let mut told = Vec::new();
        while !session.is_done() {
            told.extend(session.tick(&Unlimited, &mut Unobserved).iter().copied());
        }
        let slips = told.iter().filter(|event| matches!(event, Event::Slipped { .. })).count();
        assert_eq!((session.state().tick, slips), (7, 1), "{planner}");
        assert!(session.scenario().delays().listed.len() <= 1);
        let mut twin = Session::resume(&saved, 1).unwrap();
        while !twin.is_done() {
            twin.tick(&Unlimited, &mut Unobserved);
        }
        assert_eq!(twin.state().hash(), session.state().hash(), "{planner}");
        assert!(matches!(
            session.delay(unit, 0),
            Err(OrderError::Scenario(ScenarioError::BadDelay { ticks: 0, .. }))
        ));
    }
}

/// Under metric timing a move in progress is ended first.
#[test]
fn nobody_slips_in_the_middle_of_a_move() {
    let rules = Rules { timing: throng::core::Timing::Metric, ..Rules::default() };
    let agent = Agent { period: 4, ..Agent::new(0, cell(0, 0), Task::Goal(cell(2, 0))) };
    let scenario = Scenario::new("slow", Grid::empty(3, 1).unwrap(), rules, vec![agent]).unwrap();
    for planner in ["whca", "hca", "lra"] {
        let scenario = scenario.clone().with_delays(listed(&[(1, 0, 10)])).unwrap();
        let mut session = session(Setup::new(scenario), planner);
        let (trace, _) = run(&mut session, 60);
        assert_eq!(trace.delays, [Delay { tick: 4, agent: AgentId(0), ticks: 7 }], "{planner}");
        assert_eq!(session.state().tick, 15, "{planner}");
    }
}

/// What the judge has against those who are said to be late.
#[test]
fn the_judge_watches_who_is_late() {
    let scenario = || going(&["..."], &[(cell(0, 0), cell(2, 0))]);
    let stored = || scenario().with_delays(listed(&[(0, 0, 2)])).unwrap();
    let trace = |ticks: usize, moves: &[usize], delays: &[(Tick, u32, u32)]| {
        let mut trace = Trace::new(vec![cell(0, 0)]);
        trace.delays = listed(delays).listed;
        for tick in 0..ticks {
            if moves.contains(&tick) {
                trace.push(Deed {
                    agent: AgentId(0),
                    action: throng::core::Action::Go(Dir::E),
                    failed: false,
                });
            }
            trace.end_tick();
        }
        trace
    };
    let kinds = |scenario: &Scenario, trace: &Trace| {
        let report = check_trace_alone(scenario, trace, Expect::Legal);
        report.violations.iter().map(|why| why.kind()).collect::<Vec<_>>()
    };
    let slips = [(0, 0, 2)];
    assert_eq!(kinds(&stored(), &trace(4, &[2, 3], &slips)), [""; 0]);
    assert_eq!(kinds(&stored(), &trace(4, &[1, 3], &slips)), ["late"]);
    assert_eq!(
        kinds(&stored(), &trace(4, &[2, 3], &[(0, 0, 2), (1, 0, 5)])),
        ["slips-too-soon", "slip-not-in-store", "late", "late"]
    );
    assert_eq!(kinds(&scenario(), &trace(4, &[2, 3], &slips)), ["slip-not-in-store"]);
    assert!(check_trace(&scenario(), &trace(4, &[2, 3], &slips), Expect::Finished).is_valid(), "by hand");
    assert_eq!(kinds(&stored(), &trace(4, &[2, 3], &[])), ["not-late", "not-late"]);
    let drawn = scenario().with_delays(Delays { rate: 10, longest: 2, ..Delays::default() }).unwrap();
    assert_eq!(kinds(&drawn, &trace(4, &[2, 3], &slips)), [""; 0]);
    assert_eq!(kinds(&drawn, &trace(4, &[3], &[(0, 0, 3)])), ["slip-not-in-store"]);
    assert_eq!(kinds(&scenario(), &trace(2, &[], &[(0, 7, 3)])), ["unknown-agent", "slip-not-in-store"]);
}
