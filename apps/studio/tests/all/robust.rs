//! What no studio may mind.

use crate::kit::{Scratch, Server};
use crate::sockets::{Viewer, block_on};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::Write as _;
use tokio_tungstenite::tungstenite::Message;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Random bytes and random text get an error each, and the next command its answer.
    #[test]
    fn nonsense_gets_an_error_and_nothing_else_happens(
        texts in prop::collection::vec(".{0,200}", 20),
        bytes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 20),
    ) {
        let scratch = Scratch::new();
        let server = Server::in_folder(scratch.path());
        let before = server.ask(json!({"do": "document"}));
        for body in &bytes {
            let answer = server.post("/api/do", "", body).json();
            prop_assert!(answer["error"]["message"].is_string(), "{}", answer);
        }
        block_on(async {
            let mut viewer = Viewer::join(&server, "").await;
            for text in texts {
                viewer.send(Message::text(text)).await;
                assert!(viewer.answer().await["error"]["message"].is_string());
            }
            for bytes in bytes {
                viewer.send(Message::binary(bytes)).await;
                assert!(viewer.answer().await["error"]["message"].is_string());
            }
            assert_eq!(viewer.ask(json!({"do": "document"})).await["ok"], before);
        });
    }
}

#[test]
fn messages_that_are_too_long_are_refused() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    let long = json!({"do": "find", "text": "x".repeat(8 << 20)}).to_string();
    assert_eq!(server.post("/api/do", "", long.as_bytes()).status, 413);
    block_on(async {
        let mut viewer = Viewer::join(&server, "").await;
        viewer.send(Message::text(long)).await;
        let why = viewer.answer().await;
        assert!(why["error"]["message"].as_str().unwrap().contains("at most 8388608"), "{why}");
        assert!(viewer.ask(json!({"do": "state"})).await.get("ok").is_some());
    });
}

/// Somebody else can pause what takes long; both get their answer.
#[test]
fn a_long_way_can_be_left_off() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut one = Viewer::join(&server, "").await;
        let mut other = Viewer::join(&server, "").await;
        // Patrols go on for long.
        one.ask(json!({"do": "open", "builtin": "promenade"})).await;
        one.ask(json!({"do": "settings", "set": {"ticks": null}})).await;
        one.ask(json!({"do": "start"})).await;
        one.send(Message::text(json!({"id": "far", "do": "seek", "tick": 100_000}).to_string())).await;
        assert!(other.ask(json!({"do": "state"})).await.get("ok").is_some());
        other.ask(json!({"do": "pause"})).await;
        let answer = one.answer().await;
        assert_eq!(answer["id"], "far");
        assert!(answer["ok"]["tick"].as_u64().unwrap() < 100_000);
    });
}

/// Something that a value may be: also numbers that are too large, and things inside of things.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3i64..70).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 44] = [
        "id",
        "x",
        "y",
        "cells",
        "letter",
        "unit",
        "index",
        "set",
        "add",
        "remove",
        "task",
        "goal",
        "goals",
        "patrol",
        "rounds",
        "hold",
        "cell",
        "value",
        "run",
        "width",
        "height",
        "kind",
        "parameters",
        "seed",
        "budget",
        "preview",
        "tick",
        "ticks",
        "speed",
        "start",
        "planner",
        "rules",
        "sight",
        "radius",
        "names",
        "ahead",
        "frames",
        "from",
        "text",
        "acts",
        "at",
        "strength",
        "toml",
        "file",
    ];
    prop_oneof![8 => prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), 1 => ".{0,6}"]
}

/// One thing that somebody sends.
#[derive(Clone, Debug)]
enum Sent {
    Command(Value),
    Text(String),
    Bytes(Vec<u8>),
}

fn sent() -> impl Strategy<Value = Sent> {
    const NAMES: [&str; 39] = [
        "open",
        "files",
        "save",
        "new",
        "resize",
        "generate",
        "roads",
        "paint",
        "fill",
        "unit",
        "settings",
        "event",
        "source",
        "directions",
        "undo",
        "redo",
        "document",
        "start",
        "acts",
        "stop",
        "play",
        "pause",
        "step",
        "seek",
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
        "fly",
        "",
        "do",
    ];
    let command = (prop::sample::select(&NAMES[..]), prop::collection::btree_map(key(), anything(), 0..5));
    let command = command.prop_map(|(name, mut keys)| {
        keys.insert("do".to_owned(), Value::from(name));
        // A long way is no nonsense.
        for key in ["tick", "ticks"] {
            keys.entry(key.to_owned()).and_modify(|ticks| {
                if let Some(many) = ticks.as_u64().filter(|&many| many <= 100_000) {
                    *ticks = json!(many % 50);
                }
            });
        }
        if name == "step" {
            keys.entry("ticks".to_owned()).or_insert(json!(3));
        }
        keys.into_iter().collect::<Value>()
    });
    let command = command.boxed();
    let half = (command.clone(), any::<prop::sample::Index>()).prop_map(|(command, cut)| {
        let text: Vec<char> = command.to_string().chars().collect();
        Sent::Text(text[..cut.index(text.len())].iter().collect())
    });
    prop_oneof![
        6 => command.prop_map(Sent::Command),
        1 => half,
        1 => ".{0,100}".prop_map(Sent::Text),
        1 => prop::collection::vec(any::<u8>(), 0..100).prop_map(Sent::Bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever comes over a socket gets one answer, in order, and the studio is there for the next.
    #[test]
    fn every_message_gets_one_answer(all in prop::collection::vec(sent(), 1..40)) {
        let scratch = Scratch::new();
        let server = Server::in_folder(scratch.path());
        block_on(async {
            let mut viewer = Viewer::join(&server, "").await;
            viewer.ask(json!({"do": "new", "width": 12, "height": 9})).await;
            viewer.ask(json!({"do": "unit", "add": {"start": [1, 1], "goal": [9, 7]}})).await;
            viewer.ask(json!({"do": "start"})).await;
            for sent in &all {
                viewer.send(match sent {
                    Sent::Command(command) => Message::text(command.to_string()),
                    Sent::Text(text) => Message::text(text.clone()),
                    Sent::Bytes(bytes) => Message::binary(bytes.clone()),
                }).await;
                let answer = viewer.answer().await;
                let told = answer.get("ok").is_some() || answer["error"]["message"].is_string();
                assert!(told, "{sent:?}: {answer}");
            }
            viewer.ask(json!({"do": "pause"})).await;
            assert!(viewer.ask(json!({"do": "document"})).await["ok"]["version"].is_u64());
        });
    }

    /// Whoever sends half a frame, or no HTTP at all, and goes away keeps nobody waiting.
    #[test]
    fn broken_connections_are_nobodys_trouble(
        bytes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..8),
        upgraded in any::<bool>(),
    ) {
        let scratch = Scratch::new();
        let server = Server::in_folder(scratch.path());
        for bytes in bytes {
            let mut stream = std::net::TcpStream::connect(server.address).unwrap();
            if upgraded {
                let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";
                let head = "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket";
                write!(stream, "{head}\r\nHost: {}\r\n{key}\r\n\r\n", server.address).unwrap();
            }
            // It may have hung up already.
            let _ = stream.write_all(&bytes);
        }
        server.ask(json!({"do": "state"}));
    }
}
