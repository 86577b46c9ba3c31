//! How far a unit sees, and in which directions.

use super::line::{Spot, sees};
use super::shadow;
use throng_core::{Cell, CellId, Dir, Grid};

/// What a unit's eyes can do: a cone in the direction it faces, and a circle around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vision {
    radius: u32,
    inner: u32,
    angle: u32,
    /// Cosine of half the angle.
    cosine: f64,
}

/// Where a unit looks: a direction of any length; none looks everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Facing {
    /// To the right.
    pub dx: i32,
    /// Downwards.
    pub dy: i32,
}

impl From<Dir> for Facing {
    fn from(dir: Dir) -> Self {
        let (dx, dy) = dir.delta();
        Self { dx, dy }
    }
}

/// Why there is no such [`Vision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VisionError {
    /// The cone is longer or shorter than allowed.
    #[error("radius is {0}, expected 1 to {max} cells", max = Vision::MAX_RADIUS)]
    Radius(u32),
    /// The circle is larger than the cone is long, or so small that a unit does not see the cells beside it.
    #[error("inner radius is {inner}, expected 1 to the radius, {radius}")]
    Inner {
        /// What it was.
        inner: u32,
        /// How long the cone is.
        radius: u32,
    },
    /// The cone is wider than a circle or has no width.
    #[error("angle is {0}, expected 1 to 360 degrees")]
    Angle(u32),
}

impl Vision {
    /// The longest radius.
    pub const MAX_RADIUS: u32 = 1024;

    /// A cone of `angle` degrees and `radius` cells, and a circle of `inner` cells.
    pub fn new(radius: u32, angle: u32, inner: u32) -> Result<Self, VisionError> {
        if !(1..=Self::MAX_RADIUS).contains(&radius) {
            return Err(VisionError::Radius(radius));
        }
        if !(1..=radius).contains(&inner) {
            return Err(VisionError::Inner { inner, radius });
        }
        if !(1..=360).contains(&angle) {
            return Err(VisionError::Angle(angle));
        }
        Ok(Self { radius, inner, angle, cosine: cosine_of_half(angle) })
    }

    /// A circle.
    pub fn around(radius: u32) -> Result<Self, VisionError> {
        Self::new(radius, 360, radius)
    }

    /// How long the cone is, in cells.
    #[must_use]
    pub const fn radius(&self) -> u32 {
        self.radius
    }

    /// How wide the cone is, in degrees.
    #[must_use]
    pub const fn angle(&self) -> u32 {
        self.angle
    }

    /// The radius of the circle, in cells.
    #[must_use]
    pub const fn inner(&self) -> u32 {
        self.inner
    }

    /// Tells `seen` of every cell that is seen from the middle of `from`, walls included; some more than once.
    ///
    /// An open cell is seen if its middle is; a wall, if some part of it is and its middle lies within reach.
    pub fn from_cell(&self, grid: &Grid, from: Cell, facing: Facing, mut seen: impl FnMut(CellId)) {
        shadow::cast(grid, from, self.radius, |(dx, dy), id| {
            if self.reaches(dx, dy, 1, facing) {
                seen(id);
            }
        });
    }

    /// As [`Self::from_cell`], for eyes that no wall stops.
    pub fn through_walls(&self, grid: &Grid, from: Cell, facing: Facing, mut seen: impl FnMut(CellId)) {
        let reach = self.radius as i32;
        // Maps may be much smaller than that.
        let within = |at: i32, size: usize| (at - reach).max(0)..=(at + reach).min(size as i32 - 1);
        for y in within(from.y, grid.height()) {
            for x in within(from.x, grid.width()) {
                if self.reaches(x - from.x, y - from.y, 1, facing)
                    && let Some(id) = grid.id(Cell::new(x, y))
                {
                    seen(id);
                }
            }
        }
    }

    /// As [`Self::from_cell`], from any place. A wall is seen if the middle of one of its sides is.
    pub fn from_spot(&self, grid: &Grid, from: Spot, facing: Facing, mut seen: impl FnMut(CellId)) {
        let (middle, reach) = (from.cell(), self.radius as i32 + 1);
        for y in middle.y - reach..=middle.y + reach {
            for x in middle.x - reach..=middle.x + reach {
                let cell = Cell::new(x, y);
                let Some(id) = grid.id(cell) else { continue };
                let to = Spot::middle(cell);
                if !self.reaches(to.x - from.x, to.y - from.y, Spot::UNIT, facing) {
                    continue;
                }
                let is_seen = if grid.is_open_id(id) {
                    sees(grid, from, to)
                } else {
                    Spot::sides(cell).into_iter().any(|side| sees(grid, from, side))
                };
                if is_seen {
                    seen(id);
                }
            }
        }
    }

    /// Whether the middle of a cell that lies (`dx`, `dy`) away is near enough and on the right side, if no wall hides it.
    #[must_use]
    pub fn covers(&self, dx: i32, dy: i32, facing: Facing) -> bool {
        self.reaches(dx, dy, 1, facing)
    }

    /// Whether what lies (`dx`, `dy`) away, `unit` to a cell, is near enough and on the right side.
    fn reaches(&self, dx: i32, dy: i32, unit: i32, facing: Facing) -> bool {
        let (dx, dy, unit) = (i64::from(dx), i64::from(dy), i64::from(unit));
        let squared = dx * dx + dy * dy;
        let within = |radius: u32| squared <= (i64::from(radius) * unit).pow(2);
        if within(self.inner) {
            return true;
        }
        let (fx, fy) = (i64::from(facing.dx), i64::from(facing.dy));
        if !within(self.radius) || self.angle == 360 || (fx, fy) == (0, 0) {
            return within(self.radius);
        }
        let along = (dx * fx + dy * fy) as f64;
        // Roots and products are the same on every machine.
        along >= self.cosine * (squared as f64).sqrt() * ((fx * fx + fy * fy) as f64).sqrt()
    }
}

/// From half a degree to half a degree, with products and sums alone: the same on every machine.
fn cosine_of_half(degrees: u32) -> f64 {
    const HALF_A_DEGREE: f64 = 0.999_961_923_064_171_4;
    let (mut before, mut cosine) = (HALF_A_DEGREE, 1.0);
    for _ in 0..degrees {
        (before, cosine) = (cosine, 2.0 * HALF_A_DEGREE * cosine - before);
    }
    // What lies on the edge belongs to the cone, in spite of rounding.
    cosine - 1e-9
}
