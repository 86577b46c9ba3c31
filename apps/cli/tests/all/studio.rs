//! `throng studio`: it says where it is, answers, and ends when it is told to.

use crate::kit::Folder;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A studio in a folder, and its address.
#[cfg(unix)]
fn studio_in(folder: &Folder) -> (Child, String) {
    let mut studio = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["studio", "--port", "0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(studio.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap();
    (studio, address.to_owned())
}

/// One command; its whole answer, with the head.
fn ask(address: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /api/do HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(r#""ok""#), "{body}: {answer}");
    answer
}

#[cfg(unix)]
fn end(mut studio: Child) {
    let told = Command::new("kill").args(["-INT", &studio.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!(studio.wait().unwrap().code(), Some(0));
}

#[test]
#[cfg(unix)]
fn it_says_where_it_is_and_ends_when_told() {
    let folder = Folder::new();
    let (studio, address) = studio_in(&folder);
    let port = address.rsplit_once(':').unwrap().1;

    let taken = folder.throng(&format!("studio --port {port}"));
    assert_eq!(taken.status, 1);
    assert!(
        taken.err.contains(&format!("port {port} is taken")) && taken.err.contains("--port"),
        "{}",
        taken.err
    );

    ask(&address, r#"{"do":"settings","set":{"name":"kept"}}"#);
    end(studio);
    assert!(folder.text(".throng-studio/main.toml").contains("name = \"kept\""));
}

/// What is drawn is kept a second later: whoever kills the studio then finds it again.
#[test]
#[cfg(unix)]
fn what_was_drawn_outlives_a_kill() {
    let folder = Folder::new();
    let (mut studio, address) = studio_in(&folder);
    ask(&address, r#"{"do":"new","width":9,"height":4}"#);
    ask(&address, r#"{"do":"paint","cells":[[3,2]],"letter":"T"}"#);
    let kept = folder.path().join(".throng-studio/main.toml");
    let begun = std::time::Instant::now();
    while !std::fs::read_to_string(&kept).is_ok_and(|text| text.contains('T')) {
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "nothing was kept");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    studio.kill().unwrap();
    studio.wait().unwrap();
    let (studio, address) = studio_in(&folder);
    assert!(ask(&address, r#"{"do":"document"}"#).contains(r#""...T.....""#));
    let told = Command::new("kill").args(["-TERM", &studio.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!({ studio }.wait().unwrap().code(), Some(0));
}

/// What was saved is run by the command line as the studio ran it: seed and budget were lost, so that it was another run.
#[test]
#[cfg(unix)]
fn what_was_saved_runs_the_same_without_it() {
    let folder = Folder::new();
    let (studio, address) = studio_in(&folder);
    let settings = r#"{"planner":"lra","seed":9,"budget":300}"#;
    ask(&address, &format!(r#"{{"do":"settings","set":{settings}}}"#));
    ask(&address, r#"{"do":"start"}"#);
    ask(&address, r#"{"do":"seek","tick":60}"#);
    let summary = ask(&address, r#"{"do":"summary"}"#);
    ask(&address, r#"{"do":"save","file":"saved.toml"}"#);
    end(studio);
    for file in ["saved.toml", ".throng-studio/main.toml"] {
        let row = folder.throng(&format!("run {file} --ticks 60 --json")).expect(2).json();
        assert_eq!(row["seed"], 9);
        assert!(summary.contains(row["state_hash"].as_str().unwrap()), "{file}: {row} {summary}");
    }
    for other in ["--seed 8", "--budget 100000"] {
        let row = folder.throng(&format!("run saved.toml --ticks 60 --json {other}")).expect(2).json();
        assert!(!summary.contains(row["state_hash"].as_str().unwrap()), "{other}");
    }
}

#[test]
fn others_need_a_token() {
    let said = Folder::new().throng("studio --bind 0.0.0.0 --port 0");
    assert_eq!(said.status, 1);
    assert!(said.err.contains("--token"), "{}", said.err);
}
