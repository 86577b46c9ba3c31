//! What the simulation tells its observers.

use crate::{Action, AgentId, Cell, ErrandId, Tick};

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
    /// A unit is late: from this tick on it begins nothing for a while.
    Slipped {
        /// Who.
        agent: AgentId,
        /// For how many ticks.
        ticks: u32,
    },
    /// A unit that follows a plan is late by it and waits in this tick, since another one has to go first.
    Waits {
        /// Who.
        agent: AgentId,
        /// For whom.
        on: AgentId,
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
    /// A unit that explores has seen everything that it can reach.
    Explored {
        /// Who.
        agent: AgentId,
        /// How many cells of the map nobody has seen who shares what it knows.
        unseen: u32,
    },
    /// The cell that a unit was looking for has been seen, by its own eyes or by those of somebody who shares what it sees.
    Found {
        /// Who looked for it.
        agent: AgentId,
        /// Which cell.
        cell: Cell,
    },
    /// A unit has lost reservations to another of higher rank or to one that has to stay where it is. It plans again in
    /// the same tick, or, if the budget is used up, follows what is still free until its turn comes.
    Overridden {
        /// Who lost them.
        agent: AgentId,
        /// To whom.
        by: AgentId,
    },
    /// A unit may plan through others: until it arrives, since it has come no nearer to its goal for long, or in this
    /// tick, since somebody who is needs it out of the way.
    Promoted {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
        /// On whose account, if not on its own.
        by: Option<AgentId>,
    },
    /// A unit comes to a goal that others have taken and rest at, or finds for long that those who rest keep it from its
    /// place: from now on its goal is the nearest free place.
    Settled {
        /// Who.
        agent: AgentId,
        /// Where it is going to rest.
        at: Cell,
        /// Where it had been sent.
        goal: Cell,
    },
    /// A unit gets the goal of another one that was sent to the same place: one of them was in the other's way. That one
    /// gets its goal in turn, or that of a third.
    Exchanged {
        /// Who.
        agent: AgentId,
        /// Whose goal it gets.
        with: AgentId,
        /// Where it is going to rest now.
        at: Cell,
    },
    /// A unit has agreed with others to travel together.
    JoinedFlock {
        /// Who.
        agent: AgentId,
        /// One of the others.
        with: AgentId,
        /// Where they are to meet.
        meet: Cell,
        /// Where it is to leave them.
        split: Cell,
        /// By how many ticks it expects to be at its goal sooner than alone.
        saves: u32,
    },
    /// A unit travels alone again: it has come to where it was to leave the others, or has lost them, or it would be sooner
    /// at its goal alone.
    LeftFlock {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
    },
    /// A cell has closed, before anything of this tick began.
    Closed {
        /// Which one.
        cell: Cell,
    },
    /// A cell has opened, before anything of this tick began.
    Opened {
        /// Which one.
        cell: Cell,
    },
    /// An errand has appeared, before anything of this tick began.
    Appeared {
        /// Which one.
        errand: ErrandId,
        /// Its first stop.
        at: Cell,
    },
    /// A unit does an errand from now on.
    Assigned {
        /// Which errand.
        errand: ErrandId,
        /// Who.
        agent: AgentId,
        /// When the errand appeared.
        since: Tick,
    },
    /// A unit has come to the last stop of its errand.
    Done {
        /// Which errand.
        errand: ErrandId,
        /// Who.
        agent: AgentId,
        /// When the errand appeared.
        since: Tick,
    },
    /// Whoever did an errand has left, or has another task: the errand waits again.
    Returned {
        /// Which errand.
        errand: ErrandId,
    },
    /// An errand cannot be done: a stop of it is closed, or nobody who does errands can get to all of them.
    Refused {
        /// Which errand.
        errand: ErrandId,
        /// Its first stop.
        at: Cell,
    },
    /// A unit found no plan and stays where it is. `Session::explain` tells more.
    GaveUp {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
        /// One of those beside it who are in the way; nobody if nothing leads to its goal on this map, whatever the
        /// others do.
        blocked_by: Option<AgentId>,
    },
}
