//! TOML files: what is wrong with one is told in the words of people who write such files, with the line of the value.

use crate::FormatError;
use crate::lines::line_at;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use toml::de::{DeTable, DeValue};

/// Reads a file into what the format has.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, FormatError> {
    toml::from_str(text).map_err(|error| FormatError::Toml {
        line: error.span().map(|span| line_at(text, span.start)),
        message: plain(error.message()),
    })
}

/// The line of the first of `keys` that entry `place` of a `[[table]]` has, or a `[table]`, of which there is only one. Nothing if
/// it has none of them. Reads the whole file again, which matters little where it is about to be refused.
#[must_use]
pub fn line_of(text: &str, table: &str, place: usize, keys: &[&str]) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let entry = match file.get_ref().get(table)?.get_ref() {
        DeValue::Array(entries) => entries.get(place)?.get_ref().as_table()?,
        DeValue::Table(entry) => entry,
        _ => return None,
    };
    let value = keys.iter().find_map(|&key| entry.get(key))?;
    Some(line_at(text, value.span().start))
}

/// What the reader of TOML says, in the words of people who write such files: without the types of the program.
#[must_use]
pub fn plain(message: &str) -> String {
    let message = message.trim_end();
    if let Some(told) = message.strip_prefix("invalid type: ").or(message.strip_prefix("invalid value: "))
        && let Some((found, expected)) = told.rsplit_once(", expected ")
    {
        return format!("expected {}, found {}", wanted(expected), given(found));
    }
    if let Some(told) = message.strip_prefix("unknown variant ")
        && let Some((found, expected)) = told.split_once(", expected ")
    {
        return format!("expected {expected}, found {found}");
    }
    for (from, to) in [("unknown field ", "unknown key "), ("missing field ", "missing key ")] {
        if let Some(rest) = message.strip_prefix(from) {
            return format!("{to}{rest}");
        }
    }
    match message {
        "wanted string or table" => "expected a word in quotes".to_owned(),
        other => other.to_owned(),
    }
}

/// What is to stand there.
fn wanted(expected: &str) -> Cow<'_, str> {
    let below = |most: u64| format!("a whole number from 0 to {most}").into();
    match expected {
        "u8" => below(u8::MAX.into()),
        "u16" => below(u16::MAX.into()),
        "u32" => below(u32::MAX.into()),
        "u64" | "usize" => "a whole number, 0 or more".into(),
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX).into(),
        "i8" | "i16" | "i64" | "isize" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a string" => "text in quotes".into(),
        "a sequence" => "a list".into(),
        "a map" => "a table".into(),
        other if other.starts_with("struct ") => "a table".into(),
        other => other.into(),
    }
}

/// What stands there instead.
fn given(found: &str) -> &str {
    let bare =
        ["integer `", "floating point `", "boolean `"].iter().find_map(|kind| found.strip_prefix(kind));
    match found {
        "sequence" => "a list",
        "map" => "a table",
        _ => {
            bare.and_then(|value| value.strip_suffix('`')).or(found.strip_prefix("string ")).unwrap_or(found)
        }
    }
}
