//! The rooms that there are.

use super::actor::{Actor, Message};
use super::keep::{Keeper, Kept};
use super::slot::Slot;
use crate::folder::Folder;
use crate::room::{Draft, Letters, Room};
use crate::{Refusal, limits};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use throng::formats::scenario;
use throng::worlds::builtin;

/// The room that everybody comes to who names none. It never gives way.
pub(super) const MAIN: &str = "main";
/// What is in a room that nobody has drawn in yet.
const FIRST: &str = "bridge";
/// A room that does not say within this whether it gives way has something to do.
const ANSWER: Duration = Duration::from_millis(500);

/// Whether a room may be called so.
pub(super) fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=32).contains(&name.len()) && name.chars().all(plain)
}

/// Why nobody answers in a room.
#[derive(Clone, Debug)]
pub(super) enum NoRoom {
    /// There can be none of this name.
    Name(Refusal),
    /// There are too many of something.
    Full(Refusal),
    /// It has ended, or never began.
    Ended(Refusal),
}

impl NoRoom {
    pub(super) fn ended() -> Self {
        Self::Ended(Refusal::new("this room has ended: try again"))
    }

    pub(super) const fn why(&self) -> &Refusal {
        match self {
            Self::Name(why) | Self::Full(why) | Self::Ended(why) => why,
        }
    }
}

/// A way to ask one room.
#[derive(Clone, Debug)]
pub(super) struct Door {
    sender: Sender<Message>,
    /// When somebody last asked for something there: the larger, the later.
    used: Arc<AtomicU64>,
    clock: Arc<AtomicU64>,
}

impl Door {
    /// Asks; refused if the room has ended.
    pub(super) fn ask(&self, message: Message) -> Result<(), NoRoom> {
        self.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.sender.send(message).map_err(|_| NoRoom::ended())
    }
}

struct Open {
    door: Door,
    thread: JoinHandle<()>,
}

/// All rooms, which begin when somebody comes.
pub(super) struct Rooms {
    folder: Arc<Folder>,
    /// Whether documents are kept.
    keeps: bool,
    /// What the first room begins with, if somebody said so.
    first: Mutex<Option<Room>>,
    /// By room: what its first viewer is to be told.
    notes: Mutex<BTreeMap<String, String>>,
    open: Mutex<BTreeMap<String, Open>>,
    clock: Arc<AtomicU64>,
    viewers: AtomicUsize,
    next: AtomicU64,
}

impl Rooms {
    pub(super) fn new(
        folder: Folder,
        keeps: bool,
        first: Option<Room>,
        notes: BTreeMap<String, String>,
    ) -> Self {
        Self {
            folder: Arc::new(folder),
            keeps,
            first: Mutex::new(first),
            notes: Mutex::new(notes),
            open: Mutex::default(),
            clock: Arc::default(),
            viewers: AtomicUsize::new(0),
            next: AtomicU64::new(1),
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the room of this name, which begins if there is none. Another room may have to give way to it first, which takes
    /// a moment: not for those who serve everybody.
    ///
    /// Nobody who is not a viewer asks otherwise, so that a room that has nothing left to do when it is told to give way has
    /// nothing to do.
    pub(super) fn ask(&self, name: &str, message: Message) -> Result<Door, NoRoom> {
        if !is_name(name) {
            let why = format!("no room {name:?}: expected 1 to 32 of a-z, 0-9 and -");
            return Err(NoRoom::Name(Refusal::new(why)));
        }
        let mut open = self.open();
        open.retain(|_, room| !room.thread.is_finished());
        let door = match open.get(name) {
            Some(room) => room.door.clone(),
            None => {
                if open.len() >= limits::ROOMS {
                    self.make_way(&mut open)?;
                }
                let made = self.begin(name)?;
                open.entry(name.to_owned()).or_insert(made).door.clone()
            }
        };
        door.ask(message)?;
        Ok(door)
    }

    /// Ends the room that nobody has used for longest, of those that nobody looks at and that have nothing to do.
    fn make_way(&self, open: &mut BTreeMap<String, Open>) -> Result<(), NoRoom> {
        let mut others: Vec<(u64, String)> = open
            .iter()
            .filter(|(name, _)| *name != MAIN)
            .map(|(name, room)| (room.door.used.load(Ordering::Relaxed), name.clone()))
            .collect();
        others.sort_unstable();
        for (_, name) in &others {
            let Some(room) = open.get(name) else { continue };
            let (reply, answer) = channel();
            // Not through the door: this is no use of it.
            let asked = room.door.sender.send(Message::GiveWay { reply });
            if asked.is_ok() && answer.recv_timeout(ANSWER) == Ok(true) {
                // What it has kept is there when somebody comes back.
                open.remove(name).map(|room| room.thread.join());
                return Ok(());
            }
        }
        let most = limits::ROOMS;
        let why = if self.keeps {
            "somebody looks at each, or something goes on there"
        } else {
            "somebody looks at each, something goes on there, or something was drawn there, which nobody keeps"
        };
        let names: Vec<&str> = open.keys().map(String::as_str).collect();
        let why =
            format!("{} rooms, at most {most}, and all are in use: {why} ({})", most + 1, names.join(", "));
        Err(NoRoom::Full(Refusal::new(why)))
    }

    /// A room of this name, with a thread of its own.
    fn begin(&self, name: &str) -> Result<Open, NoRoom> {
        let keeper = self.keeps.then(|| Keeper::new(&self.folder, name));
        let given = if name == MAIN {
            self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
        } else {
            None
        };
        let note = self.notes.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        let folder = Arc::clone(&self.folder);
        let (sender, messages) = channel();
        let thread = std::thread::Builder::new().name(format!("room {name}")).spawn(move || {
            let aside = given
                .as_ref()
                .zip(keeper.as_ref())
                .and_then(|(room, keeper)| keeper.make_room(&room.document));
            let mut room = given.unwrap_or_else(|| begin_with(keeper.as_ref()));
            aside.into_iter().for_each(|note| room.note(note));
            note.into_iter().for_each(|note| room.note(note));
            Actor::new(room, folder, keeper).run(&messages);
        });
        let thread = thread.map_err(|why| NoRoom::Ended(Refusal::new(format!("no room {name:?}: {why}"))))?;
        let door = Door { sender, used: Arc::default(), clock: Arc::clone(&self.clock) };
        Ok(Open { door, thread })
    }

    /// One more viewer of a room, if there are not too many.
    pub(super) fn join(self: &Arc<Self>, name: &str) -> Result<Seat, NoRoom> {
        let viewers = Viewers(Arc::clone(self));
        let before = self.viewers.fetch_add(1, Ordering::Relaxed);
        limits::at_most("viewers", before + 1, limits::VIEWERS).map_err(NoRoom::Full)?;
        let viewer = self.next.fetch_add(1, Ordering::Relaxed);
        let slot: Arc<Slot> = Arc::default();
        let door = self.ask(name, Message::Join { viewer, slot: Arc::clone(&slot) })?;
        Ok(Seat { door, viewer, slot, _viewers: viewers })
    }

    /// Ends all rooms, which keep what is to be kept.
    pub(super) fn end(&self) {
        for (_, Open { door, thread }) in std::mem::take(&mut *self.open()) {
            // Who has ended already needs not be told.
            let _ = door.ask(Message::End);
            let _ = thread.join();
        }
    }
}

/// One of all viewers, until it leaves.
struct Viewers(Arc<Rooms>);

impl Drop for Viewers {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A viewer's place in a room, until it leaves.
pub(super) struct Seat {
    pub(super) door: Door,
    pub(super) viewer: u64,
    pub(super) slot: Arc<Slot>,
    _viewers: Viewers,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.door.ask(Message::Leave { viewer: self.viewer });
    }
}

/// What a room begins with: what was kept of it, or something to look at.
fn begin_with(keeper: Option<&Keeper>) -> Room {
    let first = || {
        let text = scenario::write(&builtin(FIRST, 0).ok()?);
        Draft::parse(&text, &mut |_| Err(String::new())).ok()
    };
    let empty = || Draft::new(Letters { width: 1, height: 1, cells: vec![b'.'] });
    let example = || Room::new(first().unwrap_or_else(empty));
    match keeper.map_or(Kept::Nothing, Keeper::restore) {
        Kept::Draft(draft) => Room::new(*draft),
        Kept::Nothing => example(),
        Kept::Unreadable(why) => {
            let mut room = example();
            room.note(why);
            room
        }
    }
}
