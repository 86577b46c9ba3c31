//! How coherently units move.

use super::DirectionMap;
use throng_core::{DirectionVector, Grid};

/// The coherence of a map: sums, so that maps and times can be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Coherence {
    /// Cells whose vector is not zero.
    pub cells: u64,
    /// The sum of their lengths, in parts of [`DirectionVector::ONE`].
    pub sum: u64,
}

impl Coherence {
    /// From 0 to 1; 0 where nobody has moved.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.cells == 0 {
            return 0.0;
        }
        self.sum as f64 / (self.cells as f64 * f64::from(DirectionVector::ONE))
    }
}

impl DirectionMap {
    /// The average, over all cells with a vector, of the length of the mean of that vector and the one of the neighbour
    /// that it points to. That is the neighbour nearest in direction, of two the first; off the map and in walls there is
    /// no vector.
    #[must_use]
    pub fn coherence(&self, grid: &Grid) -> Coherence {
        let mut coherence = Coherence::default();
        for id in grid.open_ids() {
            let vector = self.at(id.0);
            let Some(dir) = vector.dir() else { continue };
            let next = grid.id(grid.cell(id).step(dir)).filter(|&next| grid.is_open_id(next));
            let next = next.map_or(DirectionVector::ZERO, |next| self.at(next.0));
            // Halved after the root: the sum of two vectors is at most 2 long.
            let x = i64::from(vector.x) + i64::from(next.x);
            let y = i64::from(vector.y) + i64::from(next.y);
            coherence.sum += ((x * x + y * y) as u64).isqrt() / 2;
            coherence.cells += 1;
        }
        coherence
    }
}
