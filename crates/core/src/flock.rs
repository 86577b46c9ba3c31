//! Units that have agreed to travel together, as they show themselves.

use crate::{AgentId, Cell, Tick};

/// Units that travel together: over one road, each from where it meets the others to where it leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Flock {
    /// The cells that they share, the first meeting point first.
    pub road: Vec<Cell>,
    /// Who they are, whoever goes in front first.
    pub members: Vec<Member>,
}

/// One of those who travel together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Member {
    /// Who.
    pub agent: AgentId,
    /// Where it meets the others.
    pub meet: Cell,
    /// Where it leaves them.
    pub split: Cell,
    /// Whether it has met them.
    pub met: bool,
    /// When it would be at its goal if it went on alone, as far as it knows.
    pub alone: Tick,
    /// When it will be there with the others, as far as it knows: never later.
    pub together: Tick,
}
