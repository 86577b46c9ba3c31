//! Random units: who starts where and goes where.
//!
//! ```
//! use throng_core::{Regions, Grid, Rules};
//! use throng_worlds::{UnitOptions, UnitsError, units};
//!
//! let grid = Grid::from_rows(&["....", "@@@@", ".@.."]).unwrap();
//! let near = UnitOptions { within: Some(2), ..UnitOptions::default() };
//! assert_eq!(units(&grid, Rules::default(), 4, 1, &near)?.len(), 4);
//!
//! // The cell at the lower left leads nowhere, so six of the seven open cells are of use.
//! let error = units(&grid, Rules::default(), 9, 1, &UnitOptions::default());
//! assert_eq!(error, Err(UnitsError::NotEnoughRoom { asked: 9, fit: 6 }));
//! # Ok::<(), UnitsError>(())
//! ```

mod near;

use crate::dice::{Purpose, dice, shuffle};
use throng_core::{Agent, CellId, Grid, Random, Regions, Rules, Task};

/// What random units may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UnitOptions {
    /// The goal is at most this many moves from the start, around walls and by the moves that the rules
    /// allow. Default: anywhere in the same region.
    pub within: Option<u32>,
    /// Start on dots in the left half of the map and go to dots in its right half. [`Self::within`] does not count then.
    pub across: bool,
    /// Start and rest in bays: cells with one straight neighbour. The other two do not count then.
    pub bays: bool,
}

/// Why there are no units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitsError {
    /// Fewer places than units.
    #[error("no room for {asked} units: {fit} fit")]
    NotEnoughRoom {
        /// How many were asked for.
        asked: usize,
        /// How many fit. With [`UnitOptions::within`] this is how many found a goal before none was left
        /// near enough; another seed may place a few more.
        fit: usize,
    },
}

/// `count` units of body 1 at distinct random starts with distinct random goals.
///
/// A goal is in the same connected region as its start and never equals it. A start may be another
/// unit's goal. Cells that lead nowhere are left out. Without [`UnitOptions::within`] the time is linear
/// in the cells of the map; with it, each unit costs a search for the way to its goal, at worst (on a crowded
/// or winding map) one over all cells that near.
pub fn units(
    grid: &Grid,
    rules: Rules,
    count: usize,
    seed: u64,
    options: &UnitOptions,
) -> Result<Vec<Agent>, UnitsError> {
    let dice = &mut dice(seed, Purpose::Units);
    let regions = Regions::of(grid, 1);
    let mut starts: Vec<CellId> =
        grid.open_ids().filter(|&id| regions.sizes()[regions.of_cell(id)] > 1).collect();
    if options.bays {
        starts.retain(|&id| (grid.exits(id) & 0x0f).count_ones() == 1);
    }
    shuffle(&mut starts, dice);
    // Further than this is everywhere.
    let widest = regions.sizes().iter().max().copied().unwrap_or(0);
    let pairs = match options.within {
        _ if options.bays => anywhere(&regions, count, &starts, dice),
        _ if options.across => across(grid, &regions, count, &starts, dice),
        Some(within) if within < widest => near::pairs(grid, rules, count, within, &starts, dice),
        _ => anywhere(&regions, count, &starts, dice),
    };
    if pairs.len() < count {
        return Err(UnitsError::NotEnoughRoom { asked: count, fit: pairs.len() });
    }
    let agent = |(number, (start, goal)): (usize, (CellId, CellId))| {
        Agent::new(number as u32, grid.cell(start), Task::Goal(grid.cell(goal)))
    };
    Ok(pairs.into_iter().enumerate().map(agent).collect())
}

/// Deals out starts on the left and goals on the right.
fn across(
    grid: &Grid,
    regions: &Regions,
    count: usize,
    order: &[CellId],
    dice: &mut Random,
) -> Vec<(CellId, CellId)> {
    let half = grid.width() as i32 / 2;
    let dots = |right: bool| {
        let side = move |id: &CellId| (grid.cell(*id).x >= half) == right;
        order.iter().copied().filter(|&id| grid.letter(id) == b'.').filter(side).collect::<Vec<_>>()
    };
    let (starts, goals) = (dots(false), dots(true));
    anywhere_of(regions, count, &starts, &goals, dice)
}

/// Deals out the cells of each region as goals, in random order.
fn anywhere(regions: &Regions, count: usize, starts: &[CellId], dice: &mut Random) -> Vec<(CellId, CellId)> {
    anywhere_of(regions, count, starts, starts, dice)
}

/// The same with goals of their own.
fn anywhere_of(
    regions: &Regions,
    count: usize,
    starts: &[CellId],
    ends: &[CellId],
    dice: &mut Random,
) -> Vec<(CellId, CellId)> {
    let mut goals: Vec<Vec<CellId>> = vec![Vec::new(); regions.sizes().len()];
    let mut order = ends.to_vec();
    shuffle(&mut order, dice);
    for id in order {
        goals[regions.of_cell(id)].push(id);
    }
    let mut pairs: Vec<(CellId, CellId)> = Vec::with_capacity(count.min(starts.len()));
    // By region: the last unit that drew a goal there.
    let mut latest: Vec<Option<usize>> = vec![None; goals.len()];
    for &start in starts.iter().take(count) {
        let region = regions.of_cell(start);
        let Some(mut goal) = goals[region].pop() else { continue };
        if goal == start {
            // Exchange goals with an earlier unit, or draw again and put this one back. Neither can
            // give anybody its own start: starts are distinct, and so are goals.
            if let Some(other) = latest[region] {
                core::mem::swap(&mut goal, &mut pairs[other].1);
            } else if let Some(another) = goals[region].pop() {
                goals[region].push(goal);
                goal = another;
            }
        }
        latest[region] = Some(pairs.len());
        pairs.push((start, goal));
    }
    pairs
}
