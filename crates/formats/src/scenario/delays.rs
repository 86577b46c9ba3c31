//! Delays of a scenario file: those by lot, and those in store.

use super::terrain::line_at;
use super::wire;
use crate::FormatError;
use std::fmt::Write as _;
use throng_core::{AgentId, Delay, Delays, Scenario};

/// How units slip.
pub(super) fn read(text: &str, file: &wire::File) -> Result<Delays, FormatError> {
    let listed = file.delay.iter().map(|delay| {
        let wire::Delay { unit, at, ticks } = delay.get_ref();
        Delay { tick: at.0, agent: AgentId(unit.0), ticks: ticks.0 }
    });
    let listed = listed.collect();
    let Some(table) = &file.delays else { return Ok(Delays { listed, ..Delays::default() }) };
    let wire::Delays { rate, length, seed } = table.get_ref();
    let most = f64::from(Delays::ALWAYS);
    let millionths = (rate.get_ref() * most).round();
    if !(1.0..=most).contains(&millionths) {
        return Err(FormatError::Expected {
            line: line_at(text, rate.span().start),
            expected: "a rate from 0.000001 to 1: how often a unit slips in a tick".into(),
            found: rate.get_ref().to_string(),
        });
    }
    let (shortest, longest) = match length {
        None => (1, 1),
        Some(wire::Length::Always(ticks)) => (ticks.0, ticks.0),
        Some(wire::Length::Between([shortest, longest])) => (shortest.0, longest.0),
    };
    let seed = seed.map(i64::cast_unsigned);
    Ok(Delays { rate: millionths as u32, shortest, longest, seed, listed })
}

/// Both, as TOML.
pub(super) fn write(scenario: &Scenario, out: &mut String) {
    let Delays { rate, shortest, longest, seed, listed } = scenario.delays();
    if *rate > 0 {
        let rate = f64::from(*rate) / f64::from(Delays::ALWAYS);
        let _ = writeln!(out, "\n[delays]\nrate = {rate:?}\nlength = [{shortest}, {longest}]");
        if let Some(seed) = seed {
            let _ = writeln!(out, "seed = {}", seed.cast_signed());
        }
    }
    for Delay { tick, agent, ticks } in listed {
        // The numbers of TOML end here.
        let tick = (*tick).min(i64::MAX as u64);
        let _ = writeln!(out, "\n[[delay]]\nunit = {agent}\nat = {tick}\nfor = {ticks}");
    }
}
