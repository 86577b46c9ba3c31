//! Explorers beyond the four methods: those who adapt to where they are, look ahead in corridors and around among strangers, whose goals
//! and walls change, and who leave traps.

use crate::kit::{Time, Watch, session, tick};
use throng::check::Expect;
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Event, Grid, Rules, Scenario, Setup, Sight, State, Task,
    Unlimited,
};
use throng::worlds::builtin;
use throng::worlds::generate::TunnelMap;
use throng::{Session, group::Shape};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn expedition(grid: Grid, starts: &[Cell], task: &Task, sight: Sight, planner: &str) -> Session {
    let agents = starts.iter().zip(0..).map(|(&start, id)| Agent::new(id, start, task.clone())).collect();
    let rules: Rules = Time::Uniform.rules(Connectivity::Four);
    let scenario = Scenario::new("expedition", grid, rules, agents).unwrap().with_sight(sight).unwrap();
    session(Setup::new(scenario), planner)
}

/// All states of a run, which the judge watches and in which no move is lost.
fn states(mut session: Session) -> Vec<State> {
    let scenario = session.scenario().clone();
    let (mut watch, mut states) = (Watch::new(&scenario), Vec::new());
    while !session.is_done() {
        assert!(session.state().tick < 2000, "{:?}: {}", session.planners().next(), session.why(AgentId(0)));
        let told = session.tick(&Unlimited, &mut watch);
        assert!(!told.iter().any(|event| matches!(event, Event::Failed { .. })), "{told:?}");
        states.push(session.state().clone());
    }
    let report = watch.finish_with(Expect::Finished);
    assert!(report.is_valid(), "{report}");
    states
}

/// Corridors of one cell.
fn maze(seed: u64) -> Grid {
    let map = TunnelMap {
        width: 41,
        height: 41,
        min_connections: 1,
        max_connections: 2,
        noise: 0,
        min_island: 2,
        wall: 1,
        tunnel: 1,
    };
    map.generate(seed).unwrap()
}

/// How often a unit stood still from one tick to the next.
fn waits(states: &[State]) -> usize {
    let still =
        |pair: &[State]| pair[0].units.iter().zip(&pair[1].units).filter(|(a, b)| a.at == b.at).count();
    states.windows(2).map(still).sum()
}

/// Where it is narrow repulsion does not count for who adapts, so that in corridors of one cell it goes by the heat alone, step by
/// step; in a hall, among others, it counts more, and units do something else. The same again comes to the same.
#[test]
fn weights_follow_the_map_and_the_crowd() {
    let run = |grid: Grid, planner: &str| {
        let starts: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).take(5).collect();
        states(expedition(grid, &starts, &Task::Explore, Sight::new(3), planner))
    };
    let (plain, adapts) = ("explore(repulsion=1,radius=5)", "explore(repulsion=1,radius=5,adapt=on)");
    let corridor = || Grid::from_rows(&[".".repeat(60).as_str()]).unwrap();
    assert_eq!(run(corridor(), adapts), run(corridor(), "explore"));
    let hall = || Grid::empty(30, 20).unwrap();
    let with = run(hall(), adapts);
    assert_ne!(with, run(hall(), plain));
    assert_eq!(with, run(hall(), adapts));
    // With the frontier shared out, what there is to see is worth less where it is narrow.
    let worth = |seed, planner: &str| run(maze(seed), planner);
    let (plain, adapts) = ("explore(assign=on,gain=2)", "explore(assign=on,gain=2,adapt=on)");
    assert!((0..4).any(|seed| worth(seed, adapts) != worth(seed, plain)));
}

/// In corridors of one cell, explorers from two corners and from everywhere look ahead: nobody loses a move (`states` looks), all is
/// seen sooner, and they stand in each other's way less often, over all of these mazes together.
#[test]
fn those_who_look_ahead_wait_less_in_corridors() {
    let run = |planner: &str| {
        let (mut ticks, mut still) = (0, 0);
        for seed in 0..24 {
            let grid = maze(seed);
            let open: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
            let corners = open.iter().take(4).chain(open.iter().rev().take(4)).copied().collect::<Vec<_>>();
            let everywhere = open.iter().step_by(60).take(8).copied().collect();
            for starts in [corners, everywhere] {
                let sight = Sight { angle: 90, inner: Some(1), ..Sight::new(6) };
                let all = states(expedition(grid.clone(), &starts, &Task::Explore, sight, planner));
                ticks += all.len();
                still += waits(&all);
            }
        }
        (ticks, still)
    };
    let without = run("explore(assign=on,glance=5,gain=0.1)");
    let with = run("explore(assign=on,glance=5,gain=0.1,window=4)");
    assert!(
        with.0 < without.0 && with.1 < without.1,
        "ticks and waits: {with:?}, without a window {without:?}"
    );
}

/// Surveyors of `town` looked for cells from where much is to be seen through people who stood there for good: seen from two
/// steps away the way was free, beside them it was not, so that they went to and fro before them for ever (seed 1, once the people of
/// the market have been sent to the park). Whoever is of others and in the way of a look around counts as a wall by now. By the heat, too,
/// they stepped aside of somebody who rests and back again, for ever (seed 3), since nobody lost patience who could take a step.
#[test]
fn surveyors_do_not_stand_before_those_who_rest() {
    for seed in [1, 3] {
        let mut setup = builtin("town", seed).unwrap();
        let surveyors = setup.unit_planners.iter_mut().filter(|(_, spec)| spec == "explore(assign=on)");
        let surveyors = surveyors.map(|(_, spec)| *spec = "explore(assign=on,glance=5)".to_owned()).count();
        assert!(surveyors > 0);
        let mut session = session(setup, "whca(window=16)");
        let agents = session.scenario().agents().iter();
        let west = |agent: &Agent| agent.period == 2 && agent.start.x < 22 && agent.waypoints().last().x > 29;
        let crowd = agents.filter(|agent| west(agent)).filter_map(|agent| session.unit_id(agent.id));
        let crowd: Vec<_> = crowd.collect();
        while !session.is_done() && session.state().tick < 3000 {
            if session.state().tick == 150 {
                session.order_group(&crowd, cell(35, 10), Shape::Block).unwrap();
            }
            tick(&mut session, &Unlimited);
        }
        let why = |agent: &Agent| format!("{}\n", session.why(agent.id));
        let explorers = session.scenario().agents().iter().filter(|agent| agent.task.is_search());
        assert!(session.is_done(), "seed {seed}:\n{}", explorers.map(why).collect::<String>());
    }
}

/// Two halls with a corridor between them, and somewhere to look for in each.
const HALLS: [&str; 5] = [
    ".......@@@@@@@.......",
    ".......@@@@@@@.......",
    ".....................",
    ".......@@@@@@@.......",
    ".......@@@@@@@.......",
];

/// A goal that changes on the way: whoever was sent to look for something in the east is told to look in the west instead. It is not done by
/// what it was to find before, and nobody tells it where that is.
#[test]
fn a_goal_may_change_on_the_way() {
    for planner in ["explore", "explore(potential=1)", "explore(assign=on,glance=5,window=8)"] {
        let (east, west) = (cell(20, 4), cell(0, 0));
        let starts = [cell(10, 2), cell(11, 2)];
        let grid = Grid::from_rows(&HALLS).unwrap();
        let mut session = expedition(grid, &starts, &Task::Find(east), Sight::new(3), planner);
        for _ in 0..3 {
            tick(&mut session, &Unlimited);
        }
        assert!(![east, west].iter().any(|&goal| session.has_seen(AgentId(0), goal)), "{planner}");
        for agent in [0, 1].map(AgentId) {
            let unit = session.unit_id(agent).unwrap();
            session.order(unit, Task::Find(west)).unwrap();
            assert!(matches!(session.known_world(agent).agent(agent).task, Task::Explore), "nobody is told");
        }
        let mut found = Vec::new();
        while !session.is_done() {
            assert!(session.state().tick < 200, "{planner}: {}", session.why(AgentId(0)));
            tick(&mut session, &Unlimited);
            let told = session.events().iter();
            found.extend(told.filter_map(|event| match event {
                Event::Found { cell, .. } => Some(*cell),
                _ => None,
            }));
        }
        assert_eq!(found, [west, west], "{planner}");
        assert_eq!(session.explain(AgentId(1)).unwrap().cause, Cause::Found { cell: west }, "{planner}");
    }
}

/// A wall that appears while they explore, right before the eyes of whoever is about to pass: it turns back, all that can still be
/// reached is seen by the long way round, and what the wall took is not waited for.
#[test]
fn a_wall_may_appear_on_the_way() {
    let rows =
        ["...............", ".@@@@@@@@@@@@@.", ".@@@@@@@@@@@@@.", ".@@@@@@@@@@@@@.", "..............."];
    for planner in ["explore", "explore(potential=1,repulsion=1)", "explore(assign=on,glance=5,window=8)"] {
        let grid = Grid::from_rows(&rows).unwrap();
        let starts = [cell(1, 0)];
        let mut session = expedition(grid, &starts, &Task::Explore, Sight::new(2), planner);
        // As soon as one is halfway along a side, the next cell but one closes.
        let (mut closed, mut turned) = (None, false);
        while !session.is_done() {
            assert!(session.state().tick < 200, "{planner}: {}", session.why(AgentId(0)));
            tick(&mut session, &Unlimited);
            let at = session.scenario().grid().cell(session.state().units[0].at);
            if closed.is_none() && at.x == 7 {
                session.close(cell(9, at.y)).unwrap();
                closed = Some(cell(9, at.y));
            }
            turned |= closed.is_some() && at.x < 3;
        }
        let wall = closed.expect("it came halfway");
        assert!(turned, "{planner}: it went back and around");
        for open in session.scenario().grid().open_ids().map(|id| session.scenario().grid().cell(id)) {
            assert!(session.has_seen(AgentId(0), open), "{planner}: {open} beyond {wall}");
        }
    }
}

/// A trap: a cup of walls, open to the west, with all that is unknown and draws behind its bottom. The draw alone keeps a unit at the
/// bottom of it; it notices that it gets nowhere and leaves by the heat, and sees everything.
#[test]
fn a_dip_of_the_potential_is_left() {
    let mut rows = vec![".".repeat(40); 15];
    for (y, row) in rows.iter_mut().enumerate().filter(|(y, _)| (3..=11).contains(y)) {
        let walls = if y == 3 || y == 11 { 8..17 } else { 16..17 };
        row.replace_range(walls.clone(), &"@".repeat(walls.len()));
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for planner in ["explore(potential=1)", "explore(heat=0,potential=1)"] {
        let grid = Grid::from_rows(&rows).unwrap();
        let session = expedition(grid.clone(), &[cell(12, 7)], &Task::Explore, Sight::new(3), planner);
        let all = states(session);
        let inside = |state: &&State| {
            let at = grid.cell(state.units[0].at);
            (8..16).contains(&at.x) && (4..11).contains(&at.y)
        };
        // Five steps lead out of it.
        let held = all.iter().take_while(inside).count();
        assert!((20..400).contains(&held), "{planner}: {held} ticks in the trap of {}", all.len());
        assert!(all.len() < 1000, "{planner}: {held} ticks in the trap of {}", all.len());
    }
}
