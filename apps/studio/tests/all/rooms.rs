//! Rooms that come and go.

use crate::kit::{Scratch, Server};
use crate::sockets::{Viewer, block_on};
use serde_json::{Value, json};
use throng_studio::Options;

fn name_of(server: &Server, room: &str) -> Value {
    server.tell(room, &json!({"do": "document"}))["ok"]["settings"]["name"].clone()
}

/// Rooms were never given back, so that the ninth was refused for ever.
#[test]
fn rooms_that_nobody_uses_give_way() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    for number in 0..30 {
        let name = format!("drawn in {number}");
        let answer =
            server.tell(&format!("room-{number}"), &json!({"do": "settings", "set": {"name": name}}));
        assert!(answer.get("ok").is_some(), "{answer}");
    }
    // Whoever comes back finds what was drawn.
    for number in (0..30).rev() {
        assert_eq!(name_of(&server, &format!("room-{number}")), format!("drawn in {number}"));
    }
}

/// It is the one that nobody has used for longest: what it was doing is over, its document is not.
#[test]
fn the_room_that_was_used_last_stays() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    let tick = |room: &str| server.tell(room, &json!({"do": "state"}))["ok"]["tick"].clone();
    for number in 0..8 {
        server.tell(&format!("room-{number}"), &json!({"do": "seek", "tick": 3}));
    }
    assert_eq!(tick("room-0"), 3);
    assert_eq!(tick("other"), 0);
    assert_eq!(tick("room-0"), 3, "it was used after room 1");
    assert_eq!(tick("room-1"), 0, "it has given way");
}

#[test]
fn rooms_in_use_stay() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "state"}));
    block_on(async {
        let mut viewers = Vec::new();
        for number in 0..5 {
            viewers.push(Viewer::join(&server, &format!("?room=seen-{number}")).await);
        }
        for number in 0..2 {
            let room = format!("plays-{number}");
            server.tell(&room, &json!({"do": "open", "builtin": "promenade"}));
            server.tell(&room, &json!({"do": "settings", "set": {"ticks": null}}));
            server.tell(&room, &json!({"do": "start"}));
            server.tell(&room, &json!({"do": "play", "speed": 0.5}));
        }
        let body = br#"{"do":"state"}"#;
        let refused = server.post("/api/do?room=ninth", "", body);
        assert_eq!(refused.status, 429);
        let why = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(why.starts_with("9 rooms, at most 8, and all are in use"), "{why}");
        assert!(why.contains("main, plays-0, plays-1, seen-0"), "{why}");
        // Those who are there go on undisturbed.
        assert!(viewers[4].ask(json!({"do": "state"})).await.get("ok").is_some());
        server.tell("plays-1", &json!({"do": "pause"}));
        assert_eq!(server.post("/api/do?room=ninth", "", body).status, 200);
        // A viewer that leaves makes room as well, as soon as that is noticed.
        server.tell("ninth", &json!({"do": "play", "speed": 0.5}));
        assert_eq!(server.post("/api/do?room=tenth", "", body).status, 429);
        viewers.truncate(4);
        let begun = std::time::Instant::now();
        while server.post("/api/do?room=tenth", "", body).status != 200 {
            assert!(begun.elapsed().as_secs() < 20);
        }
    });
}

/// Where nothing is kept, nothing that was drawn is thrown away.
#[test]
fn what_nobody_keeps_stays() {
    let scratch = Scratch::new();
    let options =
        Options { port: 0, folder: scratch.path().to_owned(), autosave: false, ..Options::default() };
    let server = Server::with(options).unwrap();
    for number in 0..8 {
        server.tell(
            &format!("drawn-{number}"),
            &json!({"do": "settings", "set": {"name": number.to_string()}}),
        );
    }
    let why = server.tell("ninth", &json!({"do": "state"}))["error"]["message"].clone();
    assert!(why.as_str().unwrap().contains("which nobody keeps"), "{why}");
    assert_eq!(name_of(&server, "drawn-0"), "0");
}

#[test]
fn who_cannot_write_keeps_its_rooms() {
    let scratch = Scratch::new();
    // A file in the place of the folder: nobody can write into it.
    std::fs::write(scratch.path().join(".throng-studio"), "").unwrap();
    let server = Server::in_folder(scratch.path());
    for number in 0..8 {
        server.tell(
            &format!("drawn-{number}"),
            &json!({"do": "settings", "set": {"name": number.to_string()}}),
        );
    }
    assert!(server.tell("ninth", &json!({"do": "state"})).get("error").is_some());
    assert_eq!(name_of(&server, "drawn-0"), "0");
    block_on(async {
        let mut viewer = Viewer::join(&server, "?room=drawn-0").await;
        viewer.until(|v| v.events.iter().any(|event| event["event"] == "note")).await;
        let note = viewer.events.iter().find(|event| event["event"] == "note").unwrap();
        assert!(note["text"].as_str().unwrap().contains("cannot be kept"), "{note}");
    });
}

/// What was kept and cannot be read was set aside without a word.
#[test]
fn who_comes_first_hears_what_could_not_be_read() {
    let scratch = Scratch::new();
    let kept = scratch.path().join(".throng-studio");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("main.toml"), "garbage = [").unwrap();
    std::fs::write(kept.join("other.toml"), [0xff, 0xfe]).unwrap();
    let server = Server::in_folder(scratch.path());
    assert!(kept.join("other.unreadable-1.toml").exists());
    // Whoever asks without looking has not heard it.
    server.ask(json!({"do": "state"}));
    block_on(async {
        for (room, told) in [("main", "main.unreadable-1.toml"), ("other", "not UTF-8")] {
            let note = |v: &Viewer| v.events.iter().find(|event| event["event"] == "note").cloned();
            let mut viewer = Viewer::join(&server, &format!("?room={room}")).await;
            viewer.until(|v| note(v).is_some()).await;
            assert!(note(&viewer).unwrap()["text"].as_str().unwrap().contains(told), "{:?}", note(&viewer));
            // Once is enough.
            let mut second = Viewer::join(&server, &format!("?room={room}")).await;
            second.ask(json!({"do": "state"})).await;
            assert!(note(&second).is_none());
        }
    });
}

/// A scenario of the command line took the place of what was kept, and the first stroke wrote over that.
#[test]
fn what_was_kept_is_set_aside_for_a_file() {
    let scratch = Scratch::new();
    {
        let server = Server::in_folder(scratch.path());
        server.ask(json!({"do": "new", "width": 7, "height": 3}));
        server.ask(json!({"do": "save", "file": "given.toml"}));
        server.ask(json!({"do": "new", "width": 5, "height": 4}));
    }
    let kept = scratch.path().join(".throng-studio");
    let work = std::fs::read_to_string(kept.join("main.toml")).unwrap();
    let file = Some(scratch.path().join("given.toml"));
    let options = Options { port: 0, folder: scratch.path().to_owned(), file, ..Options::default() };
    let server = Server::with(options).unwrap();
    assert_eq!(server.ask(json!({"do": "document"}))["width"], 7);
    server.ask(json!({"do": "paint", "cells": [[0, 0]], "letter": "@"}));
    assert_eq!(std::fs::read_to_string(kept.join("main.before-1.toml")).unwrap(), work);
    block_on(async {
        let mut viewer = Viewer::join(&server, "").await;
        viewer.until(|v| v.events.iter().any(|event| event["event"] == "note")).await;
    });
}
