//! Why a unit is where it is, as data.

use crate::{AgentId, Cell, Tick};
use core::fmt;

/// What is known about one unit at one tick.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explanation {
    /// Who.
    pub agent: AgentId,
    /// Where it stands, or where its move in progress leads.
    pub at: Cell,
    /// Where it is going; where it is if it explores.
    pub goal: Cell,
    /// Since when it has come no nearer to its goal, as far as its planner has looked (a windowed one looks
    /// whenever the unit plans anew); or since when it rests, holds or is gone.
    pub since: Tick,
    /// Why.
    pub cause: Cause,
}

/// Why a unit is where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cause {
    /// It is where it wants to be.
    Rests,
    /// It was told to hold its place.
    Holds,
    /// It has left the world.
    Gone,
    /// Nothing keeps it.
    OnItsWay {
        /// How long the rest of the way to its goal takes if nobody gets into it.
        ticks: Tick,
    },
    /// Its planner has not come round to it yet: its turn is later, or the budget ended first.
    AwaitsPlanner,
    /// It explores, and nothing keeps it.
    Explores {
        /// Cells beside unseen ones that it knows a way to.
        frontier: u32,
    },
    /// It has seen everything that it can reach.
    Explored {
        /// Cells of the map that it has not seen.
        unseen: u32,
        /// Cells beside those that it has seen but cannot get to.
        beyond: u32,
    },
    /// What it was looking for has been seen.
    Found {
        /// Where.
        cell: Cell,
    },
    /// It is late: it slipped, and stays where it is for a while.
    Late {
        /// In this tick it may go on.
        until: Tick,
    },
    /// Somebody will be where it would have to go.
    Reserved {
        /// Who.
        blocker: AgentId,
        /// Where.
        cell: Cell,
        /// From when on.
        tick: Tick,
    },
    /// Somebody whose plans it does not know will be where it would have to go, if it goes on as it was seen to.
    Expected {
        /// Who.
        blocker: AgentId,
        /// Where.
        cell: Cell,
        /// From when on.
        tick: Tick,
    },
    /// Somebody stands where it would have to go.
    Occupied {
        /// Who.
        blocker: AgentId,
        /// Where.
        cell: Cell,
    },
    /// It is in the way of a unit that goes first, and steps aside.
    GivesWay {
        /// To whom.
        to: AgentId,
    },
    /// It stands in the way of a unit of another team, on purpose.
    Bars {
        /// Of whom.
        whom: AgentId,
    },
    /// It waits for a unit with which it has agreed to travel together.
    Meets {
        /// With whom.
        partner: AgentId,
        /// Where.
        cell: Cell,
    },
    /// Its latest move was cancelled.
    Cancelled {
        /// Where it would have led.
        cell: Cell,
        /// The unit in the way, if it was one and not a wall.
        by: Option<AgentId>,
    },
    /// Nothing leads to its goal on this map, whatever the others do.
    NoWay {
        /// From here
        from: Cell,
        /// to here.
        to: Cell,
    },
    /// Nothing leads to its goal as far as it knows the map, whatever the others do.
    NoKnownWay {
        /// From here
        from: Cell,
        /// to here.
        to: Cell,
    },
    /// It has searched and found nothing around the others.
    NoPath {
        /// Those beside it who hold what it could step on, nearer to its goal first.
        rivals: Vec<AgentId>,
    },
    /// The plan for everybody failed.
    NoPlan {
        /// On whose account, if it was one unit's.
        because_of: Option<AgentId>,
    },
    /// Its planner plans everything at once, and one tick's budget was too little for that.
    TooLittle {
        /// The expansions after which the budget ended.
        expanded: u64,
    },
}

impl Cause {
    /// The unit that it waits for, if it is one: the first if there are several.
    #[must_use]
    pub fn blocker(&self) -> Option<AgentId> {
        match self {
            Self::Reserved { blocker, .. }
            | Self::Expected { blocker, .. }
            | Self::Occupied { blocker, .. } => Some(*blocker),
            Self::GivesWay { to } => Some(*to),
            Self::Meets { partner, .. } => Some(*partner),
            Self::Cancelled { by, .. } => *by,
            Self::NoPath { rivals } => rivals.first().copied(),
            Self::NoPlan { because_of } => *because_of,
            Self::Rests
            | Self::Holds
            | Self::Gone
            | Self::Bars { .. }
            | Self::OnItsWay { .. }
            | Self::AwaitsPlanner
            | Self::Late { .. }
            | Self::Explores { .. }
            | Self::Explored { .. }
            | Self::Found { .. }
            | Self::TooLittle { .. }
            | Self::NoWay { .. }
            | Self::NoKnownWay { .. } => None,
        }
    }

    /// Whether something keeps it from where it wants to be.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        !matches!(
            self,
            Self::Rests
                | Self::Holds
                | Self::Gone
                | Self::Bars { .. }
                | Self::OnItsWay { .. }
                | Self::Explores { .. }
                | Self::Explored { .. }
                | Self::Found { .. }
        )
    }

    /// Whether this is the same trouble as `before`, though how it shows may have changed: the same unit in the way.
    #[must_use]
    pub fn continues(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::OnItsWay { .. }, Self::OnItsWay { .. })
            | (Self::Explores { .. }, Self::Explores { .. }) => true,
            _ if self.blocker().is_some() => self.blocker() == before.blocker(),
            _ => self == before,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rests => write!(f, "rests where it wants to be"),
            Self::Holds => write!(f, "holds its place by order"),
            Self::Gone => write!(f, "has left the world"),
            Self::OnItsWay { ticks: 1 } => write!(f, "on its way, one tick to go"),
            Self::OnItsWay { ticks } => write!(f, "on its way, {ticks} ticks to go"),
            Self::Explores { frontier: 1 } => write!(f, "explores, with one cell left beside what is unseen"),
            Self::Explores { frontier } => {
                write!(f, "explores, with {frontier} cells left beside what is unseen")
            }
            Self::Explored { unseen: 0, .. } => write!(f, "has seen all of the map"),
            Self::Explored { unseen, beyond: 0 } => {
                write!(f, "has seen all that can be reached; {unseen} cells are behind walls")
            }
            Self::Explored { unseen, beyond } => write!(
                f,
                "has seen all that can be reached; {unseen} cells are unseen, beside {beyond} that no way leads to"
            ),
            Self::Found { cell } => write!(f, "has found {cell}"),
            Self::Late { until } => write!(f, "is late: it slipped, and goes on at tick {until}"),
            Self::AwaitsPlanner => write!(f, "waits for its turn to plan"),
            Self::Reserved { blocker, cell, tick } => {
                write!(f, "blocked by unit {blocker}, which has reserved {cell} from tick {tick} on")
            }
            Self::Expected { blocker, cell, tick } => {
                write!(f, "blocked by unit {blocker}, which is expected at {cell} from tick {tick} on")
            }
            Self::Occupied { blocker, cell } => {
                write!(f, "blocked by unit {blocker}, which stands at {cell}")
            }
            Self::GivesWay { to } => write!(f, "gives way to unit {to}, which goes first"),
            Self::Bars { whom } => write!(f, "stands in the way of unit {whom}"),
            Self::Meets { partner, cell } => {
                write!(f, "waits at {cell} for unit {partner}, to travel together")
            }
            Self::Cancelled { cell, by: Some(by) } => {
                write!(f, "its move to {cell} was cancelled: unit {by} was in the way")
            }
            Self::Cancelled { cell, by: None } => {
                write!(f, "its move to {cell} was cancelled: the terrain does not allow it")
            }
            Self::NoWay { from, to } => write!(f, "there is no way from {from} to {to} on this map"),
            Self::NoKnownWay { from, to } => write!(f, "no way is known from {from} to {to}"),
            Self::NoPath { rivals } if rivals.is_empty() => write!(f, "found no path around the others"),
            Self::NoPath { rivals } => {
                write!(f, "found no path around unit{} ", if rivals.len() > 1 { "s" } else { "" })?;
                for (place, rival) in rivals.iter().enumerate() {
                    let comma = if place > 0 { ", " } else { "" };
                    write!(f, "{comma}{rival}")?;
                }
                Ok(())
            }
            Self::NoPlan { because_of: Some(who) } => {
                write!(f, "stands because its planner found no plan for unit {who}")
            }
            Self::TooLittle { expanded } => write!(
                f,
                "stands because its planner plans everything at once, and {expanded} expansions were too little for that"
            ),
            Self::NoPlan { because_of: None } => write!(f, "stands because its planner found no plan"),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, at, goal, since, cause } = self;
        write!(f, "unit {agent} at {at}: {cause}")?;
        match cause {
            Cause::OnItsWay { .. } | Cause::Explores { .. } => Ok(()),
            Cause::Rests
            | Cause::Holds
            | Cause::Gone
            | Cause::Bars { .. }
            | Cause::Explored { .. }
            | Cause::Found { .. } => {
                write!(f, "; since tick {since}")
            }
            _ if goal == at => write!(f, "; since tick {since}"),
            _ => write!(f, "; no nearer to {goal} since tick {since}"),
        }
    }
}
