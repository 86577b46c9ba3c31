//! Plans as others write them, recognised by how they begin.

use super::{PlanFile, arrows, moves, parse, table, write};
use crate::FormatError;
use crate::lines::{Lines, is_blank};
use throng_core::Cell;

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Where everybody is, tick by tick, after a head of `key=value` lines: as LaCAM and PIBT have it.
    #[default]
    Positions,
    /// A line for each agent, `Agent 0: (row,column)->(row,column)->`: as CBS, EECBS and LNS have it.
    Arrows,
    /// A line of `u`, `d`, `l`, `r` and `w` for each agent, up being the next row: as the MAPF tracker has it, also in its tables.
    Moves,
}

/// How many cells a plan from a file of so many bytes may have, agents times ticks: numbers of repetitions in a small file must not
/// fill the memory, and whoever rests for long is not written down.
pub(super) const fn most(bytes: usize) -> usize {
    (1 << 26) + bytes.saturating_mul(64)
}

/// Reads a plan in any dialect. Moves do not tell where they begin: `starts` does.
///
/// ```
/// use throng_core::Cell;
/// use throng_formats::plan::{self, Dialect};
///
/// let starts = [Cell::new(0, 0), Cell::new(2, 1)];
/// let (dialect, file) = plan::read(b"Agent 0: (0,0)->(0,1)->\nAgent 1: (1,2)->(1,1)->(1,0)->\n", &starts)?;
/// assert_eq!(dialect, Dialect::Arrows);
/// assert_eq!(file.steps[1], [Cell::new(1, 0), Cell::new(1, 1)]);
/// assert_eq!(plan::write_as(&file, Dialect::Moves)?, "r\nll\n");
/// assert_eq!(plan::read(b"r\n2l\n", &starts)?.1.steps, file.steps);
/// # Ok::<(), throng_formats::FormatError>(())
/// ```
pub fn read(bytes: &[u8], starts: &[Cell]) -> Result<(Dialect, PlanFile), FormatError> {
    let first = Lines::new(bytes).map(|(_, text)| text).find(|text| !is_blank(text)).unwrap_or_default();
    if first.trim_ascii_start().to_ascii_lowercase().starts_with(b"agent ") {
        return Ok((Dialect::Arrows, file(arrows::parse(bytes)?, most(bytes.len()))?));
    }
    // Whoever stands at its goal already has no moves to write down, so that the first line may be empty.
    if !first.contains(&b'=') && first.iter().all(|byte| moves::is_one(*byte)) {
        let lay = moves::Lay { line: 1, flipped: false, size: bytes.len() };
        return Ok((Dialect::Moves, file(moves::parse(bytes, starts, lay)?, most(bytes.len()))?));
    }
    if !first.contains(&b'=') && table::is_heading(first) {
        return Ok((Dialect::Moves, file(table::parse(bytes, starts)?, most(bytes.len()))?));
    }
    Ok((Dialect::Positions, parse(bytes)?))
}

/// The text of a plan in a dialect. What a dialect has no place for is left out: only positions have a head and goals. Diagonal steps
/// are no moves.
pub fn write_as(file: &PlanFile, dialect: Dialect) -> Result<String, FormatError> {
    match dialect {
        Dialect::Positions => Ok(write(file)),
        Dialect::Arrows => Ok(arrows::write(&ways(file))),
        Dialect::Moves => moves::write(&ways(file)),
    }
}

/// By agent: where it is, tick by tick, up to where it stays.
fn ways(file: &PlanFile) -> Vec<Vec<Cell>> {
    let way = |(place, start): (usize, &Cell)| {
        let mut way: Vec<Cell> = file.steps.iter().filter_map(|row| row.get(place).copied()).collect();
        if way.is_empty() {
            way.push(*start);
        }
        let last = way[way.len() - 1];
        let moves = way.iter().rposition(|&cell| cell != last).map_or(1, |place| place + 2);
        way.truncate(moves);
        way
    };
    file.starts.iter().enumerate().map(way).collect()
}

/// The file of ways that end at different times: whoever is there stays. Goals are where they end.
fn file(ways: Vec<Vec<Cell>>, most: usize) -> Result<PlanFile, FormatError> {
    let ticks = ways.iter().map(Vec::len).max().unwrap_or(0);
    if ticks.saturating_mul(ways.len()) > most {
        return Err(FormatError::PlanTooLong { agents: ways.len(), ticks, most });
    }
    let end = |way: &Vec<Cell>| way.last().copied().unwrap_or(Cell::new(0, 0));
    let at =
        |tick: usize| ways.iter().map(|way| way.get(tick).copied().unwrap_or_else(|| end(way))).collect();
    let steps: Vec<Vec<Cell>> = (0..ticks).map(at).collect();
    let starts = ways.iter().map(|way| way.first().copied().unwrap_or_else(|| end(way))).collect();
    Ok(PlanFile { header: Vec::new(), starts, goals: ways.iter().map(end).collect(), steps })
}
