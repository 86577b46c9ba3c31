//! What can be wrong with a world, a body or an order.

use throng_core::AgentId;
use throng_core::space::{FARTHEST, Point};

/// Why something was refused. Whatever it was, the world is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpaceError {
    #[error(
        "the space from {least} to {most}: expected corners with coordinates from -{far:e} to {far:e}, the second above and right of the first", far = FARTHEST
    )]
    BadBorder { least: Point, most: Point },
    #[error("{setting} is {value}, expected {expected}")]
    BadSetting { setting: &'static str, value: f64, expected: &'static str },
    #[error("body {agent}: its {role} is {at}, expected coordinates from -{far:e} to {far:e}", far = FARTHEST)]
    NoPoint { agent: AgentId, role: &'static str, at: Point },
    #[error("body {agent}: its heading {heading} has length {}, expected 1", heading.length())]
    BadHeading { agent: AgentId, heading: Point },
    #[error("body {agent}: speed {speed}, expected {:e} to {}", crate::SLOWEST, crate::FASTEST)]
    BadSpeed { agent: AgentId, speed: f64 },
    #[error("body {agent}: a patrol of 0 rounds")]
    NoRounds { agent: AgentId },
    #[error("body {agent}: its list of goals is empty")]
    NoGoals { agent: AgentId },
    #[error("body {agent}: it would touch a wall or the border at its {role} {at}")]
    InWall { agent: AgentId, role: &'static str, at: Point },
    #[error("bodies {first} and {agent} overlap at the start, near {at}")]
    Overlap { first: AgentId, agent: AgentId, at: Point },
    #[error("there is no door {door}, only {doors} of them, from 0 on")]
    NoDoor { door: u32, doors: usize },
    #[error("door {door} is outside of the space: expected one that reaches into it")]
    DoorOutside { door: u32 },
    #[error("door {door} is inside of wall {wall}, so that nothing opens with it: expected one beside walls")]
    DoorInWall { door: u32, wall: usize },
    #[error("there is no body {agent}")]
    Unknown { agent: AgentId },
    #[error("{bodies} bodies, expected at most {}", crate::MOST_BODIES)]
    TooMany { bodies: usize },
}

impl SpaceError {
    /// The body that it is about; of two the later.
    #[must_use]
    pub const fn agent(&self) -> Option<AgentId> {
        match self {
            Self::NoPoint { agent, .. }
            | Self::BadHeading { agent, .. }
            | Self::BadSpeed { agent, .. }
            | Self::NoRounds { agent }
            | Self::NoGoals { agent }
            | Self::InWall { agent, .. }
            | Self::Overlap { agent, .. }
            | Self::Unknown { agent } => Some(*agent),
            Self::BadBorder { .. }
            | Self::BadSetting { .. }
            | Self::TooMany { .. }
            | Self::NoDoor { .. }
            | Self::DoorOutside { .. }
            | Self::DoorInWall { .. } => None,
        }
    }
}
