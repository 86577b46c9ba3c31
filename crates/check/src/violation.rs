//! What can be wrong with a plan or a trace.

use throng_core::{Action, AgentId, Cell, Conflict, ConflictKind, Dir, ErrandId, Tick};

/// One reason to reject, with everything that a person needs to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Violation {
    /// The plan is not about as many agents as the scenario.
    #[error("tick {tick}: {found} agents, expected {expected}")]
    WrongAgentCount { tick: Tick, found: usize, expected: usize },
    /// A list of positions says nothing about moves that take several ticks.
    #[error("positions by tick can be judged under uniform timing only")]
    PositionsUnderMetric,
    /// An agent begins elsewhere than the scenario says.
    #[error("agent {agent} starts at {found}, expected {expected}")]
    WrongStart { agent: AgentId, found: Cell, expected: Cell },
    /// A trace names an agent that does not exist.
    #[error("tick {tick}: agent {agent} acts, but there are only {agents} agents")]
    UnknownAgent { tick: Tick, agent: AgentId, agents: usize },
    /// An action begins while the last move is in progress.
    #[error("tick {tick}: agent {agent} begins an action while its move is in progress until tick {until}")]
    Busy { tick: Tick, agent: AgentId, until: Tick },
    /// An agent begins something while it is late.
    #[error("tick {tick}: agent {agent} begins an action, though it is late until tick {until}")]
    Late { tick: Tick, agent: AgentId, until: Tick },
    /// An agent slips in the middle of a move, or while it is late already.
    #[error("tick {tick}: agent {agent} slips before tick {until}, when what it was doing is over")]
    SlipsTooSoon { tick: Tick, agent: AgentId, until: Tick },
    /// An agent slips of which the scenario says nothing, or for longer or shorter than that says.
    #[error("tick {tick}: agent {agent} slips for {ticks} ticks, of which the scenario says nothing")]
    SlipNotInStore { tick: Tick, agent: AgentId, ticks: u32 },
    /// The scenario has in store that an agent is late, and it is not.
    #[error("tick {tick}: agent {agent} is not late, as the scenario has it in store")]
    NotLate { tick: Tick, agent: AgentId },
    /// Two positions in a row that are neither equal nor neighbours.
    #[error("tick {tick}: agent {agent} jumps from {from} to {to}")]
    Jump { tick: Tick, agent: AgentId, from: Cell, to: Cell },
    /// A diagonal where only four moves exist.
    #[error("tick {tick}: agent {agent} goes diagonally from {from} to {to} under four moves")]
    DiagonalUnderFour { tick: Tick, agent: AgentId, from: Cell, to: Cell },
    /// A body leaves the map.
    #[error("tick {tick}: agent {agent} goes from {from} to {to}, off the map")]
    OffMap { tick: Tick, agent: AgentId, from: Cell, to: Cell },
    /// A body ends up on blocked terrain.
    #[error("tick {tick}: agent {agent} goes from {from} to {to} into the wall at {wall}")]
    IntoWall { tick: Tick, agent: AgentId, from: Cell, to: Cell, wall: Cell },
    /// A diagonal or a curve sweeps over blocked terrain.
    #[error("tick {tick}: agent {agent} goes from {from} to {to} and cuts the corner at {wall}")]
    CornerCut { tick: Tick, agent: AgentId, from: Cell, to: Cell, wall: Cell },
    /// An action that the agent's motion does not have: a run of one that only walks, a step aside of a car, a
    /// curve of another radius.
    #[error("tick {tick}: agent {agent} does {action:?}, which its motion does not have")]
    NotItsMotion { tick: Tick, agent: AgentId, action: Action },
    /// An agent is at a run without having accelerated just before.
    #[error("tick {tick}: agent {agent} runs from {from} to {to} without having accelerated")]
    RunFromStand { tick: Tick, agent: AgentId, from: Cell, to: Cell },
    /// A turn at a run by more than an eighth.
    #[error("tick {tick}: agent {agent} runs from {from} to {to} in a turn too sharp after running {last:?}")]
    TooSharp { tick: Tick, agent: AgentId, from: Cell, to: Cell, last: Dir },
    /// A car that sets out neither along its heading nor against it.
    #[error("tick {tick}: agent {agent} sets out towards {to} from {from} across its heading {heading:?}")]
    AcrossHeading { tick: Tick, agent: AgentId, from: Cell, to: Cell, heading: Dir },
    /// A pose that does not follow from what the agent did.
    #[error("tick {tick}: agent {agent} is in pose {found}, expected {expected}")]
    WrongPose { tick: Tick, agent: AgentId, found: u8, expected: u8 },
    /// A cell closes while somebody is on it.
    #[error("tick {tick}: {cell} closes while agent {agent} is on it")]
    ClosedOver { tick: Tick, agent: AgentId, cell: Cell },
    /// A cell closes or opens that there is not.
    #[error("tick {tick}: {cell} closes or opens, but is off the map")]
    ChangeOffMap { tick: Tick, cell: Cell },
    /// The scenario has in store that a cell closes or opens; nothing kept it from that, and it did not happen.
    #[error("tick {tick}: {cell} does not {}, as the scenario has it in store", verb(*open))]
    Missed { tick: Tick, cell: Cell, open: bool },
    /// A cell closes or opens that the scenario says nothing of.
    #[error("tick {tick}: {cell} {}s, of which the scenario says nothing", verb(*open))]
    NotInStore { tick: Tick, cell: Cell, open: bool },
    /// Two agents in each other's way. Reported once, for the first of the ticks in a row at which the
    /// two conflict.
    #[error("{0}")]
    Conflict(Conflict),
    /// An agent does not rest at its goal in the end.
    #[error("agent {agent} ends at {at}, not at its goal {goal}")]
    GoalNotReached { agent: AgentId, at: Cell, goal: Cell },
    /// An agent has not visited all its waypoints in order; `leg` is the first one missed.
    #[error("agent {agent} misses waypoint {leg} at {waypoint}")]
    WaypointMissed { agent: AgentId, leg: u32, waypoint: Cell },
    /// An agent was to explore, and at no time had everything been seen that it could reach.
    #[error("agent {agent} has not seen all that it can reach")]
    NotExplored { agent: AgentId },
    /// An agent was to look for a cell, which nobody has seen; nor had everything been seen that it could reach.
    #[error("agent {agent} has not found {cell}, nor seen all that it can reach")]
    NotFound { agent: AgentId, cell: Cell },
    /// Something becomes of an errand that has never appeared, or that is over.
    #[error("tick {tick}: there is no errand {errand}")]
    NoSuchErrand { tick: Tick, errand: ErrandId },
    /// An errand appears a second time.
    #[error("tick {tick}: errand {errand} appears again")]
    ErrandAgain { tick: Tick, errand: ErrandId },
    /// An errand is given to a unit while that one, or another unit, does something else.
    #[error(
        "tick {tick}: errand {errand} is given to agent {agent}, but is under way, or agent {agent} does another"
    )]
    ErrandTaken { tick: Tick, errand: ErrandId, agent: AgentId },
    /// An errand is given to a unit that does none.
    #[error("tick {tick}: errand {errand} is given to agent {agent}, which does no errands")]
    NoErrands { tick: Tick, errand: ErrandId, agent: AgentId },
    /// An errand counts as done, and nobody who did it has been at all its stops in order.
    #[error(
        "tick {tick}: errand {errand} counts as done by agent {agent}, which has not been at all its stops"
    )]
    ErrandNotDone { tick: Tick, errand: ErrandId, agent: AgentId },
    /// An errand is done and does not count.
    #[error(
        "tick {tick}: agent {agent} has been at all stops of errand {errand}, which does not count as done"
    )]
    ErrandUncounted { tick: Tick, errand: ErrandId, agent: AgentId },
    /// An errand appears that the scenario says nothing of.
    #[error("tick {tick}: errand {errand} appears, of which the scenario says nothing")]
    ErrandNotInStore { tick: Tick, errand: ErrandId },
    /// The scenario has an errand in store for this tick, and it did not appear.
    #[error("tick {tick}: {count} errands do not appear that the scenario has in store")]
    ErrandMissed { tick: Tick, count: usize },
}

impl Violation {
    /// A short name of the kind, stable across versions.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::WrongAgentCount { .. } => "wrong-agent-count",
            Self::PositionsUnderMetric => "positions-under-metric",
            Self::WrongStart { .. } => "wrong-start",
            Self::UnknownAgent { .. } => "unknown-agent",
            Self::Busy { .. } => "busy",
            Self::Late { .. } => "late",
            Self::SlipsTooSoon { .. } => "slips-too-soon",
            Self::SlipNotInStore { .. } => "slip-not-in-store",
            Self::NotLate { .. } => "not-late",
            Self::Jump { .. } => "jump",
            Self::DiagonalUnderFour { .. } => "diagonal-under-four",
            Self::OffMap { .. } => "off-map",
            Self::IntoWall { .. } => "into-wall",
            Self::CornerCut { .. } => "corner-cut",
            Self::NotItsMotion { .. } => "not-its-motion",
            Self::RunFromStand { .. } => "run-from-stand",
            Self::TooSharp { .. } => "too-sharp",
            Self::AcrossHeading { .. } => "across-heading",
            Self::WrongPose { .. } => "wrong-pose",
            Self::ClosedOver { .. } => "closed-over",
            Self::ChangeOffMap { .. } => "change-off-map",
            Self::Missed { .. } => "missed-change",
            Self::NotInStore { .. } => "change-not-in-store",
            Self::Conflict(conflict) => match conflict.kind {
                ConflictKind::SameCell => "same-cell",
                ConflictKind::Swap => "swap",
                ConflictKind::Crossing => "crossing",
                ConflictKind::Overlap => "overlap",
            },
            Self::GoalNotReached { .. } => "goal-not-reached",
            Self::WaypointMissed { .. } => "waypoint-missed",
            Self::NotExplored { .. } => "not-explored",
            Self::NotFound { .. } => "not-found",
            Self::NoSuchErrand { .. } => "no-such-errand",
            Self::ErrandAgain { .. } => "errand-again",
            Self::ErrandTaken { .. } => "errand-taken",
            Self::NoErrands { .. } => "no-errands",
            Self::ErrandNotDone { .. } => "errand-not-done",
            Self::ErrandUncounted { .. } => "errand-uncounted",
            Self::ErrandNotInStore { .. } => "errand-not-in-store",
            Self::ErrandMissed { .. } => "errand-missed",
        }
    }
}

/// What a cell does.
const fn verb(open: bool) -> &'static str {
    if open { "open" } else { "close" }
}
