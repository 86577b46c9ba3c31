//! What becomes of commands.

use super::acts::{self, Act};
use super::draft::{At, Draft, Letters, Settings, UnitDraft};
use super::lists::Edit;
use super::{Document, Room, charts, generate, named, show::Show};
use crate::folder::Folder;
use crate::protocol::command::{Command, TaskDraft};
use crate::{Refusal, limits};
use serde_json::{Map, Value, json};
use throng::core::{Cell, Task};
use throng::formats::{map, maps, scenario};
use throng::worlds::builtin;

/// What a command comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    Now(Value),
    /// When runs are where they are to be: the tick then.
    WhenThere,
}

impl Room {
    /// Does what is asked. `layers` are those that whoever asks looks at.
    pub(crate) fn obey(
        &mut self,
        command: Command,
        folder: Option<&Folder>,
        layers: &[super::inspect::Shown],
    ) -> Result<Answer, Refusal> {
        let done = match command {
            Command::Open { toml, builtin, seed, map, file } => {
                self.open([toml, builtin, map, file], seed, folder)?
            }
            Command::Files {} => files(folder)?.list(),
            Command::Save { file, overwrite } => self.save(&file, overwrite, files(folder)?)?,
            Command::New { width, height } => {
                let letters = Letters::open(width, height)?;
                self.replace(Draft::new(letters), None)?
            }
            Command::Resize { width, height, x, y } => {
                let gone = self.document.resize((width, height), [x, y])?;
                json!({"version": self.document.version(), "gone": gone})
            }
            Command::Generate { kind, parameters, seed, preview } => {
                self.generate(&kind, &parameters, seed, preview)?
            }
            Command::Roads { generate, seed, preview } => self.generate("roads", &generate, seed, preview)?,
            Command::Paint { cells, letter } => {
                self.document.paint(&cells, letter)?;
                self.version()
            }
            Command::Fill { x, y, letter } => {
                let filled = self.document.fill([x, y], letter)?;
                json!({"version": self.document.version(), "cells": filled})
            }
            Command::Unit { add, index, set, remove } => self.unit(add, index, set, remove)?,
            Command::Settings { set } => {
                self.document.set_settings(&set)?;
                self.version()
            }
            Command::Event { add, index, set, remove } => {
                let edit = Edit::of("event", add, index, set, remove)?;
                self.edited(|document| document.edit_event(edit))?
            }
            Command::Source { add, index, set, remove } => {
                let edit = Edit::of("source", add, index, set, remove)?;
                self.edited(|document| document.edit_source(edit))?
            }
            Command::Directions { text, remove } => {
                if text.is_some() == remove {
                    return Err(Refusal::new("directions: expected one of `text` and `remove`"));
                }
                self.document.set_directions(text)?;
                self.version()
            }
            Command::Undo {} => {
                self.document.undo()?;
                self.version()
            }
            Command::Redo {} => {
                self.document.redo()?;
                self.version()
            }
            Command::Document {} => self.document.told(),
            Command::Start { run, planner, seed, budget, acts } => {
                self.start(run, planner, (seed, budget), acts::parse(acts)?)?;
                self.hear_refused();
                return Ok(Answer::WhenThere);
            }
            Command::Stop { run } => {
                self.stop(run)?;
                self.told()
            }
            Command::Play { speed } => {
                self.play(speed)?;
                self.told()
            }
            Command::Pause {} => {
                self.halt();
                self.told()
            }
            Command::Step { ticks } => {
                let to = self.tick().saturating_add(ticks.max(1)).min(limits::TICKS);
                self.seek(to)?;
                return Ok(Answer::WhenThere);
            }
            Command::Seek { tick } => {
                self.seek(tick)?;
                return Ok(Answer::WhenThere);
            }
            Command::Acts { run } => {
                let acts = self.run_mut(run)?.live()?.acts();
                json!({"acts": acts.iter().map(|(tick, act)| act.told(*tick)).collect::<Vec<_>>()})
            }
            Command::Close { .. }
            | Command::Reopen { .. }
            | Command::Order { .. }
            | Command::Place { .. }
            | Command::Priority { .. } => match Act::of(&command)? {
                Some(act) => self.act(&act)?,
                None => Value::Null,
            },
            Command::Inspect { run, unit, cell } => self.inspect(run, unit, cell, layers)?,
            Command::Find { run, text } => self.find(run, &text)?,
            Command::Charts { from } => self.charts(from),
            Command::Summary {} => self.summary(),
            Command::State {} => self.told(),
            Command::Layers { .. } | Command::View { .. } => {
                return Err(Refusal::new("only viewers look: this is for WebSockets"));
            }
        };
        Ok(Answer::Now(done))
    }

    fn version(&self) -> Value {
        json!({"version": self.document.version()})
    }

    /// Another document in the place of this one, which can be undone.
    fn replace(&mut self, draft: Draft, file: Option<&str>) -> Result<Value, Refusal> {
        self.document.replace(draft, file)?;
        Ok(self.version())
    }

    fn open(
        &mut self,
        [toml, built_in, map_text, file]: [Option<String>; 4],
        seed: Option<u64>,
        folder: Option<&Folder>,
    ) -> Result<Value, Refusal> {
        let own = file.as_deref().map(Folder::plain);
        let mut no_files = |_: &str| Err("no files are read here: put it into the scenario".to_owned());
        let draft = match (toml, built_in, map_text, file) {
            (Some(text), None, None, None) => {
                let mut resolve = |name: &str| match folder {
                    Some(folder) => folder.read(name).map_err(|why| why.message),
                    None => no_files(name),
                };
                Draft::parse(&text, &mut resolve)?
            }
            (None, Some(name), None, None) => {
                let setup = builtin(&name, seed.unwrap_or(0))?;
                Draft::parse(&scenario::write(&setup), &mut no_files)?
            }
            (None, None, Some(text), None) => Draft::new(Letters::of_map(text.as_bytes(), &mut no_files)?),
            (None, None, None, Some(name)) => {
                let bytes = files(folder)?.read(&name)?;
                match self.read_file(&name, bytes, folder)? {
                    Some(draft) => draft,
                    None => return Ok(self.version()),
                }
            }
            _ => return Err(Refusal::new("open: expected one of `toml`, `builtin`, `map` and `file`")),
        };
        let mut draft = draft;
        if let Some(seed) = seed {
            draft.settings.seed = seed;
        }
        self.replace(draft, own.as_deref())
    }

    /// A file from elsewhere, which may name others of the working folder. It is read as those are, and belongs to none of them.
    pub(crate) fn upload(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        folder: Option<&Folder>,
    ) -> Result<Value, Refusal> {
        match self.read_file(name, bytes, folder)? {
            Some(draft) => self.replace(draft, None),
            None => Ok(self.version()),
        }
    }

    /// What a file holds; nothing if it is a recording, which is shown then.
    fn read_file(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        folder: Option<&Folder>,
    ) -> Result<Option<Draft>, Refusal> {
        let kind = Folder::kind(name)?;
        let stem = std::path::Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let beside = name.rsplit_once('/').map_or(String::new(), |(path, _)| format!("{path}/"));
        let mut resolve = |other: &str| {
            let read = files(folder).and_then(|folder| folder.read(&format!("{beside}{other}")));
            read.map_err(|why| why.message)
        };
        let draft = match kind {
            "trace" => {
                self.open_recording(&bytes, &stem)?;
                return Ok(None);
            }
            "tmx" | "tmj" => {
                let setup = maps::scenario(&bytes, &mut resolve)?;
                let draft = Draft::parse(&scenario::write(&setup), &mut resolve)?;
                return Ok(Some(named(draft, &stem)));
            }
            // The legend of a picture is TOML, too.
            "toml" if maps::Kind::of(&bytes) != maps::Kind::Picture => {
                let text =
                    String::from_utf8(bytes).map_err(|_| Refusal::new(format!("{name:?}: not UTF-8")))?;
                return Ok(Some(named(Draft::parse(&text, &mut resolve)?, &stem)));
            }
            _ => Draft::new(Letters::of_map(&bytes, &mut resolve)?),
        };
        // Maps have no name of their own.
        let settings = Settings { name: stem.into_owned(), ..draft.settings.clone() };
        Ok(Some(Draft { settings, ..draft }))
    }

    /// Writes the document. A file that it was neither read from nor written to before is somebody else's work, and only replaced
    /// where whoever asks says so.
    fn save(&mut self, name: &str, overwrite: bool, folder: &Folder) -> Result<Value, Refusal> {
        let draft = self.document.draft();
        let (folder_of, stem) = match name.rsplit_once('/') {
            Some((path, own)) => (format!("{path}/"), own),
            None => (String::new(), name),
        };
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let kind = Folder::kind(name)?;
        let mut written = match (kind, maps::Kind::of_ending(kind)) {
            ("toml", _) => vec![(String::new(), draft.text().into_bytes())],
            ("map" | "png" | "tmx" | "yaml", Some(kind)) => maps::write(&self.grid()?, kind, stem),
            _ => {
                return Err(Refusal::new(format!(
                    "{name:?}: expected a name that ends in .toml, .map, .png, .tmx or .yaml"
                )));
            }
        };
        let own = Folder::plain(name);
        let (_, bytes) = written.remove(0);
        let beside: Vec<_> =
            written.into_iter().map(|(name, bytes)| (format!("{folder_of}{name}"), bytes)).collect();
        let known = self.document.is_of(&own);
        for name in std::iter::once(name).chain(beside.iter().map(|(name, _)| name.as_str())) {
            if !overwrite && !known && folder.has(name)? {
                return Err(Refusal::exists(format!(
                    "{name:?} is there already, and is not what was opened or saved last: `overwrite` replaces it"
                )));
            }
        }
        // What names the others comes last, so that it never names what is not there.
        for (name, bytes) in &beside {
            folder.write(name, bytes)?;
        }
        folder.write(name, &bytes)?;
        self.document.belongs_to(&own);
        Ok(json!({"file": name, "bytes": bytes.len()}))
    }

    /// The document's terrain.
    fn grid(&self) -> Result<throng::core::Grid, Refusal> {
        let letters = &self.document.draft().letters;
        let policy = throng::core::TerrainPolicy::default();
        let grid = throng::core::Grid::new(letters.width, letters.height, &letters.cells, policy);
        grid.map_err(|why| Refusal::new(why.to_string()))
    }

    /// The document's map in the format of MovingAI.
    pub(crate) fn map_text(&self) -> String {
        self.grid().map(|grid| map::write(&grid)).unwrap_or_default()
    }

    fn generate(
        &mut self,
        kind: &str,
        parameters: &Map<String, Value>,
        seed: u64,
        preview: bool,
    ) -> Result<Value, Refusal> {
        let letters = generate::generate(kind, parameters, seed)?;
        if preview {
            let rows: Vec<_> = letters.rows().collect();
            return Ok(json!({"width": letters.width, "height": letters.height, "rows": rows}));
        }
        let gone = self.document.set_letters(letters)?;
        Ok(json!({"version": self.document.version(), "gone": gone}))
    }

    /// The answer to an edit of a list: where what is new is, or the version.
    fn edited(
        &mut self,
        how: impl FnOnce(&mut Document) -> Result<Option<usize>, Refusal>,
    ) -> Result<Value, Refusal> {
        Ok(match how(&mut self.document)? {
            Some(index) => json!({"index": index}),
            None => self.version(),
        })
    }

    fn unit(
        &mut self,
        add: Option<Box<UnitDraft>>,
        index: Option<usize>,
        set: Option<Map<String, Value>>,
        remove: bool,
    ) -> Result<Value, Refusal> {
        match (add, index, set, remove) {
            (Some(unit), None, None, false) => Ok(json!({"index": self.document.add_unit(*unit)?})),
            (None, Some(index), Some(keys), false) => {
                self.document.set_unit(index, &keys)?;
                Ok(self.version())
            }
            (None, Some(index), None, true) => {
                self.document.remove_unit(index)?;
                Ok(self.version())
            }
            _ => Err(Refusal::new("unit: expected `add`, `index` and `set`, or `index` and `remove`")),
        }
    }

    /// Does something to all runs; refused if all refuse.
    fn act(&mut self, act: &Act) -> Result<Value, Refusal> {
        self.run_mut(0)?;
        self.aim = None;
        let outcomes: Vec<Result<(), Refusal>> =
            self.runs.iter_mut().map(|run| run.live()?.act(act.clone())).collect();
        if let Some(Err(why)) = outcomes.first().filter(|_| outcomes.iter().all(Result::is_err)) {
            return Err(why.clone());
        }
        for (run, why) in
            outcomes.iter().enumerate().filter_map(|(run, outcome)| Some((run, outcome.as_ref().err()?)))
        {
            self.note(format!("run {run} refused: {why}"));
        }
        Ok(
            json!({"runs": outcomes.iter().map(|outcome| outcome.as_ref().err().map(|why| &why.message)).collect::<Vec<_>>()}),
        )
    }

    fn charts(&self, from: u64) -> Value {
        let last = self.runs.iter().map(Show::last).max().unwrap_or(0);
        let ticks = charts::thinned(from, last);
        let runs: Vec<_> = self.runs.iter().map(|run| run.charts().curves(&ticks)).collect();
        json!({"ticks": ticks, "runs": runs})
    }
}

fn files(folder: Option<&Folder>) -> Result<&Folder, Refusal> {
    folder.ok_or_else(|| Refusal::new("there is no working folder here"))
}

pub(super) fn place([x, y]: At) -> Result<Cell, Refusal> {
    match (i32::try_from(x), i32::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
        _ => Err(Refusal::new(format!("({x},{y}) is off every map"))),
    }
}

pub(super) fn places(cells: &[At]) -> Result<Vec<Cell>, Refusal> {
    limits::at_most("cells", cells.len(), limits::PAINTED)?;
    cells.iter().copied().map(place).collect()
}

pub(super) fn task_of(task: TaskDraft) -> Result<Task, Refusal> {
    let TaskDraft { goal, goals, patrol, rounds, hold, errands, explore, find } = task;
    if rounds.is_some() && patrol.is_none() {
        return Err(Refusal::new("`rounds` only with `patrol`"));
    }
    let given = [
        goal.map(|goal| place(goal).map(Task::Goal)),
        goals.map(|goals| places(&goals).map(Task::Goals)),
        patrol.map(|goal| {
            let rounds = rounds.unwrap_or(Task::DEFAULT_ROUNDS);
            place(goal).map(|goal| Task::Patrol { goal, rounds })
        }),
        hold.then_some(Ok(Task::Hold)),
        errands.then_some(Ok(Task::Errands(Vec::new()))),
        explore.then_some(Ok(Task::Explore)),
        find.map(|hidden| place(hidden).map(Task::Find)),
    ];
    let mut given = given.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(task), None) => task,
        _ => Err(Refusal::new(
            "expected one of `goal`, `goals`, `patrol`, `hold`, `errands`, `explore` and `find`",
        )),
    }
}
