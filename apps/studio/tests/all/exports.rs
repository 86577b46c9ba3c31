//! What can be taken home.

use crate::kit::{Scratch, Server};
use serde_json::{Value, json};
use throng_studio::Options;

#[test]
fn runs_can_be_taken_home() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "seek", "tick": 40}));
    let csv = server.get("/api/export/csv", "");
    assert_eq!(csv.status, 200);
    assert!(csv.head.contains("attachment; filename=\"bridge.csv\""), "{}", csv.head);
    assert_eq!(String::from_utf8(csv.body).unwrap().lines().count(), 42);
    let toml = String::from_utf8(server.get("/api/export/toml", "").body).unwrap();
    assert!(toml.starts_with("name = \"bridge\""));
    assert!(server.get("/api/export/map", "").body.starts_with(b"type octile"));
    let trace = server.get("/api/export/trace", "").body;
    let file = throng::formats::trace::parse(&trace).unwrap();
    assert_eq!(file.trace.ticks(), 40);
    let report = throng::check::check_trace(&file.scenario, &file.trace, throng::check::Expect::Legal);
    assert!(report.is_valid(), "{report}");
    let png = server.get("/api/export/png?tick=20&width=300", "").body;
    assert!(png.starts_with(b"\x89PNG"));
    assert_ne!(png, server.get("/api/export/png?tick=30&width=300", "").body);
    assert!(server.get("/api/export/gif?width=128", "").body.starts_with(b"GIF89a"));
    assert!(server.get("/api/export/svg", "").body.starts_with(b"<svg"));
    let link = String::from_utf8(server.get("/api/export/link", "").body).unwrap();
    assert!(link.starts_with(&format!("http://{}/?room=main#run=", server.address)), "{link}");
    // And shown again.
    std::fs::write(scratch.path().join("run.trace"), &trace).unwrap();
    server.ask(json!({"do": "open", "file": "run.trace"}));
    assert_eq!(server.ask(json!({"do": "state"}))["runs"][0]["recorded"], true);
    drop(server);
    let options = Options {
        port: 0,
        folder: scratch.path().to_owned(),
        trace: Some(scratch.path().join("run.trace")),
        ..Options::default()
    };
    let replay = Server::with(options).unwrap();
    replay.ask(json!({"do": "seek", "tick": 40}));
    assert_eq!(replay.ask(json!({"do": "state"}))["last"], 40);
    assert!(replay.refused(json!({"do": "close", "cells": [[0, 0]]})).contains("recording"));
}

/// The opposite of what links are made with.
fn decoded(letters: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        _ => 63,
    };
    let three = |four: &[u8]| {
        let number = four.iter().fold(0u32, |all, &letter| all << 6 | u32::from(digit(letter)));
        (number << (6 * (4 - four.len()))).to_be_bytes()[1..four.len()].to_vec()
    };
    letters.as_bytes().chunks(4).flat_map(three).collect()
}

/// Whoever opens a link sees the same run, also where somebody has done something by hand.
#[test]
fn links_make_runs_again() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "settings", "set": {"budget": 5000}}));
    server.ask(json!({"do": "start", "planner": "lra", "seed": 3}));
    server.ask(json!({"do": "seek", "tick": 20}));
    server.ask(json!({"do": "order", "unit": 3, "task": {"hold": true}}));
    server.ask(json!({"do": "seek", "tick": 50}));
    let hash = server.ask(json!({"do": "summary"}))["rows"][0]["state_hash"].clone();
    // What is drawn afterwards is no part of this run.
    server.ask(json!({"do": "unit", "index": 0, "remove": true}));
    let link = String::from_utf8(server.get("/api/export/link", "").body).unwrap();
    let run: Value = serde_json::from_slice(&decoded(link.trim().split_once("#run=").unwrap().1)).unwrap();
    let other = |command: Value| {
        let answer = server.tell("other", &command);
        assert!(answer.get("ok").is_some(), "{answer}");
        answer["ok"].clone()
    };
    other(json!({"do": "open", "toml": run["toml"]}));
    let (planner, seed, budget, acts) = (&run["planner"], &run["seed"], &run["budget"], &run["acts"]);
    other(json!({"do": "start", "planner": planner, "seed": seed, "budget": budget, "acts": acts}));
    other(json!({"do": "seek", "tick": run["tick"]}));
    assert_eq!(other(json!({"do": "summary"}))["rows"][0]["state_hash"], hash);
    // What is too long for a link says so.
    other(json!({"do": "new", "width": 512, "height": 512}));
    other(json!({"do": "unit", "add": {"start": [0, 0], "goal": [5, 5]}}));
    other(json!({"do": "start"}));
    let long = server.get("/api/export/link?room=other", "");
    assert_eq!(long.status, 400);
    assert!(long.json()["error"]["message"].as_str().unwrap().contains("at most 65536"), "{}", long.json());
}

/// A run in which somebody was put elsewhere had no pictures. It still has no trace, and says why.
#[test]
fn whoever_was_put_elsewhere_is_drawn_there() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "new", "width": 8, "height": 2}));
    server.ask(json!({"do": "unit", "add": {"start": [0, 0], "goal": [7, 0]}}));
    server.ask(json!({"do": "start"}));
    server.ask(json!({"do": "step", "ticks": 2}));
    let before = server.get("/api/export/png", "").body;
    server.ask(json!({"do": "place", "unit": 0, "cell": [6, 1]}));
    let after = server.get("/api/export/png", "");
    assert_eq!(after.status, 200);
    assert!(after.body.starts_with(b"\x89PNG") && after.body != before);
    server.ask(json!({"do": "step", "ticks": 4}));
    assert!(server.get("/api/export/gif", "").body.starts_with(b"GIF89a"));
    assert!(server.get("/api/export/svg", "").body.starts_with(b"<svg"));
    let trace = server.get("/api/export/trace", "");
    assert_eq!(trace.status, 400);
    assert!(trace.json()["error"]["message"].as_str().unwrap().contains("put elsewhere at tick 2"));
    let last = server.ask(json!({"do": "state"}))["last"].as_u64().unwrap();
    let beyond = server.get(&format!("/api/export/png?tick={}", last + 1), "");
    assert_eq!(beyond.status, 400);
    let why = beyond.json()["error"]["message"].as_str().unwrap().to_owned();
    assert_eq!(why, format!("tick {}: this run is known up to tick {last}", last + 1));
}

/// A trace that is written from an earlier tick has the hash of its last one, as the command line writes it.
#[test]
fn traces_have_the_hash_of_their_end() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "seek", "tick": 33}));
    let hash = server.ask(json!({"do": "summary"}))["rows"][0]["state_hash"].clone();
    server.ask(json!({"do": "seek", "tick": 5}));
    let file = throng::formats::trace::parse(&server.get("/api/export/trace", "").body).unwrap();
    assert_eq!(format!("{:#018x}", file.state_hash), hash.as_str().unwrap());
    assert_eq!(file.trace.ticks(), 33);
}
