//! Direction maps (Jansen and Sturtevant): a shared memory of how units have moved through each cell, by which those
//! who plan after them keep to lanes.
//!
//! Every cell has a *direction vector* (DV) of length 0 to 1. A move from one cell to the next, whose *movement vector* (MV) has
//! length 1, teaches the cell that is left and the one that is entered: DV ← (1 − α)·DV + α·MV, and with a smaller rate the cells
//! around the one that is entered, which makes lanes wider. Only moves that were really made teach. All of it is in whole
//! numbers, so that it is the same everywhere.
//!
//! The article's worked example (its figure 3, α = 0.5) has a slip: from (0, 1) the centre learns (0.5, 0.5), which
//! the text then normalises since it "has a magnitude greater than 1"; its length is 0.71. By the formula a DV between
//! vectors no longer than 1 never gets longer, so that clipping has only roundings to undo. The tests have the example
//! both ways: (0.5, 0.5) and then (0.75, 0.25) as the formula says, and from (0.707, 0.707) to (0.854, 0.354) as printed.
//!
//! [`LaneGraph`] is what a map costs to go through by it: any search on [`crate::Graph`]s takes it.

mod coherence;
mod lanes;
#[cfg(test)]
mod tests;

pub use coherence::Coherence;
pub use lanes::{AgainstLanes, LaneGraph};

use lanes::course;
use throng_core::{Action, CellId, Dir, DirectionVector, Directions, Grid};

/// A learning rate: how much of a vector one move replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rate(u16);

impl Rate {
    /// The rate 1, in parts of which rates are.
    const ONE: u16 = 1 << 15;

    /// Nothing is learned.
    pub const ZERO: Self = Self(0);

    /// A rate from 0 to 1 in ten thousandths; `None` outside.
    #[must_use]
    pub const fn new(ten_thousandths: u32) -> Option<Self> {
        if ten_thousandths > 10_000 {
            return None;
        }
        Some(Self(((ten_thousandths * Self::ONE as u32 + 5_000) / 10_000) as u16))
    }

    /// A quarter of it: what neighbours learn unless told otherwise.
    #[must_use]
    pub const fn quarter(self) -> Self {
        Self(self.0 / 4)
    }
}

/// What moves teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rates {
    /// The two cells of a move.
    pub own: Rate,
    /// The cells around the one that is entered.
    pub near: Rate,
}

/// A vector that a move along `step` has taught, at `rate`.
#[inline]
fn taught(vector: DirectionVector, step: DirectionVector, rate: Rate) -> DirectionVector {
    // Towards zero, so that east and west, north and south are learned alike.
    let learn = |now: i16, aim: i16| {
        let change = (i32::from(aim) - i32::from(now)) * i32::from(rate.0) / i32::from(Rate::ONE);
        (i32::from(now) + change) as i16
    };
    let vector = DirectionVector { x: learn(vector.x, step.x), y: learn(vector.y, step.y) };
    if vector.is_too_long() { clipped(vector) } else { vector }
}

/// A vector made as long as 1.
#[cold]
fn clipped(vector: DirectionVector) -> DirectionVector {
    let length = vector.square().isqrt() as i32 + 1;
    let scale = |side: i16| (i32::from(side) * i32::from(DirectionVector::ONE) / length) as i16;
    DirectionVector { x: scale(vector.x), y: scale(vector.y) }
}

/// A direction vector for every cell of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectionMap {
    /// By cell, border included.
    vectors: Vec<DirectionVector>,
    offsets: [i32; 8],
}

impl DirectionMap {
    /// A map of which nothing is known.
    #[must_use]
    pub fn blank(grid: &Grid) -> Self {
        Self { vectors: vec![DirectionVector::ZERO; grid.len()], offsets: grid.offsets() }
    }

    /// A map that was learned before; `None` if that was on a grid of another size.
    #[must_use]
    pub fn of(grid: &Grid, learned: &Directions) -> Option<Self> {
        learned.check(grid).ok()?;
        let mut map = Self::blank(grid);
        for id in grid.open_ids() {
            map.vectors[id.index()] = learned.at(grid.cell(id));
        }
        Some(map)
    }

    /// What was learned, to be kept or looked at. Walls have no directions.
    #[must_use]
    pub fn learned(&self, grid: &Grid) -> Directions {
        let mut vectors = vec![DirectionVector::ZERO; grid.width() * grid.height()];
        for id in grid.open_ids() {
            let at = grid.cell(id);
            vectors[at.y as usize * grid.width() + at.x as usize] = self.at(id.0);
        }
        Directions::new(grid.width(), grid.height(), vectors)
            .expect("the grid has this size, and no vector is ever too long")
    }

    /// All vectors by cell, border included: for snapshots.
    #[must_use]
    pub fn vectors(&self) -> &[DirectionVector] {
        &self.vectors
    }

    /// Takes up vectors that [`Self::vectors`] gave; answers whether they fit this map and none is too long.
    pub fn take_up(&mut self, vectors: Vec<DirectionVector>) -> bool {
        let fits = vectors.len() == self.vectors.len() && !vectors.iter().any(|v| v.is_too_long());
        if fits {
            self.vectors = vectors;
        }
        fits
    }

    /// The vector of a cell.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: u32) -> DirectionVector {
        self.vectors[cell as usize]
    }

    /// From the smallest corner of an n×n body to the cell in its middle, by which it teaches and is charged.
    #[must_use]
    #[inline]
    pub fn middle(&self, body: u8) -> u32 {
        u32::from(body / 2) * self.offsets[Dir::SE as usize] as u32
    }

    /// A unit has stepped from `from` to its neighbour in direction `dir`.
    #[inline]
    pub fn learn(&mut self, grid: &Grid, from: CellId, dir: Dir, rates: Rates) {
        let to = from.0.wrapping_add(self.offsets[dir as usize] as u32);
        self.learn_between(grid, from, CellId(to), dir, rates);
    }

    /// A unit whose body is n×n has made a move that ends with its smallest corner at `end`: a step of one of several
    /// kinds, or a curve, which counts as a diagonal. Waits teach nothing.
    pub fn learn_move(&mut self, grid: &Grid, end: CellId, action: Action, body: u8, rates: Rates) {
        let (Some(dir), (x, y)) = (course(action), action.delta()) else { return };
        let end = end.0 + self.middle(body);
        let from = end.wrapping_add_signed(-(x + y * self.offsets[Dir::S as usize]));
        self.learn_between(grid, CellId(from), CellId(end), dir, rates);
    }

    #[inline]
    fn learn_between(&mut self, grid: &Grid, from: CellId, to: CellId, dir: Dir, rates: Rates) {
        let (step, to) = (DirectionVector::of(dir), to.0);
        if rates.own != Rate::ZERO {
            for cell in [from.0, to] {
                if let Some(vector) = self.vectors.get_mut(cell as usize) {
                    *vector = taught(*vector, step, rates.own);
                }
            }
        }
        if rates.near == Rate::ZERO {
            return;
        }
        for offset in self.offsets {
            let near = to.wrapping_add(offset as u32);
            // Before the first cell there is nothing, not even a border.
            let Some(vector) = self.vectors.get_mut(near as usize) else { continue };
            if near != from.0 && grid.clearance(CellId(near)) > 0 {
                *vector = taught(*vector, step, rates.near);
            }
        }
    }

    /// What a step costs more than the time it takes, if going against two vectors of length 1 costs `most` more:
    /// most/4 · (2 − DV·MV − DV'·MV) with the vectors of both ends. It is never more than that and never negative.
    #[must_use]
    #[inline]
    pub fn penalty(&self, from: u32, to: u32, dir: Dir, most: u32) -> u32 {
        // Two vectors of length 1 along the step.
        const BOTH: i32 = 2 * (DirectionVector::ONE as i32) * (DirectionVector::ONE as i32);
        let (a, b, step) = (self.at(from), self.at(to), DirectionVector::of(dir));
        let along = (i32::from(a.x) + i32::from(b.x)) * i32::from(step.x)
            + (i32::from(a.y) + i32::from(b.y)) * i32::from(step.y);
        ((u64::from(most) * (BOTH - along) as u64) / (2 * BOTH as u64)) as u32
    }
}
