//! What happens in a step.

use throng_core::AgentId;
use throng_core::space::Point;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A body reached a place of its errand.
    Arrived {
        /// Who.
        agent: AgentId,
        /// Which place.
        leg: u32,
    },
    /// A body has done its errand.
    Finished {
        /// Who.
        agent: AgentId,
    },
    /// A body found a goal taken for good and is as near to it as it gets: its last one, or any that somebody holds.
    Settled {
        /// Who.
        agent: AgentId,
        /// Beside whom.
        beside: AgentId,
    },
    /// A body would have touched somebody and did not move.
    Stopped {
        /// Who.
        agent: AgentId,
        /// Whom it would have touched; nobody if it was a wall.
        by: Option<AgentId>,
    },
    /// A body goes round somebody.
    Detoured {
        /// Who.
        agent: AgentId,
        /// By this place.
        by: Point,
    },
    /// A body has a new way to its goal.
    Replanned {
        /// Who.
        agent: AgentId,
    },
    /// A door has closed, before anybody moved.
    Closed {
        /// Which.
        door: u32,
    },
    /// A door has opened, before anybody moved.
    Opened {
        /// Which.
        door: u32,
    },
    /// No way leads to a body's goal.
    GaveUp {
        /// Who.
        agent: AgentId,
    },
}
