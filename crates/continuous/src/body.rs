//! Who moves through space, and what for.

use throng_core::AgentId;
use throng_core::space::{Errand, Point, Pose, Shape};

/// What a body does now, and on whose account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Doing {
    /// Rests where it wants to be, or stays by order.
    Rests,
    /// Goes at its own speed.
    Goes,
    /// Has slowed down so as to pass behind somebody.
    Slows,
    /// Would have touched somebody, or a wall, and stopped.
    Stops,
    /// Goes round somebody.
    Detours,
    /// Steps aside for somebody who is later and has no room.
    MakesWay,
    /// Waits until its way is planned.
    Awaits,
    /// No way leads to its goal.
    Lost,
    /// Has left the world.
    Gone,
}

/// What a body wants to have planned before it moves again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Want {
    #[default]
    Nothing,
    /// A point to go round somebody by.
    Detour,
    /// A way to its goal.
    Route,
    /// Ways for it and those with whom it pushes to and fro.
    Knot,
}

/// A body in a world.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    pub(crate) preferred: f64,
    pub(crate) turns: bool,
    pub(crate) errand: Errand,
    pub(crate) priority: i32,
    pub(crate) team: u16,
    pub(crate) leg: u32,
    /// What it did in the last step, as a speed and a direction.
    pub(crate) velocity: Point,
    /// Which way it wanted to go in the last step; zero if nowhere.
    pub(crate) wish: Point,
    /// Where it goes, the next place last.
    pub(crate) path: Vec<Point>,
    /// Whether the next place is there only to go round somebody.
    pub(crate) round: bool,
    /// On which side it went round last: right, left or neither.
    pub(crate) side: i8,
    pub(crate) delay: f64,
    pub(crate) want: Want,
    /// Before this step it does not ask for another detour.
    pub(crate) again: u64,
    /// For so many steps it has been slower than its bound.
    pub(crate) slow: u32,
    pub(crate) doing: Doing,
    /// On whose account it does that.
    pub(crate) cause: Option<u32>,
    /// For whom it makes way; until it has, it goes as if it were as late as that one.
    pub(crate) makes_way: Option<u32>,
    /// Before this step it does not go back to where it rested before it made way.
    pub(crate) back: u64,
    /// How much of its way was left when that was last looked at.
    pub(crate) left: f64,
    /// Since this step it has come no nearer to where it goes, and others make way for it until it is there.
    pub(crate) promoted: Option<u64>,
    /// So many steps it has made way where it is narrow, since it was last part of a knot.
    pub(crate) cornered: u32,
    /// Whether it is part of a knot.
    pub(crate) tied: bool,
}

impl Body {
    /// Its shape.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where it is and which way it faces.
    #[must_use]
    pub const fn pose(&self) -> Pose {
        self.pose
    }

    /// How it moved in the last step.
    #[must_use]
    pub const fn velocity(&self) -> Point {
        self.velocity
    }

    /// How fast it goes where nothing is in its way.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        self.preferred
    }

    /// What it is to do.
    #[must_use]
    pub const fn errand(&self) -> &Errand {
        &self.errand
    }

    /// How many places of its errand it has reached.
    #[must_use]
    pub const fn leg(&self) -> u32 {
        self.leg
    }

    /// How late it is on this leg.
    #[must_use]
    pub const fn delay(&self) -> f64 {
        self.delay
    }

    /// What it does now.
    #[must_use]
    pub const fn doing(&self) -> Doing {
        self.doing
    }

    /// On whose account it does that; nobody's if it is a wall's, or if nothing keeps it.
    #[must_use]
    pub fn cause(&self) -> Option<AgentId> {
        self.cause.map(AgentId)
    }

    /// Since which step it has been made way for by everybody, having come no nearer to where it goes; nothing if it is not.
    #[must_use]
    pub const fn promoted(&self) -> Option<u64> {
        self.promoted
    }

    /// Whose it is.
    #[must_use]
    pub const fn team(&self) -> u16 {
        self.team
    }

    /// Where it goes, place by place.
    pub fn path(&self) -> impl Iterator<Item = Point> {
        self.path.iter().rev().copied()
    }

    /// Whether it has left the world.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.doing == Doing::Gone
    }

    /// Whether it has done its errand, and is not on its way back from where it made way for somebody.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        !self.is_gone() && self.leg >= self.errand.legs() && self.path.is_empty()
    }

    /// Whether it stays where it made way for somebody before it goes back to rest.
    pub(crate) fn stays(&self, step: u64) -> bool {
        self.leg >= self.errand.legs() && step < self.back
    }

    /// Whether it wants to go on and cannot, for so many steps or more, or has been promoted.
    pub(crate) fn presses(&self, steps: u32) -> bool {
        !self.path.is_empty() && (self.slow >= steps || self.promoted.is_some())
    }
}
