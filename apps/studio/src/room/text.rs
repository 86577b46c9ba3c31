//! Drafts as the text of scenario files.

use super::draft::{
    DelayDraft, DelaysDraft, Draft, ErrandDraft, EventDraft, Letters, RulesDraft, Settings, SightDraft,
    SourceDraft, StreamDraft, TerrainDraft, UnitDraft,
};
use crate::{Refusal, limits};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;
use throng::core::TerrainPolicy;
use throng::formats::{maps, plain};

/// Loads what a file names; the error is a sentence for people.
pub(crate) type Resolve<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// How the first line begins of documents that were kept when scenario files had no keys for seed and budget.
const OWN: &str = "# throng studio: ";

#[derive(Serialize)]
struct Head<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    planner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<u64>,
}

#[derive(Serialize)]
struct Tail<'a> {
    terrain: &'a TerrainDraft,
    rules: &'a RulesDraft,
    #[serde(skip_serializing_if = "Option::is_none")]
    sight: Option<&'a SightDraft>,
    event: &'a [EventDraft],
    source: &'a [SourceDraft],
    errand: &'a [ErrandDraft],
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<&'a StreamDraft>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delays: Option<&'a DelaysDraft>,
    delay: &'a [DelayDraft],
    unit: &'a [UnitDraft],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default)]
    about: String,
    planner: Option<String>,
    ticks: Option<i64>,
    seed: Option<i64>,
    budget: Option<i64>,
    map: Option<String>,
    map_file: Option<String>,
    directions: Option<String>,
    directions_file: Option<String>,
    #[serde(default)]
    terrain: TerrainDraft,
    #[serde(default)]
    rules: RulesDraft,
    sight: Option<SightDraft>,
    #[serde(default)]
    event: Vec<EventDraft>,
    #[serde(default)]
    source: Vec<SourceDraft>,
    #[serde(default)]
    errand: Vec<ErrandDraft>,
    stream: Option<StreamDraft>,
    delays: Option<DelaysDraft>,
    #[serde(default)]
    delay: Vec<DelayDraft>,
    #[serde(default)]
    unit: Vec<UnitDraft>,
}

impl Draft {
    /// As a scenario file.
    pub(crate) fn text(&self) -> String {
        let Settings { name, about, planner, ticks, seed, budget, terrain, rules, sight } = &self.settings;
        let (planner, sight) = (planner.as_deref(), sight.as_ref());
        // All 64 bits, as scenario files have them.
        let seed = (*seed != 0).then(|| seed.cast_signed());
        let head = Head { name, about, planner, ticks: *ticks, seed, budget: *budget };
        // Nothing in these can fail to be written.
        let mut out = toml::to_string(&head).unwrap_or_default();
        out.reserve(self.letters.cells.len() + self.letters.height + 128);
        out.push_str("map = \"\"\"\n");
        for row in self.letters.rows() {
            out.push_str(&row);
            out.push('\n');
        }
        out.push_str("\"\"\"\n");
        if let Some(learned) = &self.directions {
            let _ = write!(out, "directions = \"\"\"\n{learned}\"\"\"\n");
        }
        out.push('\n');
        let tail = Tail {
            terrain,
            rules,
            sight,
            event: &self.events,
            source: &self.sources,
            errand: &self.errands,
            stream: self.stream.as_deref(),
            delays: self.delays.as_deref(),
            delay: &self.listed,
            unit: &self.units,
        };
        out + &toml::to_string(&tail).unwrap_or_default()
    }

    /// Reads a scenario file, which need not be finished. What it names is put into it.
    pub(crate) fn parse(text: &str, resolve: Resolve<'_>) -> Result<Self, Refusal> {
        let file: File = toml::from_str(text).map_err(|why| {
            let line = why.span().map(|span| 1 + text[..span.start].matches('\n').count());
            Refusal::at(line, plain(why.message()))
        })?;
        limits::at_most("units", file.unit.len(), limits::UNITS)?;
        let letters = match (file.map, file.map_file) {
            (Some(rows), None) => Letters::of_rows(&rows)?,
            (None, Some(name)) => {
                let bytes = resolve(&name).map_err(|why| Refusal::new(format!("{name}: {why}")))?;
                // What the map names is beside it.
                let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
                Letters::of_map(&bytes, &mut |own| resolve(&format!("{folder}{own}")))?
            }
            _ => return Err(Refusal::new("expected one of `map` and `map_file`")),
        };
        let directions = match (file.directions, file.directions_file) {
            (Some(text), _) => Some(text),
            (None, Some(name)) => {
                let bytes = resolve(&name).map_err(|why| Refusal::new(format!("{name}: {why}")))?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            (None, None) => None,
        };
        let (old_seed, old_budget) = own(text);
        let budget = match file.budget.map(u64::try_from) {
            None => old_budget,
            Some(Ok(budget @ 1..)) => Some(budget),
            Some(_) => return Err(Refusal::new("budget: expected at least 1 expansion")),
        };
        let settings = Settings {
            name: file.name,
            about: file.about,
            planner: file.planner,
            ticks: file.ticks,
            seed: file.seed.map_or(old_seed, i64::cast_unsigned),
            budget,
            terrain: file.terrain,
            rules: file.rules,
            sight: file.sight,
        };
        Ok(Self {
            letters: Arc::new(letters),
            units: Arc::new(file.unit),
            events: Arc::new(file.event),
            sources: Arc::new(file.source),
            errands: Arc::new(file.errand),
            stream: file.stream.map(Arc::new),
            delays: file.delays.map(Arc::new),
            listed: Arc::new(file.delay),
            directions: directions.map(Into::into),
            settings,
            origin: 0,
        })
    }
}

impl Letters {
    /// A map of any kind, which may name other files.
    pub(crate) fn of_map(bytes: &[u8], resolve: Resolve<'_>) -> Result<Self, Refusal> {
        let grid = maps::parse(bytes, TerrainPolicy::default(), resolve)?;
        Self::of_grid(&grid)
    }

    pub(crate) fn of_grid(grid: &throng::core::Grid) -> Result<Self, Refusal> {
        let (width, height) = (grid.width(), grid.height());
        limits::size(width, height)?;
        let cells = (0..height).flat_map(|y| grid.row(y)).copied().collect();
        Ok(Self { width, height, cells })
    }
}

/// Seed and budget, if the text has a line of an older studio.
fn own(text: &str) -> (u64, Option<u64>) {
    let words = text.lines().next().and_then(|line| line.strip_prefix(OWN)).unwrap_or_default();
    let number = |key: &str| {
        let mut words = words.split_ascii_whitespace();
        words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse::<u64>().ok())
    };
    (number("seed").unwrap_or(0), number("budget"))
}
