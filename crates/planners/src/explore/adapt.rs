//! How much each field counts where a unit is: by the shape of the map around it, and by who is near.
//!
//! Where it is narrow, the draw of what is unknown leads into walls and repulsion keeps units from the only way there is, as the
//! source says of its own; in the open both do what they are meant to, and the more so the more explorers are there.

use super::{Settings, is_exploring};
use throng_core::{AgentId, Cell, View};

/// How far around a unit the shape of the map counts, in cells.
const AROUND: i32 = 3;
/// A corridor of one cell leaves so many of those open; all of them are open in a hall.
const NARROW: i64 = 2 * AROUND as i64 + 1;
const WIDE: i64 = NARROW * NARROW;
/// How far away others still crowd a unit, in cells, and how many of them count.
const NEAR: u32 = 6;
const CROWD: i64 = 4;
/// A hall, in the numbers of [`room`].
const HALL: i64 = 8;

impl Settings {
    /// What they are for one unit, where it is by now.
    pub(super) fn where_it_is(&self, view: &View<'_>, id: AgentId) -> Self {
        if !self.adapt {
            return *self;
        }
        let at = view.grid().cell(view.unit(id).at);
        self.adapted(room(view, at), crowd(view, id, at))
    }

    /// What they are between a corridor (0) and a hall, with so many others near.
    fn adapted(&self, room: i64, crowd: i64) -> Self {
        let mut own = *self;
        own.weights.repulsion = self.weights.repulsion * room * (2 + crowd) / (2 * HALL);
        own.weights.potential = self.weights.potential * room / HALL;
        own.walls = self.walls * room / HALL;
        own.gain = self.gain * (HALL / 2 + room) / HALL;
        own
    }
}

/// How much room there is around a cell, from 0 in a corridor to 8 in a hall. What nobody has seen counts as open.
fn room(view: &View<'_>, at: Cell) -> i64 {
    let rows =
        (at.y - AROUND..=at.y + AROUND).flat_map(|y| (at.x - AROUND..=at.x + AROUND).map(move |x| (x, y)));
    let open = rows.filter(|&(x, y)| view.grid().is_open(Cell::new(x, y))).count() as i64;
    ((open - NARROW) * HALL / (WIDE - NARROW)).max(0)
}

/// How many others explore near a unit.
fn crowd(view: &View<'_>, id: AgentId, at: Cell) -> i64 {
    let near = |&&other: &&AgentId| {
        let cell = view.grid().cell(view.unit(other).at);
        other != id && cell.x.abs_diff(at.x).max(cell.y.abs_diff(at.y)) <= NEAR && is_exploring(view, other)
    };
    (view.mine.iter().filter(near).count() as i64).min(CROWD)
}
