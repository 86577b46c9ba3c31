//! The document of a room: what is drawn, how it came to be, and whether it can run.

use super::bounds;
use super::check::Checked;
use super::draft::{At, Draft, Letters, Settings, UnitDraft};
use super::merge::merge;
use crate::{Refusal, limits};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use throng::Setup;

/// What is drawn, with what can be undone.
#[derive(Debug)]
pub(crate) struct Document {
    draft: Draft,
    undo: VecDeque<Draft>,
    redo: Vec<Draft>,
    version: u32,
    /// What is wrong with it, if somebody has asked.
    checked: Option<Checked>,
    /// By origin: the files that it was read from or written to, the last one last.
    files: BTreeMap<u32, Vec<String>>,
    origins: u32,
}

impl Document {
    pub(crate) const fn new(draft: Draft) -> Self {
        Self {
            draft,
            undo: VecDeque::new(),
            redo: Vec::new(),
            version: 1,
            checked: None,
            files: BTreeMap::new(),
            origins: 0,
        }
    }

    pub(crate) const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Goes up with every change.
    pub(crate) const fn version(&self) -> u32 {
        self.version
    }

    /// Changes it, as one step that can be undone; nothing changes if that is refused.
    pub(crate) fn change<T>(
        &mut self,
        how: impl FnOnce(&mut Draft) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut draft = self.draft.clone();
        let answer = how(&mut draft)?;
        if draft != self.draft {
            self.undo.push_back(std::mem::replace(&mut self.draft, draft));
            self.redo.clear();
            self.forget();
            self.touched();
        }
        Ok(answer)
    }

    /// Another one in its place, as one step that can be undone; `file` is what it was read from.
    pub(crate) fn replace(&mut self, draft: Draft, file: Option<&str>) -> Result<(), Refusal> {
        self.origins += 1;
        let draft = Draft { origin: self.draft.origin, ..draft };
        // What is the same takes no step to undo, wherever it comes from.
        if draft == self.draft {
            self.draft.origin = self.origins;
        }
        let origin = self.origins;
        self.change(|old| {
            *old = Draft { origin, ..draft };
            Ok(())
        })?;
        file.into_iter().for_each(|file| self.belongs_to(file));
        Ok(())
    }

    /// It was read from this file, or written to it.
    pub(crate) fn belongs_to(&mut self, file: &str) {
        let files = self.files.entry(self.draft.origin).or_default();
        files.retain(|other| other != file);
        files.push(file.to_owned());
    }

    /// Whether it was read from this file, or written to it: nobody else's work is lost if it is written there again.
    pub(crate) fn is_of(&self, file: &str) -> bool {
        self.files.get(&self.draft.origin).is_some_and(|files| files.iter().any(|other| other == file))
    }

    /// The scenario file that it was read from or written to last.
    pub(crate) fn file(&self) -> Option<&str> {
        let files = self.files.get(&self.draft.origin)?;
        files.iter().rev().find(|file| file.ends_with(".toml")).map(String::as_str)
    }

    fn touched(&mut self) {
        self.version += 1;
        self.checked = None;
    }

    /// Forgets the oldest steps where they are too many or too large.
    fn forget(&mut self) {
        let mut bytes = 0;
        let mut newer = &self.draft;
        let mut kept = 0;
        for older in self.undo.iter().rev().take(limits::UNDO) {
            bytes += older.bytes_beside(newer);
            if bytes > limits::UNDO_BYTES {
                break;
            }
            (newer, kept) = (older, kept + 1);
        }
        self.undo.drain(..self.undo.len() - kept);
    }

    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        let before = self.undo.pop_back().ok_or_else(|| Refusal::new("there is nothing to undo"))?;
        self.redo.push(std::mem::replace(&mut self.draft, before));
        self.touched();
        Ok(())
    }

    pub(crate) fn redo(&mut self) -> Result<(), Refusal> {
        let after = self.redo.pop().ok_or_else(|| Refusal::new("there is nothing to redo"))?;
        self.undo.push_back(std::mem::replace(&mut self.draft, after));
        self.touched();
        Ok(())
    }

    /// What is wrong with it.
    pub(crate) fn checked(&mut self) -> &Checked {
        self.checked.get_or_insert_with(|| Checked::of(&self.draft))
    }

    /// What runs, or the first thing that keeps it from running.
    pub(crate) fn setup(&mut self) -> Result<Setup, Refusal> {
        let Checked { setup, errors, .. } = self.checked();
        match (setup, errors.first()) {
            (Some(setup), None) => Ok(setup.clone()),
            (_, Some(why)) => Err(why.clone()),
            (None, None) => Err(Refusal::new("there is no document")),
        }
    }

    /// All of it, for pages.
    pub(crate) fn told(&mut self) -> Value {
        let errors = self.checked().errors.clone();
        let Draft { letters, units, events, sources, directions, settings, .. } = &self.draft;
        let mut settings = json!(settings);
        if settings["planner"].is_null() {
            settings["planner"] = json!("");
        }
        json!({
            "version": self.version,
            "toml": self.draft.text(),
            "width": letters.width,
            "height": letters.height,
            "rows": letters.rows().collect::<Vec<_>>(),
            "units": **units,
            "settings": settings,
            "events": **events,
            "sources": **sources,
            "directions": directions.is_some(),
            "undo": self.undo.len(),
            "redo": self.redo.len(),
            "errors": errors,
        })
    }

    pub(crate) fn paint(&mut self, cells: &[At], letter: char) -> Result<(), Refusal> {
        Letters::check(letter)?;
        limits::at_most("cells to paint", cells.len(), limits::PAINTED)?;
        self.change(|draft| {
            let places = cells.iter().map(|&at| draft.letters.place(at)).collect::<Result<Vec<_>, _>>()?;
            let letters = Arc::make_mut(&mut draft.letters);
            places.into_iter().for_each(|place| letters.cells[place] = letter as u8);
            Ok(())
        })
    }

    /// Paints all cells of one letter that hang together, four ways.
    pub(crate) fn fill(&mut self, at: At, letter: char) -> Result<usize, Refusal> {
        Letters::check(letter)?;
        self.change(|draft| {
            let first = draft.letters.place(at)?;
            let Letters { width, height, cells } = Arc::make_mut(&mut draft.letters);
            let (before, after) = (cells[first], letter as u8);
            if before == after {
                return Ok(0);
            }
            let (mut open, mut count) = (vec![first], 0);
            cells[first] = after;
            while let Some(place) = open.pop() {
                count += 1;
                let (x, y) = (place % *width, place / *width);
                let beside = [
                    (x > 0).then(|| place - 1),
                    (x + 1 < *width).then(|| place + 1),
                    (y > 0).then(|| place - *width),
                    (y + 1 < *height).then(|| place + *width),
                ];
                for next in
                    beside.into_iter().flatten().filter(|&next| cells[next] == before).collect::<Vec<_>>()
                {
                    cells[next] = after;
                    open.push(next);
                }
            }
            Ok(count)
        })
    }

    /// Another size; what was at (0,0) is at `shift` then. Units that would start off the map go; answers how many.
    pub(crate) fn resize(&mut self, size: (usize, usize), shift: At) -> Result<usize, Refusal> {
        let most = limits::SIDE as i64;
        if shift.iter().any(|by| by.checked_abs().is_none_or(|by| by > most)) {
            return Err(Refusal::new(format!("shifted by {shift:?}, at most {most} either way")));
        }
        let mut letters = Letters::open(size.0, size.1)?;
        self.change(|draft| {
            for (place, &letter) in draft.letters.cells.iter().enumerate() {
                let from = [place % draft.letters.width, place / draft.letters.width].map(|side| side as i64);
                if let Ok(to) = letters.place([from[0] + shift[0], from[1] + shift[1]]) {
                    letters.cells[to] = letter;
                }
            }
            Ok(refit(draft, letters, shift))
        })
    }

    /// Another map; who is on it stays where that is possible. Answers how many are gone.
    pub(crate) fn set_letters(&mut self, letters: Letters) -> Result<usize, Refusal> {
        self.change(|draft| Ok(refit(draft, letters, [0, 0])))
    }

    pub(crate) fn add_unit(&mut self, unit: UnitDraft) -> Result<usize, Refusal> {
        limits::at_most("units", self.draft.units.len() + 1, limits::UNITS)?;
        self.change(|draft| {
            draft.letters.place(unit.start)?;
            let units = Arc::make_mut(&mut draft.units);
            units.push(unit);
            Ok(units.len() - 1)
        })
    }

    /// Sets some keys of a unit; another task takes the place of the one it has, and `null` takes a key away.
    pub(crate) fn set_unit(&mut self, index: usize, keys: &Map<String, Value>) -> Result<(), Refusal> {
        bounds::check_unit(keys)?;
        self.change(|draft| {
            let units = Arc::make_mut(&mut draft.units);
            let count = units.len();
            let unit = units.get_mut(index).ok_or_else(|| no_such("unit", index, count))?;
            let mut whole = json!(unit);
            let tasked = UnitDraft::TASKS
                .iter()
                .any(|&task| keys.get(task).is_some_and(|value| !value.is_null() && *value != json!(false)));
            if let (true, Some(whole)) = (tasked, whole.as_object_mut()) {
                whole.retain(|key, _| !UnitDraft::TASKS.contains(&key.as_str()) && key != "rounds");
            }
            *unit = merge(whole, keys)?;
            draft.letters.place(unit.start)?;
            Ok(())
        })
    }

    pub(crate) fn remove_unit(&mut self, index: usize) -> Result<(), Refusal> {
        self.change(|draft| {
            let count = draft.units.len();
            if index >= count {
                return Err(no_such("unit", index, count));
            }
            Arc::make_mut(&mut draft.units).remove(index);
            let gone = index as i64;
            draft.renumber(|unit| (unit != gone).then(|| unit - i64::from(unit > gone)));
            Ok(())
        })
    }

    pub(crate) fn set_settings(&mut self, keys: &Map<String, Value>) -> Result<(), Refusal> {
        self.change(|draft| {
            let mut settings: Settings = merge(json!(draft.settings), keys)?;
            settings.planner = settings.planner.filter(|planner| !planner.trim().is_empty());
            bounds::check(&draft.settings, &settings)?;
            draft.settings = settings;
            Ok(())
        })
    }
}

/// Puts another map below everybody and everything, who are moved by `shift`. Answers how many units are off it and gone.
fn refit(draft: &mut Draft, letters: Letters, shift: At) -> usize {
    let moved = |[x, y]: At| [x.saturating_add(shift[0]), y.saturating_add(shift[1])];
    let units = Arc::make_mut(&mut draft.units);
    units.iter_mut().flat_map(UnitDraft::places).for_each(|at| *at = moved(*at));
    let before = units.len();
    let stays = |unit: &UnitDraft| letters.place(unit.start).is_ok();
    let mut numbers = 0..;
    let numbers: Vec<Option<i64>> =
        units.iter().map(|unit| if stays(unit) { numbers.next() } else { None }).collect();
    units.retain(stays);
    let gone = before - units.len();
    draft.renumber(|unit| numbers.get(usize::try_from(unit).ok()?).copied().flatten());
    let events = Arc::make_mut(&mut draft.events);
    for cells in events.iter_mut().flat_map(|event| [&mut event.close, &mut event.open]) {
        cells.iter_mut().for_each(|at| *at = moved(*at));
        cells.retain(|&at| letters.place(at).is_ok());
    }
    events.retain(|event| !(event.close.is_empty() && event.open.is_empty()));
    let sources = Arc::make_mut(&mut draft.sources);
    sources.iter_mut().for_each(|source| source.at = moved(source.at));
    sources.retain(|source| letters.place(source.at).is_ok());
    let errands = Arc::make_mut(&mut draft.errands);
    errands.iter_mut().flat_map(|errand| &mut errand.stops).for_each(|at| *at = moved(*at));
    errands.retain(|errand| errand.stops.iter().all(|&at| letters.place(at).is_ok()));
    if let Some(stream) = &mut draft.stream {
        Arc::make_mut(stream).places().for_each(|at| *at = moved(*at));
    }
    // What was learned was learned elsewhere.
    draft.directions = None;
    draft.letters = Arc::new(letters);
    gone
}

pub(super) fn no_such(what: &str, index: usize, count: usize) -> Refusal {
    Refusal::new(format!("no {what} {index}: there are {count}"))
}
