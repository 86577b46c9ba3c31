//! Traces: what really happened in a run, as compact bytes that can be replayed and seeked.
//!
//! A trace is self-contained: it holds the whole scenario, so it can be shown and judged without any
//! other file. Numbers are LEB128 varints, signed ones zigzag. The layout:
//!
//! | part | what |
//! |---|---|
//! | magic, version | [`MAGIC`], then one byte |
//! | head | scenario, planner, seed, state hash, where everybody began |
//! | blocks | [`BLOCK`] ticks each; from the second on each begins with a keyframe: where everybody is, and the move in progress. Then per tick the number of deeds and the deeds |
//! | index | number of ticks, length of every block in bytes |
//! | end | where the index begins, 8 bytes, little endian |
//!
//! Version 1 is for worlds whose units all move in steps. Version 2 has, besides, the motion of every agent in the
//! head, the pose of every unit in keyframes, and the codes of all actions in deeds. Version 3 has, besides, the poses in
//! which everybody begins, and when what it was doing is over: for the rest of a run that was saved in the middle. Version 4
//! has, besides, the scenario's events and the cells that closed and opened, with their ticks. Version 5
//! has, besides, what units see: for those who explore. Version 6 has, besides, the errands that the scenario has in store and
//! what became of errands, with their ticks. Version 7 has, besides, how units slip and who was late, units that turn where they stand, and room for more actions.
//!
//! ```
//! use throng_core::{Action, Agent, AgentId, Cell, Deed, Dir, Grid, Rules, Scenario, Task, Trace};
//! use throng_formats::trace::{self, Reader, TraceFile};
//!
//! let grid = Grid::from_rows(&["..."]).unwrap();
//! let agent = Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(2, 0)));
//! let scenario = Scenario::new("tiny", grid, Rules::default(), vec![agent]).unwrap();
//! let mut what_happened = Trace::new(vec![Cell::new(0, 0)]);
//! for _ in 0..2 {
//!     what_happened.push(Deed { agent: AgentId(0), action: Action::Go(Dir::E), failed: false });
//!     what_happened.end_tick();
//! }
//! let file = TraceFile { scenario, planner: "lra".into(), seed: 7, state_hash: 0, trace: what_happened };
//! let bytes = trace::write(&file);
//! assert_eq!(trace::parse(&bytes)?, file);
//!
//! let reader = Reader::open(&bytes)?;
//! assert_eq!(reader.positions_at(1)?[0].at, Cell::new(1, 0));
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

pub(crate) mod bytes;
mod changing;
mod delays;
mod errands;
mod eyes;
mod head;
mod motion;
mod reader;

use crate::FormatError;
use bytes::Output;
use motion::Motions;
use throng_core::{Agent, Deed, Motion, Scenario, Task, Tick, Trace};

pub use motion::{Moving, Placement};
pub use reader::{Cursor, Reader};

/// How every trace begins.
pub const MAGIC: &[u8] = b"THRONG-TRACE";
/// The newest version; those before are read and written as well.
pub const VERSION: u8 = Format::Delays as u8;
/// Ticks from one keyframe to the next.
pub const BLOCK: Tick = 64;

/// A run with everything that is needed to show or judge it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The problem. Its agents give sizes and speeds to those of the trace.
    pub scenario: Scenario,
    /// Who planned, as `name(key=value,…)`.
    pub planner: String,
    /// The seed of the run.
    pub seed: u64,
    /// The state hash after the last tick.
    pub state_hash: u64,
    /// What happened. It must have one start per agent of the scenario and deeds of these agents only, by
    /// agent within a tick, or it cannot be read again. A tick that is not ended is not written.
    pub trace: Trace,
}

/// The bytes of a trace.
#[must_use]
pub fn write(file: &TraceFile) -> Vec<u8> {
    let mut out = Output::default();
    let format = Format::of(file);
    head::write(file, format, &mut out);
    let mut motions = Motions::new(format, &file.scenario, &file.trace.starts, &file.trace.poses);
    let mut blocks = Vec::new();
    let mut begin = out.len();
    for tick in 0..file.trace.ticks() {
        if tick > 0 && tick % BLOCK == 0 {
            blocks.push(out.len() - begin);
            begin = out.len();
            motions.write_keyframe(tick, &mut out);
        }
        write_deeds(file.trace.at(tick), format, &mut out);
        for deed in file.trace.at(tick) {
            motions.apply(*deed, tick);
        }
    }
    if file.trace.ticks() > 0 {
        blocks.push(out.len() - begin);
    }
    let index = out.len() as u64;
    out.number(file.trace.ticks());
    for block in blocks {
        out.number(block as u64);
    }
    out.raw(&index.to_le_bytes());
    out.finish()
}

/// Reads a trace as a whole and checks that its keyframes agree with its deeds.
pub fn parse(bytes: &[u8]) -> Result<TraceFile, FormatError> {
    let reader = Reader::open(bytes)?;
    let mut trace = Trace::new(reader.starts().to_vec());
    trace.poses = reader.poses().to_vec();
    trace.changes = reader.changes().to_vec();
    trace.errands = reader.errands().to_vec();
    trace.delays = reader.delays().to_vec();
    let mut cursor = reader.seek(0)?;
    while let Some(deeds) = cursor.step()? {
        deeds.iter().for_each(|deed| trace.push(*deed));
        trace.end_tick();
    }
    drop(cursor);
    Ok(reader.into_file(trace))
}

/// One number per deed: how many agents were passed over since the last one, its action, whether it failed.
fn write_deeds(deeds: &[Deed], format: Format, out: &mut Output) {
    out.number(deeds.len() as u64);
    let mut next = 0u64;
    for deed in deeds {
        let agent = u64::from(deed.agent.0);
        let kind = u64::from(deed.action.code()) * 2 + u64::from(deed.failed);
        out.number(agent.saturating_sub(next) * format.kinds() + kind);
        next = agent + 1;
    }
}

/// How many actions there were before version 7.
const OLD_CODES: u64 = 89;

/// What a trace has room for; as a number, its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Format {
    /// Steps alone: shorter, and what was written before there were other motions.
    Steps = 1,
    /// All motions.
    Motions = 2,
    /// Also in the middle of one.
    Poses = 3,
    /// Also in a world that changes.
    Changes = 4,
    /// Also in one that is explored.
    Eyes = 5,
    /// Also in one where errands come.
    Errands = 6,
    /// Also in one where units are late.
    Delays = 7,
}

impl Format {
    /// The shortest that has room for everybody and everything.
    fn of(file: &TraceFile) -> Self {
        let turns = file.scenario.agents().iter().any(|agent| matches!(agent.motion, Motion::Turns { .. }));
        if turns || !file.scenario.delays().is_none() || !file.trace.delays.is_empty() {
            return Self::Delays;
        }
        let employed = |agent: &Agent| matches!(agent.task, Task::Errands(_));
        let stored = !file.scenario.errands().is_empty() || file.scenario.stream().is_some();
        if stored || !file.trace.errands.is_empty() || file.scenario.agents().iter().any(employed) {
            return Self::Errands;
        }
        if file.scenario.agents().iter().any(|agent| agent.task.is_search()) {
            return Self::Eyes;
        }
        if !file.trace.changes.is_empty() || !file.scenario.events().is_empty() {
            return Self::Changes;
        }
        if !file.trace.poses.is_empty() {
            return Self::Poses;
        }
        let steps = file.scenario.agents().iter().all(|agent| agent.motion == Motion::Steps);
        let small = |deed: &Deed| u64::from(deed.action.code()) * 2 < Self::Steps.kinds();
        let all_small = || (0..file.trace.ticks()).flat_map(|tick| file.trace.at(tick)).all(small);
        if steps && all_small() { Self::Steps } else { Self::Motions }
    }

    const fn from_version(version: u8) -> Option<Self> {
        match version {
            1 => Some(Self::Steps),
            2 => Some(Self::Motions),
            3 => Some(Self::Poses),
            4 => Some(Self::Changes),
            5 => Some(Self::Eyes),
            6 => Some(Self::Errands),
            7 => Some(Self::Delays),
            _ => None,
        }
    }

    /// How many kinds of deeds there are: every action, failed or not.
    const fn kinds(self) -> u64 {
        match self {
            Self::Steps => 18,
            Self::Motions | Self::Poses | Self::Changes | Self::Eyes | Self::Errands => 2 * OLD_CODES,
            Self::Delays => 2 * (u8::MAX as u64 + 1),
        }
    }
}
