//! Cells close and open while units move: as the scenario says, and as somebody wishes.

use crate::kit::{Time, session, supports, tick, travellers, watched};
use proptest::prelude::*;
use throng::core::{
    Action, Agent, AgentId, Cause, Cell, Connectivity, Event, Expansions, Grid, Need, Rules, Scenario, Setup,
    Task, TerrainEvent, Unlimited, Unobserved,
};
use throng::planners::registry;
use throng::sim::Recorder;
use throng::{Error, Options, Session, solve};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn world(rows: &[&str], agents: &[(Cell, Task)], events: Vec<TerrainEvent>) -> Scenario {
    let agents = agents.iter().zip(0..).map(|((start, task), id)| Agent::new(id, *start, task.clone()));
    let grid = Grid::from_rows(rows).unwrap();
    Scenario::new("changing", grid, Rules::default(), agents.collect()).unwrap().with_events(events).unwrap()
}

fn closing(at: u64, close: Cell) -> TerrainEvent {
    TerrainEvent { at, close: vec![close], open: vec![] }
}

fn opening(at: u64, open: Cell) -> TerrainEvent {
    TerrainEvent { at, close: vec![], open: vec![open] }
}

/// Two doors, the nearer one of which closes when the unit is before it: it goes round, and is told of.
#[test]
fn a_door_closes_before_somebody() {
    let rows = [".....", "@.@@.", "....."];
    let events = vec![closing(2, cell(1, 1))];
    for planner in ["whca", "lra", "dlite", "pra", "cpra", "dm"] {
        let scenario = world(&rows, &[(cell(3, 0), Task::Goal(cell(1, 2)))], events.clone());
        let mut session = session(Setup::new(scenario), planner);
        let mut recorder = Recorder::new(session.scenario(), session.state());
        for _ in 0..3 {
            session.tick(&Unlimited, &mut recorder);
        }
        assert!(session.events().contains(&Event::Closed { cell: cell(1, 1) }), "{planner}");
        let mut arrived = session.state().tick;
        while !session.is_done() {
            session.tick(&Unlimited, &mut recorder);
            arrived += 1;
            assert!(arrived < 40, "{planner}");
        }
        assert_eq!(recorder.trace().changes.len(), 1, "{planner}");
        let first = world(&rows, &[(cell(3, 0), Task::Goal(cell(1, 2)))], events.clone());
        let report = throng::check::check_trace(&first, recorder.trace(), throng::check::Expect::Finished);
        assert!(report.is_valid(), "{planner}: {report}");
    }
}

/// Whoever is on a cell is never walled in: it closes when they have left, unless it is to open before that.
#[test]
fn cells_that_are_taken_close_when_they_are_free() {
    let units = [(cell(1, 0), Task::Hold), (cell(0, 1), Task::Goal(cell(3, 1)))];
    let events = vec![closing(0, cell(1, 0)), closing(2, cell(2, 1)), opening(9, cell(1, 0))];
    let mut session = session(Setup::new(world(&["....", "...."], &units, events)), "whca");
    tick(&mut session, &Unlimited);
    assert!(session.scenario().grid().is_open(cell(1, 0)));
    let unit = session.unit_id(AgentId(1)).unwrap();
    // It stands on the cell that is to close next, in the middle of it being saved.
    tick(&mut session, &Unlimited);
    assert_eq!(session.scenario().grid().cell(session.unit(unit).unwrap().at), cell(2, 1));
    let mut session = Session::resume(&session.save(), 1).unwrap();
    tick(&mut session, &Unlimited);
    assert!(session.scenario().grid().is_open(cell(2, 1)));
    let mut session = Session::resume(&session.save(), 1).unwrap();
    tick(&mut session, &Unlimited);
    assert!(!session.scenario().grid().is_open(cell(2, 1)), "it has left");
    assert_eq!(session.events()[0], Event::Closed { cell: cell(2, 1) });
    for _ in 4..12 {
        tick(&mut session, &Unlimited);
    }
    let holder = session.unit_id(AgentId(0)).unwrap();
    session.remove(holder).unwrap();
    tick(&mut session, &Unlimited);
    assert!(session.scenario().grid().is_open(cell(1, 0)), "it was to open again meanwhile");
}

/// Everything around a unit closes. It stays where it is, says why, and goes on when something opens.
#[test]
fn nobody_is_lost_when_its_surroundings_close() {
    let around = [(0, 1), (2, 1), (1, 0), (1, 2)].map(|(x, y)| cell(x, y));
    let closes = TerrainEvent { at: 0, close: around.to_vec(), open: vec![] };
    for entry in travellers().filter(|entry| entry.support.closings) {
        let events = vec![closes.clone(), opening(6, cell(2, 1))];
        let scenario = world(&["....."; 3], &[(cell(1, 1), Task::Goal(cell(4, 1)))], events);
        let mut session = session(Setup::new(scenario), entry.name);
        for _ in 0..6 {
            tick(&mut session, &Unlimited);
            let at = session.scenario().grid().cell(session.state().units[0].at);
            assert_eq!(at, cell(1, 1), "{}", entry.name);
        }
        let why = session.explain(AgentId(0)).unwrap();
        assert!(matches!(why.cause, Cause::NoWay { .. }), "{}: {why}", entry.name);
        watched(&mut session, 40, &Unlimited);
        assert!(session.is_done(), "{}", entry.name);
    }
}

/// Whoever learns that nothing leads to its goal any more rests, and steps aside like everybody who rests: in a corridor into the
/// bay, and off a place where somebody else is to rest. It stood like a rock once, and all behind it for ever.
#[test]
fn whoever_has_no_way_steps_aside() {
    let corridor = ["@@@@.@@@@@@.", "............"];
    let square = ["......", "......", ".....@", "....@."];
    let cases = [
        (&corridor[..], [(1, 1, 11, 0), (0, 1, 10, 1)], cell(11, 0)),
        (&square[..], [(0, 1, 5, 1), (0, 0, 3, 1)], cell(5, 1)),
    ];
    for planner in ["whca", "dm-whca", "cpra", "collective", "flock", "dm", "pibt"] {
        for (rows, ways, closed) in &cases {
            let units = ways.map(|(x, y, to_x, to_y)| (cell(x, y), Task::Goal(cell(to_x, to_y))));
            let shut = [closing(3, *closed), opening(60, *closed)];
            let mut session = session(Setup::new(world(rows, &units, shut.to_vec())), planner);
            for _ in 0..60 {
                tick(&mut session, &Unlimited);
            }
            let why = [0, 1].map(|unit| session.explain(AgentId(unit)));
            assert_eq!(session.state().units[1].leg, 1, "{planner}: {why:?}");
            let is_told = why[0].as_ref().is_some_and(|why| matches!(why.cause, Cause::NoWay { .. }));
            assert!(is_told, "{planner}: {why:?}");
            // It has not forgotten where it was to go; but in a corridor it may not get past any more.
            for _ in 0..60 {
                tick(&mut session, &Unlimited);
            }
            let why = session.explain(AgentId(0));
            assert!(session.is_done() || rows.len() == 2, "{planner}: {why:?}");
        }
    }
}

/// A cell that nobody can get to opens and closes all the time: nobody moves otherwise for it, and what is known of distances
/// is not thrown away. Delays were forgotten once at every change, and flocks parted.
#[test]
fn changes_that_concern_nobody_change_nothing() {
    let rows = [
        "............",
        ".@@@.@@@.@@.",
        ".@.@.@@@.@@.",
        ".@@@.@@@.@@.",
        "............",
        ".@@@.@@@.@@.",
        "............",
    ];
    let units: Vec<_> =
        (0..12).map(|k| (cell(k, 6 * (k % 2)), Task::Goal(cell(11 - k, 6 - 6 * (k % 2))))).collect();
    let toggles = (1..60).map(|k| if k % 2 == 0 { opening(k, cell(2, 2)) } else { closing(k, cell(2, 2)) });
    let toggles: Vec<_> = toggles.collect();
    for planner in ["collective", "collective(order=arrival)", "flock", "flock(conflict=tiles)"] {
        let run = |events: Vec<TerrainEvent>| {
            let mut session = session(Setup::new(world(&rows, &units, events)), planner);
            let mut ways = Vec::new();
            for _ in 0..120 {
                tick(&mut session, &Unlimited);
                ways.push(session.state().units.iter().map(|unit| unit.at).collect::<Vec<_>>());
            }
            ways
        };
        assert_eq!(run(Vec::new()), run(toggles.clone()), "{planner}");
    }
}

/// A way that opens later is a way.
#[test]
fn goals_behind_doors_that_open_are_goals() {
    let units = [(cell(0, 0), Task::Goal(cell(2, 0)))];
    let closed = Session::new(Setup::new(world(&[".@."], &units, vec![])), &Options::planner("whca"));
    assert!(matches!(closed, Err(Error::Unreachable(_))));
    let scenario = world(&[".@."], &units, vec![opening(5, cell(1, 0))]);
    let mut session = session(Setup::new(scenario), "whca");
    watched(&mut session, 30, &Unlimited);
    assert_eq!((session.is_done(), session.state().tick), (true, 7));
}

/// Whoever plans in advance says that it cannot.
#[test]
fn plans_in_advance_know_nothing_of_it() {
    let units = [(cell(0, 0), Task::Goal(cell(2, 0)))];
    let scenario = world(&["..."], &units, vec![closing(0, cell(1, 0))]);
    for entry in registry::all().iter().filter(|entry| !entry.support.closings) {
        let refused = Session::new(Setup::new(scenario.clone()), &Options::planner(entry.name));
        let need = matches!(refused, Err(Error::Unsupported { need: Need::Closings, .. }));
        assert!(need, "{}", entry.name);
    }
    let plan = solve(&scenario, &Options::planner("whca"), &Unlimited, &mut Unobserved);
    assert!(matches!(plan, Err(Error::Changing)));
}

/// What happens to a world.
#[derive(Clone, Copy, Debug)]
enum Act {
    Toggle(u16),
    Ticks(u8),
    SaveAndLoad,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => any::<u16>().prop_map(Act::Toggle),
        3 => (1..12u8).prop_map(Act::Ticks),
        1 => Just(Act::SaveAndLoad),
    ]
}

/// Fourteen who patrol without end, and events all over the place.
fn busy(time: Time, connectivity: Connectivity, events: &[(u16, u16, bool)]) -> Scenario {
    let rows = [
        "....................",
        "..@@@@..@@@@@..@@@..",
        "....................",
        "..@..@@@@..@@@@@.@..",
        "..@..@......@....@..",
        "..@..@......@....@..",
        "....................",
        "..@@@@@..@@@@@@..@..",
        "....................",
        "....................",
    ];
    let agent = |id: u32| {
        let (start, goal) = (cell(id as i32, 0), cell(19 - id as i32, 9));
        Agent { period: time.period(), ..Agent::new(id, start, Task::Patrol { goal, rounds: 1000 }) }
    };
    let spot = |k: u16| cell(i32::from(k) % 20, 1 + i32::from(k) / 20 % 8);
    let event = |&(at, k, open): &(u16, u16, bool)| {
        let at = u64::from(at) % 600;
        if open { opening(at, spot(k)) } else { closing(at, spot(k)) }
    };
    let grid = Grid::from_rows(&rows).unwrap();
    Scenario::new("busy", grid, time.rules(connectivity), (0..14).map(agent).collect())
        .unwrap()
        .with_events(events.iter().map(event).collect())
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    /// Thousands of ticks under every planner, by events and by hand, with saves in their midst: every tick is legal,
    /// nobody is ever in a wall, and what was saved goes on in the same way.
    #[test]
    fn any_closings_are_survived(
        events in prop::collection::vec(any::<(u16, u16, bool)>(), 20..60),
        acts in prop::collection::vec(act(), 600..800),
        eight: bool,
        budget in prop_oneof![Just(u64::MAX), 100..1500u64],
    ) {
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        for entry in travellers().filter(|entry| entry.support.closings) {
            for time in Time::ALL {
                // Levels that were mended are searched in another order than those that are built anew: the same ways,
                // but not at the same cost.
                let scenario = busy(time, connectivity, &events);
                if !supports(entry.name, &scenario) {
                    continue;
                }
                let budget = if ["pra", "cpra"].contains(&entry.name) { u64::MAX } else { budget };
                survives(entry.name, scenario, &acts, &Expansions(budget));
            }
        }
    }
}

fn survives(planner: &str, scenario: Scenario, acts: &[Act], budget: &Expansions) {
    let name = format!("{planner} {:?}", scenario.rules());
    let mut session = session(Setup::new(scenario), planner);
    let (mut closed, mut moves, mut twin) = (0, 0, None::<Session>);
    for act in acts {
        match *act {
            Act::Toggle(k) => {
                let cell = cell(i32::from(k) % 20, 1 + i32::from(k) / 20 % 8);
                let open = session.scenario().grid().is_open(cell);
                for session in [Some(&mut session), twin.as_mut()].into_iter().flatten() {
                    let done = if open { session.close(cell) } else { session.open(cell) };
                    closed += usize::from(open && done == Ok(true));
                }
            }
            Act::SaveAndLoad => twin = Some(Session::resume(&session.save(), 1).unwrap()),
            Act::Ticks(ticks) => {
                for _ in 0..ticks {
                    tick(&mut session, budget);
                    let went =
                        |e: &&Event| matches!(e, Event::Moved { action, .. } if *action != Action::Wait);
                    moves += session.events().iter().filter(went).count();
                    if let Some(twin) = &mut twin {
                        tick(twin, budget);
                        assert_eq!(twin.events(), session.events(), "{name}");
                        assert_eq!(twin.state(), session.state(), "{name}");
                    }
                }
            }
        }
    }
    assert!(session.state().tick > 500 && closed > 50 && moves > 100, "{name}: {closed} {moves}");
}
