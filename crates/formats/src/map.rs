//! MovingAI `.map` files.
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! .@.
//! ...
//! ```
//!
//! `height` and `width` may come in either order, lines may end in CRLF, and blank lines may follow.
//!
//! ```
//! use throng_core::TerrainPolicy;
//! use throng_formats::map;
//!
//! let text = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
//! let grid = map::parse(text.as_bytes(), TerrainPolicy::default())?;
//! assert_eq!((grid.width(), grid.height(), grid.open_cells()), (3, 2, 5));
//! assert_eq!(map::write(&grid), text);
//!
//! let error = map::parse(&text.as_bytes()[..38], TerrainPolicy::default()).unwrap_err();
//! assert_eq!(error.to_string(), "line 6: a row of 1 letters, expected 3");
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

use crate::FormatError;
use crate::lines::{Lines, int, is_blank, words};
use std::fmt::Write as _;
use throng_core::{Cell, Grid, GridError, MAX_CELLS, TerrainPolicy};

/// Reads a map; `policy` says which letters are passable.
pub fn parse(bytes: &[u8], policy: TerrainPolicy) -> Result<Grid, FormatError> {
    let mut lines = Lines::new(bytes);
    let (width, height) = header(&mut lines)?;
    let first = lines.next_number();
    let mut letters = Vec::with_capacity((width * height).min(lines.remaining()));
    for found in 0..height {
        match lines.next() {
            Some((line, row)) if !is_blank(row) => push_row(&mut letters, row, width, (line, 1))?,
            _ => return Err(FormatError::MissingRows { line: first + found, expected: height, found }),
        }
    }
    if let Some((line, _)) = lines.find(|(_, row)| !is_blank(row)) {
        return Err(FormatError::ExtraRows { line, expected: height });
    }
    build(width, height, &letters, policy, |cell| (first + cell.y as usize, 1 + cell.x as usize))
}

/// The text of a map. Reading it with the grid's own policy gives the same grid.
#[must_use]
pub fn write(grid: &Grid) -> String {
    let mut out = String::with_capacity((grid.width() + 1) * grid.height() + 64);
    let _ = writeln!(out, "type octile\nheight {}\nwidth {}\nmap", grid.height(), grid.width());
    write_rows(grid, &mut out);
    out
}

/// One line of letters per row.
pub(crate) fn write_rows(grid: &Grid, out: &mut String) {
    for y in 0..grid.height() {
        out.extend(grid.row(y).iter().map(|&letter| char::from(letter)));
        out.push('\n');
    }
}

/// Reads up to and including the line `map`; gives width and height.
fn header(lines: &mut Lines<'_>) -> Result<(usize, usize), FormatError> {
    keyword(lines, "`type octile`", &[b"type", b"octile"])?;
    let (mut width, mut height) = (None, None);
    let mut last = 0;
    while width.is_none() || height.is_none() {
        let expected = match (width, height) {
            (None, None) => "`height` or `width`",
            (None, _) => "`width`",
            _ => "`height`",
        };
        let (line, text) = lines.next().ok_or(FormatError::EndOfFile {
            line: lines.next_number(),
            expected: format!("{expected} and a number").into(),
        })?;
        let mut parts = words(text);
        let slot = match parts.next() {
            Some(b"width") if width.is_none() => &mut width,
            Some(b"height") if height.is_none() => &mut height,
            _ => return Err(FormatError::expected(line, format!("{expected} and a number"), text)),
        };
        let side = parts.next().and_then(int).and_then(|n| usize::try_from(n).ok());
        match (side, parts.next()) {
            (Some(side @ 1..=MAX_CELLS), None) => *slot = Some(side),
            _ => {
                let expected = format!("{expected} and a number from 1 to {MAX_CELLS}");
                return Err(FormatError::expected(line, expected, text));
            }
        }
        last = line;
    }
    let (width, height) = (width.unwrap_or(0), height.unwrap_or(0));
    Grid::check_size(width, height).map_err(|why| FormatError::MapSize { line: last, why })?;
    keyword(lines, "`map`", &[b"map"])?;
    Ok((width, height))
}

/// Reads a line that consists of exactly these words.
pub(crate) fn keyword(
    lines: &mut Lines<'_>,
    expected: &'static str,
    wanted: &[&[u8]],
) -> Result<(), FormatError> {
    match lines.next() {
        Some((_, text)) if words(text).eq(wanted.iter().copied()) => Ok(()),
        Some((line, text)) => Err(FormatError::expected(line, expected, text)),
        None => Err(FormatError::EndOfFile { line: lines.next_number(), expected: expected.into() }),
    }
}

/// Adds a row that begins at (line, column). A letter that no map may contain is a better complaint
/// than a length, so it is looked for first where the length is wrong.
pub(crate) fn push_row(
    letters: &mut Vec<u8>,
    row: &[u8],
    width: usize,
    (line, column): (usize, usize),
) -> Result<(), FormatError> {
    if row.len() != width {
        let policy = TerrainPolicy::default();
        return Err(match row.iter().position(|&letter| policy.passable(letter).is_none()) {
            Some(x) => unknown(row, x, line, column + x),
            None => FormatError::RowLength { line, expected: width, found: row.len() },
        });
    }
    letters.extend_from_slice(row);
    Ok(())
}

/// The grid of these letters; `place` tells the line and column of a cell.
pub(crate) fn build(
    width: usize,
    height: usize,
    letters: &[u8],
    policy: TerrainPolicy,
    place: impl Fn(Cell) -> (usize, usize),
) -> Result<Grid, FormatError> {
    Grid::new(width, height, letters, policy).map_err(|why| match why {
        GridError::UnknownTerrain { at, .. } => {
            let (line, column) = place(at);
            unknown(letters, at.y as usize * width + at.x as usize, line, column)
        }
        why => FormatError::MapSize { line: place(Cell::new(0, 0)).0, why },
    })
}

/// The complaint about the character that begins at `at`, which may be longer than a byte.
fn unknown(text: &[u8], at: usize, line: usize, column: usize) -> FormatError {
    let most = &text[at..text.len().min(at + 4)];
    let letter = String::from_utf8_lossy(most).chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    FormatError::UnknownTerrain { line, column, letter }
}
