//! Pages, commands and files.

use crate::kit::{Scratch, Server};
use serde_json::json;
use throng_studio::{Options, StudioError};

#[test]
fn the_page_and_what_there_is() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    let page = server.get("/", "");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("text/html"), "{}", page.head);
    assert!(page.head.to_lowercase().contains("content-security-policy"));
    assert!(String::from_utf8(page.body).unwrap().contains("Throng"));
    for path in
        ["/page/none.js", "/page/../Cargo.toml", "/page/..%2fCargo.toml", "/page//etc/passwd", "/Cargo.toml"]
    {
        assert_eq!(server.get(path, "").status, 404, "{path}");
    }
    let info = server.get("/api/info", "").json();
    assert_eq!(info["protocol"], 1);
    for list in ["planners", "builtins", "generators", "layers"] {
        assert!(info[list].as_array().unwrap().len() > 5, "{list}");
    }
    assert_eq!(info["limits"]["cells"], 4_194_304);
    let maze = info["generators"].as_array().unwrap().iter().find(|each| each["kind"] == "maze").unwrap();
    assert_eq!(maze["parameters"][0]["range"]["whole"], json!([1, 16384]));
}

#[test]
fn everything_works_without_a_page() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "open", "builtin": "hallway"}));
    server.ask(json!({"do": "start"}));
    let there = server.ask(json!({"id": "a", "do": "step", "ticks": 5}));
    assert_eq!(there["tick"], 5);
    server.ask(json!({"do": "seek", "tick": 2}));
    let state = server.ask(json!({"do": "state"}));
    assert_eq!((&state["tick"], &state["last"]), (&json!(2), &json!(5)));
    // Rooms are apart.
    let other = server.tell("other", &json!({"id": 1, "do": "state"}));
    assert_eq!((&other["id"], &other["ok"]["tick"]), (&json!(1), &json!(0)));
}

#[test]
fn documents_go_to_files_and_come_back() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "open", "builtin": "office", "seed": 4}));
    let before = server.ask(json!({"do": "document"}));
    for file in ["office.toml", "office.map", "office.png"] {
        server.ask(json!({"do": "save", "file": file}));
        server.ask(json!({"do": "new", "width": 3, "height": 3}));
        server.ask(json!({"do": "open", "file": file}));
        assert_eq!(server.ask(json!({"do": "document"}))["rows"], before["rows"], "{file}");
        server.ask(json!({"do": "open", "file": "office.toml"}));
    }
    assert_eq!(server.ask(json!({"do": "document"}))["toml"], before["toml"]);
    let files = server.ask(json!({"do": "files"}));
    let names: Vec<_> =
        files["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["office.map", "office.png", "office.toml"]);
}

/// Ctrl+s once wrote over whatever lay under the name that happened to be there.
#[test]
fn nobody_elses_file_is_written_over_unasked() {
    let scratch = Scratch::new();
    let read = |name: &str| std::fs::read_to_string(scratch.path().join(name)).unwrap();
    std::fs::write(scratch.path().join("mine.toml"), "map = '..'\n").unwrap();
    std::fs::write(scratch.path().join("other.toml"), "map = '...'\n").unwrap();
    let server = Server::in_folder(scratch.path());
    let file = || server.ask(json!({"do": "state"}))["file"].clone();
    let refused = |name: &str| {
        let (before, save) = (read(name), json!({"do": "save", "file": name}));
        let error = server.tell("main", &save)["error"].clone();
        assert_eq!(error["exists"], true, "{error}");
        assert!(error["message"].as_str().unwrap().contains("overwrite"), "{error}");
        assert_eq!(read(name), before);
    };
    refused("mine.toml");
    server.ask(json!({"do": "open", "file": "./mine.toml"}));
    assert_eq!(file(), "mine.toml");
    server.ask(json!({"do": "paint", "cells": [[0, 0]], "letter": "T"}));
    server.ask(json!({"do": "save", "file": "mine.toml"}));
    assert!(read("mine.toml").contains("T."));
    refused("other.toml");
    // What was saved last is as good as what was opened; the one before is still its own.
    server.ask(json!({"do": "save", "file": "copy.toml"}));
    assert_eq!(file(), "copy.toml");
    for name in ["copy.toml", "./copy.toml", "mine.toml"] {
        server.ask(json!({"do": "save", "file": name}));
    }
    server.ask(json!({"do": "save", "file": "other.toml", "overwrite": true}));
    assert_eq!(file(), "other.toml");
    // Another document is not what these files hold, and neither is the one before if that comes back.
    server.ask(json!({"do": "new", "width": 3, "height": 3}));
    assert_eq!(file(), json!(null));
    refused("mine.toml");
    server.ask(json!({"do": "undo"}));
    assert_eq!(file(), "other.toml");
    server.ask(json!({"do": "save", "file": "mine.toml"}));
    server.ask(json!({"do": "redo"}));
    refused("mine.toml");
    // The same from a file is of that file, and no step to undo.
    server.ask(json!({"do": "undo"}));
    let steps = || server.ask(json!({"do": "document"}))["undo"].clone();
    let before = steps();
    server.ask(json!({"do": "open", "file": "copy.toml"}));
    assert_eq!((file(), steps()), (json!("copy.toml"), before));
    server.ask(json!({"do": "new", "width": 3, "height": 3}));
    // Maps have no units: whoever has opened one and saves is not offered to lose them.
    server.ask(json!({"do": "save", "file": "yard.map"}));
    assert_eq!(file(), json!(null));
    server.ask(json!({"do": "open", "file": "yard.map"}));
    assert_eq!(file(), json!(null));
    server.ask(json!({"do": "save", "file": "yard.map"}));
}

/// Neither `..` nor a link leads out of the folder.
#[test]
fn nothing_outside_the_folder_is_touched() {
    let (outer, inner) = (Scratch::new(), Scratch::new());
    std::fs::write(outer.path().join("secret.toml"), "map = '.'\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.path(), inner.path().join("out")).unwrap();
        // What is written goes to a file beside first, which was once followed if it was a link.
        let part = inner.path().join("plain.toml.part");
        std::os::unix::fs::symlink(outer.path().join("secret.toml"), part).unwrap();
        std::os::unix::fs::symlink(outer.path().join("secret.toml"), inner.path().join("link.toml")).unwrap();
    }
    let server = Server::in_folder(inner.path());
    let outside = outer.path().join("secret.toml").to_string_lossy().into_owned();
    let relative = format!("../{}/secret.toml", outer.path().file_name().unwrap().to_string_lossy());
    let names = [
        &outside,
        &relative,
        "out/secret.toml",
        "link.toml",
        "a/../../b.toml",
        ".hidden.toml",
        "",
        "x\0.toml",
    ];
    for name in names {
        server.refused(json!({"do": "open", "file": name}));
        server.refused(json!({"do": "save", "file": name}));
        server.refused(json!({"do": "open", "toml": format!("map_file = {name:?}\n")}));
    }
    let why = server.refused(json!({"do": "save", "file": "script.sh"}));
    assert!(why.contains(".toml"), "{why}");
    assert_eq!(server.ask(json!({"do": "files"}))["files"], json!([]));
    server.ask(json!({"do": "save", "file": "plain.toml"}));
    assert_eq!(std::fs::read_to_string(outer.path().join("secret.toml")).unwrap(), "map = '.'\n");
    assert_eq!(std::fs::read_dir(outer.path()).unwrap().count(), 1);
}

#[test]
fn names_may_begin_here() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path().join("sub")).unwrap();
    std::fs::write(scratch.path().join("sub/in.map"), "type octile\nheight 1\nwidth 3\nmap\n...\n").unwrap();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "open", "file": "./sub/in.map"}));
    server.ask(json!({"do": "save", "file": "./sub/./out.toml"}));
    assert!(scratch.path().join("sub/out.toml").exists());
    std::fs::write(scratch.path().join("sub/with.toml"), "map_file = './in.map'\n").unwrap();
    server.ask(json!({"do": "open", "file": "sub/with.toml"}));
    assert_eq!(server.ask(json!({"do": "document"}))["width"], 3);
    for name in ["./../x.toml", "sub/../sub/in.map", ".", "./", "./.throng-studio/main.toml"] {
        server.refused(json!({"do": "open", "file": name}));
    }
}

/// A map of a million cells is one message.
#[test]
fn large_maps_fit_into_a_message() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    let rows = format!("{}\n", ".".repeat(1024)).repeat(1024);
    server.ask(json!({"do": "open", "map": format!("type octile\nheight 1024\nwidth 1024\nmap\n{rows}")}));
    server.ask(json!({"do": "open", "toml": format!("map = '''\n{rows}'''\n")}));
    assert_eq!(server.ask(json!({"do": "new", "width": 2, "height": 2}))["version"], 4);
}

/// What was kept and cannot be read, because somebody has changed it by hand, was replaced by the example and written over.
#[test]
fn what_cannot_be_read_is_set_aside() {
    let scratch = Scratch::new();
    let kept = scratch.path().join(".throng-studio");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("main.toml"), "garbage = [").unwrap();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "paint", "cells": [[0, 0]], "letter": "@"}));
    drop(server);
    let aside = std::fs::read_to_string(kept.join("main.unreadable-1.toml")).unwrap();
    assert_eq!(aside, "garbage = [");
    assert!(std::fs::read_to_string(kept.join("main.toml")).unwrap().contains("map"));
}

#[test]
fn what_was_drawn_is_there_again() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "open", "builtin": "hallway"}));
    server.ask(json!({"do": "settings", "set": {"seed": 77, "name": "kept"}}));
    let before = server.ask(json!({"do": "document"}));
    drop(server);
    assert!(scratch.path().join(".throng-studio/main.toml").exists());
    let again = Server::in_folder(scratch.path());
    let after = again.ask(json!({"do": "document"}));
    assert_eq!((&after["toml"], &after["settings"]), (&before["toml"], &before["settings"]));
    drop(again);
    let without =
        Options { port: 0, folder: scratch.path().to_owned(), autosave: false, ..Options::default() };
    let without = Server::with(without).unwrap();
    assert_ne!(without.ask(json!({"do": "document"}))["toml"], before["toml"]);
}

/// The very first thing that anybody says may be a change: whoever takes what is there after it for what there was at first
/// would never keep it.
#[test]
fn a_single_change_is_kept() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    server.ask(json!({"do": "settings", "set": {"name": "changed at once"}}));
    drop(server);
    let kept = std::fs::read_to_string(scratch.path().join(".throng-studio/main.toml")).unwrap();
    assert!(kept.contains("changed at once"), "{kept}");
}

/// Everything that is wrong is told in the same way, with the status that it has everywhere.
#[test]
fn what_is_wrong_with_a_request_is_told() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    let told = |reply: crate::kit::Reply, status: u16, words: &str| {
        assert_eq!(reply.status, status, "{words}: {}", reply.head);
        assert!(reply.head.to_lowercase().contains("content-type: application/json"), "{}", reply.head);
        let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    };
    let state = br#"{"do":"state"}"#;
    told(server.get("/nowhere", ""), 404, "there is nothing at /nowhere");
    told(server.get("/page/none.js", ""), 404, "no such page");
    told(server.get("/api/export/moon", ""), 404, "no export \"moon\": there are gif");
    told(server.get("/api/do", ""), 405, "GET /api/do: expected POST");
    told(server.post("/api/info", "", state), 405, "POST /api/info: expected GET");
    told(server.post("/api/do", "", &vec![b' '; (8 << 20) + 1]), 413, "at most 8388608 bytes");
    told(server.get("/api/export/csv?run=first", ""), 400, "run");
    told(server.get("/api/export/png?with=5", ""), 400, "with");
    told(server.get("/api/export/png?width=5", ""), 400, "expected 64 to 4096");
    told(server.get("/api/export/csv?run=1", ""), 400, "no run 1: there are 1");
    told(server.get("/api/export/csv?room=NO", ""), 400, "no room \"NO\"");
    told(server.get("/api/export/%ff", ""), 400, "");
    told(server.post("/api/do?room=..%2fx", "", state), 400, "expected 1 to 32 of a-z");
    told(server.post("/api/do", "", br#"{"id":1,"do":"fly"}"#), 400, "fly: expected one of");
    told(server.post("/api/do", "", br#"{"do":"seek","tick":100001}"#), 400, "at most 100000");
    told(server.post("/api/do", "", b"\xff"), 400, "not a command");
    told(server.get("/ws", ""), 400, "");
    // Whoever is refused still hears which command that was.
    assert_eq!(server.post("/api/do", "", br#"{"id":"a","do":"fly"}"#).json()["id"], "a");
}

#[test]
fn only_those_come_in_who_may() {
    let scratch = Scratch::new();
    let token = Some("open-sesame".to_owned());
    let options = Options { port: 0, folder: scratch.path().to_owned(), token, ..Options::default() };
    let server = Server::with(options).unwrap();
    let body = br#"{"do":"state"}"#;
    assert_eq!(server.post("/api/do", "", body).status, 401);
    assert_eq!(server.post("/api/do?token=open", "", body).status, 401);
    assert_eq!(server.post("/api/do?token=open-sesame", "", body).status, 200);
    assert_eq!(server.post("/api/do", "Authorization: Bearer open-sesame\r\n", body).status, 200);
    assert_eq!(server.get("/api/export/toml", "").status, 401);
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(server.post("/api/do?token=open-sesame", foreign, body).status, 403);
    let own = format!("Origin: http://{}\r\n", server.address);
    assert_eq!(server.post("/api/do?token=open-sesame", &own, body).status, 200);
    let rebound = server.raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.status, 403);
}

#[test]
fn what_keeps_it_from_beginning_is_told() {
    let scratch = Scratch::new();
    let here = || Options { port: 0, folder: scratch.path().to_owned(), ..Options::default() };
    let anywhere = Options { bind: [0, 0, 0, 0].into(), ..here() };
    let why = Server::with(anywhere).err().unwrap();
    assert!(why.to_string().contains("--token"), "{why}");
    // One that anybody guesses is none.
    for token in ["", "a", "seven-7", "with space"] {
        let why = Server::with(Options { token: Some(token.to_owned()), ..here() }).err().unwrap();
        assert!(why.to_string().contains("8 to 256 letters"), "{why}");
    }
    let server = Server::with(here()).unwrap();
    let taken = Options { port: server.address.port(), ..here() };
    let why = Server::with(taken).err().unwrap();
    assert!(matches!(why, StudioError::Taken { .. }) && why.to_string().contains("--port"), "{why}");
    let why = Server::with(Options { folder: "/nowhere/at/all".into(), ..here() }).err().unwrap();
    assert!(why.to_string().contains("/nowhere/at/all"), "{why}");
}
