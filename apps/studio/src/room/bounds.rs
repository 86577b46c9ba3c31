//! What settings may be. Documents may be wrong in many ways while they are drawn, but not by numbers that mean nothing anywhere.

use super::draft::{Draft, Letters, Settings};
use crate::{Refusal, limits};
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

/// What is wrong with settings in a world where nothing else can be.
fn alone(settings: &Settings) -> Option<Refusal> {
    let letters = Letters { width: 1, height: 1, cells: vec![b'.'] };
    let draft = Draft { settings: Settings { ticks: None, ..settings.clone() }, ..Draft::new(letters) };
    parse(&draft.text(), &mut no_files).err().map(Refusal::from)
}
