//! What draws those who explore, or keeps them away.

use crate::{Cell, Scenario, ScenarioError};

/// A resource or a danger: a cell that draws those who explore, or keeps them away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// Where.
    pub cell: Cell,
    /// How strongly it draws at the cell itself, in thousandths of a step; it falls off evenly. Below zero it keeps away.
    pub strength: i32,
    /// How far, in cells.
    pub radius: u32,
}

impl Source {
    /// The strongest, either way: a thousand steps.
    pub const MAX_STRENGTH: u32 = 1_000_000;
    /// The farthest.
    pub const MAX_RADIUS: u32 = 256;

    /// Whether there can be one like that; `place` is where in the list it stands.
    pub(crate) const fn check(&self, place: usize) -> Result<(), ScenarioError> {
        let Self { cell, strength, radius } = *self;
        if radius == 0 || radius > Self::MAX_RADIUS {
            return Err(ScenarioError::BadSourceRadius { place, cell, radius });
        }
        if strength.unsigned_abs() > Self::MAX_STRENGTH {
            return Err(ScenarioError::BadStrength { place, cell, strength });
        }
        Ok(())
    }
}

impl Scenario {
    /// The same world with these resources and dangers for those who explore it.
    pub fn with_sources(mut self, sources: Vec<Source>) -> Result<Self, ScenarioError> {
        self.set_sources(sources)?;
        Ok(self)
    }

    /// Puts other resources and dangers in the place of those that there are.
    pub fn set_sources(&mut self, mut sources: Vec<Source>) -> Result<(), ScenarioError> {
        let (width, height) = (self.grid().width(), self.grid().height());
        for (place, source) in sources.iter().enumerate() {
            if !self.grid().contains(source.cell) {
                return Err(ScenarioError::SourceOffMap { place, cell: source.cell, width, height });
            }
            source.check(place)?;
        }
        sources.sort_unstable();
        self.sources = sources;
        Ok(())
    }

    /// Resources and dangers, in order.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }
}

impl ScenarioError {
    /// The source that the error is about, if it is about one: its place in the list.
    #[must_use]
    pub const fn source_place(&self) -> Option<usize> {
        match self {
            Self::SourceOffMap { place, .. }
            | Self::BadSourceRadius { place, .. }
            | Self::BadStrength { place, .. } => Some(*place),
            _ => None,
        }
    }
}
