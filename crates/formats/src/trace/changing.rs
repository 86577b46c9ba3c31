//! The part of a head that only worlds have that change: events that were in store, what closed and opened, and whether
//! poses follow.

use super::TraceFile;
use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{Cell, Scenario, TerrainChange, TerrainEvent, Tick};

pub(super) fn write(file: &TraceFile, out: &mut Output) {
    let cells = |cells: &[Cell], out: &mut Output| {
        out.number(cells.len() as u64);
        cells.iter().for_each(|&cell| out.cell(cell));
    };
    out.number(file.scenario.events().len() as u64);
    for TerrainEvent { at, close, open } in file.scenario.events() {
        out.number(*at);
        cells(close, out);
        cells(open, out);
    }
    out.number(file.trace.changes.len() as u64);
    let mut last = 0;
    for TerrainChange { tick, cell, open } in &file.trace.changes {
        out.number(tick.saturating_sub(last) * 2 + u64::from(*open));
        out.cell(*cell);
        last = *tick;
    }
    out.byte(u8::from(!file.trace.poses.is_empty()));
}

pub(super) fn read(
    scenario: Scenario,
    input: &mut Input<'_>,
) -> Result<(Scenario, Vec<TerrainChange>, bool), FormatError> {
    const LAST: Tick = 1 << 60;
    let mut events = Vec::new();
    // A tick and two numbers of cells take at least 3 bytes, a cell 2.
    for _ in 0..input.count(3, "the number of events")? {
        let at = input.number("when an event happens")?;
        let mut cells = |what| {
            let count = input.count(2, what)?;
            (0..count).map(|_| input.cell("a cell of an event")).collect::<Result<Vec<_>, _>>()
        };
        let (close, open) =
            (cells("the number of cells that close")?, cells("the number of cells that open")?);
        events.push(TerrainEvent { at, close, open });
    }
    let wrong = input.corrupt("events of cells on the map, by tick");
    let sorted = events.is_sorted_by_key(|event| event.at);
    let scenario = scenario.with_events(events).ok().filter(|_| sorted).ok_or(wrong)?;
    let (mut changes, mut tick) = (Vec::new(), 0);
    for _ in 0..input.count(3, "the number of changes")? {
        let wrong = input.corrupt("a change of a cell on the map, in order");
        let number = input.number("when a cell changes")?;
        let cell = input.cell("a cell that changes")?;
        tick += number / 2;
        if tick > LAST || !scenario.grid().contains(cell) {
            return Err(wrong);
        }
        changes.push(TerrainChange { tick, cell, open: number % 2 == 1 });
    }
    let posed = input.byte("whether poses follow")? != 0;
    Ok((scenario, changes, posed))
}
