//! How much of the world units know: what they have seen.

use crate::{Agent, CellId, Scenario, ScenarioError, Task};

/// What units see of the world around them. Whoever has not seen a cell takes it for open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sight {
    /// How far, in cells.
    pub radius: u32,
    /// How wide, in degrees: a cone in the direction of a unit's last move. Whoever has not moved yet looks all around.
    #[cfg_attr(feature = "serde", serde(default = "all_around"))]
    pub angle: u32,
    /// How far a unit sees in all directions, in cells; as far as in its cone if nothing else is said.
    #[cfg_attr(feature = "serde", serde(default))]
    pub inner: Option<u32>,
    /// Whether walls hide what is behind them.
    pub line_of_sight: bool,
    /// Whether units of a team know what any of them has seen; otherwise everybody knows what it has seen itself, and
    /// plans alone.
    pub shared: bool,
    /// Whether the map is known as it was at first, so that only changes have to be seen.
    pub map_known: bool,
    /// What was last seen more than so many ticks ago is unknown again; nothing is forgotten otherwise.
    #[cfg_attr(feature = "serde", serde(default))]
    pub fading: Option<u32>,
    /// The team whose units have to see the world first, while all others know it; everybody if nothing is said.
    #[cfg_attr(feature = "serde", serde(default))]
    pub team: Option<u16>,
}

#[cfg(feature = "serde")]
const fn all_around() -> u32 {
    Sight::MAX_ANGLE
}

impl Sight {
    /// The farthest that units may see.
    pub const MAX_RADIUS: u32 = 1024;
    /// All around, in degrees.
    pub const MAX_ANGLE: u32 = 360;

    /// What is seen by one who sees so far, unless walls are in the way: nothing is known at first, and teams share
    /// what they see.
    #[must_use]
    pub const fn new(radius: u32) -> Self {
        Self {
            radius,
            angle: Self::MAX_ANGLE,
            inner: None,
            line_of_sight: true,
            shared: true,
            map_known: false,
            fading: None,
            team: None,
        }
    }

    /// How far a unit sees in all directions, in cells.
    #[must_use]
    pub fn circle(&self) -> u32 {
        self.inner.unwrap_or(self.radius)
    }

    /// Whether it matters where a unit looks.
    #[must_use]
    pub fn is_cone(&self) -> bool {
        self.angle < Self::MAX_ANGLE && self.circle() < self.radius
    }

    /// Whether there can be such eyes.
    pub(crate) fn check(&self) -> Result<(), ScenarioError> {
        let Self { radius, angle, .. } = *self;
        if !(1..=Self::MAX_RADIUS).contains(&radius) {
            return Err(ScenarioError::BadSight { radius });
        }
        if !(1..=Self::MAX_ANGLE).contains(&angle) {
            return Err(ScenarioError::BadAngle { angle });
        }
        match self.inner {
            Some(inner) if !(1..=radius).contains(&inner) => {
                Err(ScenarioError::BadInnerCircle { inner, radius })
            }
            _ if self.fading == Some(0) => Err(ScenarioError::NoMemory),
            _ => Ok(()),
        }
    }
}

impl Scenario {
    /// The same world, of which units know only what they have seen.
    pub fn with_sight(mut self, sight: Sight) -> Result<Self, ScenarioError> {
        sight.check()?;
        self.sight = Some(sight);
        Ok(self)
    }

    /// Whoever explores has to see the world first, and whoever does errands has to know it; what is seen is told after who is
    /// there.
    pub fn require_sight(&self) -> Result<(), ScenarioError> {
        let mut explorers = self.agents().iter().filter(|agent| agent.task.is_search());
        if let Some(agent) = explorers.find(|agent| self.sight_of(agent).is_none()) {
            return Err(ScenarioError::NoSight { agent: agent.id });
        }
        let mut employed = self.agents().iter().filter(|agent| matches!(agent.task, Task::Errands(_)));
        match employed.find(|agent| self.sight_of(agent).is_some()) {
            Some(agent) => Err(ScenarioError::UnseenErrands { agent: agent.id }),
            None => Ok(()),
        }
    }

    /// What units see of it who have to; everybody knows everything if there is nothing here.
    #[must_use]
    pub const fn sight(&self) -> Option<Sight> {
        self.sight
    }

    /// What an agent sees of it; everything is known to it if there is nothing here.
    #[must_use]
    pub fn sight_of(&self, agent: &Agent) -> Option<Sight> {
        self.sight.filter(|sight| sight.team.is_none_or(|team| team == agent.team))
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

    /// Takes a cell out; answers whether it was there.
    pub fn remove(&mut self, cell: CellId) -> bool {
        let Some(bits) = self.bits.get_mut(cell.index() / 64) else { return false };
        let bit = 1 << (cell.index() % 64);
        let there = *bits & bit != 0;
        *bits &= !bit;
        self.count -= usize::from(there);
        there
    }

    /// Tells of every cell that is in one of these and not in the other, in order.
    pub fn differences(&self, other: &Self, mut tell: impl FnMut(CellId)) {
        let others = other.bits.iter().copied().chain(core::iter::repeat(0));
        for (place, (bits, other)) in self.bits.iter().zip(others).enumerate() {
            let mut odd = bits ^ other;
            while odd != 0 {
                tell(CellId((place * 64) as u32 + odd.trailing_zeros()));
                odd &= odd - 1;
            }
        }
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
        let mut differ = Vec::new();
        seen.differences(&Seen::none(70), |cell| differ.push(cell.0));
        assert_eq!(differ, [0, 69]);
        assert!(seen.remove(CellId(69)) && !seen.remove(CellId(69)) && !seen.remove(CellId(1000)));
        assert!(seen.len() == 1 && seen.fits(70));
    }
}
