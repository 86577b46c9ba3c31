//! Teams in worlds that change and have to be seen: what is saved goes on in the same way, whoever plans.

use crate::kit::{Time, session, supports, tick};
use proptest::prelude::*;
use proptest::sample::Index;
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Sight, Task,
    TerrainEvent, Unlimited,
};
use throng::planners::registry;
use throng::{Options, Session};
use throng_testkit::Worlds;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// All planners that do with others who tell them nothing.
fn planners() -> Vec<&'static str> {
    registry::all().iter().filter(|entry| entry.support.teams).map(|entry| entry.name).collect()
}

/// Runs side by side with one that was saved at a tick.
fn goes_on_as_saved(mut session: Session, budget: &Expansions, at: u64, ticks: u64) {
    let mut twin = None::<Session>;
    for _ in 0..ticks {
        if session.state().tick == at {
            twin = Some(Session::resume(&session.save(), 1).unwrap());
        }
        tick(&mut session, budget);
        if let Some(twin) = &mut twin {
            tick(twin, budget);
            assert_eq!(twin.events(), session.events(), "saved at {at}, tick {}", session.state().tick);
            assert_eq!(twin.state(), session.state(), "saved at {at}, tick {}", session.state().tick);
        }
    }
}

/// Two teams in a crowd, where cells close. A controller hears of that before it has looked where strangers are by now, and
/// let those that had gone on stand where they had been: what they had reserved ahead stayed in its table, to be
/// found when that had gone round once, and was in no snapshot.
#[test]
fn who_is_not_where_it_was_to_be_leaves_nothing_reserved() {
    let rows = [
        "...@...@..@.@.@.....",
        ".....@@.....@.....@.",
        "@..@........@...@..@",
        "@..@.@.......@@@@@..",
        ".@.@.@......@....@@.",
        ".@.....@@@.@@.@....@",
    ];
    let ways = [
        [8, 3, 9, 4],
        [2, 5, 5, 2],
        [6, 0, 4, 1],
        [6, 5, 2, 1],
        [6, 4, 6, 0],
        [1, 1, 8, 0],
        [2, 2, 9, 2],
        [9, 2, 2, 5],
        [8, 2, 10, 1],
        [1, 2, 10, 5],
        [2, 3, 8, 2],
        [9, 0, 2, 2],
    ];
    let agent = |(&[x, y, to_x, to_y], id): (&[i32; 4], u32)| Agent {
        team: (id as u16 + 1) % 2,
        ..Agent::new(id, cell(x, y), Task::Goal(cell(to_x, to_y)))
    };
    let closing = |at, cell| TerrainEvent { at, close: vec![cell], open: vec![] };
    let agents = ways.iter().zip(0..).map(agent).collect();
    let scenario = Scenario::new("crowd", Grid::from_rows(&rows).unwrap(), Rules::default(), agents).unwrap();
    let scenario = scenario.with_events(vec![closing(4, cell(4, 4)), closing(28, cell(3, 5))]).unwrap();
    for planner in ["whca", "dm-whca"] {
        for at in [5, 12, 27] {
            let session = session(Setup::new(scenario.clone()), planner);
            goes_on_as_saved(session, &Expansions(u64::MAX), at, 80);
        }
    }
}

fn world(rows: &[&str], units: &[(Cell, Cell, u16)]) -> Scenario {
    let agent = |(&(start, goal, team), id): (&(Cell, Cell, u16), u32)| Agent {
        team,
        ..Agent::new(id, start, Task::Goal(goal))
    };
    let agents = units.iter().zip(0..).map(agent).collect();
    Scenario::new("strangers", Grid::from_rows(rows).unwrap(), Rules::default(), agents).unwrap()
}

/// Planners whose units walk to where they were sent.
const WALKERS: [&str; 8] = ["whca", "dm-whca", "lra", "dlite", "pra", "cpra", "collective", "flock"];

/// Two strangers in a corridor, each of whom takes the other for an obstacle: one goes back to a bay, says so, and comes again;
/// in the light and in the dark, with one pair and with two, and the same after a save.
#[test]
fn strangers_face_to_face_make_way() {
    let rows = ["............", "@..@@@@@@..@"];
    let pair = [(cell(0, 0), cell(11, 0), 0), (cell(11, 0), cell(0, 0), 1)];
    for planner in WALKERS {
        for sight in [None, Some(Sight { map_known: true, ..Sight::new(3) })] {
            let mut scenario = world(&rows, &pair);
            if let Some(sight) = sight {
                scenario = scenario.with_sight(sight).unwrap();
            }
            let setup = Setup::new(scenario);
            let mut session = session(setup.clone(), planner);
            let mut gives_way = None;
            while !session.is_done() {
                tick(&mut session, &Unlimited);
                assert!(session.state().tick < 400, "{planner} {sight:?}: {}", session.why(AgentId(0)));
                for (id, other) in [(0, 1), (1, 0)] {
                    let why = session.explain(AgentId(id)).unwrap();
                    if why.cause == (Cause::GivesWay { to: AgentId(other) }) {
                        assert_eq!(why.goal, pair[id as usize].1, "{planner}: where it is to go in the end");
                        gives_way = gives_way.or(Some(session.state().tick));
                    }
                }
            }
            let Some(at) = gives_way else { continue };
            for at in [at - 1, at, at + 5] {
                let fresh = crate::kit::session(setup.clone(), planner);
                goes_on_as_saved(fresh, &Expansions(u64::MAX), at, 120);
            }
        }
    }
}

/// What strangers are about to do is not known: nobody says that they have reserved anything, or stand where they do not.
#[test]
fn nobody_tells_what_strangers_have_reserved() {
    let rows = ["............", "@..@@@@@@..@"];
    let pair = [(cell(0, 0), cell(11, 0), 0), (cell(11, 0), cell(0, 0), 1)];
    let mut session = session(Setup::new(world(&rows, &pair)), "whca");
    let mut stood = 0;
    for _ in 0..40 {
        tick(&mut session, &Unlimited);
        for id in [0, 1] {
            match session.explain(AgentId(id)).unwrap().cause {
                Cause::Occupied { blocker, cell } => {
                    stood += 1;
                    assert_eq!(
                        session.scenario().grid().cell(session.state().units[blocker.index()].at),
                        cell
                    );
                }
                Cause::Reserved { .. } => panic!("{}", session.why(AgentId(id))),
                _ => {}
            }
        }
    }
    assert!(stood > 0);
}

/// Units of two teams that are sent to one place settle beside each other.
#[test]
fn strangers_settle_around_one_goal() {
    let rows = [
        ".........@.........",
        ".........@.........",
        "...................",
        ".........@.........",
        ".........@.........",
    ];
    let unit = |y| (cell(0, y), cell(18, 2), y as u16 % 2);
    for planner in ["whca", "lra", "dlite"] {
        let mut session = session(Setup::new(world(&rows, &[0, 1, 2, 3].map(unit))), planner);
        while !session.is_done() {
            tick(&mut session, &Unlimited);
            let why = || (0..4).map(|id| session.why(AgentId(id)).to_string() + "\n").collect::<String>();
            assert!(session.state().tick < 300, "{planner}: {}", why());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Teams, closings and openings, light or dark, any planner for each team, with and without a budget: every tick is
    /// legal, and a run that was saved goes on as it would have.
    #[test]
    fn what_is_saved_goes_on_among_strangers(
        scenario in Worlds { agents: 4..=12, ..Worlds::small() }.strategy().prop_map(crate::kit::reachable),
        eight in any::<bool>(),
        time in prop::sample::select(&Time::ALL[..]),
        teams in prop::collection::vec(prop::sample::select(planners()), 2..4),
        sight in prop::option::of((1..5u32, any::<bool>(), any::<bool>())),
        changes in prop::collection::vec((0..40u64, any::<Index>(), 1..30u64), 1..8),
        budget in prop_oneof![3 => Just(u64::MAX), 1 => 20..400u64],
        at in 1..60u64,
    ) {
        let mut agents = scenario.agents().to_vec();
        agents.iter_mut().for_each(|agent| {
            (agent.team, agent.period) = ((agent.id.0 as usize % teams.len()) as u16, time.period());
        });
        let grid = scenario.grid().clone();
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let cells: Vec<_> = (0..height).flat_map(|y| (0..width).map(move |x| cell(x, y))).collect();
        let events = changes.iter().flat_map(|(at, place, later)| {
            let cell = cells[place.index(cells.len())];
            let closes = TerrainEvent { at: *at, close: vec![cell], open: vec![] };
            [closes, TerrainEvent { at: at + later, close: vec![], open: vec![cell] }]
        });
        let rules = time.rules(if eight { Connectivity::Eight } else { Connectivity::Four });
        let lit = Scenario::new("strangers", grid, rules, agents).unwrap().with_events(events.collect()).unwrap();
        let mut scenario = lit.clone();
        if let Some((radius, shared, map_known)) = sight {
            scenario = scenario.with_sight(Sight { shared, map_known, ..Sight::new(radius) }).unwrap();
        }
        if !teams.iter().all(|planner| supports(planner, &scenario)) {
            scenario = lit;
        }
        prop_assume!(teams.iter().all(|planner| supports(planner, &scenario)));
        let own = |agent: &Agent| (agent.id, teams[usize::from(agent.team)].to_owned());
        let unit_planners = scenario.agents().iter().map(own).collect();
        let setup = Setup { unit_planners, ..Setup::new(scenario) };
        // Walls that open later may make goals reachable, and closings never make one unreachable at first.
        let session = Session::new(setup, &Options::default()).unwrap();
        goes_on_as_saved(session, &Expansions(budget), at, 110);
    }
}

/// A sentry rests in the only door of a chamber; strangers that have to see all of it come to the door. It used to stand there for ever,
/// since nobody had asked it to step aside who could tell it so. It makes way, says so, and comes back.
#[test]
fn who_rests_in_a_door_lets_strangers_in() {
    let rows = ["......@....", "......@....", "...........", "......@....", "......@...."];
    let sentry = (cell(6, 2), cell(6, 2), 0);
    for (stranger, planner) in
        [(Task::Explore, "explore"), (Task::Goal(cell(9, 2)), "lra"), (Task::Goal(cell(9, 0)), "dlite")]
    {
        let mut agents = world(&rows, &[sentry]).agents().to_vec();
        agents.push(Agent { team: 1, ..Agent::new(1, cell(0, 2), stranger.clone()) });
        let scenario =
            Scenario::new("sentry", Grid::from_rows(&rows).unwrap(), Rules::default(), agents).unwrap();
        let scenario = scenario.with_sight(Sight { team: Some(1), ..Sight::new(4) }).unwrap();
        let unit_planners = vec![(AgentId(1), planner.to_owned())];
        let setup = Setup { planner: Some("whca".to_owned()), unit_planners, ..Setup::new(scenario) };
        let mut session = Session::new(setup, &Options::default()).unwrap();
        let mut gave_way = false;
        while !session.is_done() {
            tick(&mut session, &Unlimited);
            let why = session.explain(AgentId(0)).unwrap();
            gave_way |= why.cause == (Cause::GivesWay { to: AgentId(1) });
            assert!(session.state().tick < 400, "{planner}: {}", session.why(AgentId(1)));
        }
        // Whoever is foreseen to walk through it makes it step aside before.
        assert!(gave_way || planner != "explore", "{planner}");
    }
}

/// A stranger rests right behind a door. Whoever wanted to pass and planned ahead went to and fro before the door instead of standing
/// beside it, and was not noticed, for ever; under all planners that know strangers it is let through by now.
#[test]
fn who_rests_behind_a_door_lets_strangers_in() {
    let rows = ["....", "@.@@", "....", "...."];
    let units = [(cell(3, 0), cell(3, 3), 0), (cell(1, 2), cell(1, 2), 1)];
    for entry in registry::all().iter().filter(|entry| entry.support.teams && entry.name != "blocker") {
        let setup = Setup::new(world(&rows, &units));
        let Ok(mut session) = Session::new(setup, &Options::planner(entry.name)) else { continue };
        while !session.is_done() {
            tick(&mut session, &Unlimited);
            assert!(session.state().tick < 400, "{}: {}", entry.name, session.why(AgentId(0)));
        }
    }
}

/// But not for ever for one that stays there, or nobody would come to rest.
#[test]
fn nobody_makes_way_for_ever() {
    // In a long corridor they go so far away to make way that each could take the other for gone.
    let (long, bays) = (".".repeat(35), format!(".{}.", "@".repeat(33)));
    for (rows, x, ticks) in [([".....", "@@.@@"], 2, 1000), ([&*long, &*bays], 17, 4000)] {
        let units = [(cell(x, 0), cell(x, 0), 0), (cell(x + 1, 0), cell(x + 1, 0), 1)];
        let mut session = session(Setup::new(world(&rows, &units)), "whca");
        let mut last = 0;
        for _ in 0..ticks {
            tick(&mut session, &Unlimited);
            if !session.rests(AgentId(0)) || !session.rests(AgentId(1)) {
                last = session.state().tick;
            }
        }
        assert!(last > 0 && last < ticks * 4 / 5, "{last} of {ticks}");
    }
}

/// A stranger that is quicker rests on a slow unit's goal. What it was taken to hold ended before the slow one's window, which stood
/// eight cells away and waited for that to end, for ever, so that nobody could see it and make way for it.
#[test]
fn the_slow_come_near_the_quick() {
    let agent = |id, start, goal, team, period| Agent {
        team,
        period,
        ..Agent::new(id, cell(start, 0), Task::Goal(cell(goal, 0)))
    };
    let agents = vec![agent(0, 19, 2, 0, 3), agent(1, 2, 2, 1, 2)];
    let rules = Rules { timing: throng::core::Timing::Metric, ..Rules::default() };
    let grid = Grid::from_rows(&["....................", "@@.@@@@@@@@@@@@@@@@@"]).unwrap();
    let scenario = Scenario::new("slow", grid, rules, agents).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    let mut nearest = 17;
    for _ in 0..200 {
        tick(&mut session, &Unlimited);
        let at = session.scenario().grid().cell(session.state().units[0].at);
        nearest = nearest.min(at.x - 2);
    }
    assert!(nearest <= 1, "{nearest}");
}

/// Whoever is alone in the dark has nobody to make way for, and does not look for a place to do so.
#[test]
fn nobody_looks_for_strangers_where_there_are_none() {
    let scenario =
        world(&["....@.", "....@@"], &[(cell(0, 0), cell(5, 0), 0)]).with_sight(Sight::new(8)).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    for _ in 0..100 {
        tick(&mut session, &Unlimited);
    }
    let mut metrics = throng::sim::Metrics::new(session.scenario(), session.state());
    for _ in 0..200 {
        session.tick(&Unlimited, &mut metrics);
    }
    assert_eq!(metrics.agents()[0].total().expanded, 0);
}
