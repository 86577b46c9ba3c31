//! What a generator can be told, and what it answers when told nonsense.

use throng_core::GridError;

/// One number that a generator takes: the single place where its default and range are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called, in code, on the command line and in errors.
    pub name: &'static str,
    /// Its value unless told otherwise.
    pub default: u32,
    /// The smallest value allowed.
    pub min: u32,
    /// The largest value allowed.
    pub max: u32,
    /// One line for people.
    pub about: &'static str,
}

impl Parameter {
    /// The longest side that a generated map may have.
    pub const MAX_SIDE: u32 = 1 << 14;

    pub(crate) const fn new(
        name: &'static str,
        default: u32,
        min: u32,
        max: u32,
        about: &'static str,
    ) -> Self {
        Self { name, default, min, max, about }
    }

    pub(crate) const fn width(default: u32) -> Self {
        Self::new("width", default, 1, Self::MAX_SIDE, "columns of the map")
    }

    pub(crate) const fn height(default: u32) -> Self {
        Self::new("height", default, 1, Self::MAX_SIDE, "rows of the map")
    }

    /// `value`, if it is in range.
    pub(crate) const fn check(&self, value: u32) -> Result<usize, GenerateError> {
        self.check_from(value, self.min)
    }

    /// `value`, if it is in range and at least `min`, which another parameter asks for.
    pub(crate) const fn check_from(&self, value: u32, min: u32) -> Result<usize, GenerateError> {
        if value < min || value > self.max {
            return Err(GenerateError::OutOfRange { parameter: self.name, value, min, max: self.max });
        }
        Ok(value as usize)
    }
}

/// Why a map could not be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A parameter is out of its range. The range may depend on other parameters: a maze must be at
    /// least as wide as one corridor between two walls.
    #[error("{parameter} is {value}, expected {min} to {max}")]
    OutOfRange {
        /// Which parameter.
        parameter: &'static str,
        /// What it was.
        value: u32,
        /// The smallest value that would do.
        min: u32,
        /// The largest value that would do.
        max: u32,
    },
    /// Every parameter is in range, but nothing but walls came of it.
    #[error("no cell is left open: a larger map or fewer walls are needed")]
    Full,
    /// Every parameter is in range, but together they ask for a map that no grid can hold.
    #[error(transparent)]
    Grid(#[from] GridError),
}
