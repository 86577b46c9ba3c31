//! Plans in a table with a heading, as the MAPF tracker gives them out and takes them: a row for each problem, and in it the
//! moves of all agents, a line each.
//!
//! ```text
//! map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan
//! "empty-8-8",even,1,2,7,7,"5r2d
//! "
//! ```
//!
//! Of the columns three count: the one with the moves, `solution_plan` or `path`; how many agents the row is of, `agents` or
//! `agent_count`; and whether it has up and down the other way round, `flip_up_down`.

use super::moves::{self, Lay};
use crate::FormatError;
use crate::lines::int;
use throng_core::Cell;

const PLAN: [&[u8]; 2] = [b"solution_plan", b"path"];
const AGENTS: [&[u8]; 2] = [b"agents", b"agent_count"];
const FLIP: [&[u8]; 1] = [b"flip_up_down"];

/// Whether a file that begins with this line is such a table.
pub(super) fn is_heading(first: &[u8]) -> bool {
    let names = || first.split(|&byte| byte == b',').map(name);
    names().any(|name| PLAN.contains(&name)) && names().count() > 1
}

/// Reads the ways of the row that is of so many agents as there are starts.
pub(super) fn parse(bytes: &[u8], starts: &[Cell]) -> Result<Vec<Vec<Cell>>, FormatError> {
    let mut rows = Rows { rest: bytes, line: 1 };
    let heading = rows.next().transpose()?.unwrap_or_default();
    let column = |names: &[&[u8]]| heading.iter().position(|field| names.contains(&name(&field.text)));
    let (plan, agents, flip) = (column(&PLAN), column(&AGENTS), column(&FLIP));
    let mut found = None;
    for row in rows {
        let row = row?;
        let field = |column: Option<usize>| column.and_then(|column| row.get(column));
        // Where nothing says of how many agents it is, the moves do.
        let count = field(agents).and_then(|field| int(field.text.trim_ascii()));
        if count.is_some_and(|count| count != starts.len() as i64) {
            continue;
        }
        let line = row.first().map_or(1, |field| field.line);
        let Some(moves) = field(plan) else {
            return Err(FormatError::EndOfFile { line, expected: "a field with the moves".into() });
        };
        if found.is_some() {
            let expected = format!("one row of {} agents", starts.len());
            return Err(FormatError::Expected { line, expected: expected.into(), found: "another".into() });
        }
        let flipped = field(flip).is_some_and(|field| field.text.trim_ascii().eq_ignore_ascii_case(b"true"));
        found =
            Some(moves::parse(&moves.text, starts, Lay { line: moves.line, flipped, size: bytes.len() })?);
    }
    found.ok_or_else(|| FormatError::EndOfFile {
        line: bytes.split(|&byte| byte == b'\n').count(),
        expected: format!("a row of {} agents", starts.len()).into(),
    })
}

/// A name in the heading, without the marks around it.
fn name(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    let inner = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\""));
    inner.unwrap_or(field).trim_ascii()
}

/// A field, and the line where it begins.
#[derive(Debug)]
struct Field {
    text: Vec<u8>,
    line: usize,
}

/// Rows of fields between commas. A field between quotation marks may hold commas, line ends, and quotation marks written twice.
struct Rows<'a> {
    rest: &'a [u8],
    line: usize,
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Field>, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(rest) = self.rest.strip_prefix(b"\n").or_else(|| self.rest.strip_prefix(b"\r\n")) {
            (self.rest, self.line) = (rest, self.line + 1);
        }
        if self.rest.trim_ascii().is_empty() {
            return None;
        }
        let mut row = Vec::new();
        loop {
            let line = self.line;
            let Some(text) = self.field() else {
                self.rest = &[];
                let expected = "a quotation mark at the end of the field".into();
                return Some(Err(FormatError::EndOfFile { line, expected }));
            };
            row.push(Field { text, line });
            match self.rest.split_first() {
                Some((b',', rest)) => self.rest = rest,
                _ => return Some(Ok(row)),
            }
        }
    }
}

impl Rows<'_> {
    /// The next field, up to a comma or the end of the row; nothing if it never ends.
    fn field(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let blank = self.rest.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        if let Some(mut rest) = self.rest[blank..].strip_prefix(b"\"") {
            loop {
                let end = rest.iter().position(|&byte| byte == b'"')?;
                text.extend_from_slice(&rest[..end]);
                rest = &rest[end + 1..];
                match rest.strip_prefix(b"\"") {
                    Some(more) => {
                        text.push(b'"');
                        rest = more;
                    }
                    None => break,
                }
            }
            self.line += text.iter().filter(|&&byte| byte == b'\n').count();
            self.rest = rest;
        }
        let end = self.rest.iter().position(|byte| matches!(byte, b',' | b'\n')).unwrap_or(self.rest.len());
        text.extend_from_slice(self.rest[..end].trim_ascii_end());
        self.rest = &self.rest[end..];
        Some(text)
    }
}
