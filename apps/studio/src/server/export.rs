//! What can be taken home.

use super::link;
use crate::Refusal;
use crate::room::{Room, Show};
use throng::core::{AgentId, Tick};
use throng::formats::trace::{self, TraceFile};
use throng_picture::{GifOptions, PictureError, Placed, write_gif, write_png, write_svg};

/// Pixels that pictures may be wide.
const WIDTHS: std::ops::RangeInclusive<u32> = 64..=4096;
const KINDS: &str = "gif, png, svg, trace, csv, toml, map and link";

/// Why there is nothing to take home.
#[derive(Clone, Debug)]
pub(super) enum NoExport {
    /// There is no such kind.
    Kind(Refusal),
    /// It cannot be had.
    Refused(Refusal),
}

impl From<Refusal> for NoExport {
    fn from(why: Refusal) -> Self {
        Self::Refused(why)
    }
}

/// What somebody wants to have.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) kind: String,
    pub(super) run: usize,
    /// Of still pictures: which tick; where the run is now if nobody says.
    pub(super) tick: Option<Tick>,
    /// Of pictures: how many pixels wide.
    pub(super) width: Option<u32>,
    /// Where the page is, for links to it.
    pub(super) page: String,
}

/// What a file is made of.
#[derive(Debug)]
enum Stuff {
    Bytes(Vec<u8>),
    Picture { file: Box<TraceFile>, placed: Vec<Placed>, tick: Tick, width: u32 },
}

/// A file that is being made.
#[derive(Debug)]
pub(super) struct Material {
    /// How its name ends, and what it is.
    ending: &'static str,
    pub(super) mime: &'static str,
    /// What it is about.
    name: String,
    stuff: Stuff,
}

impl Material {
    /// What a room has to give; cheap, since everybody waits meanwhile.
    pub(super) fn of(room: &Room, wish: &Wish) -> Result<Self, NoExport> {
        let draft = room.document.draft();
        let show = || {
            let missing = || Refusal::new(format!("no run {}: there are {}", wish.run, room.runs().len()));
            room.runs().get(wish.run).ok_or_else(missing)
        };
        let width = wish.width.unwrap_or_else(|| GifOptions::default().width);
        if !WIDTHS.contains(&width) {
            let (low, high) = (WIDTHS.start(), WIDTHS.end());
            return Err(Refusal::new(format!("a width of {width} pixels, expected {low} to {high}")).into());
        }
        let picture = |show: &Show| {
            let (tick, last) = (wish.tick.unwrap_or_else(|| show.tick()), show.last());
            if tick > last {
                return Err(Refusal::new(format!("tick {tick}: this run is known up to tick {last}")));
            }
            Ok::<_, Refusal>(Stuff::Picture { file: Box::new(file(show)), placed: placed(show), tick, width })
        };
        let text = |text: String| Stuff::Bytes(text.into_bytes());
        let (ending, mime, stuff) = match wish.kind.as_str() {
            "gif" => ("gif", "image/gif", picture(show()?)?),
            "png" => ("png", "image/png", picture(show()?)?),
            "svg" => ("svg", "image/svg+xml", picture(show()?)?),
            "trace" => {
                ("trace", "application/octet-stream", Stuff::Bytes(trace::write(&whole_file(show()?)?)))
            }
            "csv" => ("csv", "text/csv", text(show()?.charts().csv())),
            "toml" => ("toml", "application/toml", text(draft.text())),
            "map" => ("map", "text/plain", text(room.map_text())),
            "link" => ("txt", "text/plain", text(link::to(&wish.page, show()?)?)),
            other => {
                return Err(NoExport::Kind(Refusal::new(format!("no export {other:?}: there are {KINDS}"))));
            }
        };
        let name = match show() {
            Ok(show) => show.scenario().name().to_owned(),
            Err(_) => draft.settings.name.clone(),
        };
        Ok(Self { ending, mime, name, stuff })
    }

    /// What to call it: letters that mean nothing anywhere.
    pub(super) fn file_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
        let name: String = self.name.chars().take(64).map(plain).collect();
        format!("{}.{}", if name.is_empty() { "throng" } else { &name }, self.ending)
    }

    /// Makes it, which may take a while.
    pub(super) fn make(self) -> Result<Vec<u8>, Refusal> {
        let (file, placed, tick, width) = match self.stuff {
            Stuff::Bytes(bytes) => return Ok(bytes),
            Stuff::Picture { file, placed, tick, width } => (file, placed, tick, width),
        };
        let options = GifOptions { title: file.planner.clone(), width, placed, ..GifOptions::default() };
        let mut bytes = Vec::new();
        let (scenario, trace) = (&file.scenario, &file.trace);
        let drawn = match self.ending {
            "gif" => write_gif(&mut bytes, scenario, trace, &options),
            "svg" => write_svg(&mut bytes, scenario, trace, tick, &options),
            _ => write_png(&mut bytes, scenario, trace, tick, &options),
        };
        drawn.map_err(|why: PictureError| Refusal::new(why.to_string()))?;
        Ok(bytes)
    }
}

/// A run as a trace file, which does not tell who was put elsewhere by hand.
fn file(show: &Show) -> TraceFile {
    let (scenario, happened) = show.story();
    let told = show.told();
    TraceFile {
        scenario: scenario.clone(),
        planner: told["planner"].as_str().unwrap_or_default().to_owned(),
        seed: told["seed"].as_u64().unwrap_or(0),
        state_hash: match show {
            Show::Live(run) => run.last_hash(),
            Show::Recorded(recorded) => recorded.file.state_hash,
        },
        trace: happened.clone(),
    }
}

/// The same, if it tells everything.
fn whole_file(show: &Show) -> Result<TraceFile, Refusal> {
    match placed(show).first() {
        None => Ok(file(show)),
        Some((tick, unit, _)) => Err(Refusal::new(format!(
            "unit {unit} was put elsewhere at tick {tick}, which no trace can tell"
        ))),
    }
}

/// Who was put elsewhere by hand.
fn placed(show: &Show) -> Vec<Placed> {
    let by_agent = |(tick, unit, cell)| (tick, AgentId(unit), cell);
    match show {
        Show::Live(run) => run.placements().into_iter().map(by_agent).collect(),
        Show::Recorded(_) => Vec::new(),
    }
}
