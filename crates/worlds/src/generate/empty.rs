//! Nothing in the way.

use super::{GenerateError, Parameter, canvas::Canvas};
use throng_core::Grid;

/// An open field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyMap {
    /// Columns: 1 to 16384, default 64.
    pub width: u32,
    /// Rows: 1 to 16384, default 64.
    pub height: u32,
}

impl EmptyMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 2] = [Parameter::width(64), Parameter::height(64)];

    /// The map. There is nothing to draw lots about, so every seed gives the same one.
    pub fn generate(&self, _seed: u64) -> Result<Grid, GenerateError> {
        let [width, height] = Self::PARAMETERS;
        Canvas::new(width.check(self.width)?, height.check(self.height)?, Canvas::OPEN)?.into_grid()
    }
}

impl Default for EmptyMap {
    fn default() -> Self {
        let [width, height] = Self::PARAMETERS;
        Self { width: width.default, height: height.default }
    }
}
