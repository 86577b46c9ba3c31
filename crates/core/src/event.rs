//! What the simulation tells its observers.

use crate::{Action, AgentId, Cell};

/// Something that happened in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// A unit began a move.
    Moved {
        /// Who.
        agent: AgentId,
        /// The move.
        action: Action,
    },
    /// A move was cancelled; the unit stays for this tick.
    Failed {
        /// Whose.
        agent: AgentId,
        /// The move.
        action: Action,
        /// Where it would have led.
        to: Cell,
        /// The unit in the way, if it was one and not a wall.
        blocked_by: Option<AgentId>,
    },
    /// A unit reached a waypoint.
    Arrived {
        /// Who.
        agent: AgentId,
        /// Which waypoint.
        leg: u32,
    },
    /// A unit reached its last waypoint.
    Finished {
        /// Who.
        agent: AgentId,
    },
    /// A unit has lost reservations to another of higher rank, and plans again in the same tick.
    Overridden {
        /// Who lost them.
        agent: AgentId,
        /// To whom.
        by: AgentId,
    },
    /// A unit that has come no nearer to its goal for long may plan through the others until it arrives.
    Promoted {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
    },
    /// A unit comes to a goal that others have taken and rest at: from now on its goal is the nearest free place.
    Settled {
        /// Who.
        agent: AgentId,
        /// Where it is going to rest.
        at: Cell,
        /// Where it had been sent.
        goal: Cell,
    },
    /// A unit found no plan and stays where it is.
    GaveUp {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
    },
}
