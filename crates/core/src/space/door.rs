//! Doors: walls that close and open, as a scene has it in store and as it happened.

use super::Convex;
use crate::Tick;

/// A wall that is there only while it is closed.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Door {
    /// What it covers then.
    pub wall: Convex,
    /// Whether it is closed in the beginning.
    pub closed: bool,
}

/// Doors that close and open at a step.
///
/// It happens before anybody decides in that step. Nobody is ever walled in: a door that somebody is in then closes as soon as
/// it is free, unless it is to open again before that.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoorEvent {
    /// When, in steps.
    pub at: Tick,
    /// Which doors close, by number.
    pub close: Vec<u32>,
    /// Which doors open; what is to do both at once closes.
    pub open: Vec<u32>,
}

/// A door that has closed or opened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoorChange {
    /// Before anything of this step began.
    pub tick: Tick,
    /// Which door.
    pub door: u32,
    /// Whether it is open now.
    pub open: bool,
}
