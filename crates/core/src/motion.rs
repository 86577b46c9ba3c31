//! The one motion model: what a unit can do, what it covers meanwhile, and for how long.

use crate::{Action, Bend, Cell, Connectivity, Dir, Footprint, Grid, Rules, Timing};

/// How a unit moves. What it may do next can depend on what it did last: its *pose* says so, a number whose
/// meaning is the motion's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// Step by step, always at the same speed. It has one pose, 0.
    #[default]
    Steps,
    /// It walks at its period and can run. The first step of a run takes a time in the middle between both; who
    /// runs can turn by an eighth and no sharper; a step at a walk or a wait ends the run. Pose 0 is not running,
    /// pose 1 + d running in direction d.
    Gaits {
        /// Ticks per straight step at a run.
        run: u8,
    },
    /// It drives ahead and back along its heading, and turns by a quarter along a curve. Its pose is its heading:
    /// 0 to 3 for north, east, south, west.
    Car {
        /// The radius of its curves in cells.
        radius: u8,
        /// Its heading at the start.
        heading: Dir,
    },
    /// It goes ahead along its heading, and turns by a quarter to either side where it stands, each in one tick: as robots of a
    /// fleet do. Its pose is its heading: 0 to 3 for north, east, south, west. Uniform timing only.
    Turns {
        /// Its heading at the start.
        heading: Dir,
    },
}

impl Motion {
    /// The pose at the start.
    #[must_use]
    pub const fn first_pose(self) -> u8 {
        match self {
            Self::Steps | Self::Gaits { .. } => 0,
            Self::Car { heading, .. } | Self::Turns { heading } => heading as u8,
        }
    }

    /// The number of poses.
    #[must_use]
    pub const fn poses(self) -> u8 {
        match self {
            Self::Steps => 1,
            Self::Gaits { .. } => 9,
            Self::Car { .. } | Self::Turns { .. } => 4,
        }
    }

    /// The pose of a unit that has waited for a tick.
    #[must_use]
    pub const fn rested(self, pose: u8) -> u8 {
        match self {
            Self::Steps | Self::Gaits { .. } => 0,
            Self::Car { .. } | Self::Turns { .. } => pose,
        }
    }
}

/// What one unit can do under the rules: durations, legality and footprints of its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions {
    rules: Rules,
    body: u8,
    period: u8,
    motion: Motion,
}

impl Actions {
    /// The actions of an n×n body that takes `period` ticks per straight step.
    #[must_use]
    pub const fn new(rules: Rules, body: u8, period: u8) -> Self {
        Self { rules, body, period, motion: Motion::Steps }
    }

    /// The same body and period with another motion.
    #[must_use]
    pub const fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// Side of the body in cells.
    #[must_use]
    pub const fn body(&self) -> u8 {
        self.body
    }

    /// How it moves.
    #[must_use]
    pub const fn motion(&self) -> Motion {
        self.motion
    }

    /// How many ticks `action` takes.
    #[must_use]
    #[inline]
    pub const fn duration(&self, action: Action) -> u32 {
        match (self.rules.timing, action) {
            (Timing::Uniform, _) | (_, Action::Wait) => 1,
            (Timing::Metric, Action::TurnLeft | Action::TurnRight) => self.period as u32,
            (Timing::Metric, Action::Go(dir)) => step(self.period as u32, dir),
            (Timing::Metric, Action::Accelerate(dir)) => {
                step((self.period as u32 + self.run_period()).div_ceil(2), dir)
            }
            (Timing::Metric, Action::Run(dir)) => step(self.run_period(), dir),
            (Timing::Metric, Action::Curve(_, radius)) => quarter(self.period as u32, radius as u32),
        }
    }

    /// Ticks per straight step at its fastest.
    #[must_use]
    pub const fn run_period(&self) -> u32 {
        match self.motion {
            Motion::Gaits { run } => run as u32,
            Motion::Steps | Motion::Car { .. } | Motion::Turns { .. } => self.period as u32,
        }
    }

    /// The longest that any action of this unit takes.
    #[must_use]
    pub const fn longest(&self) -> u32 {
        self.duration(match (self.motion, self.rules.connectivity) {
            (Motion::Car { radius, .. }, _) => Action::Curve(Bend::NE, radius),
            (_, Connectivity::Four) => Action::Go(Dir::N),
            (_, Connectivity::Eight) => Action::Go(Dir::NE),
        })
    }

    /// Whether it owns `action` in `pose`, whatever the terrain.
    #[must_use]
    pub const fn owns(&self, pose: u8, action: Action) -> bool {
        let connected = match action.dir() {
            Some(dir) => self.rules.connectivity.mask() & (1 << dir as u8) != 0,
            None => true,
        };
        connected
            && match (self.motion, action) {
                (_, Action::Wait) | (Motion::Steps | Motion::Gaits { .. }, Action::Go(_)) => true,
                (Motion::Gaits { .. }, Action::Accelerate(_)) => pose == 0,
                (Motion::Gaits { .. }, Action::Run(dir)) => match Dir::from_index(pose.wrapping_sub(1)) {
                    Some(running) => running.eighths(dir) <= 1,
                    None => false,
                },
                (Motion::Turns { .. }, Action::Go(dir)) => dir as u8 == pose,
                (Motion::Turns { .. }, Action::TurnLeft | Action::TurnRight) => true,
                (Motion::Car { .. }, Action::Go(dir)) => along(pose, dir),
                (Motion::Car { radius: own, .. }, Action::Curve(bend, radius)) => {
                    radius == own && along(pose, bend.first())
                }
                _ => false,
            }
    }

    /// The pose that `action` leads to.
    #[must_use]
    pub const fn pose_after(&self, pose: u8, action: Action) -> u8 {
        match (self.motion, action) {
            (Motion::Gaits { .. }, Action::Accelerate(dir) | Action::Run(dir)) => dir as u8 + 1,
            (Motion::Car { .. }, Action::Curve(bend, _)) => {
                let ahead = bend.first() as u8 == pose;
                (if ahead { bend.then() } else { bend.then().opposite() }) as u8
            }
            (Motion::Turns { .. }, Action::TurnLeft) => (pose + 3) % 4,
            (Motion::Turns { .. }, Action::TurnRight) => (pose + 1) % 4,
            _ => self.motion.rested(pose),
        }
    }

    /// The pose that a car had before `action` led to `pose`; other units begin it in any that owns it.
    #[must_use]
    pub const fn pose_before(&self, pose: u8, action: Action) -> u8 {
        match (self.motion, action) {
            (Motion::Car { .. }, Action::Curve(bend, _)) => {
                let ahead = bend.then() as u8 == pose;
                (if ahead { bend.first() } else { bend.first().opposite() }) as u8
            }
            (Motion::Turns { .. }, Action::TurnLeft) => (pose + 1) % 4,
            (Motion::Turns { .. }, Action::TurnRight) => (pose + 3) % 4,
            _ => self.motion.rested(pose),
        }
    }

    /// The action that leads from `from` to `to` and ends in `pose`, if there is one. A step of a run may have
    /// been its first.
    #[must_use]
    pub fn between(&self, from: Cell, to: Cell, pose: u8) -> Option<Action> {
        let step = Action::between(from, to);
        match (self.motion, step) {
            (Motion::Gaits { .. }, Some(Action::Go(dir))) if pose > 0 => Some(Action::Run(dir)),
            (Motion::Car { radius, .. }, _) => {
                let curves = Bend::ALL.map(|bend| Action::Curve(bend, radius));
                let ends_so = |action: &Action| {
                    let Action::Curve(bend, _) = *action else { return false };
                    // Two bends join the same cells; they end with perpendicular headings.
                    from.after(*action) == to && along(pose, bend.then())
                };
                curves.into_iter().find(ends_so).or(step)
            }
            _ => step,
        }
    }

    /// Whether it owns `action` in `pose` and terrain allows it from `from`.
    #[must_use]
    pub fn legal(&self, grid: &Grid, from: Cell, pose: u8, action: Action) -> bool {
        self.owns(pose, action) && self.footprint(from, action).cells().all(|c| grid.is_open(c))
    }

    /// What `action` covers when begun at `from`.
    #[must_use]
    pub const fn footprint(&self, from: Cell, action: Action) -> Footprint {
        Footprint::new(self.body, from, action, self.duration(action))
    }
}

/// Whether a heading points along `dir` or against it.
const fn along(heading: u8, dir: Dir) -> bool {
    dir as u8 == heading || dir.opposite() as u8 == heading
}

/// A step that takes `straight` ticks if it is straight.
const fn step(straight: u32, dir: Dir) -> u32 {
    if dir.is_diagonal() { diagonal(straight) } else { straight }
}

/// round(period·π·radius/2), without floating point.
const fn quarter(period: u32, radius: u32) -> u32 {
    // π ≈ 355/113 is near enough for every period and radius that there are.
    (710 * period * radius + 226) / 452
}

/// round(period·√2), without floating point.
const fn diagonal(period: u32) -> u32 {
    (8 * period * period).isqrt().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_RADIUS;

    #[test]
    fn diagonals_are_rounded() {
        for period in 1..=255u32 {
            assert_eq!(diagonal(period), (f64::from(period) * 2f64.sqrt()).round() as u32, "{period}");
        }
        assert_eq!(diagonal(5), 7);
    }

    #[test]
    fn a_diagonal_of_a_large_body_needs_the_whole_block() {
        let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
        let grid = Grid::from_rows(&["...", "...", "..@"]).unwrap();
        let small = Actions::new(rules, 1, 1);
        let large = Actions::new(rules, 2, 1);
        assert!(small.legal(&grid, Cell::new(0, 0), 0, Action::Go(Dir::SE)));
        assert!(large.legal(&grid, Cell::new(0, 0), 0, Action::Go(Dir::E)));
        assert!(!large.legal(&grid, Cell::new(0, 0), 0, Action::Go(Dir::SE)));
        let print = large.footprint(Cell::new(1, 1), Action::Go(Dir::NW));
        assert_eq!((print.anchor, print.width, print.height), (Cell::new(0, 0), 3, 3));
        assert_eq!(print.cells().count(), 9);
        assert!(print.covers(Cell::new(2, 2)) && !print.covers(Cell::new(3, 2)));
    }

    #[test]
    fn who_turns_goes_ahead_alone_and_every_turn_has_a_way_back() {
        let unit = Actions::new(Rules::default(), 1, 1).moving(Motion::Turns { heading: Dir::E });
        let all = || Dir::ALL.map(Action::Go).into_iter().chain([Action::TurnLeft, Action::TurnRight]);
        for pose in 0..4 {
            let ahead = Action::Go(Dir::ALL[usize::from(pose)]);
            let own: Vec<_> = all().filter(|&action| unit.owns(pose, action)).collect();
            assert_eq!(own, [ahead, Action::TurnLeft, Action::TurnRight]);
            for action in own {
                assert_eq!(unit.pose_before(unit.pose_after(pose, action), action), pose);
                assert_eq!(unit.duration(action), 1);
            }
            assert_eq!(unit.pose_after(unit.pose_after(pose, Action::TurnLeft), Action::TurnRight), pose);
            assert_eq!(unit.pose_after(pose, Action::Wait), pose);
        }
        assert_eq!(unit.pose_after(Dir::E as u8, Action::TurnLeft), Dir::N as u8);
        assert_eq!(
            unit.footprint(Cell::new(3, 3), Action::TurnLeft).cells().collect::<Vec<_>>(),
            [Cell::new(3, 3)]
        );
    }

    #[test]
    fn curves_are_rounded() {
        for (period, radius) in (1..=64u8).flat_map(|p| (1..=MAX_RADIUS).map(move |r| (p, r))) {
            let exact = f64::from(period) * std::f64::consts::FRAC_PI_2 * f64::from(radius);
            assert_eq!(quarter(period.into(), radius.into()), exact.round() as u32, "{period} {radius}");
        }
    }

    #[test]
    fn a_run_begins_with_a_step_between_both_speeds() {
        let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
        let unit = Actions::new(rules, 1, 5).moving(Motion::Gaits { run: 2 });
        let ticks = [Action::Go, Action::Accelerate, Action::Run]
            .map(|a| (unit.duration(a(Dir::E)), unit.duration(a(Dir::NE))));
        assert_eq!(ticks, [(5, 7), (4, 6), (2, 3)]);
        assert!(!unit.owns(0, Action::Run(Dir::E)) && unit.owns(0, Action::Accelerate(Dir::E)));
        let running = unit.pose_after(0, Action::Accelerate(Dir::E));
        let may: Vec<_> = Dir::ALL.into_iter().filter(|&dir| unit.owns(running, Action::Run(dir))).collect();
        assert_eq!(may, [Dir::E, Dir::NE, Dir::SE]);
        assert!(!unit.owns(running, Action::Accelerate(Dir::E)) && unit.owns(running, Action::Go(Dir::W)));
        assert_eq!(unit.pose_after(running, Action::Go(Dir::E)), 0);
        assert_eq!(unit.pose_after(running, Action::Wait), 0);
    }

    #[test]
    fn a_car_turns_ahead_and_back_and_every_move_has_a_way_back() {
        let rules = Rules { timing: Timing::Metric, ..Rules::default() };
        let car = Actions::new(rules, 2, 3).moving(Motion::Car { radius: 2, heading: Dir::N });
        let from = Cell::new(10, 10);
        let all = || {
            let curves = Bend::ALL.map(|bend| Action::Curve(bend, 2));
            Dir::ALL.map(Action::Go).into_iter().chain(curves)
        };
        for pose in 0..4 {
            let own: Vec<_> = all().filter(|&action| car.owns(pose, action)).collect();
            assert_eq!(own.len(), 6);
            for action in own {
                let (to, then) = (from.after(action), car.pose_after(pose, action));
                assert_eq!(car.between(from, to, then), Some(action), "the only one");
                assert_eq!(car.pose_before(then, action), pose);
                let back = all()
                    .filter(|&a| car.owns(then, a) && to.after(a) == from && car.pose_after(then, a) == pose);
                assert_eq!(back.map(|a| car.duration(a)).collect::<Vec<_>>(), [car.duration(action)]);
            }
        }
        assert!(!car.owns(0, Action::Go(Dir::E)) && !car.owns(0, Action::Curve(Bend::NE, 3)));
        assert_eq!(car.pose_after(0, Action::Curve(Bend::NE, 2)), Dir::E as u8);
        assert_eq!(car.pose_after(2, Action::Curve(Bend::NE, 2)), Dir::W as u8, "backwards");
        assert_eq!((car.duration(Action::Curve(Bend::NE, 2)), car.longest()), (9, 9));
    }
}
