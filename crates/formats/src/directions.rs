//! Learned direction maps: a vector per cell, sealed.
//!
//! ```text
//! throng-directions 1
//! width 3
//! height 2
//! seal 28d02e1a33b10e6c
//! .4000000040000000
//! ..c0000000
//! ```
//!
//! One line per row; a cell is `.` where nothing is known, otherwise x and y as four hexadecimal digits each (two's
//! complement, 4000 is 1, y grows downwards). The seal is a checksum of size and rows, so that a file that was damaged is
//! told from one that was learned.
//!
//! ```
//! use throng_core::{DirectionVector, Directions};
//! use throng_formats::directions;
//!
//! let east = DirectionVector { x: DirectionVector::ONE, y: 0 };
//! let map = Directions::new(2, 1, vec![DirectionVector::ZERO, east])?;
//! let text = directions::write(&map);
//! assert!(text.ends_with("\n.40000000\n"));
//! assert_eq!(directions::parse(text.as_bytes())?, map);
//!
//! let error = directions::parse(text.replace("4000", "3fff").as_bytes()).unwrap_err();
//! assert_eq!(error.to_string(), "line 4: the rows are not as they were written: the file is damaged");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::FormatError;
use crate::lines::{Lines, int, is_blank, words};
use std::fmt::Write as _;
use throng_core::{DirectionVector, Directions, Grid, StateHash};

/// How every such file begins.
pub const HEADER: &str = "throng-directions 1";

/// Digits of a cell.
const DIGITS: usize = 8;

/// The text of a learned map. Reading it gives the same map.
#[must_use]
pub fn write(directions: &Directions) -> String {
    let (width, height) = (directions.width(), directions.height());
    let seal = seal(directions);
    let mut out = format!("{HEADER}\nwidth {width}\nheight {height}\nseal {seal:016x}\n");
    for row in directions.vectors().chunks(width) {
        for vector in row {
            if vector.is_zero() {
                out.push('.');
            } else {
                let _ = write!(out, "{:04x}{:04x}", vector.x, vector.y);
            }
        }
        out.push('\n');
    }
    out
}

/// Reads a learned map.
pub fn parse(bytes: &[u8]) -> Result<Directions, FormatError> {
    let mut lines = Lines::new(bytes);
    let (line, first) = next(&mut lines, "`throng-directions 1`")?;
    if first.trim_ascii() != HEADER.as_bytes() {
        return Err(FormatError::expected(line, "`throng-directions 1`", first));
    }
    let number = |word: &[u8]| int(word).and_then(|n| usize::try_from(n).ok());
    let (_, width) = value(&mut lines, "width", "`width` and a number", number)?;
    let (line, height) = value(&mut lines, "height", "`height` and a number", number)?;
    Grid::check_size(width, height).map_err(|why| FormatError::MapSize { line, why })?;
    let hex = |word: &[u8]| {
        let text = std::str::from_utf8(word).ok().filter(|text| text.len() == 16)?;
        u64::from_str_radix(text, 16).ok()
    };
    let (sealed, expected) = value(&mut lines, "seal", "`seal` and 16 hexadecimal digits", hex)?;
    let begin = lines.next_number();
    // A row has a byte for each cell at least.
    let mut vectors = Vec::with_capacity((width * height).min(lines.remaining()));
    for found in 0..height {
        match lines.next() {
            Some((line, row)) if !is_blank(row) => push_row(&mut vectors, row.trim_ascii(), width, line)?,
            _ => return Err(FormatError::MissingRows { line: begin + found, expected: height, found }),
        }
    }
    if let Some((line, _)) = lines.find(|(_, row)| !is_blank(row)) {
        return Err(FormatError::ExtraRows { line, expected: height });
    }
    let damaged = FormatError::Damaged { line: sealed };
    let directions = Directions::new(width, height, vectors).map_err(|_| damaged.clone())?;
    if seal(&directions) == expected { Ok(directions) } else { Err(damaged) }
}

/// The next line that is there.
fn next<'a>(lines: &mut Lines<'a>, expected: &'static str) -> Result<(usize, &'a [u8]), FormatError> {
    let line = lines.next_number();
    lines.next().ok_or(FormatError::EndOfFile { line, expected: expected.into() })
}

/// The line `key value`.
fn value<T>(
    lines: &mut Lines<'_>,
    key: &str,
    expected: &'static str,
    read: impl Fn(&[u8]) -> Option<T>,
) -> Result<(usize, T), FormatError> {
    let (line, text) = next(lines, expected)?;
    let found: Vec<_> = words(text).take(3).collect();
    let value = match found[..] {
        [word, value] if word == key.as_bytes() => read(value),
        _ => None,
    };
    value.map(|value| (line, value)).ok_or_else(|| FormatError::expected(line, expected, text))
}

/// The vectors of a row.
fn push_row(
    vectors: &mut Vec<DirectionVector>,
    row: &[u8],
    width: usize,
    line: usize,
) -> Result<(), FormatError> {
    let (mut rest, first) = (row, vectors.len());
    while let [letter, after @ ..] = rest {
        if *letter == b'.' {
            vectors.push(DirectionVector::ZERO);
            rest = after;
            continue;
        }
        let digits = rest.get(..DIGITS).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(both) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(FormatError::BadCell {
                line,
                column: 1 + row.len() - rest.len(),
                expected: "`.` or eight hexadecimal digits".into(),
                found: crate::error::quote(rest),
            });
        };
        vectors.push(DirectionVector { x: (both >> 16) as i16, y: both as i16 });
        rest = &rest[DIGITS..];
    }
    match vectors.len() - first {
        found if found == width => Ok(()),
        found => Err(FormatError::RowLength { line, expected: width, found }),
    }
}

/// A number that nearly every change of the map changes.
fn seal(directions: &Directions) -> u64 {
    let mut hash = StateHash::new();
    hash.add(directions.width() as u64);
    hash.add(directions.height() as u64);
    for vector in directions.vectors() {
        hash.add(u64::from(vector.x as u16) << 16 | u64::from(vector.y as u16));
    }
    hash.finish()
}
