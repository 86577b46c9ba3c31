//! What goes beyond Sturtevant and Buro: planners that read from the abstraction where it is crowded.

use crate::kit::{session, watched};
use throng::core::{
    Agent, AgentId, Cell, Connectivity, Expansions, Grid, Observer, Rules, Scenario, Setup, Task, Tick,
    Timing, Unlimited,
};
use throng::worlds::generate::{CrossingMap, Scene};
use throng::worlds::{UnitOptions, units};
use throng::{Error, Options, Session};

fn rules(connectivity: Connectivity) -> Rules {
    Rules { connectivity, ..Rules::default() }
}

/// Two roads four cells wide cross. The one to the east is shut beyond the crossing for ever, and many come along it;
/// a few want to cross it to the south.
fn crossing(connectivity: Connectivity) -> Scenario {
    let open = |x, y| x == 17 || (64..68).contains(&y);
    let row = |y| (0..36).map(|x| if open(x, y) { '.' } else { '@' }).collect::<String>();
    let rows: Vec<String> = (0..80).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).expect("a map");
    let mut agents = Vec::new();
    let mut add = |start: (i32, i32), task| {
        agents.push(Agent::new(agents.len() as u32, Cell::new(start.0, start.1), task));
    };
    let goal = |x, y| Task::Goal(Cell::new(x, y));
    (0..4).for_each(|k| add((17, k), goal(17, 76 + k)));
    (0..4).for_each(|k| add((24, 64 + k), Task::Hold));
    (0..48).for_each(|k| add((4 + k / 4, 64 + k % 4), goal(24 + k / 4, 64 + k % 4)));
    Scenario::new("crossing", grid, rules(connectivity), agents).expect("valid")
}

/// "Ensuring we don't step into a congested region unless we can pass completely through": who cannot get off the
/// crossing stays out of it, and the others get across. Promotions and rescue would clear it as well, in time.
#[test]
fn a_crossing_is_kept_clear() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for (spec, expected) in [
            ("cpra(patience=0,window=full,rescue=off)", 0),
            ("cpra(patience=0,window=full,jam=25,rescue=off)", 4),
        ] {
            let mut session = session(Setup::new(crossing(connectivity)), spec);
            watched(&mut session, 400, &Unlimited);
            let across = (0..4).filter(|&id| session.rests(AgentId(id))).count();
            assert_eq!(across, expected, "{connectivity:?} {spec}");
        }
    }
}

/// How far ahead the first unit's paths reach.
#[derive(Default)]
struct Depths(Vec<Tick>);

impl Observer for Depths {
    fn reserved(&mut self, agent: AgentId, from: Tick, until: Tick) {
        if agent == AgentId(0) {
            self.0.push(until - from);
        }
    }
}

/// A unit that is alone looks half as far ahead as one in a crowd; walls in between keep a crowd away.
#[test]
fn windows_grow_where_it_is_crowded() {
    let depth = |spec: &str, crowd: Option<i32>| {
        let mut rows = vec![".".repeat(64); 64];
        rows.iter_mut().take(63).for_each(|row| row.replace_range(20..21, "@"));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let walker = Agent::new(0, Cell::new(4, 4), Task::Goal(Cell::new(4, 60)));
        let others = crowd.map(|left| (1..=60).map(move |k| Cell::new(left + k % 8, 2 * (k / 8))));
        let others = others.into_iter().flatten().enumerate();
        let hold = others.map(|(k, at)| Agent::new(k as u32 + 1, at, Task::Hold));
        let agents = std::iter::once(walker).chain(hold).collect();
        let grid = Grid::from_rows(&rows).expect("a map");
        let scenario = Scenario::new("field", grid, rules(Connectivity::Eight), agents).expect("valid");
        let (mut session, mut depths) = (session(Setup::new(scenario), spec), Depths::default());
        session.tick(&Unlimited, &mut depths);
        depths.0[0]
    };
    for (spec, alone, crowded) in [
        ("cpra(k=8,first=8,window=full)", 16, 16),
        ("cpra(k=8,first=8)", 8, 16),
        ("cpra(k=10,first=10)", 10, 20),
        ("whca(abstraction=1,window=auto)", 8, 16),
    ] {
        assert_eq!([depth(spec, None), depth(spec, Some(9))], [alone, crowded], "{spec}");
        assert_eq!(depth(spec, Some(40)), alone, "{spec}: a crowd elsewhere");
    }
}

/// Two ticks of work and more for one search: what the first has found out is not lost. The way is plugged, so that
/// everything there is to be searched for a window's depth.
#[test]
fn a_search_within_a_corridor_goes_on_in_the_next_tick() {
    let rows = [
        "@@@@@@@@@@@@",
        "@.......@..@",
        "@.......@..@",
        "@..........@",
        "@.......@..@",
        "@.......@..@",
        "@@@@@@@@@@@@",
    ];
    let grid = Grid::from_rows(&rows).expect("a map");
    let agents = vec![
        Agent::new(0, Cell::new(2, 3), Task::Goal(Cell::new(10, 3))),
        Agent::new(1, Cell::new(8, 3), Task::Hold),
    ];
    let scenario = Scenario::new("plugged", grid, rules(Connectivity::Four), agents).expect("valid");
    #[derive(Default)]
    struct Searches(u32);
    impl Observer for Searches {
        fn reserved(&mut self, agent: AgentId, _from: Tick, _until: Tick) {
            self.0 += u32::from(agent == AgentId(0));
        }
    }
    for budget in [10, 15, 20] {
        let mut session = session(Setup::new(scenario.clone()), "cpra(k=8,first=8,patience=0,window=full)");
        let mut searches = Searches::default();
        for _ in 0..200 {
            session.tick(&Expansions(budget), &mut searches);
        }
        assert!(searches.0 > 20, "{budget}: {} searches came to an end", searches.0);
    }
}

/// Eight moves or four, fast units and slow ones: all of them cross by coarser guides, without a lost move where they
/// cooperate.
#[test]
fn speeds_and_moves_mix() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let grid = CrossingMap { scene: Scene::S2, scale: 1 }.generate().expect("a map");
        let rules = Rules { timing: Timing::Metric, ..rules(connectivity) };
        let across = UnitOptions { across: true, ..UnitOptions::default() };
        let mut agents = units(&grid, rules, 12, 3, &across).expect("room");
        agents.iter_mut().for_each(|agent| agent.period = [1, 2, 3, 5, 8][agent.id.0 as usize % 5]);
        // Local repair gets few units through a narrow place, at any speed.
        for (spec, count) in [
            ("pra(k=4)", 6),
            ("pra(k=inf,crowd=4)", 6),
            ("whca(abstraction=1)", 12),
            ("whca(abstraction=2,bound=steps,window=auto)", 12),
            ("cpra(crowd=0,window=full)", 12),
            ("cpra(crowd=4,jam=25)", 12),
        ] {
            let agents = agents[..count].to_vec();
            let scenario = Scenario::new("s2", grid.clone(), rules, agents).expect("valid");
            let mut session = session(Setup::new(scenario), spec);
            let report = watched(&mut session, 4000, &Unlimited);
            assert!(session.is_done(), "{connectivity:?} {spec}: {} of {count}", session.arrived());
            assert!(spec.starts_with("pra") || report.failed_moves == 0, "{connectivity:?} {spec}");
        }
    }
}

/// Larger bodies, runners and cars are refused by name: levels are of the map as small units see it.
#[test]
fn larger_bodies_are_refused() {
    let agent = Agent { body: 2, ..Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(9, 9))) };
    let grid = Grid::empty(16, 16).expect("a map");
    let scenario = Scenario::new("large", grid, rules(Connectivity::Eight), vec![agent]).expect("valid");
    for spec in ["pra", "cpra", "whca(abstraction=1)"] {
        let error = Session::new(Setup::new(scenario.clone()), &Options::planner(spec)).expect_err(spec);
        assert!(matches!(error, Error::Unsupported { .. }), "{spec}: {error}");
    }
}
