//! What a unit does next.

use crate::{Cell, Dir};

/// What a unit does next: stay for one tick (Silver's *Pause*), go one step, drive a curve, or turn where it stands. Which of them it
/// owns, and how long they take, is a matter of its [`Actions`](crate::Actions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// Stay for one tick.
    #[default]
    Wait,
    /// Step to the neighbour in this direction.
    Go(Dir),
    /// Step to the neighbour in this direction, faster and faster: the first step of a run.
    Accelerate(Dir),
    /// Step to the neighbour in this direction at full speed.
    Run(Dir),
    /// A quarter of a circle with this radius in cells.
    Curve(Bend, u8),
    /// A quarter turn to the left where it stands.
    TurnLeft,
    /// A quarter turn to the right where it stands.
    TurnRight,
}

/// The largest radius of a curve.
pub const MAX_RADIUS: u8 = 8;

/// How a quarter of a circle bends: the direction at its beginning, then the one at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Bend {
    NE = 0,
    NW = 1,
    ES = 2,
    EN = 3,
    SW = 4,
    SE = 5,
    WN = 6,
    WS = 7,
}

impl Bend {
    /// All bends, in the order in which ties break: by the first direction, right turns before left ones.
    pub const ALL: [Self; 8] =
        [Self::NE, Self::NW, Self::ES, Self::EN, Self::SW, Self::SE, Self::WN, Self::WS];

    /// The direction at its beginning.
    #[must_use]
    pub const fn first(self) -> Dir {
        match self {
            Self::NE | Self::NW => Dir::N,
            Self::ES | Self::EN => Dir::E,
            Self::SW | Self::SE => Dir::S,
            Self::WN | Self::WS => Dir::W,
        }
    }

    /// The direction at its end.
    #[must_use]
    pub const fn then(self) -> Dir {
        match self {
            Self::EN | Self::WN => Dir::N,
            Self::NE | Self::SE => Dir::E,
            Self::ES | Self::WS => Dir::S,
            Self::NW | Self::SW => Dir::W,
        }
    }

    /// The bend that begins with one direction and ends with another, if there is one.
    #[must_use]
    pub fn of(first: Dir, then: Dir) -> Option<Self> {
        Self::ALL.into_iter().find(|bend| bend.first() == first && bend.then() == then)
    }
}

/// Where the codes of runs and curves begin.
const FIRST_ACCELERATE: u8 = 9;
const FIRST_RUN: u8 = 17;
const FIRST_CURVE: u8 = 25;
/// Where those of turns do.
const FIRST_TURN: u8 = FIRST_CURVE + 8 * MAX_RADIUS;

impl Action {
    /// One more than the largest code.
    pub const CODES: u8 = FIRST_TURN + 2;

    /// A number from 0 (wait), stable across versions: files store it. 1 to 8 are steps.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Wait => 0,
            Self::Go(dir) => dir as u8 + 1,
            Self::Accelerate(dir) => dir as u8 + FIRST_ACCELERATE,
            Self::Run(dir) => dir as u8 + FIRST_RUN,
            Self::Curve(bend, radius) => bend as u8 * MAX_RADIUS + radius.wrapping_sub(1) + FIRST_CURVE,
            Self::TurnLeft => FIRST_TURN,
            Self::TurnRight => FIRST_TURN + 1,
        }
    }

    /// The action with this code.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        const LAST: u8 = FIRST_TURN + 1;
        let dir = Dir::ALL[(code.wrapping_sub(1) % 8) as usize];
        match code {
            0 => Some(Self::Wait),
            1..FIRST_ACCELERATE => Some(Self::Go(dir)),
            FIRST_ACCELERATE..FIRST_RUN => Some(Self::Accelerate(dir)),
            FIRST_RUN..FIRST_CURVE => Some(Self::Run(dir)),
            FIRST_CURVE..FIRST_TURN => {
                let place = code - FIRST_CURVE;
                Some(Self::Curve(Bend::ALL[(place / MAX_RADIUS) as usize], place % MAX_RADIUS + 1))
            }
            FIRST_TURN => Some(Self::TurnLeft),
            LAST => Some(Self::TurnRight),
            Self::CODES.. => None,
        }
    }

    /// The step that leads from `from` to `to` at a walk, if they are equal or neighbours.
    #[must_use]
    pub const fn between(from: Cell, to: Cell) -> Option<Self> {
        match (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y)) {
            (0, 0) => Some(Self::Wait),
            (dx, dy) => match Dir::from_delta(dx, dy) {
                Some(dir) => Some(Self::Go(dir)),
                None => None,
            },
        }
    }

    /// Whether it is a turn where a unit stands.
    #[must_use]
    #[inline]
    pub const fn is_turn(self) -> bool {
        matches!(self, Self::TurnLeft | Self::TurnRight)
    }

    /// The direction of a step, at whatever speed; a wait, a curve and a turn have none.
    #[must_use]
    #[inline]
    pub const fn dir(self) -> Option<Dir> {
        match self {
            Self::Go(dir) | Self::Accelerate(dir) | Self::Run(dir) => Some(dir),
            Self::Wait | Self::Curve(..) | Self::TurnLeft | Self::TurnRight => None,
        }
    }

    /// Change of (x, y).
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::Wait | Self::TurnLeft | Self::TurnRight => (0, 0),
            Self::Go(dir) | Self::Accelerate(dir) | Self::Run(dir) => dir.delta(),
            Self::Curve(bend, radius) => {
                let ((ax, ay), (bx, by)) = (bend.first().delta(), bend.then().delta());
                ((ax + bx) * radius as i32, (ay + by) * radius as i32)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_code_of_its_own() {
        for code in 0..Action::CODES {
            assert_eq!(Action::from_code(code).map(Action::code), Some(code));
        }
        assert_eq!(Action::from_code(Action::CODES), None);
        assert_eq!(Action::Go(Dir::NW).code(), 8);
    }

    #[test]
    fn bends_are_what_they_are_called() {
        for bend in Bend::ALL {
            assert_eq!(format!("{bend:?}"), format!("{:?}{:?}", bend.first(), bend.then()));
            assert_eq!(Bend::of(bend.first(), bend.then()), Some(bend));
        }
        assert_eq!(Action::Curve(Bend::EN, 3).delta(), (3, -3));
        assert_eq!(Bend::of(Dir::N, Dir::S), None);
    }
}
