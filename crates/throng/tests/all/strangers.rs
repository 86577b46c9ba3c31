//! Teams in worlds that change and have to be seen: what is saved goes on in the same way, whoever plans.

use crate::kit::{Time, session, supports, tick};
use proptest::prelude::*;
use proptest::sample::Index;
use throng::core::{
    Agent, Cell, Connectivity, Expansions, Grid, Rules, Scenario, Setup, Sight, Task, TerrainEvent,
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
