//! How much of the world units know: what they have seen.

use crate::CellId;

/// What units see of the world around them. Whoever has not seen a cell takes it for open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sight {
    /// How far, in cells.
    pub radius: u32,
    /// Whether walls hide what is behind them.
    pub line_of_sight: bool,
    /// Whether units of a team know what any of them has seen; otherwise everybody knows what it has seen itself, and
    /// plans alone.
    pub shared: bool,
    /// Whether the map is known as it was at first, so that only changes have to be seen.
    pub map_known: bool,
}

impl Sight {
    /// The farthest that units may see.
    pub const MAX_RADIUS: u32 = 1024;

    /// What is seen by one who sees so far, unless walls are in the way: nothing is known at first, and teams share
    /// what they see.
    #[must_use]
    pub const fn new(radius: u32) -> Self {
        Self { radius, line_of_sight: true, shared: true, map_known: false }
    }
}

/// The cells that somebody has seen.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seen {
    bits: Vec<u64>,
    count: usize,
}

impl Seen {
    /// None of so many cells.
    #[must_use]
    pub fn none(cells: usize) -> Self {
        Self { bits: vec![0; cells.div_ceil(64)], count: 0 }
    }

    /// Whether a cell is one of them.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.bits.get(cell.index() / 64).is_some_and(|bits| bits >> (cell.index() % 64) & 1 != 0)
    }

    /// Adds a cell; answers whether it is new.
    pub fn insert(&mut self, cell: CellId) -> bool {
        let Some(bits) = self.bits.get_mut(cell.index() / 64) else { return false };
        let bit = 1 << (cell.index() % 64);
        let new = *bits & bit == 0;
        *bits |= bit;
        self.count += usize::from(new);
        new
    }

    /// Whether this can be of a world with so many cells.
    #[must_use]
    pub fn fits(&self, cells: usize) -> bool {
        let count: usize = self.bits.iter().map(|bits| bits.count_ones() as usize).sum();
        let beyond = |bits: &u64| !cells.is_multiple_of(64) && bits >> (cells % 64) != 0;
        self.bits.len() == cells.div_ceil(64) && count == self.count && !self.bits.last().is_some_and(beyond)
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_once() {
        let mut seen = Seen::none(70);
        assert!(seen.is_empty());
        assert!(seen.insert(CellId(69)) && !seen.insert(CellId(69)) && seen.insert(CellId(0)));
        assert!(seen.contains(CellId(69)) && !seen.contains(CellId(68)));
        assert!(!seen.insert(CellId(1000)) && !seen.contains(CellId(1000)));
        assert_eq!(seen.len(), 2);
    }
}
