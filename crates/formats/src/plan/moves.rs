//! A line of moves for each agent: `u`, `d`, `l`, `r`, `w`.
//!
//! Up is the next row of the map, as the tracker's plans have it, and down the one before. A number before a move repeats it: `3ur`.
//! Commas and spaces between moves are ignored, and so is upper case.

use super::dialect::most;
use crate::FormatError;
use crate::error::quote;
use crate::lines::{Lines, is_blank};
use throng_core::{AgentId, Cell, Tick};

/// Whether a line of moves may contain it.
pub(super) const fn is_one(byte: u8) -> bool {
    matches!(
        byte.to_ascii_lowercase(),
        b'u' | b'd' | b'l' | b'r' | b'w' | b'0'..=b'9' | b',' | b' ' | b'\t' | b'\r'
    )
}

pub(super) fn write(ways: &[Vec<Cell>]) -> Result<String, FormatError> {
    let mut out = String::new();
    for (place, way) in ways.iter().enumerate() {
        for (tick, pair) in way.windows(2).enumerate() {
            let (agent, from, to) = (AgentId(place as u32), pair[0], pair[1]);
            let no_move = FormatError::NoMove { agent, tick: tick as Tick, from, to };
            out.push(letter(from, to).ok_or(no_move)?);
        }
        out.push('\n');
    }
    Ok(out)
}

/// The move from one cell to another, if it is one of the five.
fn letter(from: Cell, to: Cell) -> Option<char> {
    match (to.x.checked_sub(from.x)?, to.y.checked_sub(from.y)?) {
        (0, 0) => Some('w'),
        (0, 1) => Some('u'),
        (0, -1) => Some('d'),
        (-1, 0) => Some('l'),
        (1, 0) => Some('r'),
        _ => None,
    }
}

/// Where and how moves lie in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lay {
    /// The line where they begin.
    pub(super) line: usize,
    /// Whether up is the row before.
    pub(super) flipped: bool,
    /// Bytes of the file.
    pub(super) size: usize,
}

pub(super) fn parse(bytes: &[u8], starts: &[Cell], lay: Lay) -> Result<Vec<Vec<Cell>>, FormatError> {
    let mut lines: Vec<_> = Lines::new(bytes).map(|(line, text)| (line + lay.line - 1, text)).collect();
    // An empty line is of an agent that stays; those after the last agent are none of its.
    while lines.len() > starts.len() && lines.last().is_some_and(|(_, text)| is_blank(text)) {
        lines.pop();
    }
    // The end of a field ends its last line, too, also one that is empty.
    if lines.len() + 1 == starts.len() && (bytes.is_empty() || bytes.ends_with(b"\n")) && lay.line > 1 {
        lines.push((lay.line + lines.len(), &[]));
    }
    if lines.len() != starts.len() {
        let line = lay.line + lines.len().min(starts.len());
        return Err(FormatError::LineCount { line, expected: starts.len(), found: lines.len() });
    }
    let mut room = most(lay.size);
    let ways = starts.iter().zip(&lines);
    ways.map(|(&start, &line)| way(start, line, lay.flipped, &mut room)).collect()
}

/// Reads the moves of one agent. All together may not have more than there is room for.
fn way(
    start: Cell,
    (line, text): (usize, &[u8]),
    flipped: bool,
    room: &mut usize,
) -> Result<Vec<Cell>, FormatError> {
    let bad = |place: usize, expected: &'static str| FormatError::BadCell {
        line,
        column: place + 1,
        expected: expected.into(),
        found: quote(&text[place.min(text.len())..text.len().min(place + 20)]),
    };
    let (mut way, mut at) = (vec![start], 0);
    while at < text.len() {
        if matches!(text[at], b',' | b' ' | b'\t' | b'\r') {
            at += 1;
            continue;
        }
        let from = at;
        at += text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = core::str::from_utf8(&text[from..at]).unwrap_or_default();
        // Nothing if no number is as large.
        let count = if digits.is_empty() { Some(1) } else { digits.parse::<usize>().ok() };
        let Some((dx, dy)) = text.get(at).and_then(|&byte| step(byte)) else {
            return Err(bad(at, "one of u, d, l, r and w, and numbers before them"));
        };
        let dy = if flipped { -dy } else { dy };
        at += 1;
        let Some(left) = count.and_then(|count| room.checked_sub(count)) else {
            return Err(bad(from, "fewer repetitions"));
        };
        let count = *room - left;
        *room = left;
        for _ in 0..count {
            let Cell { x, y } = way[way.len() - 1];
            let (Some(x), Some(y)) = (x.checked_add(dx), y.checked_add(dy)) else {
                return Err(bad(from, "a move that stays below 2³¹"));
            };
            way.push(Cell::new(x, y));
        }
    }
    Ok(way)
}

const fn step(byte: u8) -> Option<(i32, i32)> {
    Some(match byte.to_ascii_lowercase() {
        b'u' => (0, 1),
        b'd' => (0, -1),
        b'l' => (-1, 0),
        b'r' => (1, 0),
        b'w' => (0, 0),
        _ => return None,
    })
}
