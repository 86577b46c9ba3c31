//! How crowded it is around a unit, and how far ahead it plans there.

use super::seat::Seat;
use super::{Replan, Settings, Window};
use throng_core::{Cell, CellId, Grid};

/// Side of a block of cells.
const BLOCK: usize = 8;

/// Depths in steps for [`Window::Auto`], and up to which share of the room around a unit, in percent, bodies
/// (its own included) may take for it to plan so far ahead.
const DEPTHS: [(u32, u32); 3] = [(8, 3), (12, 6), (16, u32::MAX)];

/// No window is shortened to less than this many steps.
pub(super) const SHALLOWEST: u32 = 3;

impl Window {
    /// The deepest that a unit may plan, in steps.
    pub(super) const fn longest(self) -> u32 {
        match self {
            Self::Fixed(steps) => steps,
            Self::Auto => DEPTHS[DEPTHS.len() - 1].0,
        }
    }
}

/// Counts bodies by blocks of the map, for units that plan as far ahead as the crowd around them asks for.
#[derive(Debug, Default)]
pub(super) struct Crowding {
    across: usize,
    /// By block: its open cells, and how many of them units cover.
    open: Vec<u32>,
    taken: Vec<u32>,
}

impl Crowding {
    /// Nobody anywhere. Where everybody plans equally far nothing is counted.
    pub(super) fn new(grid: &Grid, window: Window) -> Self {
        let mut crowding = Self::default();
        if window == Window::Auto {
            crowding.across = grid.width().div_ceil(BLOCK);
            let blocks = crowding.across * grid.height().div_ceil(BLOCK);
            crowding.taken = vec![0; blocks];
            crowding.survey(grid);
        }
        crowding
    }

    /// Whether anything is counted.
    pub(super) fn counts(&self) -> bool {
        self.across > 0
    }

    /// Counts the open cells of a map that has changed.
    pub(super) fn survey(&mut self, grid: &Grid) {
        self.open = vec![0; self.taken.len()];
        if self.counts() {
            for id in grid.open_ids() {
                let block = self.block(grid.cell(id));
                self.open[block] += 1;
            }
        }
    }

    fn block(&self, cell: Cell) -> usize {
        cell.y as usize / BLOCK * self.across + cell.x as usize / BLOCK
    }

    /// Takes note of where a unit of this body is now, or that it is gone.
    pub(super) fn note(&mut self, grid: &Grid, seat: &mut Seat, body: u8, at: Option<CellId>) {
        let (area, now) = (u32::from(body).pow(2), at.map(|at| self.block(grid.cell(at)) as u32));
        if let Some(before) = core::mem::replace(&mut seat.block, now) {
            self.taken[before as usize] -= area;
        }
        if let Some(now) = now {
            self.taken[now as usize] += area;
        }
    }

    /// How far ahead a unit in this block should plan, in steps.
    fn depth(&self, block: u32) -> u32 {
        let (x, y) = (block as usize % self.across, block as usize / self.across);
        let (mut open, mut taken) = (0, 0);
        for row in y.saturating_sub(1)..=y + 1 {
            for column in x.saturating_sub(1)..=(x + 1).min(self.across - 1) {
                let block = row * self.across + column;
                open += self.open.get(block).copied().unwrap_or(0);
                taken += self.taken.get(block).copied().unwrap_or(0);
            }
        }
        let fits =
            |&&(_, percent): &&(u32, u32)| 100 * u64::from(taken) <= u64::from(percent) * u64::from(open);
        DEPTHS.iter().find(fits).map_or(Window::Auto.longest(), |&(steps, _)| steps)
    }

    /// Sets how far ahead a unit plans from now on: `short` steps less than it would with more time to plan.
    pub(super) fn set_window(&self, seat: &mut Seat, settings: &Settings, short: u32) {
        let wanted = match (settings.window, seat.block) {
            (Window::Fixed(steps), _) => steps,
            (Window::Auto, Some(block)) => self.depth(block),
            (Window::Auto, None) => DEPTHS[1].0,
        };
        let depth = wanted.saturating_sub(short).max(SHALLOWEST).min(wanted) * seat.step;
        let rhythm = match settings.replan {
            Replan::Half => depth / 2,
            Replan::BeforeEnd(steps) => depth.saturating_sub(steps * seat.step),
        };
        (seat.depth, seat.rhythm) = (depth, rhythm.max(1));
    }
}
