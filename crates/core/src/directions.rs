//! A learned direction map as it is kept and handed on.

use crate::{Cell, Dir, Grid, GridError};

/// The direction in which units are expected to move through a cell, and by its length how surely: a vector no
/// longer than 1, in parts of [`Self::ONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DirectionVector {
    /// To the right.
    pub x: i16,
    /// Down, as rows grow.
    pub y: i16,
}

impl DirectionVector {
    /// The length 1.
    pub const ONE: i16 = 1 << 14;

    /// Nothing is known.
    pub const ZERO: Self = Self { x: 0, y: 0 };

    /// A step in each direction, as long as 1 (diagonal ones by less than a part below).
    pub const STEPS: [Self; 8] = {
        // ONE / √2, rounded down so that the length never exceeds 1.
        const HALF: i16 = 11585;
        let mut steps = [Self::ZERO; 8];
        let mut index = 0;
        while index < 8 {
            let (dir, side) = (Dir::ALL[index], if index < 4 { Self::ONE } else { HALF });
            let (dx, dy) = dir.delta();
            steps[index] = Self { x: dx as i16 * side, y: dy as i16 * side };
            index += 1;
        }
        steps
    };

    /// The movement vector of a step.
    #[must_use]
    #[inline]
    pub const fn of(dir: Dir) -> Self {
        Self::STEPS[dir as usize]
    }

    /// Whether nothing is known.
    #[must_use]
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.x == 0 && self.y == 0
    }

    /// The square of its length, in parts of the square of [`Self::ONE`].
    #[must_use]
    #[inline]
    pub const fn square(self) -> u32 {
        let (x, y) = (self.x as i32, self.y as i32);
        (x * x) as u32 + (y * y) as u32
    }

    /// Whether it is longer than 1, as none may be.
    #[must_use]
    #[inline]
    pub const fn is_too_long(self) -> bool {
        self.square() > (Self::ONE as u32).pow(2)
    }

    /// The direction nearest to its own; of two that are as near, the first.
    #[must_use]
    pub fn dir(self) -> Option<Dir> {
        let towards = |dir: Dir| {
            let step = Self::of(dir);
            i32::from(self.x) * i32::from(step.x) + i32::from(self.y) * i32::from(step.y)
        };
        let first = Dir::ALL.into_iter().rev().max_by_key(|&dir| towards(dir));
        first.filter(|_| !self.is_zero())
    }
}

/// A direction vector for every cell of a map: what units have learned there, or are to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "crate::wire::Directions")
)]
pub struct Directions {
    width: u32,
    height: u32,
    vectors: Vec<DirectionVector>,
}

/// Why there is no such map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DirectionsError {
    /// Of a size that no map has.
    #[error(transparent)]
    Size(#[from] GridError),
    /// Not one vector for every cell.
    #[error("{found} vectors for a map of {expected} cells")]
    WrongLength { expected: usize, found: usize },
    /// A vector longer than 1.
    #[error("the vector at {at} is longer than 1")]
    TooLong { at: Cell },
    /// Learned on a map of another size.
    #[error("directions for a map of {}×{}, but the map is {}×{}", found.0, found.1, map.0, map.1)]
    OtherMap { found: (usize, usize), map: (usize, usize) },
}

impl Directions {
    /// Vectors row by row.
    pub fn new(width: usize, height: usize, vectors: Vec<DirectionVector>) -> Result<Self, DirectionsError> {
        Grid::check_size(width, height)?;
        if vectors.len() != width * height {
            return Err(DirectionsError::WrongLength { expected: width * height, found: vectors.len() });
        }
        if let Some(place) = vectors.iter().position(|vector| vector.is_too_long()) {
            let at = Cell::new((place % width) as i32, (place / width) as i32);
            return Err(DirectionsError::TooLong { at });
        }
        Ok(Self { width: width as u32, height: height as u32, vectors })
    }

    /// Columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// All vectors, row by row.
    #[must_use]
    pub fn vectors(&self) -> &[DirectionVector] {
        &self.vectors
    }

    /// The vector at a cell; none off the map.
    #[must_use]
    pub fn at(&self, cell: Cell) -> DirectionVector {
        let on_map = cell.x >= 0 && cell.y >= 0 && cell.x < self.width as i32 && cell.y < self.height as i32;
        if on_map {
            self.vectors[cell.y as usize * self.width() + cell.x as usize]
        } else {
            Default::default()
        }
    }

    /// Whether they are for a map of this size.
    pub fn check(&self, grid: &Grid) -> Result<(), DirectionsError> {
        let (found, map) = ((self.width(), self.height()), (grid.width(), grid.height()));
        if found == map { Ok(()) } else { Err(DirectionsError::OtherMap { found, map }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_long_as_one() {
        for dir in Dir::ALL {
            let step = DirectionVector::of(dir);
            assert!(!step.is_too_long());
            assert!(step.square() > (DirectionVector::ONE as u32 - 1).pow(2), "{dir:?}");
            assert_eq!(step.dir(), Some(dir));
        }
        assert_eq!(DirectionVector::ZERO.dir(), None);
    }

    /// Halfway between north (0) and north-east (4) the lower number wins, as does east (1) against north-east.
    #[test]
    fn of_two_directions_as_near_it_is_the_first() {
        // tan 22.5° lies between two whole numbers, so that what is nearly halfway decides itself.
        assert_eq!(DirectionVector { x: 41, y: -100 }.dir(), Some(Dir::N));
        assert_eq!(DirectionVector { x: 42, y: -100 }.dir(), Some(Dir::NE));
        // By the rounding of diagonal steps there are exact ties: 16384·x = 11585·(x + y).
        let tie = DirectionVector { x: 11585, y: 16384 - 11585 };
        assert_eq!(tie.dir(), Some(Dir::E));
        let tie = DirectionVector { x: 16384 - 11585, y: -11585 };
        assert_eq!(tie.dir(), Some(Dir::N));
    }

    #[test]
    fn what_is_no_map_is_refused() {
        let one = DirectionVector { x: DirectionVector::ONE, y: 0 };
        let long = DirectionVector { x: DirectionVector::ONE, y: 1 };
        assert!(Directions::new(2, 1, vec![one; 2]).is_ok());
        assert_eq!(
            Directions::new(2, 2, vec![one; 3]),
            Err(DirectionsError::WrongLength { expected: 4, found: 3 })
        );
        assert_eq!(
            Directions::new(2, 1, vec![one, long]),
            Err(DirectionsError::TooLong { at: Cell::new(1, 0) })
        );
        assert!(matches!(Directions::new(0, 1, vec![]), Err(DirectionsError::Size(_))));
        let other = Directions::new(2, 1, vec![one; 2]).unwrap().check(&Grid::empty(3, 1).unwrap());
        assert_eq!(other, Err(DirectionsError::OtherMap { found: (2, 1), map: (3, 1) }));
    }
}
