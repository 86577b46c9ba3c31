//! Layers that somebody looks at: each is made once for all who do, and never so often that ticks would wait for it.

use crate::protocol::frames::Layer;
use crate::room::{Moment, Room, Wanted};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// While runs go on, layers take at most one part of so many of the time.
const SHARE: u32 = 5;
/// The longest pause after one that took long.
const LONGEST: Duration = Duration::from_secs(5);
/// Layers of maps with more cells than this are made, and sent, at most so often while runs go on.
const LARGE: usize = 1 << 18;
const SELDOM: Duration = Duration::from_millis(200);

/// When a layer was made, as far as it depends on that: of which runs, and what it shows there.
pub(super) type As = (u64, Moment);

/// A layer of a run.
pub(super) type Key = (usize, Wanted);

/// A layer as it was made last.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) of: As,
    /// Nothing if the run does not know it: recordings tell nothing of what units had in mind.
    pub(super) layer: Option<Arc<Layer>>,
    tick: u64,
    at: Instant,
    /// By its place in a viewer's list.
    frames: BTreeMap<u8, Arc<[u8]>>,
}

impl Made {
    /// As a frame, made once for all who have it at the same place of their list.
    pub(super) fn frame(&mut self, run: usize, number: usize) -> Option<Arc<[u8]>> {
        let (layer, tick) = (self.layer.as_ref()?, self.tick);
        let make = || layer.frame(run as u8, number as u8, tick).into();
        Some(Arc::clone(self.frames.entry(number as u8).or_insert_with(make)))
    }
}

/// Those that somebody looks at.
#[derive(Debug)]
pub(super) struct Drawn {
    made: BTreeMap<Key, Made>,
    /// None is made before this while runs go on.
    next: Instant,
    /// Somebody waits for one.
    owed: bool,
}

impl Drawn {
    pub(super) const fn new(now: Instant) -> Self {
        Self { made: BTreeMap::new(), next: now, owed: false }
    }

    pub(super) fn get_mut(&mut self, key: &Key) -> Option<&mut Made> {
        self.made.get_mut(key)
    }

    /// When there may be something new, if somebody waits for it.
    pub(super) fn due(&self) -> Option<Instant> {
        self.owed.then_some(self.next)
    }

    /// Forgets what nobody looks at.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&Key) -> bool) {
        self.made.retain(|key, _| is_wanted(key));
    }

    /// Makes those of `wanted` anew that have changed: all of them if nothing goes on, otherwise one, if it is time, that nobody has
    /// seen for longest.
    pub(super) fn refresh(&mut self, room: &mut Room, wanted: &[Key], goes_on: bool, now: Instant) {
        let mut stale: Vec<(Option<Instant>, &Key, As)> = Vec::new();
        for key @ (run, layer) in wanted {
            let (Some(stamp), Some(show)) = (room.stamp(*run), room.runs().get(*run)) else { continue };
            let of = (stamp.epoch, show.moment(layer));
            let made = self.made.get(key);
            if made.is_none_or(|made| made.of != of) {
                stale.push((made.map(|made| made.at), key, of));
            }
        }
        stale.sort_by_key(|(at, ..)| *at);
        let time = !goes_on || now >= self.next;
        let count = if goes_on { usize::from(time) } else { stale.len() };
        self.owed = stale.len() > count;
        for (_, key, of) in stale.into_iter().take(count) {
            let begun = Instant::now();
            let Ok(show) = room.run_mut(key.0) else { continue };
            let (tick, layer) = (show.tick(), show.layer(&key.1).ok().map(Arc::new));
            let large = layer.as_ref().is_some_and(|layer| layer.cells.len() > LARGE);
            let at = Instant::now();
            let rest =
                ((at - begun) * (SHARE - 1)).clamp(if large { SELDOM } else { Duration::ZERO }, LONGEST);
            self.next = at + rest;
            self.made.insert(key.clone(), Made { of, layer, tick, at, frames: BTreeMap::new() });
        }
    }
}
