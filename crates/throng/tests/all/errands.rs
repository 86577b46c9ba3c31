//! Errands that come while the world runs: they appear, are given to units, and are done; and a judge believes none of it.

use crate::kit::session;
use crate::snapshots::same_future;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use throng::check::{Expect, Report, check_trace_alone};
use throng::core::{
    Agent, AgentId, Brings, Cell, Connectivity, ErrandId, Event, Expansions, Fate, Grid, News, Places, Rules,
    Scenario, ScenarioError, Setup, Stream, Supply, Task, TerrainEvent, Tick, Timing, Unlimited,
};
use throng::errands::{Assigner, ErrandError, Market};
use throng::planners::registry;
use throng::sim::{Metrics, Recorder};
use throng::{Error, NewUnit, Observers, Options, Session};

/// Those who move units that do errands.
fn servants() -> impl Iterator<Item = &'static str> {
    registry::all().iter().filter(|entry| entry.support.errands).map(|entry| entry.name)
}

fn servant(id: u32, x: i32, y: i32) -> Agent {
    Agent::new(id, Cell::new(x, y), Task::Errands(Vec::new()))
}

fn anywhere(supply: Supply, stops: usize) -> Stream {
    Stream { supply, brings: Brings::Drawn(vec![Places::Anywhere; stops]), count: None, seed: None }
}

/// A hall with pillars, and so many units in its first rows.
fn hall(units: u32, rules: Rules) -> Scenario {
    let row = |y: i32| (0..16).map(|x| if x % 4 == 2 && y % 4 == 2 { '@' } else { '.' }).collect();
    let rows: Vec<String> = (0..12).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let period = if rules.timing == Timing::Metric { 3 } else { 1 };
    let unit = |id: u32| Agent { period, ..servant(id, (id % 16) as i32, (id / 16) as i32) };
    Scenario::new("hall", Grid::from_rows(&rows).unwrap(), rules, (0..units).map(unit).collect()).unwrap()
}

struct Run {
    report: Report,
    metrics: Metrics,
    events: Vec<Event>,
}

/// Runs for so many ticks, and has the judge look at what was recorded.
fn run(session: &mut Session, ticks: Tick, budget: u64) -> Run {
    let scenario = session.scenario().clone();
    let mut metrics = Metrics::new(&scenario, session.state());
    let mut recorder = Recorder::new(&scenario, session.state());
    let mut events = Vec::new();
    while !session.is_done() && session.state().tick < ticks {
        let before = metrics.expanded();
        session.tick(&Expansions(budget), &mut Observers(&mut [&mut metrics, &mut recorder]));
        assert!(metrics.expanded() - before <= budget, "{} in a tick", metrics.expanded() - before);
        events.extend_from_slice(session.events());
    }
    let report = check_trace_alone(&scenario, recorder.trace(), Expect::Legal);
    assert!(report.is_valid(), "{}", report);
    assert_eq!(report.errands, session.errands().done);
    assert_eq!(metrics.service().done(), session.errands().done);
    assert_eq!(metrics.service().open(), session.errands().open() as u64);
    Run { report, metrics, events }
}

/// Everybody who moves units does errands, too: as many as there are, and then the world is done.
#[test]
fn whoever_moves_units_does_errands() {
    let mut who: Vec<&str> = servants().collect();
    assert!(who.len() >= 11, "{who:?}");
    who.extend(["whca(abstraction=1)", "whca(window=auto)"]);
    for spec in who {
        for timing in [Timing::Uniform, Timing::Metric] {
            let rules = Rules { connectivity: Connectivity::Eight, timing, ..Rules::default() };
            let stream = Stream { count: Some(40), ..anywhere(Supply::Open(8), 2) };
            let scenario = hall(6, rules).with_stream(Some(stream)).unwrap();
            let setup = Setup::new(scenario);
            let session = match Session::new(setup, &Options::planner(spec)) {
                Err(Error::Unsupported { .. }) => continue,
                session => session,
            };
            let mut session = session.unwrap();
            let Run { report, metrics, .. } = run(&mut session, 4000, u64::MAX);
            // Who follows lanes one step at a time may go round and round, errands or not.
            if spec == "dm-greedy" {
                assert!(report.errands > 0);
                continue;
            }
            assert!(session.is_done(), "{spec} {timing:?}: {} done", report.errands);
            assert_eq!(
                (report.errands, session.errands().appeared, session.arrived()),
                (40, 40, 6),
                "{spec}"
            );
            assert_eq!(metrics.service().times().number(), 40);
        }
    }
}

#[test]
fn whoever_plans_once_says_so() {
    let scenario = hall(2, Rules::default()).with_stream(Some(anywhere(Supply::Open(1), 1))).unwrap();
    for spec in ["hca", "lacam", "cbs", "lns"] {
        let refused = Session::new(Setup::new(scenario.clone()), &Options::planner(spec));
        let why = refused.map(|_| ()).unwrap_err().to_string();
        assert!(why.contains("errands that come while the world runs"), "{spec}: {why}");
    }
}

prop_compose! {
    fn places()(kind in 0..3, cells in prop::collection::vec((0..16, 0..12), 1..4)) -> Places {
        match kind {
            0 => Places::Anywhere,
            1 => Places::Letter(b'.'),
            _ => Places::Cells(cells.into_iter().map(|(x, y)| Cell::new(x - i32::from(x % 4 == 2), y)).collect()),
        }
    }
}

fn streams() -> impl Strategy<Value = Stream> {
    let supply = prop_oneof![(1..30u32).prop_map(Supply::Open), (1..900u32).prop_map(Supply::Rate)];
    let cell = (0..16, 0..12).prop_map(|(x, y)| Cell::new(x - i32::from(x % 4 == 2), y));
    let brings = prop_oneof![
        prop::collection::vec(places(), 1..4).prop_map(Brings::Drawn),
        prop::collection::vec(prop::collection::vec(cell, 1..4), 1..9).prop_map(Brings::Listed),
    ];
    let count = prop::option::of(1..200u64);
    (supply, brings, count, prop::option::of(any::<u64>())).prop_map(|(supply, brings, count, seed)| Stream {
        supply,
        brings,
        count,
        seed,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever the stream, whoever plans, whatever closes and opens and however little work is allowed: what counts as done
    /// was done, nobody collides, and a run that was saved goes on as it would have.
    #[test]
    fn what_counts_as_done_was_done(
        spec in select(servants().collect::<Vec<_>>()),
        units in 1..=32u32,
        stream in streams(),
        doors in prop::collection::vec((0..60u64, 0..16, 0..12, any::<bool>()), 0..6),
        save in any::<Index>(),
        budget in prop_oneof![Just(u64::MAX), 20..3000u64],
        seed in any::<u64>(),
    ) {
        let door = |(at, x, y, open): (Tick, i32, i32, bool)| {
            let cells = [vec![], vec![Cell::new(x, y)]];
            let [close, open] = if open { cells } else { let [a, b] = cells; [b, a] };
            TerrainEvent { at, close, open }
        };
        let scenario = hall(units, Rules::default())
            .with_stream(Some(stream))
            .and_then(|scenario| scenario.with_events(doors.into_iter().map(door).collect()))
            .unwrap();
        let make = || Session::new(
            Setup::new(scenario.clone()),
            &Options { seed, ..Options::planner(spec) },
        );
        let mut session = match make() {
            Err(Error::Unsupported { .. }) => return Ok(()),
            session => session.unwrap(),
        };
        run(&mut session, 120, budget);
        let at = save.index(100) as Tick;
        same_future(spec, || make().unwrap(), &[at], 120, &Expansions(budget));
    }
}

/// In a corridor somebody waits who has nothing to do, where another one has to pass; and it stays where it was pushed.
#[test]
fn whoever_has_nothing_to_do_makes_way() {
    let grid = Grid::from_rows(&["@@@@.@@", "......."]).unwrap();
    let units = vec![servant(0, 0, 1), servant(1, 3, 1)];
    for spec in ["pibt", "whca(window=8)", "cpra(k=8)"] {
        let errand = |at, x| throng::core::Errand { at, stops: vec![Cell::new(x, 1)] };
        let scenario = Scenario::new("corridor", grid.clone(), Rules::default(), units.clone()).unwrap();
        // The nearest of both goes to the far end, and then the other has to come past it.
        let scenario = scenario.with_errands(vec![errand(0, 4), errand(0, 1), errand(30, 6)]).unwrap();
        let mut session = Session::new(Setup::new(scenario), &Options::planner(spec)).unwrap();
        run(&mut session, 200, u64::MAX);
        assert!(session.is_done(), "{spec}: {:?}", session.errands());
    }
}

/// Errands that nobody can do are errors where they are known, and events where they come.
#[test]
fn what_cannot_be_done_is_refused_and_the_world_goes_on() {
    let grid = Grid::from_rows(&["....@.", "....@."]).unwrap();
    let world = |agents| Scenario::new("two rooms", grid.clone(), Rules::default(), agents).unwrap();
    let open = |scenario| Session::new(Setup::new(scenario), &Options::planner("pibt"));
    let errand = |x| throng::core::Errand { at: 5, stops: vec![Cell::new(1, 0), Cell::new(x, 0)] };
    let cut_off = open(world(vec![servant(0, 0, 0)]).with_errands(vec![errand(2), errand(5)]).unwrap());
    let why = cut_off.map(|_| ()).unwrap_err().to_string();
    assert_eq!(why, "errand 1: no unit that does errands can get to (1,0), (5,0)");
    let walker = Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(1, 0)));
    let nobody = open(world(vec![walker.clone()]).with_errands(vec![errand(2)]).unwrap());
    assert!(matches!(nobody, Err(Error::Errand(ErrandError::Nobody))));

    let mut session = open(world(vec![servant(0, 0, 0)])).unwrap();
    let to = |x| vec![Cell::new(x, 0)];
    assert!(matches!(session.add_errand(to(4)), Err(ErrandError::Stops(_))));
    assert!(matches!(session.add_errand(to(5)), Err(ErrandError::Unreachable { .. })));
    assert!(matches!(session.add_errand(vec![]), Err(ErrandError::Stops(_))));
    let first = session.add_errand(to(3)).unwrap();
    let second = session.add_errand(to(2)).unwrap();
    assert_eq!((first, second), (ErrandId(0), ErrandId(1)));
    // The way to the first closes before anybody has set out, and that to the second while somebody is on it.
    assert!(session.close(Cell::new(3, 0)).unwrap());
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    let refused = |events: &[Event]| {
        let refused = events.iter().filter_map(|event| match *event {
            Event::Refused { errand, .. } => Some(errand),
            _ => None,
        });
        refused.collect::<Vec<_>>()
    };
    assert_eq!(refused(session.events()), [first]);
    assert_eq!(session.errand_of(AgentId(0)).map(|job| job.id), Some(second));
    for y in 0..2 {
        session.close(Cell::new(2, y)).unwrap();
    }
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    assert_eq!(refused(session.events()), [second]);
    assert!(session.is_done());
    let third = session.add_errand(to(1)).unwrap();
    for _ in 0..9 {
        session.tick(&Unlimited, &mut throng::core::Unobserved);
    }
    assert!(session.is_done());
    assert_eq!((third, session.errands().done, session.errands().refused), (ErrandId(2), 1, 2));
}

/// Whoever has another order, or leaves, gives its errand back, and another one does it.
#[test]
fn whatever_is_given_back_is_done_by_others() {
    let mut session = session(Setup::new(hall(3, Rules::default())), "whca(window=8)");
    for x in 0..2 {
        session.add_errand(vec![Cell::new(15, 11), Cell::new(x, 10)]).unwrap();
    }
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    let mut doing = session.units().filter(|unit| session.errand_of(unit.agent).is_some());
    let (first, second) = (doing.next().unwrap(), doing.next().unwrap());
    drop(doing);
    session.order(first, Task::Hold).unwrap();
    session.remove(second).unwrap();
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    let returned = session.events().iter().filter(|event| matches!(event, Event::Returned { .. }));
    assert_eq!(returned.count(), 2);
    while !session.is_done() {
        session.tick(&Unlimited, &mut throng::core::Unobserved);
        assert!(session.state().tick < 200);
    }
    assert_eq!(session.errands().done, 2);
    // What was an order is done before any errand.
    let unit = session.units().find(|unit| *unit != first).unwrap();
    session.order(unit, Task::Errands(vec![Cell::new(8, 8)])).unwrap();
    session.add_errand(vec![Cell::new(0, 0)]).unwrap();
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    assert!(session.errand_of(unit.agent).is_none() && session.errands().waiting().count() == 1);
    while !session.is_done() {
        session.tick(&Unlimited, &mut throng::core::Unobserved);
        assert!(session.state().tick < 400);
    }
    assert_eq!(session.errands().done, 3);
}

/// Errands near the only unit keep coming; one far away gets its turn all the same.
#[test]
fn nobody_waits_for_ever() {
    let grid = Grid::empty(60, 2).unwrap();
    let near: Vec<_> = (0..3).map(|x| vec![Cell::new(x, 0)]).collect();
    let stream = Stream { brings: Brings::Listed(near), ..anywhere(Supply::Open(6), 1) };
    let far = throng::core::Errand { at: 3, stops: vec![Cell::new(59, 0)] };
    let scenario = Scenario::new("far", grid, Rules::default(), vec![servant(0, 0, 1)])
        .and_then(|scenario| scenario.with_stream(Some(stream)))
        .and_then(|scenario| scenario.with_errands(vec![far]))
        .unwrap();
    let mut session = session(Setup::new(scenario), "pibt");
    let Run { events, metrics, .. } = run(&mut session, 900, u64::MAX);
    let far = Cell::new(59, 0);
    let id = events.iter().find_map(|event| match *event {
        Event::Appeared { errand, at } if at == far => Some(errand),
        _ => None,
    });
    let done = |event: &Event| matches!(*event, Event::Done { errand, since: 3, .. } if Some(errand) == id);
    assert!(events.iter().any(done));
    assert!(metrics.service().worst_wait() < 600, "{}", metrics.service().worst_wait());
}

/// Somebody else decides who does what; what it says is not believed.
#[test]
fn who_assigns_can_be_replaced_and_is_not_believed() {
    /// The oldest errand to the last unit, twice, and to one that there is not.
    struct Last;
    impl Assigner for Last {
        fn assign(
            &mut self,
            market: &mut Market<'_>,
            _room: u64,
            pairs: &mut Vec<(ErrandId, AgentId)>,
        ) -> u64 {
            let job = market.state.errands.waiting().next().map(|job| job.id);
            for id in market.idle.iter().rev().copied().chain([AgentId(77)]) {
                pairs.extend(job.map(|job| (job, id)));
            }
            pairs.push((ErrandId(1000), AgentId(0)));
            0
        }
    }
    let scenario = hall(5, Rules::default()).with_stream(Some(anywhere(Supply::Open(3), 1))).unwrap();
    let mut session = session(Setup::new(scenario), "pibt");
    session.set_assigner(Box::new(Last));
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    assert_eq!(session.errands().jobs[0].fate, Fate::UnderWay(AgentId(4)));
    assert_eq!(session.errands().waiting().count(), 2);
}

/// Whoever is nearest by its way goes, not whoever is nearest as the crow flies.
#[test]
fn whoever_is_nearest_by_its_way_goes() {
    let grid = Grid::from_rows(&[".@......", ".@.@@@@@", ".@.@....", "...@...."]).unwrap();
    let scenario =
        Scenario::new("u", grid, Rules::default(), vec![servant(0, 0, 0), servant(1, 7, 0)]).unwrap();
    let errand = throng::core::Errand { at: 0, stops: vec![Cell::new(2, 0)] };
    let mut session = session(Setup::new(scenario.with_errands(vec![errand]).unwrap()), "pibt");
    session.tick(&Unlimited, &mut throng::core::Unobserved);
    assert_eq!(session.errands().jobs[0].fate, Fate::UnderWay(AgentId(1)));
}

/// The judge believes nothing that a trace says of errands.
#[test]
fn the_judge_believes_nothing() {
    let stream = Stream { count: Some(12), ..anywhere(Supply::Open(4), 2) };
    let scenario = hall(3, Rules::default()).with_stream(Some(stream)).unwrap();
    let mut session = session(Setup::new(scenario.clone()), "pibt");
    let mut recorder = Recorder::new(&scenario, session.state());
    while !session.is_done() {
        session.tick(&Unlimited, &mut recorder);
    }
    let trace = recorder.into_trace();
    let judge = |change: &dyn Fn(&mut Vec<throng::core::ErrandNote>)| {
        let mut forged = trace.clone();
        change(&mut forged.errands);
        let report = check_trace_alone(&scenario, &forged, Expect::Legal);
        report.violations.iter().map(|violation| violation.kind()).collect::<Vec<_>>()
    };
    assert_eq!(judge(&|_| {}), [""; 0]);
    let done = |note: &throng::core::ErrandNote| matches!(note.news, News::Done(_));
    let given = |note: &throng::core::ErrandNote| matches!(note.news, News::Assigned(_));
    let place =
        |test: &dyn Fn(&throng::core::ErrandNote) -> bool| trace.errands.iter().position(test).unwrap();
    let (done, given) = (place(&done), place(&given));
    assert!(judge(&|notes| drop(notes.remove(done))).contains(&"errand-uncounted"));
    // One tick too soon.
    assert!(
        judge(&|notes| {
            let mut note = notes.remove(done);
            note.tick -= 1;
            let place = notes.partition_point(|other| other.tick <= note.tick);
            notes.insert(place, note);
        })
        .contains(&"errand-not-done")
    );
    assert!(judge(&|notes| drop(notes.remove(given))).contains(&"errand-not-done"));
    assert!(judge(&|notes| notes[given].news = News::Assigned(AgentId(9))).contains(&"no-errands"));
    assert!(judge(&|notes| notes.insert(given, notes[given].clone())).contains(&"errand-taken"));
    assert!(judge(&|notes| notes.insert(1, notes[0].clone())).contains(&"errand-again"));
    assert!(judge(&|notes| notes[given].errand = ErrandId(5000)).contains(&"no-such-errand"));
    // Others than the scenario brings.
    let stop = Cell::new(2, 2);
    assert!(judge(&|notes| notes[0].news = News::Appeared(vec![stop])).contains(&"errand-not-in-store"));
    let stored = throng::core::Errand { at: 1, stops: vec![Cell::new(1, 1)] };
    let other = scenario.clone().with_errands(vec![stored]).unwrap();
    let report = check_trace_alone(&other, &trace, Expect::Legal);
    assert!(report.violations.iter().any(|violation| violation.kind() == "errand-missed"), "{report}");
}

#[test]
fn errands_take_a_world_that_is_known() {
    let sight = throng::core::Sight { team: None, ..throng::core::Sight::new(3) };
    let blind = hall(1, Rules::default()).with_sight(sight).unwrap();
    let why = Session::new(Setup::new(blind), &Options::planner("lra")).map(|_| ()).unwrap_err();
    assert!(matches!(why, Error::Scenario(ScenarioError::UnseenErrands { agent: AgentId(0) })));
}

/// What somebody may do to a world between two ticks.
#[derive(Clone, Debug)]
enum Act {
    Ask(Vec<(i32, i32)>),
    Come(i32, i32),
    Leave(Index),
    Order(Index, u8, (i32, i32)),
    Place(Index, (i32, i32)),
    Close(i32, i32),
    Open(i32, i32),
}

fn acts() -> impl Strategy<Value = Vec<(Tick, Act)>> {
    let at = || (0..16, 0..12);
    let act = prop_oneof![
        3 => prop::collection::vec(at(), 1..4).prop_map(Act::Ask),
        1 => at().prop_map(|(x, y)| Act::Come(x, y)),
        1 => any::<Index>().prop_map(Act::Leave),
        2 => (any::<Index>(), 0..4u8, at()).prop_map(|(who, kind, at)| Act::Order(who, kind, at)),
        1 => (any::<Index>(), at()).prop_map(|(who, at)| Act::Place(who, at)),
        2 => at().prop_map(|(x, y)| Act::Close(x, y)),
        1 => at().prop_map(|(x, y)| Act::Open(x, y)),
    ];
    prop::collection::vec((0..80u64, act), 0..40)
}

/// Does what can be done; what is refused leaves the world as it was.
fn apply(session: &mut Session, act: &Act) {
    let cell = |(x, y): (i32, i32)| Cell::new(x, y);
    let units: Vec<_> = session.units().collect();
    let who = |index: &Index| (!units.is_empty()).then(|| *index.get(&units));
    match act {
        Act::Ask(stops) => drop(session.add_errand(stops.iter().copied().map(cell).collect())),
        Act::Come(x, y) => drop(session.add(NewUnit::new(Cell::new(*x, *y), Task::Errands(Vec::new())))),
        Act::Leave(index) => drop(who(index).map(|unit| session.remove(unit))),
        Act::Order(index, kind, at) => {
            let task = match kind {
                0 => Task::Errands(Vec::new()),
                1 => Task::Errands(vec![cell(*at)]),
                2 => Task::Goal(cell(*at)),
                _ => Task::Patrol { goal: cell(*at), rounds: 1 },
            };
            drop(who(index).map(|unit| session.order(unit, task)));
        }
        Act::Place(index, at) => drop(who(index).map(|unit| session.place(unit, cell(*at)))),
        Act::Close(x, y) => drop(session.close(Cell::new(*x, *y))),
        Act::Open(x, y) => drop(session.open(Cell::new(*x, *y))),
    }
}

/// Whoever does an errand is there, does that one alone, and goes where it leads; all that was ever asked for is somewhere.
fn is_sound(session: &Session) {
    let errands = session.errands();
    let mut doing = std::collections::BTreeSet::new();
    for job in errands.jobs.iter().filter(|job| job.fate.is_open()) {
        assert!(job.id.0 < errands.appeared && job.since < session.state().tick);
        let Fate::UnderWay(agent) = job.fate else { continue };
        assert!(doing.insert(agent) && session.unit_id(agent).is_some());
        assert_eq!(session.scenario().agent(agent).task, Task::Errands(job.stops.clone()));
        assert_eq!(session.errand_of(agent), Some(job));
    }
    let others = session.units().filter(|unit| !doing.contains(&unit.agent));
    assert!(others.into_iter().all(|unit| session.errand_of(unit.agent).is_none()));
    assert_eq!(errands.appeared, errands.done + errands.refused + errands.open() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is done to a world between ticks, every tick is legal and the board is sound; a session that was saved in
    /// between goes on just the same.
    #[test]
    fn whatever_is_done_between_ticks_the_board_is_sound(
        spec in select(vec!["pibt", "whca(window=8)", "lra", "cpra(k=8)", "dm-whca", "collective"]),
        units in 1..12u32,
        stream in prop::option::of(streams()),
        acts in acts(),
        save in 0..80u64,
    ) {
        let scenario = hall(units, Rules::default()).with_stream(stream).unwrap();
        let mut session = session(Setup::new(scenario), spec);
        let mut twin: Option<Session> = None;
        for tick in 0..80 {
            if tick == save {
                twin = Some(Session::resume(&session.save(), 1).unwrap());
            }
            for session in std::iter::once(&mut session).chain(&mut twin) {
                acts.iter().filter(|(at, _)| *at == tick).for_each(|(_, act)| apply(session, act));
                crate::kit::tick(session, &Unlimited);
                is_sound(session);
            }
            if let Some(twin) = &twin {
                prop_assert_eq!(twin.state(), session.state(), "saved at {}, now {}", save, tick);
                prop_assert_eq!(twin.events(), session.events());
            }
        }
    }
}
