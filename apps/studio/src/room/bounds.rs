//! What settings and numbers of units may be. Documents may be wrong in many ways while they are drawn, but not by numbers that mean nothing anywhere.

use super::draft::{Draft, Letters, Settings, SourceDraft};
use crate::{Refusal, limits};
use serde_json::{Map, Value};
use throng::core::{MAX_RADIUS, Scenario, Sight};
use throng::formats::scenario::{no_files, parse};

/// The longest name, and the longest line about a document, in bytes.
const WORDS: usize = 4096;

/// Whether settings may become so. What was wrong before may stay as it is.
pub(super) fn check(old: &Settings, new: &Settings) -> Result<(), Refusal> {
    let most = limits::TICKS as i64;
    if let Some(ticks) = new.ticks.filter(|ticks| !(0..=most).contains(ticks) && new.ticks != old.ticks) {
        return Err(Refusal::new(format!("ticks: {ticks}, expected 0 to {most}")));
    }
    let most = i64::MAX as u64;
    if let Some(budget) = new.budget.filter(|budget| !(1..=most).contains(budget)) {
        return Err(Refusal::new(format!("a budget of {budget} expansions, expected 1 to {most}")));
    }
    limits::at_most("bytes in a name", new.name.len(), WORDS)?;
    limits::at_most("bytes about a document", new.about.len(), WORDS)?;
    // All others are as those say who read scenario files.
    match (alone(new), alone(old)) {
        (Some(why), before) if before.as_ref() != Some(&why) => Err(Refusal::new(why.message)),
        _ => Ok(()),
    }
}

/// Numbers of units, with what they may be in a scenario file.
const NUMBERS: [(&str, i64, i64); 7] = [
    ("body", 1, Scenario::MAX_BODY as i64),
    ("period", 1, Scenario::MAX_PERIOD as i64),
    ("run", 1, Scenario::MAX_PERIOD as i64 - 1),
    ("turning", 1, MAX_RADIUS as i64),
    ("team", 0, u16::MAX as i64),
    ("priority", i32::MIN as i64, i32::MAX as i64),
    ("rounds", 1, u32::MAX as i64),
];

/// Whether keys of a unit may be set so.
pub(super) fn check_unit(keys: &Map<String, Value>) -> Result<(), Refusal> {
    for (key, low, high) in NUMBERS {
        let value = keys.get(key).filter(|value| !value.is_null());
        if let Some(value) = value.filter(|value| !value.as_i64().is_some_and(|n| (low..=high).contains(&n)))
        {
            return Err(Refusal::new(format!(
                "{key}: {value}, expected a whole number from {low} to {high}"
            )));
        }
    }
    Ok(())
}

/// Whether a source may be so strong and reach so far.
pub(super) fn check_source(source: &SourceDraft) -> Result<(), Refusal> {
    let SourceDraft { strength, radius, .. } = source;
    if !(-1000.0..=1000.0).contains(strength) {
        return Err(Refusal::new(format!("a strength of {strength} steps, expected -1000 to 1000")));
    }
    let most = i64::from(Sight::MAX_RADIUS);
    if !(1..=most).contains(radius) {
        return Err(Refusal::new(format!("a radius of {radius} cells, expected 1 to {most}")));
    }
    Ok(())
}

/// What is wrong with settings in a world where nothing else can be.
fn alone(settings: &Settings) -> Option<Refusal> {
    let letters = Letters { width: 1, height: 1, cells: vec![b'.'] };
    let draft = Draft { settings: Settings { ticks: None, ..settings.clone() }, ..Draft::new(letters) };
    parse(&draft.text(), &mut no_files).err().map(Refusal::from)
}
