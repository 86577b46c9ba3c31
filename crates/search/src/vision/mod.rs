//! Who sees what: a cone ahead, a circle around, and walls in between.
//!
//! One rule for all: two points see each other unless the line between them passes through a wall, or touches walls on
//! both of its sides. It is symmetric, and exact in integers. [`Vision::from_cell`] applies it to the middles of cells by
//! casting shadows ([`shadow`]), [`Vision::from_spot`] from any place within a cell, line by line ([`line`]).

mod cone;
mod line;
mod shadow;
#[cfg(test)]
mod tests;

pub use cone::{Facing, Vision, VisionError};
pub use line::{Spot, sees};
