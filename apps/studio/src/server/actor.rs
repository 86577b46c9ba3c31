//! The thread that owns a room: it obeys, lets runs go on by the clock, and tells everybody.

use super::drawn::{Drawn, Key};
use super::export::{Material, NoExport, Wish};
use super::keep::Keeper;
use super::slot::Slot;
use super::viewer::{Shared, Viewer};
use crate::folder::Folder;
use crate::protocol::command::{self, Command};
use crate::room::{Answer, Room, Wanted};
use crate::{Refusal, limits};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long runs go on before anybody else has a turn.
const TURN: Duration = Duration::from_millis(15);
/// Runs that are behind do not catch up on more than this.
const BEHIND: Duration = Duration::from_millis(250);
/// How often everybody is told while runs go on, and how often if nothing happens.
const TELL: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_secs(1);

/// What a room is asked.
pub(super) enum Message {
    Do {
        text: String,
        viewer: Option<u64>,
        reply: oneshot::Sender<Reply>,
    },
    /// A file from elsewhere is to be opened.
    Upload {
        name: String,
        bytes: Vec<u8>,
        reply: oneshot::Sender<Reply>,
    },
    Join {
        viewer: u64,
        slot: Arc<Slot>,
    },
    Leave {
        viewer: u64,
    },
    Export {
        wish: Wish,
        reply: oneshot::Sender<Result<Material, NoExport>>,
    },
    /// Somebody else needs the room: ends if nobody is in it and nothing is lost by that, and says whether it does.
    GiveWay {
        reply: Sender<bool>,
    },
    End,
}

/// The answer to a command, as text, and whether it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) done: bool,
}

impl Reply {
    pub(super) fn of(id: &Value, outcome: &Result<Value, Refusal>) -> Self {
        Self { text: command::answer(id, outcome), done: outcome.is_ok() }
    }
}

pub(super) struct Actor {
    pub(super) room: Room,
    pub(super) folder: Arc<Folder>,
    pub(super) keeper: Option<Keeper>,
    viewers: BTreeMap<u64, Viewer>,
    drawn: Drawn,
    /// Who waits for runs to be where they are to be.
    waiting: Vec<(Value, oneshot::Sender<Reply>)>,
    /// When the next tick is due while runs go on.
    next: Instant,
    told: Option<Value>,
    told_at: Instant,
    /// Somebody has asked for something: everybody is told at once what came of it.
    hasty: bool,
    version: u32,
    /// The document that there was at first.
    first: u32,
    /// Whether somebody has been told that documents cannot be kept.
    complained: bool,
}

impl Actor {
    pub(super) fn new(room: Room, folder: Arc<Folder>, mut keeper: Option<Keeper>) -> Self {
        keeper.iter_mut().for_each(|keeper| keeper.begin(&room.document));
        let (now, version) = (Instant::now(), room.document.version());
        Self {
            room,
            folder,
            keeper,
            viewers: BTreeMap::new(),
            drawn: Drawn::new(now),
            waiting: Vec::new(),
            next: now,
            told: None,
            told_at: now,
            hasty: false,
            version,
            first: version,
            complained: false,
        }
    }

    /// Goes on until it is told to end, or nobody can ask any more.
    pub(super) fn run(mut self, messages: &Receiver<Message>) {
        loop {
            match messages.recv_timeout(self.patience()) {
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Message::GiveWay { reply }) => {
                    let gives_way = self.gives_way();
                    if reply.send(gives_way).is_ok() && gives_way {
                        break;
                    }
                }
                Ok(message) => self.hear(message),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.advance();
            // First what there is to see, then that it is there.
            self.tell();
            self.answer_waiting();
            self.keep(false);
        }
        self.keep(true);
        self.viewers.values().for_each(|viewer| viewer.slot.close());
    }

    /// Whether nobody is here, nothing goes on, and all that was drawn is kept or never was.
    fn gives_way(&mut self) -> bool {
        let idle = self.viewers.is_empty() && self.waiting.is_empty();
        let still = self.room.pace().is_none() && !self.room.is_busy();
        idle && still
            && match self.keeper {
                Some(_) => self.keep(true),
                None => self.room.document.version() == self.first,
            }
    }

    /// Keeps the document, if documents are kept; answers whether nothing is left to be kept, or it is too early.
    fn keep(&mut self, at_once: bool) -> bool {
        let Some(keeper) = &mut self.keeper else { return true };
        match keeper.keep(&self.room.document, at_once) {
            Ok(()) => self.complained = false,
            Err(why) => {
                if !std::mem::replace(&mut self.complained, true) {
                    self.room.note(format!("the document cannot be kept: {why}"));
                }
                return false;
            }
        }
        true
    }

    /// How long to wait for somebody to ask.
    fn patience(&self) -> Duration {
        if self.room.is_busy() {
            return Duration::ZERO;
        }
        let now = Instant::now();
        let tick = self.room.pace().map(|_| self.next);
        // Whoever has not read what was sent is looked at again soon.
        let soon =
            self.viewers.values().map(|viewer| viewer.due().unwrap_or(now + TELL / 10).max(now + TELL / 50));
        let soon = soon.min().filter(|_| self.unseen());
        let first = [tick, soon, self.drawn.due()]
            .into_iter()
            .flatten()
            .min()
            .map(|at| at.saturating_duration_since(now));
        first.unwrap_or(IDLE).min(if self.room.looks_back() { TELL / 10 } else { IDLE / 4 })
    }

    /// Whether somebody may not have seen how things are.
    fn unseen(&self) -> bool {
        self.viewers.values().any(|viewer| !viewer.is_up_to_date(&self.room))
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Do { text, viewer, reply } => {
                let (id, command) = command::parse(&text);
                let outcome = command.and_then(|command| self.obey(command, viewer));
                match outcome {
                    Ok(Answer::WhenThere) => self.waiting.push((id, reply)),
                    Ok(Answer::Now(value)) => drop(reply.send(Reply::of(&id, &Ok(value)))),
                    Err(why) => drop(reply.send(Reply::of(&id, &Err(why)))),
                }
                self.hasty = true;
            }
            Message::Upload { name, bytes, reply } => {
                let opened = self.room.upload(&name, bytes, Some(&self.folder));
                // Whoever has left does not want to know any more.
                let _ = reply.send(Reply::of(&Value::Null, &opened));
                self.hasty = true;
            }
            Message::Join { viewer, slot } => {
                slot.state(self.room.told().to_string().into());
                slot.document(document_event(self.room.document.version()));
                self.viewers.insert(viewer, Viewer::new(slot));
            }
            Message::Leave { viewer } => drop(self.viewers.remove(&viewer)),
            Message::Export { wish, reply } => drop(reply.send(Material::of(&self.room, &wish))),
            Message::End | Message::GiveWay { .. } => {}
        }
    }

    fn obey(&mut self, command: Command, viewer: Option<u64>) -> Result<Answer, Refusal> {
        let watching = viewer.and_then(|viewer| self.viewers.get_mut(&viewer));
        let mut layers = Vec::new();
        match (command, watching) {
            (Command::View { frames }, Some(viewer)) => {
                viewer.view(frames)?;
                Ok(Answer::Now(json!({"frames": frames})))
            }
            (Command::Layers { run, names, ahead, unit, level }, Some(viewer)) => {
                let ahead = match u64::try_from(ahead) {
                    Ok(ticks) if ahead <= limits::AHEAD => ticks,
                    _ => {
                        let most = limits::AHEAD;
                        return Err(Refusal::new(format!("{ahead} ticks ahead, expected 0 to {most}")));
                    }
                };
                let wanted = names.into_iter().map(|name| Wanted { name, ahead, unit, level }).collect();
                viewer.look(run, wanted)?;
                Ok(Answer::Now(json!({})))
            }
            (command, watching) => {
                if let (Command::Inspect { run, unit, .. }, Some(viewer)) = (&command, watching) {
                    unit.iter().for_each(|&unit| viewer.inspects(*run, unit));
                    layers = viewer.looks_at(*run);
                }
                let playing = self.room.pace();
                let answer = self.room.obey(command, Some(&self.folder), &layers);
                if self.room.pace() != playing {
                    self.next = Instant::now();
                }
                answer
            }
        }
    }

    /// Lets runs go on for a while.
    fn advance(&mut self) {
        let begun = Instant::now();
        while self.room.is_busy() && begun.elapsed() < TURN {
            self.room.work();
        }
        while let Some(speed) = self.room.pace()
            && self.next <= Instant::now()
            && begun.elapsed() < TURN
        {
            self.room.play_on();
            self.next += Duration::from_secs_f64(1.0 / speed);
            if self.next.elapsed() > BEHIND {
                self.next = Instant::now();
            }
        }
        self.room.look_back();
    }

    /// Tells those who wait that runs are where they were to be, or that somebody has sent them elsewhere.
    fn answer_waiting(&mut self) {
        if self.room.is_busy() {
            return;
        }
        let there = json!({"tick": self.room.tick()});
        for (id, reply) in self.waiting.drain(..) {
            // Whoever has left does not want to know any more.
            let _ = reply.send(Reply::of(&id, &Ok(there.clone())));
        }
    }

    /// Sends everybody what there is to see, made once for all.
    fn show(&mut self, now: Instant) {
        let goes_on = self.room.pace().is_some() || self.room.is_busy();
        let wanted: BTreeSet<Key> = self.viewers.values().flat_map(Viewer::wants).cloned().collect();
        self.drawn.retain(|key| wanted.contains(key));
        let ready = self.viewers.values().filter(|viewer| viewer.is_ready(goes_on, now));
        let ready: BTreeSet<Key> = ready.flat_map(Viewer::wants).cloned().collect();
        let ready: Vec<Key> = ready.into_iter().collect();
        self.drawn.refresh(&mut self.room, &ready, goes_on, now);
        let mut shared = Shared::default();
        for viewer in self.viewers.values_mut() {
            viewer.show(&self.room, goes_on, now, &mut shared, &mut self.drawn);
        }
    }

    /// Tells everybody what is new.
    fn tell(&mut self) {
        let version = self.room.document.version();
        if version != self.version {
            self.version = version;
            let event = document_event(version);
            self.viewers.values().for_each(|viewer| viewer.slot.document(Arc::clone(&event)));
        }
        // What nobody is there to hear waits for the first who comes.
        if self.viewers.is_empty() {
            return;
        }
        for text in self.room.take_notes() {
            let note: Arc<str> = json!({"event": "note", "text": text}).to_string().into();
            self.viewers.values().for_each(|viewer| viewer.slot.note(Arc::clone(&note)));
        }
        let now = Instant::now();
        self.show(now);
        let elapsed = self.told_at.elapsed();
        if elapsed >= TELL || std::mem::take(&mut self.hasty) {
            let told = self.room.told();
            let overdue = self.room.pace().is_some() && elapsed >= IDLE;
            if self.told.as_ref() != Some(&told) || overdue {
                self.told_at = now;
                let text: Arc<str> = told.to_string().into();
                self.viewers.values().for_each(|viewer| viewer.slot.state(Arc::clone(&text)));
                self.told = Some(told);
            }
        }
    }
}

fn document_event(version: u32) -> Arc<str> {
    json!({"event": "document", "version": version}).to_string().into()
}
