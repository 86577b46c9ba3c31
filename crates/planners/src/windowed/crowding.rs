//! How crowded it is around a unit, and how far ahead it plans there.
//!
//! What counts as around it is nine blocks of cells; where coarser levels are at hand, a node of about that size and
//! those beside it, which follow the walls.

use super::cooperation::Cooperation;
use super::seat::Seat;
use super::{Guide, Replan, Settings, Window};
use throng_core::{AgentId, Cell, CellId, Grid, View};
use throng_search::reservations::Store;

/// Side of a block of cells.
pub(super) const BLOCK: usize = 8;

/// Quarters of the depth for [`Window::Auto`], and up to which share of the room around a unit, in percent, bodies
/// (its own included) may take for it to plan so far ahead.
const DEPTHS: [(u32, u32); 3] = [(2, 3), (3, 6), (4, u32::MAX)];

/// For who is nowhere yet.
const UNKNOWN: u32 = DEPTHS[1].0;

/// No window is shortened to less than this many steps.
pub(super) const SHALLOWEST: u32 = 3;

/// Everybody may look ahead this many steps at a walk, however fast it can run.
const WALK: u32 = 4;

impl Window {
    /// The deepest that a unit may plan, in steps.
    pub(super) const fn longest(self) -> u32 {
        match self {
            Self::Fixed(steps) | Self::Auto(steps) => steps,
        }
    }

    /// Whether it depends on the crowd.
    pub(super) const fn is_auto(self) -> bool {
        matches!(self, Self::Auto(_))
    }
}

/// Open cells somewhere, and how many of them units cover.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub open: u32,
    pub taken: u32,
}

impl Room {
    /// How far ahead a unit in the midst of it should plan, in quarters of what it may.
    fn quarters(self) -> u32 {
        let (open, taken) = (u64::from(self.open), u64::from(self.taken));
        let fits = |&&(_, percent): &&(u32, u32)| 100 * taken <= u64::from(percent) * open;
        DEPTHS.iter().find(fits).map_or(4, |&(quarters, _)| quarters)
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
    /// Nobody anywhere. Where everybody plans equally far, or where coarser levels count, nothing is counted.
    pub(super) fn new(grid: &Grid, settings: &Settings) -> Self {
        let mut crowding = Self::default();
        if settings.window.is_auto() && settings.guide == Guide::True {
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

    /// The room around a block.
    fn around(&self, block: u32) -> Room {
        let (x, y) = (block as usize % self.across, block as usize / self.across);
        let mut room = Room::default();
        for row in y.saturating_sub(1)..=y + 1 {
            for column in x.saturating_sub(1)..=(x + 1).min(self.across - 1) {
                let block = row * self.across + column;
                room.open += self.open.get(block).copied().unwrap_or(0);
                room.taken += self.taken.get(block).copied().unwrap_or(0);
            }
        }
        room
    }
}

impl<S: Store> Cooperation<S> {
    /// Sets how far ahead a unit plans from now on.
    pub(super) fn fit_window(&mut self, view: &View<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        let room = match &self.coarse {
            _ if !self.settings.window.is_auto() => None,
            Some(coarse) => Some(coarse.around(view.unit(id).at.0)),
            None => seat.block.map(|block| self.crowding.around(block)),
        };
        seat.set_window(&self.settings, self.short, room);
    }
}

impl Seat {
    /// Sets how far ahead a unit plans in such a room: `short` steps less than it would with more time to plan.
    pub(super) fn set_window(&mut self, settings: &Settings, short: u32, room: Option<Room>) {
        let wanted = match settings.window {
            Window::Fixed(steps) => steps,
            Window::Auto(steps) => (steps * room.map_or(UNKNOWN, Room::quarters) / 4).max(1),
        };
        let steps = wanted.saturating_sub(short).max(SHALLOWEST).min(wanted);
        // Who can run gets as far in the time of a few steps at a walk, and has many more ways to do so.
        let depth = (steps * self.quick).max(steps.min(WALK) * self.step);
        let rhythm = match settings.replan {
            Replan::Half => depth / 2,
            Replan::BeforeEnd(steps) => depth.saturating_sub(steps * self.step),
        };
        (self.depth, self.rhythm) = (depth, rhythm.max(1));
    }
}
