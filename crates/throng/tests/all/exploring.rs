//! Units that explore: everything that can be reached is seen, nothing leaks, nobody collides, and whoever stops says why.

use crate::kit::{Time, Watch, session, tick};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use throng::check::Expect;
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Event, Expansions, Grid, Need, Rules, Scenario, ScenarioError,
    Setup, Sight, Source, Task, TerrainEvent, Unlimited,
};
use throng::worlds::generate::{CaveMap, RoomMap, TunnelMap};
use throng::{Error, NewUnit, Options, OrderError, Session};

/// The four methods, one that has no heat to follow but when it is stuck, and the frontier shared out.
const METHODS: [&str; 10] = [
    "explore",
    "explore(potential=1,block=4)",
    "explore(repulsion=1,radius=5)",
    "explore(walls=1,margin=4,repulsion=1)",
    "explore(potential=1,block=4,repulsion=1,radius=5)",
    "explore(heat=0,potential=1,block=3,repulsion=2,radius=4)",
    "explore(assign=on,glance=5)",
    "explore(assign=on)",
    "explore(assign=on,adapt=on,window=8)",
    "explore(potential=1,block=4,repulsion=1,radius=5,adapt=on,window=4)",
];

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// A map of one of three kinds.
fn map(kind: usize, width: u32, height: u32, seed: u64) -> Grid {
    match kind {
        0 => TunnelMap {
            width,
            height,
            min_connections: 1,
            max_connections: 2,
            noise: 3,
            min_island: 2,
            wall: 1,
            tunnel: 1,
        }
        .generate(seed),
        1 => CaveMap { width, height, percent: 42, rounds: 3 }.generate(seed),
        _ => RoomMap { width, height, room: 6, doors: 1 }.generate(seed),
    }
    .expect("a map")
}

/// Explorers on the first open cells of a map, side by side.
fn expedition(grid: &Grid, time: Time, connectivity: Connectivity, tasks: &[Task], sight: Sight) -> Scenario {
    let starts = grid.open_ids().map(|id| grid.cell(id));
    let agents = starts
        .zip(tasks)
        .zip(0..)
        .map(|((start, task), id)| Agent { period: time.period(), ..Agent::new(id, start, task.clone()) });
    let scenario = Scenario::new("expedition", grid.clone(), time.rules(connectivity), agents.collect());
    scenario.expect("valid").with_sight(sight).expect("eyes")
}

fn eyes() -> impl Strategy<Value = Sight> {
    (1..8u32, 20..=360u32, any::<Index>(), any::<bool>()).prop_map(|(radius, angle, inner, line_of_sight)| {
        Sight {
            angle,
            inner: Some(1 + inner.index(radius as usize) as u32),
            line_of_sight,
            ..Sight::new(radius)
        }
    })
}

/// Runs to the end with the judge watching, who says that everything has been seen, too.
fn explored(session: &mut Session, ticks: u64, budget: u64) -> Vec<Event> {
    let scenario = session.scenario().clone();
    let mut watch = Watch::new(&scenario);
    let mut told = Vec::new();
    while !session.is_done() {
        let so_far = || session.exploration(AgentId(0));
        assert!(
            session.state().tick < ticks,
            "{:?} after {ticks} ticks: {:?}",
            session.planners().next(),
            so_far()
        );
        told.extend_from_slice(session.tick(&Expansions(budget), &mut watch));
    }
    let most = watch.work.iter().max().copied().unwrap_or(0);
    assert!(most <= budget, "{most} expansions in a tick");
    let report = watch.finish_with(Expect::Finished);
    assert!(report.is_valid(), "{report}");
    told
}

/// Every open cell that is joined to the first one.
fn reachable(grid: &Grid) -> Vec<Cell> {
    let regions = throng::core::Regions::of(grid, 1);
    let first = grid.open_ids().next().expect("an open cell");
    grid.open_ids().filter(|&id| regions.joined(first, id)).map(|id| grid.cell(id)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On any map, by any method and any rules, with any eyes: everything is seen that can be reached, within a bound, and the
    /// judge agrees. With a hidden goal it is found.
    #[test]
    fn everything_is_seen(
        kind in 0..3usize,
        seed in 0..1000u64,
        size in (20..34u32, 20..30u32),
        method in select(&METHODS[..]),
        (time, eight) in (select(&Time::ALL[..]), any::<bool>()),
        units in 1..7usize,
        sight in eyes(),
        hidden: Option<Index>,
        budget in prop_oneof![3 => Just(u64::MAX), 1 => 60..400u64],
    ) {
        let grid = map(kind, size.0, size.1, seed);
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let goals = reachable(&grid);
        let task = hidden.map_or(Task::Explore, |hidden| Task::Find(*hidden.get(&goals)));
        let scenario = expedition(&grid, time, connectivity, &vec![task.clone(); units], sight);
        let mut session = session(Setup::new(scenario), method);
        // Every cell alone, one after the other, would take less than that; waiting for a search takes the rest.
        let ticks = u64::from(time.period()) * 40 * goals.len() as u64;
        let told = explored(&mut session, ticks, budget);
        if let Task::Find(goal) = task {
            prop_assert!(session.has_seen(AgentId(0), goal));
            prop_assert_eq!(told.iter().filter(|event| matches!(event, Event::Found { .. })).count(), units);
        } else {
            prop_assert!(goals.iter().all(|&cell| session.has_seen(AgentId(0), cell)));
            prop_assert_eq!(told.iter().filter(|event| matches!(event, Event::Explored { .. })).count(), units);
        }
        // No move is lost where nothing but explorers moves and nothing changes.
        let lost = told.iter().any(|event| matches!(event, Event::Failed { .. }));
        prop_assert!(!lost);
        for unit in session.units() {
            let why = session.explain(unit.agent).unwrap();
            let done = matches!(why.cause, Cause::Explored { .. } | Cause::Found { .. });
            prop_assert!(done, "{}", why);
        }
    }

    /// Nothing leaks: of two worlds that differ in one cell, in where the hidden goal is, or in where a stranger stands, all
    /// explorers do the same until somebody has seen the difference.
    #[test]
    fn what_is_not_seen_changes_no_decision(
        kind in 0..3usize,
        seed in 0..1000u64,
        method in select(&METHODS[..]),
        sight in eyes(),
        odd: (Index, Index),
        goals: (Index, Index),
        stranger: bool,
        shared: bool,
        budget in prop_oneof![Just(u64::MAX), 20..400u64],
    ) {
        let sight = Sight { shared, ..sight };
        let grid = map(kind, 24, 20, seed);
        let reached = reachable(&grid);
        let goals = [*goals.0.get(&reached), *goals.1.get(&reached)];
        let spots = [*odd.0.get(&reached), *odd.1.get(&reached)];
        let odd = cell(odd.0.index(24) as i32, odd.1.index(20) as i32);
        let id = grid.id(odd).unwrap();
        let mut other = grid.clone();
        other.set_letter(id, if grid.is_open_id(id) { b'@' } else { b'.' }).unwrap();
        let starts: Vec<_> = grid.open_ids().take(4).map(|id| grid.cell(id)).collect();
        prop_assume!(![&starts[..], &goals].concat().contains(&odd));
        prop_assume!(spots.iter().all(|spot| !starts.contains(spot)));
        let make = |grid: &Grid, goal: Cell, spot: Cell| {
            let mut agents: Vec<_> = starts.iter().zip(0..).map(|(&at, id)| Agent::new(id, at, Task::Find(goal))).collect();
            agents[3].task = Task::Explore;
            if stranger {
                agents.push(Agent { team: 1, ..Agent::new(4, spot, Task::Hold) });
            }
            let scenario = Scenario::new("twin", grid.clone(), Time::Uniform.rules(Connectivity::Eight), agents).unwrap();
            session(Setup::new(scenario.with_sight(sight).unwrap()), method)
        };
        let spots = if stranger && !spots.contains(&odd) { spots } else { [spots[0]; 2] };
        prop_assume!(!stranger || !spots.contains(&odd));
        let mut twins = [make(&grid, goals[0], spots[0]), make(&other, goals[1], spots[1])];
        for _ in 0..80 {
            twins.iter_mut().for_each(|session| tick(session, &Expansions(budget)));
            let seen = |session: &Session| {
                let difference = [odd, goals[0], goals[1], spots[0], spots[1]];
                (0..4).map(AgentId).any(|agent| difference.iter().any(|&cell| session.has_seen(agent, cell)))
            };
            if seen(&twins[0]) || seen(&twins[1]) {
                break;
            }
            let own = |session: &Session| session.state().units[..4].to_vec();
            prop_assert_eq!(own(&twins[0]), own(&twins[1]), "{}", method);
        }
    }

    /// Doors close and open as they explore, knowledge may fade or be everybody's own, others stand about: nobody collides, what is
    /// saved goes on in the same way, and everybody can say why it is where it is.
    #[test]
    fn worlds_may_change_meanwhile(
        kind in 0..3usize,
        seed in 0..1000u64,
        method in select(&METHODS[..]),
        (time, eight) in (select(&Time::ALL[..]), any::<bool>()),
        sight in eyes(),
        (shared, fading) in (any::<bool>(), proptest::option::of(1..60u32)),
        doors in prop::collection::vec((0..120u64, any::<Index>(), any::<bool>()), 0..12),
        (holder, late) in (any::<bool>(), any::<bool>()),
        budget in prop_oneof![Just(u64::MAX), 20..400u64],
        at in 1..150u64,
    ) {
        let grid = map(kind, 24, 20, seed);
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let mut tasks = vec![Task::Explore; 5];
        if holder {
            tasks[1] = Task::Hold;
        }
        let scenario = expedition(&grid, time, connectivity, &tasks, Sight { shared, fading, ..sight });
        let open = reachable(&grid);
        let event = |(at, cell, closes): (u64, Index, bool)| {
            let cell = vec![*cell.get(&open)];
            let (close, open) = if closes { (cell, vec![]) } else { (vec![], cell) };
            TerrainEvent { at, close, open }
        };
        let scenario = scenario.with_events(doors.into_iter().map(event).collect()).unwrap();
        let (mut session, mut twin) = (session(Setup::new(scenario), method), None::<Session>);
        let budget = Expansions(budget);
        for now in 0..300 {
            if late && now == 60 {
                let free = open.iter().rev().find(|&&cell| session.scenario().grid().is_open(cell) && {
                    session.state().units.iter().all(|unit| grid.cell(unit.at) != cell && grid.cell(unit.from) != cell)
                });
                let new = NewUnit { period: time.period(), ..NewUnit::new(*free.unwrap(), Task::Explore) };
                let joins = |session: &mut Session| session.add(new.clone()).map(|unit| unit.agent);
                let joined = joins(&mut session);
                if let Some(twin) = &mut twin {
                    prop_assert_eq!(joins(twin), joined);
                }
            }
            tick(&mut session, &budget);
            if let Some(twin) = &mut twin {
                tick(twin, &budget);
                prop_assert_eq!(twin.events(), session.events(), "{}", method);
                prop_assert_eq!(twin.state(), session.state(), "{}", method);
            } else if session.state().tick == at {
                twin = Some(Session::resume(&session.save(), 1).unwrap());
            }
        }
        for unit in session.units() {
            prop_assert!(session.explain(unit.agent).is_some());
        }
    }
}

/// A corridor with a room at each end, and somebody of others who stands in the middle.
const ROOMS: [&str; 5] =
    ["....@@@@@@@....", "....@@@@@@@....", "...............", "....@@@@@@@....", "....@@@@@@@...."];

/// What is behind one who stays cannot be reached: the rest is seen, and those who wait can say for whom.
#[test]
fn somebody_in_the_way_is_named() {
    // Those who look ahead (`window`) cannot always say for whom they wait.
    for method in METHODS.into_iter().filter(|method| !method.contains("window")) {
        let grid = Grid::from_rows(&ROOMS).unwrap();
        let mut agents = vec![
            Agent::new(0, cell(4, 2), Task::Explore),
            Agent::new(1, cell(5, 2), Task::Explore),
            Agent::new(2, cell(7, 2), Task::Hold),
        ];
        agents[2].team = 1;
        let scenario =
            Scenario::new("barred", grid, Time::Uniform.rules(Connectivity::Four), agents).unwrap();
        let setup = Setup::new(scenario.with_sight(Sight::new(2)).unwrap());
        let unit_planners = vec![(AgentId(2), "whca".to_owned())];
        let setup = Setup { planner: Some(method.to_owned()), unit_planners, ..setup };
        let mut session = Session::new(setup, &Options::default()).unwrap();
        for _ in 0..150 {
            tick(&mut session, &Unlimited);
        }
        assert!(!session.is_done(), "{method}");
        let west = (0..4).flat_map(|x| (0..5).map(move |y| cell(x, y)));
        assert!(
            west.clone().all(|cell| session.has_seen(AgentId(0), cell)),
            "{method}: it turned to the other side"
        );
        let causes = [0, 1].map(|id| session.explain(AgentId(id)).unwrap().cause);
        let waits = |cause: &Cause| matches!(cause, Cause::Occupied { blocker: AgentId(2), .. });
        assert!(causes.iter().any(waits), "{method}: {causes:?}");
        let left = session.exploration(AgentId(0)).unwrap();
        assert!(left.frontier > 0 && left.beyond == 0 && left.unseen > 0, "{method}: {left:?}");
        // It goes, and they go on.
        let guard = session.unit_id(AgentId(2)).unwrap();
        session.remove(guard).unwrap();
        for _ in 0..150 {
            tick(&mut session, &Unlimited);
        }
        assert!(session.is_done(), "{method}: {:?}", session.explain(AgentId(0)));
        assert!(session.has_seen(AgentId(0), cell(14, 4)), "{method}");
    }
}

/// What cannot be reached is counted; a hidden goal there ends the search without success.
#[test]
fn what_is_behind_walls_is_counted() {
    let grid = Grid::from_rows(&["....@...", ".....@..", "....@@@."]).unwrap();
    for task in [Task::Explore, Task::Find(cell(7, 2))] {
        let scenario =
            expedition(&grid, Time::Uniform, Connectivity::Four, &[task.clone(), task], Sight::new(3));
        let mut session = session(Setup::new(scenario), "explore");
        let told = explored(&mut session, 60, u64::MAX);
        assert!(!told.iter().any(|event| matches!(event, Event::Found { .. })));
        let seen = session.exploration(AgentId(1)).unwrap();
        assert_eq!((seen.frontier, seen.seen + seen.unseen), (0, 24));
        let why = session.explain(AgentId(1)).unwrap();
        assert_eq!(why.cause, Cause::Explored { unseen: seen.unseen, beyond: seen.beyond });
        assert!(why.to_string().contains("has seen all that can be reached"), "{why}");
        // A door opens before its eyes: a new order, a new search.
        session.open(cell(5, 1)).unwrap();
        let unit = session.unit_id(AgentId(0)).unwrap();
        session.place(unit, cell(4, 1)).unwrap();
        session.order(unit, Task::Find(cell(7, 2))).unwrap();
        for _ in 0..40 {
            tick(&mut session, &Unlimited);
        }
        assert_eq!(session.explain(AgentId(0)).unwrap().cause, Cause::Found { cell: cell(7, 2) });
    }
}

/// Whoever has done its part makes way in a corridor for one that comes later, and another behind it, too.
#[test]
fn whoever_has_explored_makes_way() {
    let grid = Grid::from_rows(&["........@......"]).unwrap();
    let tasks = [Task::Explore, Task::Explore];
    let scenario = expedition(&grid, Time::Uniform, Connectivity::Four, &tasks, Sight::new(1));
    let mut session = session(Setup::new(scenario), "explore");
    explored(&mut session, 30, u64::MAX);
    let parked = [0, 1].map(|id| session.state().units[id].at);
    // The wall falls before the eyes of those who are done.
    session.open(cell(8, 0)).unwrap();
    session.add(NewUnit::new(cell(0, 0), Task::Explore)).unwrap();
    while !session.is_done() {
        tick(&mut session, &Unlimited);
        assert!(session.state().tick < 120, "{:?}", session.explain(AgentId(2)));
    }
    assert!(session.has_seen(AgentId(2), cell(14, 0)));
    assert!((0..2).all(|id| session.state().units[id].at > parked[id]));
}

/// Eyes that look ahead: those who look around on the way have seen most of a world sooner. (The last corners may take longer.)
#[test]
fn a_look_around_shows_most_sooner() {
    let ticks = |method: &str| -> u64 {
        let run = |seed: u64, units: usize| {
            let grid = CaveMap { width: 40, height: 40, percent: 38, rounds: 4 }.generate(seed).unwrap();
            let sight = Sight { angle: 72, inner: Some(3), ..Sight::new(9) };
            let tasks = vec![Task::Explore; units];
            let scenario = expedition(&grid, Time::Uniform, Connectivity::Four, &tasks, sight);
            let mut session = session(Setup::new(scenario), method);
            let all = reachable(&grid);
            let seen = |session: &Session| all.iter().filter(|&&at| session.has_seen(AgentId(0), at)).count();
            while 4 * seen(&session) < 3 * all.len() {
                tick(&mut session, &Unlimited);
                assert!(session.state().tick < 1000, "{method}");
            }
            session.state().tick
        };
        (0..8).map(|seed| run(seed, 1) + run(seed, 5)).sum()
    };
    let (ahead, around) = (ticks("explore(assign=on)"), ticks("explore(assign=on,glance=5)"));
    assert!(around < ahead, "{around} ticks with a look around, {ahead} without");
}

/// To explore takes eyes, and a planner that can; the errors say so.
#[test]
fn explorers_need_eyes_and_a_planner() {
    let grid = Grid::from_rows(&["...", "..."]).unwrap();
    let agents = vec![Agent::new(0, cell(0, 0), Task::Explore)];
    let blind =
        Scenario::new("blind", grid.clone(), Time::Uniform.rules(Connectivity::Four), agents).unwrap();
    let refused = Session::new(Setup::new(blind.clone()), &Options::planner("explore")).unwrap_err();
    assert!(matches!(refused, Error::Scenario(ScenarioError::NoSight { agent: AgentId(0) })), "{refused}");
    let scenario = blind.with_sight(Sight::new(2)).unwrap();
    let refused = Session::new(Setup::new(scenario), &Options::planner("dlite")).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { need: Need::Explorers, .. }), "{refused}");
    let empty = Scenario::new("seen", grid, Time::Uniform.rules(Connectivity::Four), vec![]).unwrap();
    let mut session = session(Setup::new(empty), "explore");
    let refused = session.add(NewUnit::new(cell(0, 0), Task::Explore)).unwrap_err();
    assert!(matches!(refused, OrderError::Scenario(ScenarioError::NoSight { .. })), "{refused}");
}

/// A hall with a way round in the north and one in the south, of which one leads past something.
fn fork(sources: Vec<Source>, planner: &str) -> Session {
    let rows = [
        ".............",
        ".@@@@@@@@@@@.",
        ".@@@@@@@@@@@.",
        ".@@@@@@@@@@@.",
        ".@@@@@@@@@@@.",
        ".@@@@@@@@@@@.",
        ".............",
    ];
    let agents = vec![Agent::new(0, Cell::new(0, 3), Task::Explore)];
    let scenario = Scenario::new("fork", Grid::from_rows(&rows).unwrap(), Rules::default(), agents).unwrap();
    let scenario = scenario.with_sight(Sight::new(4)).unwrap().with_sources(sources).unwrap();
    session(Setup::new(scenario), planner)
}

/// The row in which the unit of a fork is as soon as it has left its column.
fn turn(mut session: Session) -> i32 {
    loop {
        tick(&mut session, &Unlimited);
        let at = session.scenario().grid().cell(session.state().units[0].at);
        if at.x > 0 {
            return at.y;
        }
        assert!(session.state().tick < 40);
    }
}

/// Resources draw explorers and dangers keep them away, once they have been seen; everything is seen all the same.
#[test]
fn resources_draw_and_dangers_keep_away() {
    let source = |y, strength| Source { cell: Cell::new(0, y), strength, radius: 6 };
    for (y, planner) in
        [0, 6].into_iter().flat_map(|y| ["explore", "explore(assign=on)"].map(|planner| (y, planner)))
    {
        assert_eq!(turn(fork(vec![source(y, 5_000)], planner)), y, "{planner}: drawn to {y}");
        assert_eq!(turn(fork(vec![source(y, -5_000)], planner)), 6 - y, "{planner}: kept away from {y}");
        let mut session = fork(vec![source(y, -5_000), source(6 - y, -3_000)], planner);
        while !session.is_done() {
            tick(&mut session, &Unlimited);
            assert!(session.state().tick < 300, "{}", session.why(AgentId(0)));
            if session.state().tick.is_multiple_of(7) {
                session = Session::resume(&session.save(), 1).unwrap();
            }
        }
    }
}

/// What has not been seen does not draw, and what has gone does until somebody sees that.
#[test]
fn sources_have_to_be_seen() {
    let far = Source { cell: Cell::new(12, 0), strength: 900_000, radius: 200 };
    let (mut with, mut without) = (fork(vec![far], "explore"), fork(Vec::new(), "explore"));
    for _ in 0..6 {
        [&mut with, &mut without].into_iter().for_each(|session| tick(session, &Unlimited));
        assert_eq!(with.state(), without.state());
    }
    let near = Source { cell: Cell::new(0, 4), strength: 1_000, radius: 3 };
    let mut session = fork(vec![near], "explore");
    tick(&mut session, &Unlimited);
    assert_eq!(session.known_world(AgentId(0)).sources(), [near]);
    session.set_sources(Vec::new()).unwrap();
    tick(&mut session, &Unlimited);
    assert_eq!(session.known_world(AgentId(0)).sources(), []);
    let wrong = Source { radius: 0, ..near };
    let refused = session.set_sources(vec![wrong]).unwrap_err().to_string();
    assert_eq!(refused, "source 0 at (0,4) has radius 0, expected 1 to 256");
}
