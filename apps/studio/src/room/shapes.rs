//! Units, events and sources of a text that are not as scenario files have them. A reader of TOML stops at the first, so each is
//! looked at alone, and something that can be read is put in its place.

use throng::formats::FormatError;
use throng::formats::scenario::{no_files, parse};
use toml::de::{DeTable, DeValue};

/// What stands in for an entry that cannot be read. None has more lines than what it stands for, the empty one after it
/// included, so that all others stay where they are.
const STAND_INS: [(&str, &str); 3] = [
    ("event", "[[event]]\nat = 0\nclose = [[0, 0]]\n"),
    ("source", "[[source]]\nat = [0, 0]\nstrength = 0.0\nradius = 1\n"),
    ("unit", "[[unit]]\nstart = [0, 0]\nhold = true\n"),
];

/// A text in which everything can be read, and what could not be.
#[derive(Debug, Default)]
pub(super) struct Mended {
    pub(super) text: String,
    pub(super) faults: Vec<FormatError>,
    /// Units that are not there: something stands in for them.
    pub(super) units: Vec<usize>,
}

/// One entry of a list of tables.
struct Entry {
    begin: usize,
    place: usize,
    table: &'static str,
    stand_in: &'static str,
}

/// Mends a text that the studio has written: lists of tables come last.
pub(super) fn mend(text: &str) -> Mended {
    let entries = entries(text);
    let mut mended = Mended::default();
    let first = entries.first().map_or(text.len(), |entry| entry.begin);
    mended.text.push_str(&text[..first]);
    let ends = entries.iter().skip(1).map(|entry| entry.begin).chain([text.len()]);
    for (entry, end) in entries.iter().zip(ends) {
        let block = &text[entry.begin..end];
        // A map of one cell: whether anything fits on it does not matter here.
        let alone = format!("map = '.'\n{block}");
        match parse(&alone, &mut no_files) {
            Err(FormatError::Toml { line, message }) => {
                let above = text[..entry.begin].matches('\n').count();
                let line = Some(above + line.map_or(1, |line| line.max(2) - 1));
                mended.faults.push(FormatError::Toml { line, message });
                if entry.table == "unit" {
                    mended.units.push(entry.place);
                }
                mended.text.push_str(entry.stand_in);
                let missing =
                    block.matches('\n').count().saturating_sub(entry.stand_in.matches('\n').count());
                mended.text.extend(std::iter::repeat_n('\n', missing));
            }
            _ => mended.text.push_str(block),
        }
    }
    mended
}

fn entries(text: &str) -> Vec<Entry> {
    let Ok(file) = DeTable::parse(text) else { return Vec::new() };
    let mut all = Vec::new();
    for (table, stand_in) in STAND_INS {
        let Some(DeValue::Array(list)) = file.get_ref().get(table).map(toml::Spanned::get_ref) else {
            continue;
        };
        for (place, entry) in list.iter().enumerate() {
            // From the beginning of its line on, brackets and all.
            let begin = text[..entry.span().start].rfind('\n').map_or(0, |end| end + 1);
            all.push(Entry { begin, place, table, stand_in });
        }
    }
    all.sort_by_key(|entry| entry.begin);
    all
}
