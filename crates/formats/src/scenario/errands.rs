//! Errands of a scenario file: those in store, and the stream.

use super::read::cell;
use super::terrain::line_at;
use super::wire;
use super::write::list;
use crate::FormatError;
use std::fmt::Write as _;
use throng_core::{Brings, Errand, Places, Scenario, ScenarioError, StopsOf, Stream, Supply};
use toml::Spanned;

/// The word for all cells that somebody gets to.
const ANYWHERE: &str = "anywhere";

/// Errands that appear by themselves, those without a tick at once.
pub(super) fn in_store(wire: &[Spanned<wire::Errand>]) -> Vec<Errand> {
    let errand = |errand: &Spanned<wire::Errand>| {
        let wire::Errand { at, stops } = errand.get_ref();
        Errand { at: at.map_or(0, |at| at.0), stops: stops.iter().copied().map(cell).collect() }
    };
    wire.iter().map(errand).collect()
}

/// The stream, if there is one.
pub(super) fn stream(
    text: &str,
    wire: Option<&Spanned<wire::Stream>>,
) -> Result<Option<Stream>, FormatError> {
    let Some(wire) = wire else { return Ok(None) };
    let line = line_at(text, wire.span().start);
    let wire = wire.get_ref();
    let wrong = |line, expected: &'static str, found: String| FormatError::Expected {
        line,
        expected: expected.into(),
        found,
    };
    let both = |one: bool| if one { "both" } else { "none" }.to_owned();
    let supply = match (&wire.open, &wire.rate) {
        (Some(open), None) => Supply::Open(open.0),
        (None, Some(rate)) => {
            let thousandths = (rate.get_ref() * 1000.0).round();
            let range = 1.0..=f64::from(Stream::FASTEST);
            if !range.contains(&thousandths) {
                let expected = "a rate from 0.001 to 1000 errands in a tick";
                return Err(wrong(line_at(text, rate.span().start), expected, rate.get_ref().to_string()));
            }
            Supply::Rate(thousandths as u32)
        }
        (open, _) => return Err(wrong(line, "one of `open` and `rate` in a stream", both(open.is_some()))),
    };
    let brings = match (&wire.stops, &wire.list) {
        (Some(stops), None) => {
            let begin = line_at(text, stops.span().start);
            let places = |places: &wire::Places| match places {
                wire::Places::Cells(cells) => Ok(Places::Cells(cells.iter().copied().map(cell).collect())),
                wire::Places::Word(word) if word == ANYWHERE => Ok(Places::Anywhere),
                wire::Places::Word(word) => match word.as_bytes() {
                    &[letter] => Ok(Places::Letter(letter)),
                    _ => Err(wrong(begin, "\"anywhere\", a letter of the map or cells", format!("{word:?}"))),
                },
            };
            Brings::Drawn(stops.get_ref().iter().map(places).collect::<Result<_, _>>()?)
        }
        (None, Some(all)) => {
            Brings::Listed(all.iter().map(|stops| stops.iter().copied().map(cell).collect()).collect())
        }
        (stops, _) => {
            return Err(wrong(line, "one of `stops` and `list` in a stream", both(stops.is_some())));
        }
    };
    let (count, seed) = (wire.count.map(|count| count.0), wire.seed.map(i64::cast_unsigned));
    Ok(Some(Stream { supply, brings, count, seed }))
}

/// Where the tables of errands stand.
pub(super) struct Lines {
    store: Vec<usize>,
    stream: Option<usize>,
}

impl Lines {
    pub(super) fn of(text: &str, file: &wire::File) -> Self {
        Self {
            store: file.errand.iter().map(|errand| errand.span().start).collect(),
            stream: file.stream.as_ref().map(|stream| line_at(text, stream.span().start)),
        }
    }

    /// The line of the table that a fault is about, if it is one about errands.
    pub(super) fn table(&self, text: &str, why: &ScenarioError) -> Option<usize> {
        match *why {
            ScenarioError::BadStops { of: StopsOf::Errand(place), .. } => {
                self.store.get(place).map(|&begin| line_at(text, begin))
            }
            ScenarioError::BadStops { .. }
            | ScenarioError::EmptyStream
            | ScenarioError::StreamTooFast { .. } => self.stream,
            _ => None,
        }
    }
}

/// Both, as TOML.
pub(super) fn write(scenario: &Scenario, out: &mut String) {
    for Errand { at, stops } in scenario.errands() {
        // The numbers of TOML end here.
        let at = (*at).min(i64::MAX as u64);
        let _ = writeln!(out, "\n[[errand]]\nat = {at}\nstops = {}", list(stops));
    }
    let Some(Stream { supply, brings, count, seed }) = scenario.stream() else { return };
    let _ = match *supply {
        Supply::Open(open) => writeln!(out, "\n[stream]\nopen = {open}"),
        Supply::Rate(rate) => writeln!(out, "\n[stream]\nrate = {:?}", f64::from(rate) / 1000.0),
    };
    let _ = match brings {
        Brings::Listed(all) => {
            let all: Vec<_> = all.iter().map(|stops| list(stops)).collect();
            writeln!(out, "list = [{}]", all.join(", "))
        }
        Brings::Drawn(stops) => {
            let place = |places: &Places| match places {
                Places::Anywhere => format!("{ANYWHERE:?}"),
                Places::Letter(letter) => format!("{:?}", char::from(*letter).to_string()),
                Places::Cells(cells) => list(cells),
            };
            writeln!(out, "stops = [{}]", stops.iter().map(place).collect::<Vec<_>>().join(", "))
        }
    };
    if let Some(count) = count {
        let _ = writeln!(out, "count = {}", (*count).min(i64::MAX as u64));
    }
    if let Some(seed) = seed {
        let _ = writeln!(out, "seed = {}", seed.cast_signed());
    }
}
