//! A line of moves for each agent: `u`, `d`, `l`, `r`, `w`.
//!
//! Up is the next row of the map, as the tracker counts rows from below, and down the one before. Numbers repeat a move: after it (`u3r`),
//! or before it in a line that begins with a number (`3ur`). Commas and spaces between moves are ignored, and so is upper case.

use super::dialect::MOST;
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

pub(super) fn parse(bytes: &[u8], starts: &[Cell]) -> Result<Vec<Vec<Cell>>, FormatError> {
    let mut lines: Vec<_> = Lines::new(bytes).collect();
    // An empty line is of an agent that stays; those after the last agent are none of its.
    while lines.len() > starts.len() && lines.last().is_some_and(|(_, text)| is_blank(text)) {
        lines.pop();
    }
    if lines.len() != starts.len() {
        let line = lines.len().min(starts.len()) + 1;
        return Err(FormatError::LineCount { line, expected: starts.len(), found: lines.len() });
    }
    let mut room = MOST;
    starts.iter().zip(&lines).map(|(&start, &(line, text))| way(start, text, line, &mut room)).collect()
}

/// Reads the moves of one agent. All together may not have more than there is room for.
fn way(start: Cell, text: &[u8], line: usize, room: &mut usize) -> Result<Vec<Cell>, FormatError> {
    let bad = |place: usize, expected: &'static str| FormatError::BadCell {
        line,
        column: place + 1,
        expected: expected.into(),
        found: quote(&text[place.min(text.len())..text.len().min(place + 20)]),
    };
    let before = text.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    let (mut way, mut at) = (vec![start], 0);
    // A number at `at`, or one if there is none; nothing if no number is as large.
    let number = |at: &mut usize| {
        let digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let from = core::mem::replace(at, *at + digits);
        match digits {
            0 => Some(1),
            _ => core::str::from_utf8(&text[from..*at]).ok()?.parse::<usize>().ok(),
        }
    };
    while at < text.len() {
        if matches!(text[at], b',' | b' ' | b'\t') {
            at += 1;
            continue;
        }
        let from = at;
        let count = if before { number(&mut at) } else { Some(1) };
        let Some((dx, dy)) = text.get(at).and_then(|&byte| step(byte)) else {
            return Err(bad(at, "one of u, d, l, r and w"));
        };
        at += 1;
        let count = if before { count } else { number(&mut at) };
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
