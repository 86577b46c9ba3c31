//! What can be wrong with a file.

use std::borrow::Cow;
use throng_core::{AgentId, Cell, GridError, ScenarioError, TerrainPolicy, Tick};

/// What is wrong with a file, and where. Lines and columns count from 1, bytes from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum FormatError {
    /// Something else stands where the format wants something.
    #[error("line {line}: expected {expected}, found {found}")]
    Expected { line: usize, expected: Cow<'static, str>, found: String },
    /// The file ends too early; `line` is the first that is missing.
    #[error("line {line}: the file ends where {expected} should be")]
    EndOfFile { line: usize, expected: Cow<'static, str> },
    /// Text that is not UTF-8.
    #[error("line {line}: not valid UTF-8")]
    NotUtf8 { line: usize },

    /// A map that is empty or too large.
    #[error("line {line}: {why}")]
    MapSize { line: usize, why: GridError },
    /// A map with fewer rows than its header says.
    #[error("line {line}: the map ends after {found} rows, expected {expected}")]
    MissingRows { line: usize, expected: usize, found: usize },
    /// A map with more rows than its header says.
    #[error("line {line}: more than the {expected} rows that the header says")]
    ExtraRows { line: usize, expected: usize },
    /// A row that is too short or too long.
    #[error("line {line}: a row of {found} letters, expected {expected}")]
    RowLength { line: usize, expected: usize, found: usize },
    /// A letter that no map may contain.
    #[error("line {line}, column {column}: unknown terrain {letter:?}, expected one of {letters}",
        letters = TerrainPolicy::LETTERS)]
    UnknownTerrain { line: usize, column: usize, letter: char },

    /// More agents asked for than the file has rows.
    #[error("{asked} agents asked for, but the file has only {found}")]
    TooFewAgents { asked: usize, found: usize },
    /// A row made for a map of another size.
    #[error("line {line}: made for a map of {}×{}, but the map is {}×{}", row.0, row.1, map.0, map.1)]
    WrongMapSize { line: usize, row: (usize, usize), map: (usize, usize) },
    /// A scenario that contradicts itself or its map.
    #[error("{}{why}", LinePrefix(*line))]
    Scenario { line: Option<usize>, why: ScenarioError },

    /// A malformed list of cells.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    BadCell { line: usize, column: usize, expected: Cow<'static, str>, found: String },
    /// A list with a cell too many or too few.
    #[error("line {line}: {found} cells, expected one for each of {expected} agents")]
    CellCount { line: usize, expected: usize, found: usize },
    /// Ticks of a plan that do not go 0, 1, 2, …
    #[error("line {line}: tick {found}, expected tick {expected}")]
    TickOrder { line: usize, expected: Tick, found: Tick },
    /// A step to a cell that is not a neighbour.
    #[error("line {line}: at tick {tick} agent {agent} jumps from {from} to {to}")]
    Jump { line: usize, agent: AgentId, tick: Tick, from: Cell, to: Cell },
    /// A problem that plan files cannot express.
    #[error("plan files hold one path for each 1×1 unit under uniform timing, not {found}")]
    NotAPlanFile { found: Cow<'static, str> },

    /// A plan with a line too many or too few.
    #[error("line {line}: {found} lines of moves, expected one for each of {expected} agents")]
    LineCount { line: usize, expected: usize, found: usize },
    /// A step that lines of moves have no letter for.
    #[error(
        "at tick {tick} agent {agent} goes from {from} to {to}: lines of moves have u, d, l, r and w alone"
    )]
    NoMove { agent: AgentId, tick: Tick, from: Cell, to: Cell },
    /// A plan that would not fit into memory.
    #[error("a plan of {agents} agents and {ticks} ticks: expected at most {most} cells in all")]
    PlanTooLong { agents: usize, ticks: usize, most: usize },

    /// A TOML error: syntax, a missing or unknown key, a value of the wrong type.
    #[error("{}{message}", LinePrefix(*line))]
    Toml { line: Option<usize>, message: String },
    /// A JSON error: syntax, a missing key, a value of the wrong type.
    #[error("line {line}, column {column}: {message}")]
    Json { line: usize, column: usize, message: String },
    /// A file that cannot be had.
    #[error("line {line}: {key} {name:?}: {why}")]
    NamedFile { line: usize, key: &'static str, name: String, why: String },
    /// A file that is broken itself.
    #[error("line {line}: {key} {name:?}: {why}")]
    InNamedFile { line: usize, key: &'static str, name: String, why: Box<FormatError> },
    /// A `map_file` that cannot be had.
    #[error("line {line}: map_file {name:?}: {why}")]
    MapFile { line: usize, name: String, why: String },
    /// A `map_file` that is broken itself.
    #[error("line {line}: map_file {name:?}: {why}")]
    InMapFile { line: usize, name: String, why: Box<FormatError> },

    /// Something in a map that was drawn elsewhere: a pixel, a layer, an object.
    #[error("{place}: {message}")]
    InMap { place: String, message: String },
    /// A map that is no XML although it begins like it.
    #[error("line {line}, column {column}: {message}")]
    Xml { line: usize, column: usize, message: String },
    /// A picture that cannot be read.
    #[error("the picture cannot be read: {why}")]
    Picture { why: String },

    /// A learned map whose rows are not those that were sealed.
    #[error("line {line}: the rows are not as they were written: the file is damaged")]
    Damaged { line: usize },
    /// A `directions_file` that cannot be had.
    #[error("line {line}: directions_file {name:?}: {why}")]
    DirectionsFile { line: usize, name: String, why: String },
    /// Directions of a scenario that are broken themselves.
    #[error("line {line}: directions{}: {why}", OfFile(name.as_deref()))]
    InDirections { line: usize, name: Option<String>, why: Box<FormatError> },

    /// A body or a wall that has no shape.
    #[error("line {line}: {why}")]
    Shape { line: usize, why: String },
    /// The scene inside a trace of continuous space cannot be read.
    #[error("the scene in the trace: {why}")]
    InTrace { why: Box<FormatError> },

    /// Bytes that do not begin as a trace does.
    #[error("not a trace: it does not begin with {:?}", String::from_utf8_lossy(crate::trace::MAGIC))]
    NotATrace,
    /// A trace of a version that this program does not know.
    #[error("a trace of version {found}, expected 1 to {}", crate::trace::VERSION)]
    TraceVersion { found: u8 },
    /// A trace that ends too early.
    #[error("byte {offset}: the file ends where {expected} should be")]
    CutOff { offset: usize, expected: &'static str },
    /// A trace that contradicts itself.
    #[error("byte {offset}: expected {expected}")]
    Corrupt { offset: usize, expected: &'static str },
}

impl FormatError {
    /// The line that is wrong, from 1, if the format has lines and one of them is to blame.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Expected { line, .. }
            | Self::EndOfFile { line, .. }
            | Self::NotUtf8 { line }
            | Self::MapSize { line, .. }
            | Self::MissingRows { line, .. }
            | Self::ExtraRows { line, .. }
            | Self::RowLength { line, .. }
            | Self::UnknownTerrain { line, .. }
            | Self::WrongMapSize { line, .. }
            | Self::BadCell { line, .. }
            | Self::CellCount { line, .. }
            | Self::TickOrder { line, .. }
            | Self::Jump { line, .. }
            | Self::LineCount { line, .. }
            | Self::Damaged { line }
            | Self::Shape { line, .. }
            | Self::DirectionsFile { line, .. }
            | Self::InDirections { line, .. }
            | Self::Json { line, .. }
            | Self::Xml { line, .. }
            | Self::NamedFile { line, .. }
            | Self::InNamedFile { line, .. }
            | Self::MapFile { line, .. }
            | Self::InMapFile { line, .. } => Some(*line),
            Self::Scenario { line, .. } | Self::Toml { line, .. } => *line,
            Self::TooFewAgents { .. }
            | Self::InMap { .. }
            | Self::Picture { .. }
            | Self::NotAPlanFile { .. }
            | Self::PlanTooLong { .. }
            | Self::NoMove { .. }
            | Self::InTrace { .. }
            | Self::NotATrace
            | Self::TraceVersion { .. }
            | Self::CutOff { .. }
            | Self::Corrupt { .. } => None,
        }
    }

    /// The column that is wrong, from 1, if one is to blame.
    #[must_use]
    pub const fn column(&self) -> Option<usize> {
        match self {
            Self::UnknownTerrain { column, .. }
            | Self::BadCell { column, .. }
            | Self::Json { column, .. }
            | Self::Xml { column, .. } => Some(*column),
            _ => None,
        }
    }

    /// The byte of a trace that is wrong, from 0.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::CutOff { offset, .. } | Self::Corrupt { offset, .. } => Some(*offset),
            Self::NotATrace => Some(0),
            Self::TraceVersion { .. } => Some(crate::trace::MAGIC.len()),
            _ => None,
        }
    }

    pub(crate) fn in_map(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InMap { place: place.into(), message: message.into() }
    }

    pub(crate) fn expected(line: usize, expected: impl Into<Cow<'static, str>>, found: &[u8]) -> Self {
        Self::Expected { line, expected: expected.into(), found: quote(found) }
    }
}

/// The file that a key names, if it names one.
struct OfFile<'a>(Option<&'a str>);

impl std::fmt::Display for OfFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, "_file {name:?}"))
    }
}

struct LinePrefix(Option<usize>);

impl std::fmt::Display for LinePrefix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, "line {line}: "))
    }
}

/// What was found, in quotes and not longer than a person wants to read.
pub(crate) fn quote(bytes: &[u8]) -> String {
    const MOST: usize = 40;
    if bytes.is_empty() {
        return "nothing".into();
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MOST)]);
    let mut short: String = text.chars().take(MOST).collect();
    if bytes.len() > short.len() && text.chars().count() >= MOST {
        short.push('…');
    }
    format!("{short:?}")
}
