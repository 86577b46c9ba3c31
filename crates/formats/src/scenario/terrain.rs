//! The map of a scenario file: drawn in it, or in a file of its own.

use super::wire::File;
pub(super) use crate::lines::line_at;
use crate::{FormatError, map, maps};
use throng_core::{Cell, Grid, TerrainPolicy};
use toml::Spanned;

/// Loads the map that a scenario names; the error is a sentence for people.
pub(super) type Resolve<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// The terrain of the file.
pub(super) fn grid(text: &str, file: &File, resolve: Resolve<'_>) -> Result<Grid, FormatError> {
    let default = TerrainPolicy::default();
    let policy = TerrainPolicy {
        swamp: file.terrain.swamp.unwrap_or(default.swamp),
        water: file.terrain.water.unwrap_or(default.water),
        trees: file.terrain.trees.unwrap_or(default.trees),
    };
    match (&file.map, &file.map_file) {
        (Some(rows), None) => drawn(text, rows, policy),
        (None, Some(name)) => {
            let line = line_at(text, name.span().start);
            let name = name.get_ref();
            let bytes =
                resolve(name).map_err(|why| FormatError::MapFile { line, name: name.clone(), why })?;
            // What the map names is beside it.
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let mut beside = |own: &str| match folder {
                "" => resolve(own),
                folder => resolve(&format!("{folder}/{own}")),
            };
            maps::parse(&bytes, policy, &mut beside).map_err(|why| FormatError::InMapFile {
                line,
                name: name.clone(),
                why: Box::new(why),
            })
        }
        (None, None) => Err(FormatError::Expected {
            line: 1,
            expected: "one of `map` and `map_file`".into(),
            found: "none".into(),
        }),
        (Some(map), Some(name)) => Err(FormatError::Expected {
            line: line_at(text, map.span().start.max(name.span().start)),
            expected: "one of `map` and `map_file`".into(),
            found: "both".into(),
        }),
    }
}

/// A map drawn as rows of letters. White space around them does not count, nor do blank lines before and
/// after.
fn drawn(text: &str, rows: &Spanned<String>, policy: TerrainPolicy) -> Result<Grid, FormatError> {
    let begin = rows.span().start;
    let first_line = line_at(text, begin);
    // A string in triple quotes may begin on the next line; one with escapes has no lines of its own.
    let raw = text.get(rows.span()).unwrap_or_default();
    let triple = raw.starts_with("\"\"\"") || raw.starts_with("'''");
    let own_lines = triple && (raw.starts_with('\'') || !raw.contains('\\'));
    let below = raw.get(3..).is_some_and(|raw| raw.starts_with('\n') || raw.starts_with("\r\n"));
    let line_of = |row: usize| if own_lines { first_line + usize::from(below) + row } else { first_line };

    let drawn = rows.get_ref();
    let blank_before = drawn.lines().take_while(|row| row.trim_ascii().is_empty()).count();
    let content = drawn.trim_ascii_end();
    let height = content.lines().count().saturating_sub(blank_before);
    let width = content.lines().nth(blank_before).map_or(0, |row| row.trim_ascii().len());
    Grid::check_size(width, height)
        .map_err(|why| FormatError::MapSize { line: line_of(blank_before), why })?;

    let indent = |row: &str| row.len() - row.trim_ascii_start().len();
    let mut letters = Vec::with_capacity(content.len());
    for (place, row) in content.lines().enumerate().skip(blank_before) {
        let begin = (line_of(place), 1 + indent(row));
        map::push_row(&mut letters, row.trim_ascii().as_bytes(), width, begin)?;
    }
    map::build(width, height, &letters, policy, |Cell { x, y }| {
        let place = blank_before + y as usize;
        let indent = content.lines().nth(place).map_or(0, indent);
        (line_of(place), 1 + indent + x as usize)
    })
}
