//! Who rests at its goal, by cell.

use throng_search::reservations::NOBODY;

/// Searches ask about every cell that they come to, and nearly always nobody rests there: one bit per cell
/// answers that, and those bits stay in the nearest cache.
#[derive(Debug)]
pub(super) struct Parked {
    taken: Vec<u64>,
    who: Vec<u32>,
}

impl Parked {
    pub(super) fn new(cells: usize) -> Self {
        Self { taken: vec![0; cells.div_ceil(64)], who: vec![NOBODY; cells] }
    }

    /// Who rests at `cell`, or [`NOBODY`].
    #[inline]
    pub(super) fn at(&self, cell: u32) -> u32 {
        if self.taken[cell as usize >> 6] >> (cell & 63) & 1 == 0 { NOBODY } else { self.who[cell as usize] }
    }

    /// Notes that `unit` rests at `cell`.
    pub(super) fn rest(&mut self, cell: u32, unit: u32) {
        self.taken[cell as usize >> 6] |= 1 << (cell & 63);
        self.who[cell as usize] = unit;
    }

    /// Notes that `unit` no longer does, unless somebody else came after it.
    pub(super) fn leave(&mut self, cell: u32, unit: u32) {
        if self.who[cell as usize] == unit {
            self.taken[cell as usize >> 6] &= !(1 << (cell & 63));
            self.who[cell as usize] = NOBODY;
        }
    }
}
