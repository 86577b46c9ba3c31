//! Coordinates, their dense index, and directions.

use crate::Action;
use core::fmt;

/// A coordinate on the map; `y` grows downwards, as in map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, 0 at the left.
    pub x: i32,
    /// Row, 0 at the top.
    pub y: i32,
}

impl Cell {
    /// The cell at column `x`, row `y`.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The neighbour in direction `dir`, which may lie off the map.
    #[must_use]
    pub const fn step(self, dir: Dir) -> Self {
        let (dx, dy) = dir.delta();
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// Where `action` leads from here.
    #[must_use]
    pub const fn after(self, action: Action) -> Self {
        let (dx, dy) = action.delta();
        Self { x: self.x + dx, y: self.y + dy }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// The dense index of a cell of one [`Grid`](crate::Grid), for arrays indexed by cell.
///
/// Indices come from a grid and mean nothing without it. They include a border of blocked cells, so a
/// neighbour's index is always a constant offset away and never wraps to the other side of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellId(pub u32);

impl CellId {
    /// This index as a `usize`.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the eight directions of a grid. The four straight ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Dir {
    N = 0,
    E = 1,
    S = 2,
    W = 3,
    NE = 4,
    SE = 5,
    SW = 6,
    NW = 7,
}

impl Dir {
    /// All directions, in the order in which ties break.
    pub const ALL: [Self; 8] = [Self::N, Self::E, Self::S, Self::W, Self::NE, Self::SE, Self::SW, Self::NW];

    /// The direction with this number (0 to 7).
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 8 { Some(Self::ALL[index as usize]) } else { None }
    }

    /// Change of (x, y) when stepping this way.
    #[must_use]
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::N => (0, -1),
            Self::E => (1, 0),
            Self::S => (0, 1),
            Self::W => (-1, 0),
            Self::NE => (1, -1),
            Self::SE => (1, 1),
            Self::SW => (-1, 1),
            Self::NW => (-1, -1),
        }
    }

    /// The direction of a step by (dx, dy), if it is one of the eight.
    #[must_use]
    pub const fn from_delta(dx: i32, dy: i32) -> Option<Self> {
        match (dx, dy) {
            (0, -1) => Some(Self::N),
            (1, 0) => Some(Self::E),
            (0, 1) => Some(Self::S),
            (-1, 0) => Some(Self::W),
            (1, -1) => Some(Self::NE),
            (1, 1) => Some(Self::SE),
            (-1, 1) => Some(Self::SW),
            (-1, -1) => Some(Self::NW),
            _ => None,
        }
    }

    /// Whether this is one of the four diagonals.
    #[must_use]
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The way back.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::N => Self::S,
            Self::E => Self::W,
            Self::S => Self::N,
            Self::W => Self::E,
            Self::NE => Self::SW,
            Self::SE => Self::NW,
            Self::SW => Self::NE,
            Self::NW => Self::SE,
        }
    }

    /// How many eighths of a full turn lie between two directions: 0 to 4.
    #[must_use]
    pub const fn eighths(self, other: Self) -> u8 {
        // Straight directions are two eighths apart, and each diagonal is one past the straight one before it.
        const fn place(dir: Dir) -> i8 {
            let index = dir as i8;
            if index < 4 { 2 * index } else { 2 * (index - 4) + 1 }
        }
        let apart = (place(self) - place(other)).unsigned_abs();
        if apart > 4 { 8 - apart } else { apart }
    }

    /// The two straight directions that a diagonal is made of (vertical, horizontal).
    #[must_use]
    pub const fn components(self) -> Option<(Self, Self)> {
        match self {
            Self::NE => Some((Self::N, Self::E)),
            Self::SE => Some((Self::S, Self::E)),
            Self::SW => Some((Self::S, Self::W)),
            Self::NW => Some((Self::N, Self::W)),
            _ => None,
        }
    }
}
