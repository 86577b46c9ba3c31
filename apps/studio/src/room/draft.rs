//! A scenario as it is drawn: everything that a scenario file says, finished or not.
//!
//! A draft may be wrong in every way that a file may be. Whether it is one is not decided here: it is written as a scenario
//! file, and read by who reads those.

use crate::{Refusal, limits};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng::core::TerrainPolicy;

/// A column and a row.
pub(crate) type At = [i64; 2];

/// The letters of a map, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letters {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<u8>,
}

impl Letters {
    /// Nothing in the way.
    pub(crate) fn open(width: usize, height: usize) -> Result<Self, Refusal> {
        limits::size(width, height)?;
        Ok(Self { width, height, cells: vec![b'.'; width * height] })
    }

    /// Rows of letters; blank lines and what stands around rows do not count.
    pub(crate) fn of_rows(text: &str) -> Result<Self, Refusal> {
        let rows: Vec<&[u8]> =
            text.lines().map(|row| row.trim_ascii().as_bytes()).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.len());
        limits::size(width, rows.len())?;
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width {
                return Err(Refusal::new(format!("row {y} has {} letters, expected {width}", row.len())));
            }
            row.iter().try_for_each(|&letter| Self::check(char::from(letter)))?;
        }
        Ok(Self { width, height: rows.len(), cells: rows.concat() })
    }

    /// Whether maps have such a letter.
    pub(crate) fn check(letter: char) -> Result<(), Refusal> {
        if TerrainPolicy::LETTERS.contains(letter) {
            return Ok(());
        }
        Err(Refusal::new(format!("no terrain {letter:?}: expected one of {}", TerrainPolicy::LETTERS)))
    }

    /// The place of a cell, if it is on the map.
    pub(crate) fn place(&self, [x, y]: At) -> Result<usize, Refusal> {
        let (width, height) = (self.width, self.height);
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < width && y < height => Ok(y * width + x),
            _ => Err(Refusal::new(format!("({x},{y}) is off the {width}×{height} map"))),
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        self.cells.chunks(self.width).map(String::from_utf8_lossy)
    }
}

/// A unit, as a `[[unit]]` of a scenario file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitDraft {
    pub(crate) start: At,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) goal: Option<At>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) goals: Option<Vec<At>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) patrol: Option<At>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rounds: Option<i64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) hold: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) errands: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) explore: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) find: Option<At>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turning: Option<i64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) turns: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) heading: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) planner: Option<String>,
}

impl UnitDraft {
    /// The keys of which it has one.
    pub(crate) const TASKS: [&str; 7] = ["goal", "goals", "patrol", "hold", "errands", "explore", "find"];

    /// All places that it names.
    pub(crate) fn places(&mut self) -> impl Iterator<Item = &mut At> {
        let one = [&mut self.goal, &mut self.patrol, &mut self.find].into_iter().flatten();
        std::iter::once(&mut self.start).chain(one).chain(self.goals.iter_mut().flatten())
    }
}

/// Cells that close and open, as an `[[event]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventDraft {
    pub(crate) at: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) close: Vec<At>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) open: Vec<At>,
}

/// What draws explorers, as a `[[source]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceDraft {
    pub(crate) at: At,
    pub(crate) strength: f64,
    pub(crate) radius: i64,
}

/// Something to be done, as an `[[errand]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrandDraft {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<i64>,
    pub(crate) stops: Vec<At>,
}

/// Where a stop may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum PlacesDraft {
    Word(String),
    Cells(Vec<At>),
}

/// `[stream]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamDraft {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) open: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stops: Option<Vec<PlacesDraft>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) list: Option<Vec<Vec<At>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<i64>,
}

impl StreamDraft {
    /// All places that it names.
    pub(crate) fn places(&mut self) -> impl Iterator<Item = &mut At> {
        let drawn = self.stops.iter_mut().flatten().flat_map(|places| match places {
            PlacesDraft::Word(_) => [].iter_mut(),
            PlacesDraft::Cells(cells) => cells.iter_mut(),
        });
        drawn.chain(self.list.iter_mut().flatten().flatten())
    }
}

/// `[delays]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DelaysDraft {
    pub(crate) rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<LengthDraft>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<i64>,
}

/// For how many ticks units slip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum LengthDraft {
    Always(i64),
    Between([i64; 2]),
}

/// A unit that is late, as a `[[delay]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DelayDraft {
    pub(crate) unit: i64,
    pub(crate) at: i64,
    #[serde(rename = "for")]
    pub(crate) ticks: i64,
}

/// `[terrain]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TerrainDraft {
    pub(crate) swamp: bool,
    pub(crate) water: bool,
    pub(crate) trees: bool,
}

impl Default for TerrainDraft {
    fn default() -> Self {
        let TerrainPolicy { swamp, water, trees } = TerrainPolicy::default();
        Self { swamp, water, trees }
    }
}

/// `[rules]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RulesDraft {
    pub(crate) connectivity: i64,
    pub(crate) timing: String,
    pub(crate) hold_both: bool,
    pub(crate) follow: bool,
}

impl Default for RulesDraft {
    fn default() -> Self {
        Self { connectivity: 4, timing: "uniform".to_owned(), hold_both: false, follow: false }
    }
}

/// `[sight]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SightDraft {
    pub(crate) radius: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) angle: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inner: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line_of_sight: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shared: Option<bool>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) map_known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fading: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<i64>,
}

/// All but map, units and events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) planner: Option<String>,
    pub(crate) ticks: Option<i64>,
    pub(crate) seed: u64,
    pub(crate) budget: Option<u64>,
    pub(crate) terrain: TerrainDraft,
    pub(crate) rules: RulesDraft,
    pub(crate) sight: Option<SightDraft>,
}

/// Who plans in a world that is new.
const PLANNER: &str = "whca(window=16)";

/// The whole of it. Cheap to copy: what is large is shared until it changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) letters: Arc<Letters>,
    pub(crate) units: Arc<Vec<UnitDraft>>,
    pub(crate) events: Arc<Vec<EventDraft>>,
    pub(crate) sources: Arc<Vec<SourceDraft>>,
    pub(crate) errands: Arc<Vec<ErrandDraft>>,
    pub(crate) stream: Option<Arc<StreamDraft>>,
    pub(crate) delays: Option<Arc<DelaysDraft>>,
    pub(crate) listed: Arc<Vec<DelayDraft>>,
    /// A direction map that was learned before, as text.
    pub(crate) directions: Option<Arc<str>>,
    pub(crate) settings: Settings,
    /// Which of those that were opened it has come from: the number goes up with each, so that whoever takes one back is told apart.
    pub(crate) origin: u32,
}

impl Draft {
    /// An empty world that nobody is in yet.
    pub(crate) fn new(letters: Letters) -> Self {
        let planner = Some(PLANNER.to_owned());
        let settings = Settings { name: "untitled".to_owned(), planner, ..Settings::default() };
        Self {
            letters: Arc::new(letters),
            units: Arc::default(),
            events: Arc::default(),
            sources: Arc::default(),
            errands: Arc::default(),
            stream: None,
            delays: None,
            listed: Arc::default(),
            directions: None,
            settings,
            origin: 0,
        }
    }

    /// Units that stay get these numbers; the delays of those that go are gone.
    pub(crate) fn renumber(&mut self, number: impl Fn(i64) -> Option<i64>) {
        let listed = Arc::make_mut(&mut self.listed);
        listed.retain_mut(|delay| match number(delay.unit) {
            Some(unit) => {
                delay.unit = unit;
                true
            }
            None => false,
        });
    }

    /// Bytes that are its own and not shared with `other`, about.
    pub(crate) fn bytes_beside(&self, other: &Self) -> usize {
        let own = |shared: bool, bytes: usize| if shared { 0 } else { bytes };
        own(Arc::ptr_eq(&self.letters, &other.letters), self.letters.cells.len())
            + own(Arc::ptr_eq(&self.units, &other.units), self.units.len() * size_of::<UnitDraft>())
            + own(Arc::ptr_eq(&self.events, &other.events), self.events.len() * 64)
            + own(Arc::ptr_eq(&self.errands, &other.errands), self.errands.len() * 64)
            + size_of::<Self>()
    }
}

// The argument of what serde calls is a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_false(value: &bool) -> bool {
    !*value
}
