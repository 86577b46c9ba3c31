//! What one viewer looks at, and what it has been sent of it.

use super::slot::Slot;
use crate::protocol::frames::{self, Layer};
use crate::room::{Letters, Moment, Room, Shown, Stamp, Wanted};
use crate::{Refusal, limits};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Frames a second at most, unless a viewer says otherwise.
const FRAMES: u32 = 30;
const MOST_FRAMES: u32 = 120;
/// Layers that one viewer looks at, of each run.
const LAYERS: usize = 16;

#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) slot: Arc<Slot>,
    every: Duration,
    next: Instant,
    /// By run: what of it was sent.
    sent: [Option<Stamp>; 2],
    drawn: Option<Arc<Letters>>,
    /// By run: which layers, and when those were sent.
    layers: [Vec<Look>; 2],
    /// The unit that was inspected last, by run, and whether its way is to be sent at once.
    inspected: Option<(usize, u32)>,
    asked: bool,
}

/// A layer that is shown, and as of when it was sent.
#[derive(Debug)]
struct Look {
    wanted: Wanted,
    sent: Option<(u64, Moment)>,
    /// As it was sent.
    layer: Option<Arc<Layer>>,
}

/// Frames that are the same for everybody, made once.
#[derive(Default)]
pub(super) struct Shared {
    units: BTreeMap<usize, Arc<[u8]>>,
    terrain: BTreeMap<usize, Arc<[u8]>>,
    drawn: Option<Arc<[u8]>>,
}

impl Viewer {
    pub(super) fn new(slot: Arc<Slot>) -> Self {
        Self {
            slot,
            every: Duration::from_secs(1) / FRAMES,
            next: Instant::now(),
            sent: [None; 2],
            drawn: None,
            layers: [Vec::new(), Vec::new()],
            inspected: None,
            asked: false,
        }
    }

    /// At most so many frames a second.
    pub(super) fn view(&mut self, frames: i64) -> Result<(), Refusal> {
        match u32::try_from(frames) {
            Ok(frames @ 1..=MOST_FRAMES) => {
                self.every = Duration::from_secs(1) / frames;
                Ok(())
            }
            _ => Err(Refusal::new(format!("{frames} frames a second, expected 1 to {MOST_FRAMES}"))),
        }
    }

    /// These layers of a run from now on.
    pub(super) fn look(&mut self, run: usize, wanted: Vec<Wanted>) -> Result<(), Refusal> {
        limits::at_most("layers", wanted.len(), LAYERS)?;
        wanted.iter().try_for_each(Wanted::check)?;
        let layers = self.layers.get_mut(run);
        let layers = layers.ok_or_else(|| Refusal::new(format!("no run {run}: expected 0 or 1")))?;
        *layers = wanted.into_iter().map(|wanted| Look { wanted, sent: None, layer: None }).collect();
        Ok(())
    }

    /// Those layers that are shown of a run, as they were sent.
    pub(super) fn looks_at(&self, run: usize) -> Vec<Shown> {
        let looks = self.layers.get(run).into_iter().flatten();
        looks.filter_map(|look| Some((look.wanted.name.clone(), Arc::clone(look.layer.as_ref()?)))).collect()
    }

    pub(super) fn inspects(&mut self, run: usize, unit: u32) {
        self.inspected = Some((run, unit));
        self.asked = true;
    }

    /// When it may get something next, if it has read what it got.
    pub(super) fn due(&self) -> Option<Instant> {
        self.slot.is_idle().then_some(self.next)
    }

    /// Sends what is new, if it is time.
    pub(super) fn show(&mut self, room: &mut Room, now: Instant, shared: &mut Shared) {
        // Where nothing goes on by itself, whoever asked for something sees it at once.
        let goes_on = room.pace().is_some() || room.is_busy();
        if goes_on && now < self.next || !self.slot.is_idle() {
            return;
        }
        let mut frames: Vec<Arc<[u8]>> = Vec::new();
        let letters = &room.document.draft().letters;
        if self.drawn.as_ref().is_none_or(|drawn| !Arc::ptr_eq(drawn, letters)) {
            self.drawn = Some(Arc::clone(letters));
            let version = room.document.version();
            let make = || frames::terrain(255, version, letters.width, letters.height, &letters.cells).into();
            frames.push(Arc::clone(shared.drawn.get_or_insert_with(make)));
        }
        for run in 0..2 {
            let (before, stamp) = (self.sent[run], room.stamp(run));
            self.sent[run] = stamp;
            let Some(stamp) = stamp else { continue };
            let show = &room.runs()[run];
            let number = run as u8;
            if before.is_none_or(|before| (before.epoch, before.terrain) != (stamp.epoch, stamp.terrain)) {
                let make = || show.terrain_frame(number).into();
                frames.push(Arc::clone(shared.terrain.entry(run).or_insert_with(make)));
            }
            if before != Some(stamp) {
                let make = || show.units_frame(number).into();
                frames.push(Arc::clone(shared.units.entry(run).or_insert_with(make)));
            }
            let inspected = self.inspected.filter(|&(of, _)| of == run);
            if let Some((_, unit)) = inspected.filter(|_| self.asked || before != Some(stamp)) {
                frames.push(frames::path(number, stamp.tick, unit, &show.way(unit)).into());
            }
            self.layers_of(run, room, stamp, &mut frames);
        }
        self.asked = false;
        if !frames.is_empty() {
            self.next = now + self.every;
            self.slot.frames(frames);
        }
    }

    fn layers_of(&mut self, run: usize, room: &mut Room, stamp: Stamp, frames: &mut Vec<Arc<[u8]>>) {
        let Ok(show) = room.run_mut(run) else { return };
        for (number, Look { wanted, sent, layer: shown }) in self.layers[run].iter_mut().enumerate() {
            let moment = (stamp.epoch, show.moment(wanted));
            if *sent == Some(moment) {
                continue;
            }
            *sent = Some(moment);
            // What a recording does not know is not shown.
            if let Ok(layer) = show.layer(wanted) {
                frames.push(layer.frame(run as u8, number as u8, stamp.tick).into());
                *shown = Some(Arc::new(layer));
            } else {
                *shown = None;
            }
        }
    }
}

impl Viewer {
    /// Whether it has been sent how things are; layers aside, which come with the rest.
    pub(super) fn is_up_to_date(&self, room: &Room) -> bool {
        let drawn =
            self.drawn.as_ref().is_some_and(|drawn| Arc::ptr_eq(drawn, &room.document.draft().letters));
        let layered = || self.layers.iter().flatten().all(|look| look.sent.is_some());
        drawn && !self.asked && (0..2).all(|run| self.sent[run] == room.stamp(run)) && layered()
    }
}
