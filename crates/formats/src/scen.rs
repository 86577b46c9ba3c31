//! MovingAI `.scen` files: one row per agent.
//!
//! ```text
//! version 1
//! 0 tiny.map 3 2 0 0 2 1 3.41421356
//! ```
//!
//! A row is bucket, map, width, height, start x, start y, goal x, goal y and the length of a shortest
//! path with eight moves. Fields are separated by tabs (then the map's name may contain spaces) or by
//! any white space.
//!
//! ```
//! use throng_core::{Cell, Grid, Rules};
//! use throng_formats::scen;
//!
//! let rows = scen::parse(b"version 1\n0\ttiny.map\t3\t2\t0\t0\t2\t1\t3.41421356\n")?;
//! assert_eq!((rows[0].map, rows[0].goal), ("tiny.map", Cell::new(2, 1)));
//!
//! let grid = Grid::from_rows(&[".@.", "..."]).unwrap();
//! let scenario = scen::scenario("tiny", grid.clone(), Rules::default(), &rows, 1)?;
//! assert_eq!(scenario.agents().len(), 1);
//!
//! let error = scen::scenario("tiny", grid, Rules::default(), &rows, 2).unwrap_err();
//! assert_eq!(error.to_string(), "2 agents asked for, but the file has only 1");
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

use crate::FormatError;
use crate::lines::{Lines, int, is_blank, words};
use std::fmt::Write as _;
use throng_core::{Agent, Cell, Grid, MAX_CELLS, Rules, Scenario, ScenarioError, Task};

/// One row of a `.scen` file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// Where it stands in the file, from 1.
    pub line: usize,
    /// Its bucket: rows of similar length share one.
    pub bucket: u32,
    /// The map it is made for. Written between tabs, so it must not hold tabs or line ends.
    pub map: &'a str,
    /// Columns of that map.
    pub width: usize,
    /// Rows of that map.
    pub height: usize,
    /// Where the agent begins.
    pub start: Cell,
    /// Where it has to go.
    pub goal: Cell,
    /// Length of a shortest path with eight moves, as the author of the file has it.
    pub optimal: f64,
}

/// Reads all rows.
pub fn parse(bytes: &[u8]) -> Result<Vec<Row<'_>>, FormatError> {
    rows(bytes)?.collect()
}

/// Reads the first `n` rows and nothing after them. Fewer are an error that says how many there are.
pub fn parse_first(bytes: &[u8], n: usize) -> Result<Vec<Row<'_>>, FormatError> {
    let rows: Vec<_> = rows(bytes)?.take(n).collect::<Result<_, _>>()?;
    if rows.len() < n {
        return Err(FormatError::TooFewAgents { asked: n, found: rows.len() });
    }
    Ok(rows)
}

/// The text of a file with these rows, separated by tabs.
#[must_use]
pub fn write(rows: &[Row<'_>]) -> String {
    let mut out = String::from("version 1\n");
    for Row { bucket, map, width, height, start, goal, optimal, .. } in rows {
        let _ = writeln!(
            out,
            "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{optimal}",
            start.x, start.y, goal.x, goal.y
        );
    }
    out
}

/// The one-shot problem of the first `agents` rows on `grid`. Errors name the line of the row.
pub fn scenario(
    name: impl Into<String>,
    grid: Grid,
    rules: Rules,
    rows: &[Row<'_>],
    agents: usize,
) -> Result<Scenario, FormatError> {
    let rows = rows.get(..agents).ok_or(FormatError::TooFewAgents { asked: agents, found: rows.len() })?;
    let map = (grid.width(), grid.height());
    if let Some(row) = rows.iter().find(|row| (row.width, row.height) != map) {
        return Err(FormatError::WrongMapSize { line: row.line, row: (row.width, row.height), map });
    }
    let agents =
        rows.iter().zip(0..).map(|(row, id)| Agent::new(id, row.start, Task::Goal(row.goal))).collect();
    let blame = |why: ScenarioError| FormatError::Scenario {
        line: why.agent().and_then(|agent| rows.get(agent.index())).map(|row| row.line),
        why,
    };
    let scenario = Scenario::new(name, grid, rules, agents).map_err(blame)?;
    scenario.require_distinct_goals().map_err(blame)?;
    Ok(scenario)
}

/// The rows one by one, after the header.
fn rows(bytes: &[u8]) -> Result<impl Iterator<Item = Result<Row<'_>, FormatError>>, FormatError> {
    const HEADER: &str = "`version 1`";
    let mut lines = Lines::new(bytes);
    let (line, text) = lines.next().ok_or(FormatError::EndOfFile { line: 1, expected: HEADER.into() })?;
    let version = words(text).collect::<Vec<_>>();
    if !matches!(version[..], [b"version", b"1" | b"1.0"]) {
        return Err(FormatError::expected(line, HEADER, text));
    }
    Ok(lines.filter(|(_, text)| !is_blank(text)).map(|(line, text)| row(line, text)))
}

fn row(line: usize, text: &[u8]) -> Result<Row<'_>, FormatError> {
    let [bucket, map, width, height, x, y, to_x, to_y, optimal] = fields(text).map_err(|found| {
        let expected = "9 fields (bucket, map, width, height, start x and y, goal x and y, length)".into();
        FormatError::Expected { line, expected, found: found.to_string() }
    })?;
    let number = |text: &[u8], what: &str, least: i64, most: i64| match int(text) {
        Some(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(FormatError::expected(line, format!("{what}, a number from {least} to {most}"), text)),
    };
    let side = |text, what| Ok(number(text, what, 1, MAX_CELLS as i64)? as usize);
    // Cells off the map are reported against the map that they are off, so negative ones pass here.
    let place = |text, what| Ok(number(text, what, i64::from(i32::MIN), i64::from(i32::MAX))? as i32);
    let length = std::str::from_utf8(optimal).ok().and_then(|text| text.parse::<f64>().ok());
    Ok(Row {
        line,
        bucket: number(bucket, "a bucket", 0, i64::from(u32::MAX))? as u32,
        map: std::str::from_utf8(map).map_err(|_| FormatError::NotUtf8 { line })?,
        width: side(width, "the map's width")?,
        height: side(height, "the map's height")?,
        start: Cell::new(place(x, "the start's x")?, place(y, "the start's y")?),
        goal: Cell::new(place(to_x, "the goal's x")?, place(to_y, "the goal's y")?),
        optimal: length
            .filter(|length| length.is_finite() && *length >= 0.0)
            .ok_or_else(|| FormatError::expected(line, "a length, a number from 0", optimal))?,
    })
}

/// The nine fields, or how many there are instead.
fn fields(text: &[u8]) -> Result<[&[u8]; 9], usize> {
    nine(text.split(|&b| b == b'\t').map(<[u8]>::trim_ascii)).or_else(|_| nine(words(text)))
}

fn nine<'a>(mut fields: impl Iterator<Item = &'a [u8]>) -> Result<[&'a [u8]; 9], usize> {
    let mut out = [&[][..]; 9];
    for (place, slot) in out.iter_mut().enumerate() {
        *slot = fields.next().ok_or(place)?;
    }
    match fields.count() {
        0 => Ok(out),
        more => Err(9 + more),
    }
}
