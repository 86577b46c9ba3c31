//! A line for each agent: `Agent 0: (row,column)->(row,column)->`.

use crate::FormatError;
use crate::error::quote;
use crate::lines::{Lines, int, is_blank};
use std::fmt::Write as _;
use throng_core::Cell;

const LINE: &str = "`Agent 0: (row,column)->…`, agents in order";

pub(super) fn write(ways: &[Vec<Cell>]) -> String {
    let mut out = String::new();
    for (agent, way) in ways.iter().enumerate() {
        let _ = write!(out, "Agent {agent}: ");
        for Cell { x, y } in way {
            let _ = write!(out, "({y},{x})->");
        }
        out.push('\n');
    }
    out
}

pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Vec<Cell>>, FormatError> {
    let mut ways = Vec::new();
    for (line, text) in Lines::new(bytes).filter(|(_, text)| !is_blank(text)) {
        let colon = text.iter().position(|&byte| byte == b':');
        let head = colon.map(|colon| text[..colon].trim_ascii());
        let number = head
            .filter(|head| head.len() > 5 && head[..5].eq_ignore_ascii_case(b"agent"))
            .and_then(|head| int(head[5..].trim_ascii()));
        let (Some(colon), true) = (colon, number == Some(ways.len() as i64)) else {
            return Err(FormatError::expected(line, LINE, text));
        };
        ways.push(way(&text[colon + 1..], line, colon + 2)?);
    }
    Ok(ways)
}

/// Reads `(row,column)->(row,column)->`, which begins at `column` of its line. The last arrow is optional.
fn way(text: &[u8], line: usize, column: usize) -> Result<Vec<Cell>, FormatError> {
    let (mut rest, mut way) = (text.trim_ascii(), Vec::new());
    let begin = column + text.len() - text.trim_ascii_start().len();
    let whole = rest.len();
    let bad = |rest: &[u8], expected: &'static str| FormatError::BadCell {
        line,
        column: begin + whole - rest.len(),
        expected: expected.into(),
        found: quote(&rest[..rest.len().min(20)]),
    };
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b')').filter(|_| rest[0] == b'(');
        let Some(end) = end else { return Err(bad(rest, "a cell `(row,column)`")) };
        let mut parts = rest[1..end].split(|&byte| byte == b',').map(|part| int(part.trim_ascii()));
        let mut side = || parts.next().flatten().and_then(|number| i32::try_from(number).ok());
        let (Some(y), Some(x), None) = (side(), side(), parts.next()) else {
            return Err(bad(rest, "a cell `(row,column)` of two whole numbers below 2³¹"));
        };
        way.push(Cell::new(x, y));
        let after = rest[end + 1..].trim_ascii_start();
        rest = match after.strip_prefix(b"->") {
            Some(more) => more.trim_ascii_start(),
            None if after.is_empty() => after,
            None => return Err(bad(after, "an arrow `->` between cells")),
        };
    }
    if way.is_empty() {
        return Err(bad(rest, "at least the cell where the agent begins"));
    }
    Ok(way)
}
