//! What is done by hand, and done again.

use super::*;
use throng::core::Cell;

/// A cell that nobody is on.
fn free(kit: &Kit) -> Cell {
    let show = &kit.0.runs()[0];
    let (grid, state) = (show.scenario().grid(), show.state());
    let all = (0..grid.height() as i32).flat_map(|y| (0..grid.width() as i32).map(move |x| Cell::new(x, y)));
    let taken =
        |cell: Cell| state.units.iter().any(|unit| [unit.at, unit.from].contains(&grid.id(cell).unwrap()));
    all.filter(|&cell| grid.is_open(cell)).find(|&cell| !taken(cell)).unwrap()
}

/// A run that people have meddled with, at tick 70.
fn meddled(planner: &str) -> Kit {
    let mut kit = Kit::new("bridge");
    kit.ask(&json!({"do": "start", "planner": planner, "seed": 5, "budget": 4000}).to_string()).unwrap();
    // Before anything has happened as well.
    kit.ask(r#"{"do":"priority","unit":7,"value":3}"#).unwrap();
    kit.seek(10);
    kit.ask(r#"{"do":"order","unit":3,"task":{"patrol":[0,0],"rounds":9}}"#).unwrap();
    let Cell { x, y } = free(&kit);
    kit.ask(&json!({"do": "place", "unit": 5, "cell": [x, y]}).to_string()).unwrap();
    kit.seek(30);
    let Cell { x, y } = free(&kit);
    kit.ask(&json!({"do": "close", "cells": [[x, y]]}).to_string()).unwrap();
    kit.seek(45);
    kit.ask(&json!({"do": "reopen", "cells": [[x, y]]}).to_string()).unwrap();
    kit.seek(70);
    kit
}

/// Links left out what was done by hand, so that they showed another run.
#[test]
fn what_was_done_by_hand_can_be_done_again() {
    for planner in ["whca(window=8)", "lra"] {
        let mut kit = meddled(planner);
        let hash = kit.hash(0);
        let acts = kit.ask(r#"{"do":"acts"}"#).unwrap()["acts"].clone();
        let pair = |act: &Value| (act["at"].clone(), act["do"].clone());
        let told: Vec<_> = acts.as_array().unwrap().iter().map(pair).collect();
        let expected = [(0, "priority"), (10, "order"), (10, "place"), (30, "close"), (45, "reopen")];
        assert_eq!(told, expected.map(|(at, name)| (json!(at), json!(name))));
        let again = json!({"do": "start", "planner": planner, "seed": 5, "budget": 4000, "acts": acts});
        kit.ask(&again.to_string()).unwrap();
        assert_eq!(kit.0.tick(), 0);
        kit.seek(70);
        assert_eq!(kit.hash(0), hash, "{planner}");
        kit.seek(20);
        kit.seek(70);
        assert_eq!(kit.hash(0), hash, "{planner}");
        assert_eq!(kit.ask(r#"{"do":"acts"}"#).unwrap()["acts"], acts);
        // And it matters.
        kit.ask(&json!({"do": "start", "planner": planner, "seed": 5, "budget": 4000}).to_string()).unwrap();
        kit.seek(70);
        assert_ne!(kit.hash(0), hash, "{planner}");
    }
}

/// Whoever does something before that is done which was still to be done has another future.
#[test]
fn what_is_still_to_be_done_is_part_of_the_future() {
    let mut kit = Kit::new("bridge");
    let acts = json!([{"at": 30, "do": "order", "unit": 1, "task": {"hold": true}}]);
    kit.ask(&json!({"do": "start", "acts": acts}).to_string()).unwrap();
    kit.seek(10);
    kit.ask(r#"{"do":"order","unit":2,"task":{"hold":true}}"#).unwrap();
    let told = kit.ask(r#"{"do":"acts"}"#).unwrap()["acts"].clone();
    assert_eq!(told, json!([{"at": 10, "do": "order", "unit": 2, "task": {"hold": true}}]));
}

#[test]
fn what_cannot_be_done_again_is_told() {
    let mut kit = Kit::new("bridge");
    for (acts, why) in [
        (json!([{"do": "close", "cells": []}]), "act 0: `at` is null, expected a tick from 0 to 100000"),
        (
            json!([{"at": 5, "do": "paint", "cells": [], "letter": "@"}]),
            "act 0: expected close, reopen, order",
        ),
        (json!([{"at": 5, "do": "order", "unit": 1, "task": {}}]), "act 0: expected one of `goal`"),
    ] {
        let refused = kit.ask(&json!({"do": "start", "acts": acts}).to_string()).unwrap_err();
        assert!(refused.message.starts_with(why), "{refused}");
    }
    let priority = |unit: u32| json!({"at": 4, "do": "priority", "unit": unit, "value": 1});
    kit.ask(&json!({"do": "start", "acts": [priority(999), priority(9)]}).to_string()).unwrap();
    kit.seek(8);
    assert_eq!(kit.0.take_notes(), ["priority at tick 4 was refused: no unit 999: there are 40"]);
    assert_eq!(kit.ask(r#"{"do":"acts"}"#).unwrap()["acts"].as_array().unwrap().len(), 1);
    kit.seek(2);
    kit.seek(8);
    assert!(kit.0.take_notes().is_empty());
}

/// The hash of the farthest tick was 0 in traces that were written from an earlier one.
#[test]
fn the_farthest_tick_has_a_hash_wherever_one_is() {
    let mut kit = meddled("lra");
    let last = |kit: &mut Kit| kit.0.run_mut(0).unwrap().live().unwrap().last_hash();
    let hash = kit.hash(0);
    assert_eq!(last(&mut kit), hash);
    kit.seek(20);
    assert_eq!(last(&mut kit), hash);
    kit.ask(r#"{"do":"order","unit":0,"task":{"hold":true}}"#).unwrap();
    let hash = kit.hash(0);
    assert_eq!(last(&mut kit), hash, "the future is another one");
}

/// A page can tell that what is drawn is not what runs.
#[test]
fn runs_know_which_document_they_are_of() {
    let mut kit = Kit::new("bridge");
    let versions = |kit: &Kit| {
        let told = kit.0.told();
        (told["version"].as_u64().unwrap(), told["runs"][0]["version"].as_u64().unwrap())
    };
    assert_eq!(versions(&kit), (1, 1));
    kit.ask(r#"{"do":"paint","cells":[[0,0]],"letter":"T"}"#).unwrap();
    assert_eq!(versions(&kit), (2, 1));
    kit.ask(r#"{"do":"undo"}"#).unwrap();
    kit.ask(r#"{"do":"start"}"#).unwrap();
    assert_eq!(versions(&kit), (3, 3));
    assert_eq!(kit.ask(r#"{"do":"summary"}"#).unwrap()["rows"][0]["distance"].to_string(), "0.0");
}
