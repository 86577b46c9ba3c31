//! Rooms without a server.

mod drawing;
mod hands;

use super::*;
use crate::protocol::command;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A room that does what it is told.
struct Kit(Room);

impl Kit {
    fn new(builtin: &str) -> Self {
        let setup = throng::worlds::builtin(builtin, 0).unwrap();
        let text = throng::formats::scenario::write(&setup);
        Self(Room::new(Draft::parse(&text, &mut |_| Err(String::new())).unwrap()))
    }

    fn ask(&mut self, text: &str) -> Result<Value, Refusal> {
        let (_, command) = command::parse(text);
        match self.0.obey(command?, None, &[])? {
            Answer::Now(value) => Ok(value),
            Answer::WhenThere => {
                while self.0.work() {}
                Ok(json!({"tick": self.0.tick()}))
            }
        }
    }

    fn seek(&mut self, tick: Tick) {
        self.ask(&format!(r#"{{"do":"seek","tick":{tick}}}"#)).unwrap();
    }

    fn hash(&self, run: usize) -> u64 {
        self.0.runs()[run].state().hash()
    }
}

/// States are the same however one comes to a tick, also where somebody has done something, and also for those who plan
/// everything in advance.
#[test]
fn seeking_replays_exactly() {
    for planner in ["whca(window=8)", "lra", "hca", "pibt", "dm-whca"] {
        let mut kit = Kit::new("bridge");
        kit.ask(&format!(r#"{{"do":"start","planner":"{planner}"}}"#)).unwrap();
        let mut hashes = BTreeMap::new();
        for tick in 0..=90 {
            kit.seek(tick);
            if tick == 20 && planner != "hca" {
                let order = r#"{"do":"order","unit":3,"task":{"patrol":[0,0],"rounds":9}}"#;
                kit.ask(order).unwrap();
            }
            if tick == 40 && planner != "hca" {
                // Whoever stands there keeps it open.
                let _ = kit.ask(r#"{"do":"close","cells":[[1,0],[2,0],[3,0]]}"#);
                kit.ask(r#"{"do":"priority","unit":5,"value":0}"#).unwrap();
            }
            hashes.insert(kit.0.tick(), kit.hash(0));
        }
        for tick in [89, 3, 64, 65, 32, 31, 40, 41, 0, 90, 1, 20] {
            kit.seek(tick);
            let tick = kit.0.tick();
            assert_eq!(kit.hash(0), hashes[&tick], "{planner} at {tick}");
        }
    }
}

/// After a seek into the past, what is done there cuts off the future that was.
#[test]
fn what_is_done_in_the_past_makes_another_future() {
    let mut kit = Kit::new("bridge");
    kit.seek(80);
    let (first, charts) = (kit.hash(0), kit.ask(r#"{"do":"charts"}"#).unwrap());
    assert_eq!(charts["ticks"].as_array().unwrap().len(), 81);
    kit.seek(10);
    assert_eq!(kit.0.told()["last"], 80);
    kit.ask(r#"{"do":"order","unit":0,"task":{"hold":true}}"#).unwrap();
    assert_eq!(kit.0.told()["last"], 10);
    assert_eq!(kit.ask(r#"{"do":"charts"}"#).unwrap()["ticks"].as_array().unwrap().len(), 11);
    kit.seek(80);
    let second = kit.hash(0);
    assert_ne!(first, second);
    kit.seek(5);
    kit.seek(80);
    assert_eq!(kit.hash(0), second);
    let row = &kit.ask(r#"{"do":"summary"}"#).unwrap()["rows"][0];
    assert_eq!((row["ticks"].as_u64(), row["collisions"].as_u64()), (Some(80), Some(0)));
}

#[test]
fn two_runs_go_in_step() {
    let mut kit = Kit::new("bridge");
    kit.seek(12);
    kit.ask(r#"{"do":"start","run":1,"planner":"lra","seed":4}"#).unwrap();
    let ticks = |kit: &Kit| kit.0.runs().iter().map(Show::tick).collect::<Vec<_>>();
    assert_eq!(ticks(&kit), [12, 12]);
    kit.ask(r#"{"do":"step","ticks":13}"#).unwrap();
    assert_eq!(ticks(&kit), [25, 25]);
    kit.seek(7);
    assert_eq!(ticks(&kit), [7, 7]);
    let charts = kit.ask(r#"{"do":"charts","from":5}"#).unwrap();
    assert_eq!(charts["ticks"][0], 5);
    assert_eq!(charts["runs"][1]["arrived"].as_array().unwrap().len(), 21);
    kit.ask(r#"{"do":"stop"}"#).unwrap();
    assert_eq!(ticks(&kit), [7]);
    assert!(kit.ask(r#"{"do":"stop"}"#).is_err());
}

#[test]
fn units_and_cells_are_explained() {
    let mut kit = Kit::new("bridge");
    kit.seek(30);
    for unit in 0..40 {
        let told = kit.ask(&format!(r#"{{"do":"inspect","unit":{unit}}}"#)).unwrap();
        assert_eq!(told["unit"]["id"], unit);
        assert!(!told["why"].as_array().unwrap().is_empty());
        assert_eq!(told["history"].as_array().unwrap().last().unwrap()["to"], 30);
        let at = &told["unit"]["at"];
        assert_eq!((&told["path"][0][0], &told["path"][0][1]), (&at[0], &at[1]));
        let cell = kit.ask(&json!({"do": "inspect", "cell": at}).to_string()).unwrap();
        assert_eq!(cell["cell"]["units"], json!([unit]));
        assert!(cell["cell"]["visits"].as_u64().unwrap() > 0);
    }
    assert_eq!(kit.ask(r#"{"do":"find","text":"17"}"#).unwrap()["units"], json!([17]));
    assert!(kit.ask(r#"{"do":"inspect","unit":40}"#).is_err());
    assert!(kit.ask(r#"{"do":"inspect","cell":[-1,0]}"#).is_err());
}

/// Whoever plans everything in advance does what it means to, cell by cell and tick by tick.
#[test]
fn what_units_mean_to_do_comes_true() {
    let mut kit = Kit::new("bridge");
    kit.ask(r#"{"do":"start","planner":"hca"}"#).unwrap();
    kit.seek(10);
    let ways: Vec<_> = (0..40).map(|unit| kit.0.runs()[0].way(unit)).collect();
    assert!(ways.iter().filter(|way| way.len() > 5).count() > 20);
    for tick in 10..60 {
        kit.seek(tick);
        let (scenario, state) = (kit.0.runs()[0].scenario(), kit.0.runs()[0].state());
        for (unit, way) in ways.iter().enumerate() {
            let &(x, y, _) = way.iter().rev().find(|step| step.2 <= tick).unwrap();
            let at = scenario.grid().cell(state.units[unit].at);
            assert_eq!((at.x, at.y), (x.into(), y.into()), "unit {unit} at tick {tick}");
        }
    }
}

/// What a history says does not depend on when somebody began to look, as far as both look.
#[test]
fn a_history_is_the_same_whenever_it_is_asked_for() {
    let mut kit = Kit::new("bridge");
    kit.ask(r#"{"do":"inspect","unit":9}"#).unwrap();
    kit.seek(50);
    let watched = kit.ask(r#"{"do":"inspect","unit":9}"#).unwrap()["history"].clone();
    kit.seek(2);
    kit.seek(50);
    let first = kit.ask(r#"{"do":"inspect","unit":9}"#).unwrap();
    assert_eq!((&first["complete"], first["history"].as_array().unwrap().len()), (&json!(false), 1));
    // What was before is found out while the run goes on.
    kit.0.look_back();
    kit.ask(r#"{"do":"step","ticks":12}"#).unwrap();
    assert!(kit.0.looks_back());
    while kit.0.looks_back() {
        kit.0.look_back();
        std::thread::yield_now();
    }
    let told = kit.ask(r#"{"do":"inspect","unit":9}"#).unwrap();
    assert_eq!(told["complete"], true);
    let mut other = Kit::new("bridge");
    other.ask(r#"{"do":"inspect","unit":9}"#).unwrap();
    other.seek(62);
    let other = other.ask(r#"{"do":"inspect","unit":9}"#).unwrap()["history"].clone();
    assert_eq!(told["history"], other);
    assert!(other.as_array().unwrap().starts_with(&watched.as_array().unwrap()[..1]));
}

/// Planners that look ahead say where units mean to go: a way of single steps that begins where the unit is.
#[test]
fn every_planner_shows_ways() {
    for planner in ["whca", "lra", "dlite", "pibt", "collective", "flock", "hca", "lacam"] {
        let mut kit = Kit::new("intersection");
        kit.ask(&format!(r#"{{"do":"start","planner":"{planner}"}}"#)).unwrap();
        kit.seek(5);
        let ways: Vec<_> = (0..32).map(|unit| kit.0.runs()[0].way(unit)).collect();
        assert!(ways.iter().filter(|way| way.len() > 2).count() > 10, "{planner}");
        for (unit, way) in ways.iter().enumerate() {
            let (show, near) = (&kit.0.runs()[0], |a: u16, b: u16| a.abs_diff(b) <= 1);
            let at = show.scenario().grid().cell(show.state().units[unit].at);
            assert_eq!((i32::from(way[0].0), i32::from(way[0].1)), (at.x, at.y), "{planner}: unit {unit}");
            for step in way.windows(2) {
                let [(ax, ay, before), (bx, by, after)] = [step[0], step[1]];
                assert!(near(ax, bx) && near(ay, by) && before < after, "{planner}: unit {unit}: {step:?}");
            }
        }
    }
}

/// An explorer's fields: others keep it away from where they are, its own place does not, and down its flow it comes to what it
/// looks for.
#[test]
fn fields_are_those_that_explorers_go_by() {
    let mut kit = Kit::new("expedition");
    kit.ask(r#"{"do":"start","planner":"explore(potential=0.5,repulsion=0.5)"}"#).unwrap();
    kit.seek(12);
    let show = kit.0.run_mut(0).unwrap();
    let unit = (0..).find(|&unit| show.scenario().agent(throng::core::AgentId(unit)).task.is_search());
    let mut layer =
        |name: &str| show.layer(&Wanted { name: name.to_owned(), ahead: 0, unit, level: 1 }).unwrap();
    let (heat, flow) = (layer("heat"), layer("flow"));
    assert!(layers().as_array().unwrap().iter().any(|layer| layer["signed"] == true));
    assert!(layer("potential").high > 0.0 && layer("repulsion").high > 0.0);
    assert!(heat.high > 1.0 && flow.cells.iter().any(|&arrow| arrow != 0));
    let plain = layer("fog");
    for (place, &arrow) in flow.cells.iter().enumerate() {
        assert!(arrow == 0 || plain.cells[place] == 0, "nobody goes where it knows nothing");
    }
    let told = kit.ask(&json!({"do": "inspect", "unit": unit}).to_string()).unwrap();
    assert!(told["unit"]["seen"].as_u64() > Some(0) && told["unit"]["sight"]["radius"].is_u64(), "{told}");
    assert!(told["unit"]["heading"].is_string(), "{told}");
    kit.ask(r#"{"do":"start","planner":"explore"}"#).unwrap();
    kit.seek(12);
    let wanted = Wanted { name: "repulsion".to_owned(), ahead: 0, unit, level: 1 };
    assert!(kit.0.run_mut(0).unwrap().layer(&wanted).unwrap().cells.iter().all(|&byte| byte == 0));
}

/// Of coarser levels there are fewer nodes, and in the end one for each region.
#[test]
fn coarser_levels_have_fewer_nodes() {
    let mut kit = Kit::new("bridge");
    kit.seek(0);
    let mut nodes = |level| {
        let wanted = Wanted { name: "abstraction".to_owned(), ahead: 0, unit: None, level };
        let layer = kit.0.run_mut(0).unwrap().layer(&wanted).unwrap();
        layer.cells.iter().filter(|&&byte| byte != 0).collect::<std::collections::BTreeSet<_>>().len()
    };
    let counts = [1, 3, 16].map(&mut nodes);
    assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] == 1, "{counts:?}");
    // It tells how many levels there are: from there on they are alike.
    let mut layer = |level| {
        let wanted = Wanted { name: "abstraction".to_owned(), ahead: 0, unit: None, level };
        kit.0.run_mut(0).unwrap().layer(&wanted).unwrap()
    };
    let height = layer(1).high as u64;
    assert!((2..16).contains(&height), "{height}");
    assert_ne!(layer(height - 1).cells, layer(height).cells);
    assert_eq!(layer(height), layer(16));
}

/// Lines of many ticks had the number of the last of them.
#[test]
fn histories_tell_no_number_of_one_tick_for_many() {
    let mut kit = Kit::new("expedition");
    kit.seek(0);
    kit.ask(r#"{"do":"inspect","unit":0}"#).unwrap();
    kit.seek(30);
    let told = kit.ask(r#"{"do":"inspect","unit":0}"#).unwrap();
    let history = told["history"].as_array().unwrap();
    let long = |period: &&Value| period["from"].as_u64() < period["to"].as_u64();
    let texts: Vec<&str> =
        history.iter().filter(long).map(|period| period["text"].as_str().unwrap()).collect();
    assert!(texts.contains(&"explores"), "{history:?}");
    assert!(texts.iter().all(|text| !text.contains("cells left") && !text.contains("to go")), "{history:?}");
}

#[test]
fn layers_cover_the_map() {
    for name in ["bridge", "expedition", "promenade"] {
        let mut kit = Kit::new(name);
        kit.seek(25);
        let show = kit.0.run_mut(0).unwrap();
        let cells = show.scenario().grid().width() * show.scenario().grid().height();
        let mut told = 0;
        for layer in layers().as_array().unwrap() {
            let wanted = Wanted {
                name: layer["name"].as_str().unwrap().to_owned(),
                ahead: 2,
                unit: Some(0),
                level: 1,
            };
            let made = show.layer(&wanted).unwrap();
            assert_eq!(made.cells.len(), cells, "{wanted:?}");
            told += usize::from(made.cells.iter().any(|&byte| byte != 0));
        }
        assert!(told >= 6, "{name}: only {told} layers have something to say");
        assert!(show.layer(&Wanted { name: "moods".to_owned(), ahead: 0, unit: None, level: 1 }).is_err());
    }
}

/// Visits of a tick are the same whether it is reached or gone back to.
#[test]
fn visits_are_of_the_tick_that_is_shown() {
    let wanted = Wanted { name: "visits".to_owned(), ahead: 0, unit: None, level: 1 };
    let mut kit = Kit::new("bridge");
    kit.seek(20);
    let then = kit.0.run_mut(0).unwrap().layer(&wanted).unwrap();
    kit.seek(60);
    assert_ne!(kit.0.run_mut(0).unwrap().layer(&wanted).unwrap(), then);
    kit.seek(20);
    assert_eq!(kit.0.run_mut(0).unwrap().layer(&wanted).unwrap(), then);
}

#[test]
fn a_recording_can_be_looked_at_and_not_be_changed() {
    let mut kit = Kit::new("bridge");
    kit.seek(70);
    let (scenario, happened) = kit.0.runs()[0].story();
    let file = throng::formats::trace::TraceFile {
        scenario: scenario.clone(),
        planner: "whca".to_owned(),
        seed: 0,
        state_hash: 0,
        trace: happened.clone(),
    };
    let bytes = throng::formats::trace::write(&file);
    let positions = |kit: &Kit| kit.0.runs()[0].state().units.iter().map(|unit| unit.at).collect::<Vec<_>>();
    let at_70 = positions(&kit);
    kit.seek(33);
    let at_33 = positions(&kit);
    kit.0.show_recording(&bytes).unwrap();
    assert_eq!((kit.0.tick(), kit.0.told()["last"].as_u64()), (0, Some(70)));
    kit.seek(70);
    assert_eq!(positions(&kit), at_70);
    kit.seek(33);
    assert_eq!(positions(&kit), at_33);
    let refused = kit.ask(r#"{"do":"order","unit":0,"task":{"hold":true}}"#).unwrap_err();
    assert!(refused.message.contains("recording"), "{refused}");
    assert!(!kit.ask(r#"{"do":"inspect","unit":0}"#).unwrap()["path"].as_array().unwrap().is_empty());
    assert!(kit.0.show_recording(&bytes[..bytes.len() / 2]).is_err());
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3i64..70).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z@.]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..3).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 42] = [
        "do", "id", "x", "y", "cells", "letter", "unit", "index", "set", "add", "remove", "task", "goal",
        "goals", "patrol", "rounds", "hold", "cell", "value", "run", "width", "height", "kind", "seed",
        "tick", "ticks", "start", "planner", "rules", "sight", "radius", "body", "period", "team", "at",
        "close", "open", "acts", "strength", "text", "budget", "ahead",
    ];
    prop_oneof![prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), "[a-z]{1,5}"]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "open",
            "files",
            "save",
            "resize",
            "paint",
            "fill",
            "unit",
            "settings",
            "event",
            "undo",
            "redo",
            "document",
            "start",
            "stop",
            "play",
            "pause",
            "step",
            "close",
            "reopen",
            "order",
            "place",
            "priority",
            "inspect",
            "find",
            "layers",
            "view",
            "charts",
            "summary",
            "state",
            "generate",
            "roads",
            "nothing",
            "source",
            "directions",
            "acts",
        ][..],
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is asked, in whatever order, is done or refused, and the room goes on.
    #[test]
    fn nothing_that_is_asked_ends_a_room(
        asked in prop::collection::vec((name(), prop::collection::btree_map(key(), anything(), 0..4)), 1..12),
    ) {
        let mut kit = Kit::new("hallway");
        for (name, mut keys) in asked {
            keys.insert("do".to_owned(), Value::from(name));
            if let Some(ticks) = keys.get_mut("ticks") {
                *ticks = json!(ticks.as_u64().map_or_else(|| ticks.clone(), |ticks| json!(ticks % 50)));
            }
            let _ = kit.ask(&json!(keys).to_string());
        }
        let [state, document] = [r#"{"do":"state"}"#, r#"{"do":"document"}"#].map(|text| kit.ask(text).is_ok());
        prop_assert!(state && document);
    }

    /// What is no command is refused.
    #[test]
    fn no_text_ends_a_room(text in any::<String>()) {
        prop_assert!(Kit::new("hallway").ask(&text).is_err());
    }
}
