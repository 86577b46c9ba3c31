//! A room: one document and one or two runs of it. It knows no network, no clock and no thread; who owns it says when to
//! go on.

mod acts;
mod bounds;
mod charts;
mod check;
mod commands;
mod document;
mod draft;
mod generate;
mod inspect;
mod keyframes;
mod layers;
mod lists;
mod merge;
mod past;
mod recorded;
mod run;
mod shapes;
mod show;
mod stage;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod watch;

pub(crate) use commands::Answer;
pub(crate) use draft::{At, Draft, EventDraft, Letters, SourceDraft, UnitDraft};
pub(crate) use generate::generators;
pub(crate) use inspect::Shown;
pub(crate) use layers::{Moment, Wanted, layers};
pub(crate) use show::Show;

use crate::{Refusal, limits};
use acts::Act;
pub(crate) use document::Document;
use recorded::Recorded;
use run::{Run, Wish};
use serde_json::{Value, json};
use throng::core::Tick;

/// The slowest and the fastest that runs are played, in ticks a second.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.5..=1000.0;

/// So many notes wait for somebody to hear them; older ones are dropped.
const NOTES: usize = 32;

/// When a run was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) epoch: u64,
    pub(crate) tick: Tick,
    pub(crate) terrain: u32,
}

/// One document and its runs.
pub(crate) struct Room {
    pub(crate) document: Document,
    runs: Vec<Show>,
    /// Whether runs go on by themselves, and how fast if they do.
    playing: bool,
    speed: f64,
    /// The tick that runs are on their way to.
    aim: Option<Tick>,
    /// Goes up whenever there are other runs.
    epoch: u64,
    /// What everybody is to be told.
    notes: Vec<String>,
}

impl Room {
    /// With this document, and nothing that runs.
    const fn still(draft: Draft) -> Self {
        Self {
            document: Document::new(draft),
            runs: Vec::new(),
            playing: false,
            speed: 10.0,
            aim: None,
            epoch: 0,
            notes: Vec::new(),
        }
    }

    /// With this document, and a run of it if it can run.
    pub(crate) fn new(draft: Draft) -> Self {
        let mut room = Self::still(draft);
        // What is not finished yet has no run yet.
        let _ = room.start(0, None, (None, None), Vec::new());
        room
    }

    pub(crate) fn runs(&self) -> &[Show] {
        &self.runs
    }

    /// What a run looks like is the same as long as this is.
    pub(crate) fn stamp(&self, run: usize) -> Option<Stamp> {
        let show = self.runs.get(run)?;
        Some(Stamp { epoch: self.epoch, tick: show.tick(), terrain: show.terrain() })
    }

    pub(crate) fn run_mut(&mut self, run: usize) -> Result<&mut Show, Refusal> {
        let count = self.runs.len();
        let missing = || Refusal::new(format!("no run {run}: there are {count}; `start` makes one"));
        self.runs.get_mut(run).ok_or_else(missing)
    }

    /// With a recording, and the document that it is one of; `name` is what that is called if it has no name.
    pub(crate) fn recorded(bytes: &[u8], name: &str) -> Result<Self, Refusal> {
        let recorded = Recorded::read(bytes)?;
        let mut room = Self::still(named(recorded.draft()?, name));
        room.show(recorded);
        Ok(room)
    }

    /// Shows a recording instead of runs, and the document that it is one of instead of what was drawn, which can be undone.
    pub(crate) fn open_recording(&mut self, bytes: &[u8], name: &str) -> Result<(), Refusal> {
        let recorded = Recorded::read(bytes)?;
        self.document.replace(named(recorded.draft()?, name), None)?;
        self.show(recorded);
        Ok(())
    }

    /// Shows a recording instead of runs.
    pub(crate) fn show_recording(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.show(Recorded::read(bytes)?);
        Ok(())
    }

    fn show(&mut self, mut recorded: Recorded) {
        recorded.version = self.document.version();
        self.halt();
        self.runs = vec![Show::Recorded(Box::new(recorded))];
        self.epoch += 1;
    }

    /// Makes a run anew, at tick 0 and all others with it; the second one catches up with the first.
    fn start(
        &mut self,
        run: usize,
        planner: Option<String>,
        (seed, budget): (Option<u64>, Option<u64>),
        acts: Vec<(Tick, Act)>,
    ) -> Result<(), Refusal> {
        limits::at_most("as the number of a run", run, 1)?;
        if run > self.runs.len() {
            return Err(Refusal::new("no run 0 to compare with: `start` it first"));
        }
        if budget == Some(0) {
            return Err(Refusal::new("a budget of 0 expansions, expected at least 1"));
        }
        let settings = self.document.draft().settings.clone();
        let planner = planner.filter(|planner| !planner.trim().is_empty());
        let setup = match (&planner, self.document.setup()) {
            (_, Ok(setup)) => setup,
            // Another planner may do what the document's own cannot.
            (Some(_), Err(why)) => self.document.checked().setup.clone().ok_or(why)?,
            (None, Err(why)) => return Err(why),
        };
        limits::at_most("units", setup.scenario.agents().len(), limits::UNITS)?;
        let (seed, budget) = (seed.unwrap_or(settings.seed), budget.or(settings.budget));
        let (draft, version) = (self.document.draft().clone(), self.document.version());
        let made = Run::new(Wish { setup, planner, seed, budget, draft, version, acts })?;
        let made = Show::Live(Box::new(made));
        match self.runs.get_mut(run) {
            Some(slot) => *slot = made,
            None => self.runs.push(made),
        }
        self.epoch += 1;
        self.seek(if run == 0 { 0 } else { self.runs[0].tick() })
    }

    /// Ends the second run.
    fn stop(&mut self, run: usize) -> Result<(), Refusal> {
        if run == 0 || run >= self.runs.len() {
            return Err(Refusal::new(format!("run {run} cannot be ended: only run 1 can, if there is one")));
        }
        self.runs.truncate(1);
        self.epoch += 1;
        Ok(())
    }

    /// Where runs are.
    pub(crate) fn tick(&self) -> Tick {
        self.runs.iter().map(Show::tick).max().unwrap_or(0)
    }

    /// Whether runs are to go on by themselves, and how many ticks a second.
    pub(crate) fn pace(&self) -> Option<f64> {
        self.playing.then_some(self.speed)
    }

    /// Whether runs are on their way to a tick.
    pub(crate) const fn is_busy(&self) -> bool {
        self.aim.is_some()
    }

    fn halt(&mut self) {
        (self.playing, self.aim) = (false, None);
    }

    fn play(&mut self, speed: Option<f64>) -> Result<(), Refusal> {
        self.run_mut(0)?;
        let speed = speed.unwrap_or(self.speed);
        if !SPEEDS.contains(&speed) {
            let (low, high) = (SPEEDS.start(), SPEEDS.end());
            return Err(Refusal::new(format!("{speed} ticks a second, expected {low} to {high}")));
        }
        self.halt();
        (self.speed, self.playing) = (speed, true);
        Ok(())
    }

    /// Sets out for a tick; [`Self::work`] goes there.
    fn seek(&mut self, tick: Tick) -> Result<(), Refusal> {
        self.run_mut(0)?;
        limits::at_most("ticks", usize::try_from(tick).unwrap_or(usize::MAX), limits::TICKS as usize)?;
        self.halt();
        self.runs.iter_mut().try_for_each(|run| run.rewind(tick))?;
        self.aim = Some(tick);
        Ok(())
    }

    /// One tick of one run on the way to where they are to be; answers whether there is more to do.
    pub(crate) fn work(&mut self) -> bool {
        let Some(aim) = self.aim else { return false };
        // In step: whoever is behind goes first.
        let behind = self.runs.iter_mut().filter(|run| run.tick() < aim && !run.is_over());
        match behind.min_by_key(|run| run.tick()) {
            Some(run) => {
                run.advance();
                self.hear_refused();
            }
            None => self.aim = None,
        }
        self.is_busy()
    }

    /// Whether something is to be found out about what kept units before somebody looked at them.
    pub(crate) fn looks_back(&self) -> bool {
        self.runs.iter().any(|run| matches!(run, Show::Live(run) if run.looks_back()))
    }

    /// Takes over what has been found out of that by now.
    pub(crate) fn look_back(&mut self) {
        let live = self.runs.iter_mut().filter_map(|run| run.live().ok());
        let trouble: Vec<Refusal> =
            live.filter(|run| run.looks_back()).filter_map(|run| run.look_back().err()).collect();
        trouble.into_iter().for_each(|why| self.note(why.to_string()));
    }

    /// One tick of all runs that go on; playing ends where none does.
    pub(crate) fn play_on(&mut self) {
        let now = self.tick();
        let mut gone_on = false;
        for run in self.runs.iter_mut().filter(|run| run.tick() == now) {
            gone_on |= run.advance();
        }
        self.playing &= gone_on;
        self.hear_refused();
    }

    /// Tells everybody what was to be done by hand and was refused.
    fn hear_refused(&mut self) {
        let live = self.runs.iter_mut().filter_map(|run| run.live().ok());
        let refused: Vec<String> = live.flat_map(Run::take_refused).collect();
        refused.into_iter().for_each(|why| self.note(why));
    }

    /// What everybody in the room is told.
    pub(crate) fn told(&self) -> Value {
        json!({
            "event": "state",
            "version": self.document.version(),
            "file": self.document.file(),
            "playing": self.playing,
            "speed": self.speed,
            "tick": self.tick(),
            "last": self.runs.iter().map(Show::last).max().unwrap_or(0),
            "runs": self.runs.iter().map(Show::told).collect::<Vec<_>>(),
        })
    }

    /// Everybody is to be told.
    pub(crate) fn note(&mut self, text: String) {
        if self.notes.len() == NOTES {
            self.notes.remove(0);
        }
        self.notes.push(text);
    }

    /// What has come up since somebody asked.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// A document that has a name.
pub(crate) fn named(mut draft: Draft, name: &str) -> Draft {
    if draft.settings.name.is_empty() {
        name.clone_into(&mut draft.settings.name);
    }
    draft
}
