//! Where what a viewer is to get waits for it: the newest of each kind, however slowly it reads.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// So many notes wait at most; older ones are dropped.
const NOTES: usize = 32;

/// One thing to send.
#[derive(Clone, Debug)]
pub(super) enum Parcel {
    Text(Arc<str>),
    Frame(Arc<[u8]>),
}

#[derive(Debug, Default)]
struct Waiting {
    state: Option<Arc<str>>,
    document: Option<Arc<str>>,
    notes: VecDeque<Arc<str>>,
    frames: Vec<Arc<[u8]>>,
    /// Taken and not sent yet.
    under_way: bool,
    closed: bool,
}

/// What waits for one viewer.
#[derive(Debug, Default)]
pub(super) struct Slot {
    waiting: Mutex<Waiting>,
    news: Notify,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that is done with it can be left half done.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether everything has been read, so that it is time for new frames.
    pub(super) fn is_idle(&self) -> bool {
        let waiting = self.lock();
        waiting.frames.is_empty() && !waiting.under_way
    }

    pub(super) fn state(&self, text: Arc<str>) {
        self.lock().state = Some(text);
        self.news.notify_one();
    }

    pub(super) fn document(&self, text: Arc<str>) {
        self.lock().document = Some(text);
        self.news.notify_one();
    }

    pub(super) fn note(&self, text: Arc<str>) {
        let mut waiting = self.lock();
        if waiting.notes.len() == NOTES {
            waiting.notes.pop_front();
        }
        waiting.notes.push_back(text);
        drop(waiting);
        self.news.notify_one();
    }

    pub(super) fn frames(&self, frames: Vec<Arc<[u8]>>) {
        if !frames.is_empty() {
            self.lock().frames = frames;
            self.news.notify_one();
        }
    }

    /// The room has ended.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_one();
    }

    /// Waits until there is something to send, and takes it; nothing if the room has ended.
    pub(super) async fn take(&self) -> Option<Vec<Parcel>> {
        loop {
            {
                let mut waiting = self.lock();
                if waiting.closed {
                    return None;
                }
                let Waiting { state, document, notes, frames, .. } = &mut *waiting;
                let texts = document.take().into_iter().chain(state.take()).chain(notes.drain(..));
                let mut parcels: Vec<Parcel> = texts.map(Parcel::Text).collect();
                parcels.extend(frames.drain(..).map(Parcel::Frame));
                if !parcels.is_empty() {
                    waiting.under_way = true;
                    return Some(parcels);
                }
            }
            self.news.notified().await;
        }
    }

    /// What was taken has been sent.
    pub(super) fn sent(&self) {
        self.lock().under_way = false;
    }
}
