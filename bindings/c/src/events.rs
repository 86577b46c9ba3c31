//! What happened in the last tick.

use crate::memory::fill;
use crate::status::{Status, guard};
use crate::units::Cell;
use crate::worlds::{self, World};
use throng::core::{AgentId, Event as Own};

/// What happened.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// What has no kind of its own here: negotiations, errands.
    Other = 0,
    /// A unit began a move, to `at`.
    Moved = 1,
    /// A move to `at` was cancelled, on account of `other` if that is not 0.
    Failed = 2,
    /// A unit reached a waypoint.
    Arrived = 3,
    /// A unit has done what it was to do.
    Finished = 4,
    /// A unit goes to rest at `at`, since others have taken its goal.
    Settled = 5,
    /// The cell `at` has closed.
    Closed = 6,
    /// The cell `at` has opened.
    Opened = 7,
    /// A unit that explores has seen everything.
    Explored = 8,
    /// A unit has found what it looked for, at `at`.
    Found = 9,
}

/// Something that happened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// One of throng_event_kind.
    pub kind: u32,
    /// Where, if it is about a place; otherwise -1, -1.
    pub at: Cell,
    /// Who, or 0.
    pub unit: u64,
    /// Who else, or 0.
    pub other: u64,
}

fn told(world: &World, event: &Own) -> Event {
    let grid = world.session.scenario().grid();
    // A move that has just begun leads where the unit is at.
    let at = |agent: AgentId| world.session.state().units.get(agent.index()).map(|unit| grid.cell(unit.at));
    let (kind, unit, other, cell) = match *event {
        Own::Moved { agent, .. } => (EventKind::Moved, Some(agent), None, at(agent)),
        Own::Failed { agent, to, blocked_by, .. } => (EventKind::Failed, Some(agent), blocked_by, Some(to)),
        Own::Arrived { agent, .. } => (EventKind::Arrived, Some(agent), None, at(agent)),
        Own::Finished { agent } => (EventKind::Finished, Some(agent), None, at(agent)),
        Own::Settled { agent, at, .. } => (EventKind::Settled, Some(agent), None, Some(at)),
        Own::Closed { cell } => (EventKind::Closed, None, None, Some(cell)),
        Own::Opened { cell } => (EventKind::Opened, None, None, Some(cell)),
        Own::Explored { agent, .. } => (EventKind::Explored, Some(agent), None, at(agent)),
        Own::Found { agent, cell } => (EventKind::Found, Some(agent), None, Some(cell)),
        _ => (EventKind::Other, None, None, None),
    };
    let number = |agent: Option<AgentId>| agent.map_or(0, |agent| world.number(agent));
    Event {
        kind: kind as u32,
        at: cell.map_or(Cell { x: -1, y: -1 }, |cell| Cell { x: cell.x, y: cell.y }),
        unit: number(unit),
        other: number(other),
    }
}

/// What happened in the last tick, in order.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_events(
    world: u64,
    events: *mut Event,
    room: usize,
    count: *mut usize,
) -> Status {
    guard(|| {
        let all = worlds::with(world, |world| {
            Ok(world.session.events().iter().map(|event| told(world, event)).collect::<Vec<_>>())
        })?;
        // SAFETY: the caller lends these.
        unsafe { fill(events, room, count, &all) }
    })
}
