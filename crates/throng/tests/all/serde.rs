//! States travel through formats of serde, and what is read is checked as what is made.

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use throng::core::{
    Action, Agent, AgentId, Cell, Deed, Dir, Event, Grid, Motion, Outcome, Plan, Rules, Scenario, Setup,
    State, Task, Timing, Trace, Unlimited, Unobserved,
};
use throng::sim::Recorder;
use throng::{Chain, GroupError, NewUnit, Options, OrderError, Session, UnitId, solve, worlds};

/// Through a format for people and one for machines, which names no fields.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value);
    let bytes = postcard::to_allocvec(value).unwrap();
    assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), *value);
}

#[test]
fn a_running_world_goes_through_unchanged() {
    for (name, _) in worlds::BUILTINS {
        let setup = worlds::builtin(name, 3).unwrap();
        round_trip::<Setup>(&setup);
        round_trip::<Scenario>(&setup.scenario);
        round_trip::<Grid>(setup.scenario.grid());
        // Local repair loses moves, which makes for more kinds of events; it cannot move the town's large bodies.
        let planner = match *name {
            "town" => "whca",
            "expedition" => "explore",
            _ => "lra",
        };
        let mut session = Session::new(setup, &Options::planner(planner)).unwrap();
        let mut recorder = Recorder::new(session.scenario(), session.state());
        for _ in 0..20 {
            let events: Vec<Event> = session.tick(&Unlimited, &mut recorder).to_vec();
            round_trip(&events);
        }
        round_trip::<State>(session.state());
        for unit in session.units() {
            round_trip::<Chain>(&session.why(unit.agent));
        }
        round_trip::<Trace>(&recorder.into_trace());
    }
}

#[test]
fn plans_and_outcomes_go_through_unchanged() {
    let doorway = worlds::builtin("doorway", 0).unwrap().scenario;
    let outcome = solve(&doorway, &Options::planner("hca"), &Unlimited, &mut Unobserved).unwrap().outcome;
    round_trip::<Outcome>(&outcome);
    let Outcome::Solved(plan) = outcome else { panic!("doorway is solved by hca") };
    round_trip::<Plan>(&plan);
}

/// Motions and poses go through, and what was written before there were any is read as steps.
#[test]
fn motions_go_through_and_may_be_missing() {
    let motions = [Motion::Steps, Motion::Gaits { run: 2 }, Motion::Car { radius: 3, heading: Dir::W }];
    let agents = (0..).zip(motions).map(|(id, motion)| Agent {
        period: 4,
        motion,
        ..Agent::new(id, Cell::new(2, 5 * id as i32), Task::Goal(Cell::new(9, 5 * id as i32)))
    });
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let scenario = Scenario::new("t", Grid::empty(14, 14).unwrap(), rules, agents.collect()).unwrap();
    round_trip::<Scenario>(&scenario);
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca")).unwrap();
    (0..10).for_each(|_| {
        session.tick(&Unlimited, &mut Unobserved);
    });
    assert!(session.state().units.iter().any(|unit| unit.pose > 0));
    round_trip::<State>(session.state());
    let agent = Agent::new(0, Cell::new(0, 0), Task::Hold);
    let text = serde_json::to_string(&agent).unwrap();
    let old = text.replace(r#","motion":"Steps""#, "");
    assert_ne!(old, text);
    assert_eq!(serde_json::from_str::<Agent>(&old).unwrap(), agent);
}

/// Handles are saved beside the session and mean the same units afterwards; errors are written for logs.
#[test]
fn handles_go_with_their_session() {
    let mut session =
        Session::new(worlds::builtin("hallway", 0).unwrap(), &Options::planner("whca")).unwrap();
    let left = session.unit_id(AgentId(0)).unwrap();
    session.remove(left).unwrap();
    let new = NewUnit::new(session.scenario().agent(AgentId(0)).start, Task::Hold);
    round_trip::<NewUnit>(&new);
    let came = session.add(new).unwrap();
    round_trip::<UnitId>(&came);
    round_trip::<Options>(session.options());
    let saved = (session.save(), serde_json::to_string(&[left, came]).unwrap());
    let session = Session::resume(&saved.0, 1).unwrap();
    let [gone, here] = serde_json::from_str::<[UnitId; 2]>(&saved.1).unwrap();
    assert_eq!(
        session.unit(here).unwrap().at,
        session.scenario().grid().id(session.scenario().agent(AgentId(0)).start).unwrap()
    );
    let why = session.unit(gone).unwrap_err();
    assert_eq!(why, OrderError::NoSuchUnit { unit: left });
    assert!(serde_json::to_string(&GroupError::Order(why)).unwrap().contains("NoSuchUnit"));
}

/// What reading `good` says after `from` was replaced by `to` in its text.
fn complaint<T: Serialize + DeserializeOwned + Debug>(good: &T, from: &str, to: &str) -> String {
    let text = serde_json::to_string(good).unwrap();
    assert!(text.contains(from), "{from} in {text}");
    serde_json::from_str::<T>(&text.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn a_grid_is_checked_as_when_made() {
    let grid = Grid::from_rows(&["..@", ".G."]).unwrap();
    assert_eq!(
        serde_json::to_string(&grid).unwrap(),
        r#"{"width":3,"height":2,"policy":{"swamp":true,"water":false,"trees":false},"terrain":"..@.G."}"#
    );
    assert!(complaint(&grid, "..@.G.", "..@.G").contains("5 terrain letters for a map of 6 cells"));
    assert!(complaint(&grid, "..@.G.", "..@.x.").contains("unknown terrain 'x' at (1,1)"));
    assert!(complaint(&grid, r#""width":3"#, r#""width":0"#).contains("at least one row and one column"));
    assert!(complaint(&grid, r#""width":3"#, r#""width":4294967295"#).contains("is too large"));
}

#[test]
fn a_scenario_is_checked_as_when_made() {
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(2, 0)))];
    let grid = Grid::from_rows(&["...", "@.."]).unwrap();
    let scenario = Scenario::new("three", grid, Rules::default(), agents).unwrap();
    let start = r#""start":{"x":0,"y":0}"#;
    assert!(complaint(&scenario, start, r#""start":{"x":0,"y":1}"#).contains("blocked terrain"));
    assert!(complaint(&scenario, start, r#""start":{"x":0,"y":-7}"#).contains("off the 3×2 map"));
    assert!(complaint(&scenario, r#""id":0"#, r#""id":1"#).contains("numbers must be 0, 1, 2"));
    assert!(complaint(&scenario, r#""period":1"#, r#""period":2"#).contains("under uniform timing"));
    assert!(complaint(&Setup::new(scenario), r#""body":1"#, r#""body":0"#).contains("body 0×0"));
}

#[test]
fn ticks_of_a_trace_end_in_order_and_within_it() {
    let mut trace = Trace::new(vec![Cell::new(0, 0)]);
    trace.push(Deed { agent: AgentId(0), action: Action::Go(Dir::E), failed: false });
    trace.end_tick();
    trace.end_tick();
    assert!(complaint(&trace, r#""ends":[1,1]"#, r#""ends":[1,0]"#).contains("tick 1 ends at deed 0"));
    assert!(complaint(&trace, r#""ends":[1,1]"#, r#""ends":[1,2]"#).contains("at most 1"));
}

#[test]
fn bytes_cut_short_are_an_error() {
    let scenario = worlds::builtin("bridge", 0).unwrap().scenario;
    let bytes = postcard::to_allocvec(&scenario).unwrap();
    for end in [0, 1, 10, bytes.len() / 2, bytes.len() - 1] {
        assert!(postcard::from_bytes::<Scenario>(&bytes[..end]).is_err(), "{end} bytes");
    }
}
