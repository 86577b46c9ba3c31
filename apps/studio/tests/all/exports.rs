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
    // What it is a recording of is the document now; what was drawn before comes back.
    server.ask(json!({"do": "undo"}));
    assert_eq!(server.ask(json!({"do": "document"}))["toml"], toml);
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
    // It is taken home as what it is, and not as an empty document that has nothing to do with it.
    let document = replay.ask(json!({"do": "document"}));
    assert_eq!((&document["settings"]["name"], &document["errors"]), (&json!("bridge"), &json!([])));
    let text = String::from_utf8(replay.get("/api/export/toml", "").body).unwrap();
    let held = throng::formats::scenario::parse(&text, &mut throng::formats::scenario::no_files).unwrap();
    assert_eq!(held.scenario, file.scenario);
    assert!(replay.get("/api/export/map", "").body.starts_with(b"type octile"));
    // Nobody counted nodes: that is not the same as none.
    let row = replay.ask(json!({"do": "summary"}))["rows"][0].clone();
    assert_eq!((&row["expanded"], &row["largest_work"]), (&Value::Null, &Value::Null));
    assert_eq!(replay.ask(json!({"do": "charts"}))["runs"][0]["expanded"][3], Value::Null);
    let csv = String::from_utf8(replay.get("/api/export/csv", "").body).unwrap();
    assert!(csv.lines().nth(4).unwrap().starts_with("3,0,0,,"), "{csv}");
    // And it can be run again, with what it was run with.
    replay.ask(json!({"do": "start"}));
    replay.ask(json!({"do": "seek", "tick": 40}));
    assert_eq!(replay.get("/api/export/trace", "").body, trace);
}

#[test]
fn maps_of_every_kind_are_opened_and_saved() {
    let scratch = Scratch::new();
    let maps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/maps");
    for entry in std::fs::read_dir(maps).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), scratch.path().join(entry.file_name())).unwrap();
    }
    let server = Server::in_folder(scratch.path());
    let document = |file: &str| {
        server.ask(json!({"do": "open", "file": file}));
        server.ask(json!({"do": "document"}))
    };
    let hall = document("hall.tmx");
    assert_eq!(hall["units"].as_array().unwrap().len(), 3);
    assert_eq!(document("hall.tmj")["rows"], hall["rows"]);
    assert_eq!(
        (document("level.toml")["rows"][0].as_str(), document("office.yaml")["rows"][6].as_str()),
        (Some(".T@"), Some("@....@...OO@"))
    );
    document("hall.tmx");
    for name in ["b.tmx", "b.png", "b.yaml", "b.map"] {
        server.ask(json!({"do": "save", "file": name}));
    }
    for (name, rows) in [("b.tmx", &hall["rows"]), ("b.png", &hall["rows"]), ("b.map", &hall["rows"])] {
        assert_eq!(document(name)["rows"], *rows, "{name}");
    }
    // Files beside a map are somebody's work, too.
    std::fs::write(scratch.path().join("c.pgm"), b"mine").unwrap();
    assert!(server.refused(json!({"do": "save", "file": "c.yaml"})).contains("c.pgm"));
    assert_eq!(std::fs::read(scratch.path().join("c.pgm")).unwrap(), b"mine");
    assert!(server.refused(json!({"do": "save", "file": "c.tmj"})).contains("expected a name that ends in"));
    let upload =
        |name: &str, bytes: &[u8]| server.post(&format!("/api/open?room=main&name={name}"), "", bytes);
    let told = upload("d.tmx", b"<map/>").json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("expected a number as `width` of `map`"), "{told}");
}

/// Pictures and traces were to be put into the working folder by hand, which nobody can who has only a browser.
#[test]
fn files_from_elsewhere_are_opened_as_those_of_the_folder() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "step", "ticks": 3}));
    let trace = server.get("/api/export/trace", "").body;
    let rows = server.ask(json!({"do": "document"}))["rows"].clone();
    let read = |name: &str| std::fs::read(scratch.path().join(name)).unwrap();
    for name in ["a.png", "a.map", "a.toml"] {
        server.ask(json!({"do": "save", "file": name}));
    }
    let open = |name: &str, bytes: &[u8]| server.post(&format!("/api/open?room=main&name={name}"), "", bytes);
    for name in ["a.png", "a.map", "a.toml"] {
        server.ask(json!({"do": "new", "width": 2, "height": 2}));
        let answer = open(name, &read(name));
        assert_eq!(answer.status, 200, "{name}: {}", String::from_utf8_lossy(&answer.body));
        let document = server.ask(json!({"do": "document"}));
        assert_eq!(document["rows"], rows, "{name}");
        // It belongs to no file: whoever saves it is asked.
        assert_eq!(server.ask(json!({"do": "state"}))["file"], Value::Null);
        assert!(server.refused(json!({"do": "save", "file": name})).contains("overwrite"));
    }
    assert_eq!(open("b.trace", &trace).status, 200);
    let state = server.ask(json!({"do": "state"}));
    assert_eq!((&state["runs"][0]["recorded"], &state["last"]), (&json!(true), &json!(3)));
    for (name, bytes, why) in [
        ("b.trace", &trace[..trace.len() / 2], ""),
        ("a.png", b"not a picture".as_slice(), ""),
        (
            "script.sh",
            b"".as_slice(),
            "expected a name that ends in .toml, .map, .png, .tmx, .tmj, .yaml, .trace",
        ),
        ("c.toml", b"map_file = '../../etc/passwd'".as_slice(), "only files inside the working folder"),
    ] {
        let answer = open(name, bytes);
        let told = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(answer.status == 400 && told.contains(why), "{name}: {told}");
    }
    assert_eq!(server.post("/api/open", "", b"x").status, 400);
    assert_eq!(server.get("/api/open?name=a.map", "").status, 405);
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(server.post("/api/open?name=a.map", foreign, &read("a.map")).status, 403);
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
