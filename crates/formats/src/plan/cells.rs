//! Lists of cells: `(x,y),(x,y),`.

use crate::FormatError;
use crate::error::quote;
use crate::lines::int;
use std::fmt::Write as _;
use throng_core::Cell;

/// Writes a list and ends the line.
pub(super) fn write(cells: &[Cell], out: &mut String) {
    for cell in cells {
        let _ = write!(out, "{cell},");
    }
    out.push('\n');
}

/// Reads a list that begins at `column` of its line. Spaces are ignored, the last comma is optional.
pub(super) fn parse(text: &[u8], line: usize, column: usize) -> Result<Vec<Cell>, FormatError> {
    let mut rest = text.trim_ascii_start();
    let mut cells = Vec::new();
    // `rest` is always the end of `text`.
    let place = |rest: &[u8]| column + text.len() - rest.len();
    let bad = |rest: &[u8], expected: &'static str| FormatError::BadCell {
        line,
        column: place(rest),
        expected: expected.into(),
        found: quote(&rest[..rest.len().min(20)]),
    };
    while !rest.is_empty() {
        let Some(inner) = rest.strip_prefix(b"(") else {
            return Err(bad(rest, "a cell `(x,y)`"));
        };
        let end = inner.iter().position(|&b| b == b')').ok_or_else(|| bad(rest, "a cell `(x,y)`"))?;
        let mut parts = inner[..end].split(|&b| b == b',').map(|part| int(part.trim_ascii()));
        let mut side = || parts.next().flatten().and_then(|n| i32::try_from(n).ok());
        let (Some(x), Some(y), None) = (side(), side(), parts.next()) else {
            return Err(bad(rest, "a cell `(x,y)` of two whole numbers below 2³¹"));
        };
        cells.push(Cell::new(x, y));
        rest = inner[end + 1..].trim_ascii_start();
        rest = match rest.strip_prefix(b",") {
            Some(more) => more.trim_ascii_start(),
            None if rest.is_empty() => rest,
            None => return Err(bad(rest, "a comma between cells")),
        };
    }
    Ok(cells)
}
