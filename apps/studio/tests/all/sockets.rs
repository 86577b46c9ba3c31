//! Viewers.

use crate::kit::{Scratch, Server};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// One viewer.
pub(crate) struct Viewer {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
    pub(crate) frames: Vec<Vec<u8>>,
    pub(crate) events: Vec<Value>,
}

impl Viewer {
    pub(crate) async fn join(server: &Server, query: &str) -> Self {
        let (socket, _) = connect_async(format!("ws://{}/ws{query}", server.address)).await.unwrap();
        Self { socket, next: 0, frames: Vec::new(), events: Vec::new() }
    }

    /// Reads one message; answers are given back, all else is kept.
    async fn read(&mut self) -> Option<Value> {
        let message = tokio::time::timeout(Duration::from_secs(30), self.socket.next()).await;
        match message.unwrap()?.ok()? {
            Message::Binary(frame) => self.frames.push(frame.to_vec()),
            Message::Text(text) => {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value.get("event").is_none() {
                    return Some(value);
                }
                self.events.push(value);
            }
            _ => {}
        }
        Some(Value::Null)
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    /// The next answer, whatever it is to.
    pub(crate) async fn answer(&mut self) -> Value {
        loop {
            let read = self.read().await.unwrap();
            if !read.is_null() {
                return read;
            }
        }
    }

    pub(crate) async fn ask(&mut self, mut command: Value) -> Value {
        self.next += 1;
        command["id"] = json!(self.next);
        self.send(Message::text(command.to_string())).await;
        loop {
            let read = self.answer().await;
            if read["id"] == self.next {
                return read;
            }
        }
    }

    /// Reads until what was read is as wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !wanted(self) {
            assert!(begun.elapsed() < Duration::from_secs(30), "it never came");
            self.read().await.unwrap();
        }
    }

    fn last(&self, kind: u8, run: u8) -> Option<&[u8]> {
        self.frames.iter().rev().find(|frame| frame[..2] == [kind, run]).map(Vec::as_slice)
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn tick(frame: &[u8]) -> u32 {
    u32::from_le_bytes(frame[4..8].try_into().unwrap())
}

#[test]
fn frames_show_what_there_is() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut viewer = Viewer::join(&server, "").await;
        viewer.until(|v| v.last(1, 0).is_some() && v.last(2, 0).is_some() && v.last(2, 255).is_some()).await;
        let units = viewer.last(1, 0).unwrap();
        assert_eq!(units.len(), 12 + 8 * 40);
        let terrain = viewer.last(2, 0).unwrap();
        let side = |at: usize| usize::from(u16::from_le_bytes(terrain[at..at + 2].try_into().unwrap()));
        assert_eq!(terrain.len(), 12 + side(8) * side(10));
        let cells = side(8) * side(10);
        assert!(viewer.events.iter().any(|event| event["event"] == "state"));
        assert!(viewer.events.iter().any(|event| event["event"] == "document"));

        assert_eq!(viewer.ask(json!({"do": "view", "frames": 60})).await["ok"]["frames"], 60);
        let names = ["visits", "reservations", "directions"];
        viewer.ask(json!({"do": "layers", "names": names, "ahead": 1})).await;
        viewer.ask(json!({"do": "step", "ticks": 7})).await;
        viewer.until(|v| v.last(1, 0).is_some_and(|frame| tick(frame) == 7)).await;
        for (number, kind) in [0u8, 2, 1].into_iter().enumerate() {
            let is = |frame: &&Vec<u8>| frame[..4] == [3, 0, number as u8, kind] && tick(frame) == 7;
            viewer.until(|v| v.frames.iter().any(|frame| is(&frame))).await;
            assert_eq!(viewer.frames.iter().find(is).unwrap().len(), 20 + cells);
        }
        let told = viewer.ask(json!({"do": "inspect", "unit": 3})).await;
        viewer.until(|v| v.last(4, 0).is_some_and(|frame| frame[8] == 3)).await;
        let points = told["ok"]["path"].as_array().unwrap().len();
        assert_eq!(viewer.last(4, 0).unwrap().len(), 16 + 8 * points);
        // Terrain that has not changed is not sent again.
        let terrains = |v: &Viewer| v.frames.iter().filter(|frame| frame[0] == 2).count();
        let before = terrains(&viewer);
        viewer.ask(json!({"do": "inspect", "unit": 4})).await;
        viewer.until(|v| v.last(4, 0).is_some_and(|frame| frame[8] == 4)).await;
        viewer.ask(json!({"do": "state"})).await;
        assert_eq!(terrains(&viewer), before);
        for (asked, why) in [
            (
                json!({"do": "layers", "names": ["reservations"], "ahead": u64::MAX >> 1}),
                "expected 0 to 1000",
            ),
            (json!({"do": "layers", "names": ["reservations"], "ahead": -1}), "-1 ticks ahead"),
            (json!({"do": "view", "frames": 0}), "0 frames a second, expected 1 to 120"),
            (json!({"do": "view", "frames": 5_000_000_000u64}), "expected 1 to 120"),
        ] {
            let refused = viewer.ask(asked).await["error"]["message"].as_str().unwrap().to_owned();
            assert!(refused.contains(why), "{refused}");
        }
        let wrong = viewer.ask(json!({"do": "layers", "names": ["moods"]})).await;
        assert!(wrong["error"]["message"].as_str().unwrap().contains("there are visits"), "{wrong}");
    });
}

#[test]
fn goals_are_told_when_they_change() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut viewer = Viewer::join(&server, "").await;
        viewer.ask(json!({"do": "new", "width": 9, "height": 4})).await;
        for unit in [
            json!({"start": [0, 0], "goals": [[2, 0], [8, 0]]}),
            json!({"start": [0, 1], "hold": true}),
            json!({"start": [0, 2], "goal": [8, 2]}),
        ] {
            viewer.ask(json!({"do": "unit", "add": unit})).await;
        }
        viewer.ask(json!({"do": "start"})).await;
        let goals = |v: &Viewer| -> Vec<[u16; 2]> {
            let frame = v.last(5, 0).unwrap_or_default();
            let number = |two: &[u8]| u16::from_le_bytes(two.try_into().unwrap());
            frame
                .get(12..)
                .unwrap_or_default()
                .chunks(4)
                .map(|at| [number(&at[..2]), number(&at[2..])])
                .collect()
        };
        const NONE: [u16; 2] = [u16::MAX; 2];
        viewer.until(|v| goals(v) == [[2, 0], NONE, [8, 2]]).await;
        // While nothing changes nothing is told.
        viewer.frames.clear();
        viewer.ask(json!({"do": "step", "ticks": 1})).await;
        viewer.until(|v| v.last(1, 0).is_some_and(|frame| tick(frame) == 1)).await;
        assert_eq!(viewer.last(5, 0), None);
        viewer.ask(json!({"do": "step", "ticks": 2})).await;
        viewer.until(|v| goals(v) == [[8, 0], NONE, [8, 2]]).await;
        viewer.ask(json!({"do": "order", "unit": 1, "task": {"goal": [5, 3]}})).await;
        viewer.until(|v| goals(v) == [[8, 0], [5, 3], [8, 2]]).await;
    });
}

#[test]
fn all_viewers_of_a_room_see_the_same() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut viewers = Vec::new();
        for _ in 0..20 {
            viewers.push(Viewer::join(&server, "?room=crowd").await);
        }
        viewers[0].ask(json!({"do": "play", "speed": 500})).await;
        for viewer in &mut viewers {
            viewer.until(|v| v.last(1, 0).is_some_and(|frame| tick(frame) > 5)).await;
        }
        viewers[7].ask(json!({"do": "pause"})).await;
        let at = viewers[3].ask(json!({"do": "seek", "tick": 21})).await["ok"]["tick"].clone();
        assert_eq!(at, 21);
        let mut seen = BTreeMap::new();
        for viewer in &mut viewers {
            viewer.until(|v| v.last(1, 0).is_some_and(|frame| tick(frame) == 21)).await;
            *seen.entry(viewer.last(1, 0).unwrap()[12..].to_vec()).or_insert(0) += 1;
        }
        assert_eq!(seen.into_values().collect::<Vec<_>>(), [20]);
    });
}

/// Who does not read keeps nobody waiting, and gets what is newest when it does: frames are dropped, ticks never.
#[test]
fn slow_viewers_drop_frames_and_no_ticks() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut slow = Viewer::join(&server, "").await;
        let mut quick = Viewer::join(&server, "").await;
        // A million cells at each tick are more than the buffers of a connection hold.
        quick.ask(json!({"do": "new", "width": 1000, "height": 1000})).await;
        quick.ask(json!({"do": "unit", "add": {"start": [0, 0], "goal": [999, 0]}})).await;
        quick.ask(json!({"do": "start"})).await;
        slow.ask(json!({"do": "layers", "names": ["visits"]})).await;
        let before = slow.frames.iter().filter(|frame| frame[0] == 3).count();
        quick.ask(json!({"do": "play", "speed": 100})).await;
        quick.until(|v| v.frames.iter().filter(|frame| frame[0] == 1).count() > 60).await;
        quick.ask(json!({"do": "pause"})).await;
        let last = quick.ask(json!({"do": "state"})).await["ok"]["tick"].as_u64().unwrap() as u32;
        slow.until(|v| v.last(1, 0).is_some_and(|frame| tick(frame) == last)).await;
        let layers = slow.frames.iter().filter(|frame| frame[0] == 3).count() - before;
        assert!((1..30).contains(&layers), "{layers}");
        let charts = slow.ask(json!({"do": "charts"})).await;
        assert_eq!(charts["ok"]["ticks"].as_array().unwrap().len() as u32, last + 1);
    });
}

/// Layers were once made for each viewer by itself, between two ticks: twenty of them left one tick a second of ten.
#[test]
fn ticks_go_on_whoever_looks_at_layers() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut first = Viewer::join(&server, "").await;
        first.ask(json!({"do": "new", "width": 1000, "height": 1000})).await;
        first.ask(json!({"do": "settings", "set": {"planner": "pibt"}})).await;
        for y in 0..10 {
            first.ask(json!({"do": "unit", "add": {"start": [0, 9 * y], "goal": [999, 9 * y]}})).await;
        }
        first.ask(json!({"do": "start"})).await;
        let mut viewers = vec![first];
        while viewers.len() < 20 {
            viewers.push(Viewer::join(&server, "").await);
        }
        for viewer in &mut viewers {
            viewer.ask(json!({"do": "layers", "names": ["congestion", "visits"]})).await;
        }
        viewers[0].ask(json!({"do": "play", "speed": 10})).await;
        let begun = Instant::now();
        let mut reading = tokio::task::JoinSet::new();
        for mut viewer in viewers {
            reading.spawn(async move {
                viewer.frames.clear();
                while begun.elapsed() < Duration::from_secs(5) {
                    viewer.read().await.unwrap();
                }
                viewer
            });
        }
        let mut viewers = reading.join_all().await;
        let last = viewers[0].ask(json!({"do": "pause"})).await["ok"]["tick"].as_u64().unwrap();
        let seconds = begun.elapsed().as_secs();
        assert!(last >= 5 * seconds, "{last} ticks in {seconds} s");
        // Everybody sees them, and the same.
        let mut seen = BTreeMap::new();
        for viewer in &viewers {
            let layers: Vec<&Vec<u8>> = viewer.frames.iter().filter(|frame| frame[0] == 3).collect();
            assert!([0, 1].iter().all(|number| layers.iter().any(|frame| frame[2] == *number)));
            for frame in layers {
                assert_eq!(seen.entry((frame[2], tick(frame))).or_insert(frame), &frame);
            }
        }
        // When it stands still, all of them are as things are then.
        for viewer in &mut viewers {
            for number in [0, 1] {
                let newest = |frame: &Vec<u8>| frame[..3] == [3, 0, number] && u64::from(tick(frame)) == last;
                viewer.until(|v| v.frames.iter().any(newest)).await;
            }
        }
    });
}

#[test]
fn too_many_are_refused() {
    let scratch = Scratch::new();
    let server = Server::in_folder(scratch.path());
    block_on(async {
        let mut viewers = Vec::new();
        for _ in 0..64 {
            viewers.push(Viewer::join(&server, "").await);
        }
        assert!(connect_async(format!("ws://{}/ws", server.address)).await.is_err());
        viewers.truncate(60);
        let begun = Instant::now();
        // Who has left makes room, as soon as that is noticed.
        while connect_async(format!("ws://{}/ws", server.address)).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}
