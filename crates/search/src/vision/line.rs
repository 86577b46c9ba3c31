//! The line of sight between two points, exactly.

use throng_core::{Cell, Grid};

/// A place on the map, finer than cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spot {
    /// To the right, [`Self::UNIT`] to a cell; cell 0 begins at 0.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Spot {
    /// How many make a cell. Even, so that the middle of a cell is a spot.
    pub const UNIT: i32 = 256;

    /// The middle of a cell.
    #[must_use]
    pub const fn middle(cell: Cell) -> Self {
        Self { x: cell.x * Self::UNIT + Self::UNIT / 2, y: cell.y * Self::UNIT + Self::UNIT / 2 }
    }

    /// The cell that it lies in; on a border, the one to the right or below.
    #[must_use]
    pub const fn cell(self) -> Cell {
        Cell::new(self.x.div_euclid(Self::UNIT), self.y.div_euclid(Self::UNIT))
    }

    /// The middles of the sides of a cell.
    pub(super) const fn sides(cell: Cell) -> [Self; 4] {
        let Self { x, y } = Self::middle(cell);
        let half = Self::UNIT / 2;
        [Self { x, y: y - half }, Self { x: x + half, y }, Self { x, y: y + half }, Self { x: x - half, y }]
    }
}

/// Whether two spots see each other: the line between them passes through no wall, and does not touch walls on both of
/// its sides. What lies off the map is wall.
#[must_use]
pub fn sees(grid: &Grid, from: Spot, to: Spot) -> bool {
    let unit = i64::from(Spot::UNIT);
    // Mirrored, so that the line leads to the right and down; `cell` undoes it.
    let flip = |a: i32, b: i32| if a <= b { 1 } else { -1 };
    let (sx, sy) = (flip(from.x, to.x), flip(from.y, to.y));
    let (x0, y0) = (i64::from(from.x * sx), i64::from(from.y * sy));
    let (dx, dy) = (i64::from(to.x * sx) - x0, i64::from(to.y * sy) - y0);
    let mirror = |index: i64, sign: i32| if sign < 0 { -1 - index } else { index } as i32;
    let wall = |x: i64, y: i64| !grid.is_open(Cell::new(mirror(x, sx), mirror(y, sy)));
    if dx == 0 && dy == 0 {
        return true;
    }
    let (mut left, mut right) = (false, false);
    if dx == 0 || dy == 0 {
        return along_an_axis(dx == 0, (x0, y0), dx + dy, &wall);
    }
    let (mut x, mut y) = (x0.div_euclid(unit), y0.div_euclid(unit));
    loop {
        // Whether the way to the next column, and to the next row, ends first: compared as fractions of the line.
        let to_column = ((x + 1) * unit - x0) * dy;
        let to_row = ((y + 1) * unit - y0) * dx;
        if wall(x, y) {
            return false;
        }
        if to_column >= dx * dy && to_row >= dx * dy {
            return !(left && right);
        }
        if to_column == to_row {
            left |= wall(x + 1, y);
            right |= wall(x, y + 1);
        }
        x += i64::from(to_column <= to_row);
        y += i64::from(to_row <= to_column);
    }
}

/// A line along an axis, on which it may run between two rows of cells and touch both.
fn along_an_axis(
    vertical: bool,
    (x0, y0): (i64, i64),
    length: i64,
    wall: &impl Fn(i64, i64) -> bool,
) -> bool {
    let unit = i64::from(Spot::UNIT);
    let (across, begin) = if vertical { (x0, y0) } else { (y0, x0) };
    let is_wall = |lane: i64, at: i64| if vertical { wall(lane, at) } else { wall(at, lane) };
    let steps = begin.div_euclid(unit)..=(begin + length - 1).div_euclid(unit);
    let lane = across.div_euclid(unit);
    if across.rem_euclid(unit) != 0 {
        return !steps.into_iter().any(|at| is_wall(lane, at));
    }
    let near = steps.clone().any(|at| is_wall(lane - 1, at));
    let far = steps.into_iter().any(|at| is_wall(lane, at));
    !(near && far)
}
