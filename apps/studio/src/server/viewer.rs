//! What one viewer looks at, and what it has been sent of it.

use super::drawn::{As, Drawn, Key};
use super::slot::Slot;
use crate::protocol::frames::{self, Layer};
use crate::room::{Letters, Room, Shown, Stamp, Wanted};
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
    /// By run: where everybody went, as it was sent.
    goals: [Option<Arc<[u8]>>; 2],
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
    wanted: Key,
    sent: Option<As>,
    /// As it was sent.
    layer: Option<Arc<Layer>>,
}

/// Frames that are the same for everybody, made once.
#[derive(Default)]
pub(super) struct Shared {
    units: BTreeMap<usize, Arc<[u8]>>,
    terrain: BTreeMap<usize, Arc<[u8]>>,
    goals: BTreeMap<usize, Arc<[u8]>>,
    drawn: Option<Arc<[u8]>>,
}

impl Viewer {
    pub(super) fn new(slot: Arc<Slot>) -> Self {
        Self {
            slot,
            every: Duration::from_secs(1) / FRAMES,
            next: Instant::now(),
            sent: [None; 2],
            goals: [None, None],
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
        let look = |wanted| Look { wanted: (run, wanted), sent: None, layer: None };
        *layers = wanted.into_iter().map(look).collect();
        Ok(())
    }

    /// Those layers that are shown of a run, as they were sent.
    pub(super) fn looks_at(&self, run: usize) -> Vec<Shown> {
        let looks = self.layers.get(run).into_iter().flatten();
        looks
            .filter_map(|look| Some((look.wanted.1.name.clone(), Arc::clone(look.layer.as_ref()?))))
            .collect()
    }

    pub(super) fn inspects(&mut self, run: usize, unit: u32) {
        self.inspected = Some((run, unit));
        self.asked = true;
    }

    /// When it may get something next, if it has read what it got.
    pub(super) fn due(&self) -> Option<Instant> {
        self.slot.is_idle().then_some(self.next)
    }

    /// Whether it has read what it got, and may get something now. Where nothing goes on by itself, whoever asked for something
    /// sees it at once.
    pub(super) fn is_ready(&self, goes_on: bool, now: Instant) -> bool {
        (!goes_on || now >= self.next) && self.slot.is_idle()
    }

    /// The layers that it looks at.
    pub(super) fn wants(&self) -> impl Iterator<Item = &Key> {
        self.layers.iter().flatten().map(|look| &look.wanted)
    }

    /// Sends what is new, if it is time.
    pub(super) fn show(
        &mut self,
        room: &Room,
        goes_on: bool,
        now: Instant,
        shared: &mut Shared,
        drawn: &mut Drawn,
    ) {
        if !self.is_ready(goes_on, now) {
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
            let Some(stamp) = stamp else {
                self.goals[run] = None;
                continue;
            };
            let show = &room.runs()[run];
            let number = run as u8;
            if before.is_none_or(|before| (before.epoch, before.terrain) != (stamp.epoch, stamp.terrain)) {
                let make = || show.terrain_frame(number).into();
                frames.push(Arc::clone(shared.terrain.entry(run).or_insert_with(make)));
            }
            if before != Some(stamp) {
                let make = || show.units_frame(number).into();
                frames.push(Arc::clone(shared.units.entry(run).or_insert_with(make)));
                let make = || show.goals_frame(number).into();
                let goals = Arc::clone(shared.goals.entry(run).or_insert_with(make));
                // They are the same for most of the time.
                let told = |frame: &Arc<[u8]>| frame[frames::GOALS_HEAD..] == goals[frames::GOALS_HEAD..];
                if !self.goals[run].as_ref().is_some_and(told) {
                    self.goals[run] = Some(Arc::clone(&goals));
                    frames.push(goals);
                }
            }
            let inspected = self.inspected.filter(|&(of, _)| of == run);
            if let Some((_, unit)) = inspected.filter(|_| self.asked || before != Some(stamp)) {
                frames.push(frames::path(number, stamp.tick, unit, &show.way(unit)).into());
            }
            self.layers_of(run, stamp, drawn, &mut frames);
        }
        self.asked = false;
        if !frames.is_empty() {
            self.next = now + self.every;
            self.slot.frames(frames);
        }
    }

    /// What there is of its layers that it has not been sent: those that have changed since may not have been made yet.
    fn layers_of(&mut self, run: usize, stamp: Stamp, drawn: &mut Drawn, frames: &mut Vec<Arc<[u8]>>) {
        for (number, Look { wanted, sent, layer: shown }) in self.layers[run].iter_mut().enumerate() {
            let made =
                drawn.get_mut(wanted).filter(|made| made.of.0 == stamp.epoch && *sent != Some(made.of));
            let Some(made) = made else { continue };
            *sent = Some(made.of);
            shown.clone_from(&made.layer);
            // What a recording does not know is not shown.
            frames.extend(made.frame(run, number));
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
