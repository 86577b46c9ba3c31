//! Watches bodies move, step by step.

use super::doors::Doors;
use super::{Closest, Solid, closest};
use core::fmt;
use throng_core::AgentId;
use throng_core::space::{Convex, NewBody, Point, Pose, Scene, Shape};

/// No more violations are kept; all are counted.
const KEPT: usize = 100;
/// Speeds are held against their limits up to rounding.
const ROUNDING: f64 = 1e-9;
/// A door that is to close has to if nobody is nearer to it than this. Whoever is nearer may keep it open.
const NEAR: f64 = 1e-4;

/// One body as the judge knows it.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Its shape.
    pub shape: Shape,
    /// How far it may come in a unit of time.
    pub speed: f64,
}

/// One reason to object.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpaceViolation {
    #[error("step {step}: {found} bodies, expected {expected}")]
    WrongCount { step: u64, found: usize, expected: usize },
    #[error("body {agent} begins at {found}, expected {expected}")]
    WrongStart { agent: AgentId, found: Point, expected: Point },
    #[error("body {agent} is not there in the beginning, expected at {expected}")]
    NoStart { agent: AgentId, expected: Point },
    #[error("body {agent} faces {found} in the beginning, expected {expected}")]
    WrongHeading { agent: AgentId, found: Point, expected: Point },
    #[error("step {step}: body {agent} is nowhere: expected finite coordinates and a heading of length one")]
    Nowhere { step: u64, agent: AgentId },
    #[error("step {step}: body {agent} comes {far} far, at most {limit}")]
    TooFast { step: u64, agent: AgentId, far: f64, limit: f64 },
    #[error("step {step}: body {agent} turns by more than a quarter of a circle")]
    TurnsTooFar { step: u64, agent: AgentId },
    #[error("step {step}: bodies {first} and {second} touch when {time:.6} of it has passed (gap {gap:e})")]
    Touch { step: u64, first: AgentId, second: AgentId, time: f64, gap: f64 },
    #[error("step {step}: body {agent} touches wall {wall} when {time:.6} of it has passed (gap {gap:e})")]
    Wall { step: u64, agent: AgentId, wall: usize, time: f64, gap: f64 },
    #[error(
        "step {step}: body {agent} touches door {door}, which is closed, when {time:.6} of it has passed (gap {gap:e})"
    )]
    Door { step: u64, agent: AgentId, door: usize, time: f64, gap: f64 },
    #[error("step {step}: there is no door {door}")]
    NoDoor { step: u64, door: u32 },
    #[error("step {step}: door {door} does not {}, as the scene has it in store", verb(*open))]
    Missed { step: u64, door: usize, open: bool },
    #[error("step {step}: door {door} {}s, of which the scene says nothing", verb(*open))]
    NotInStore { step: u64, door: u32, open: bool },
}

const fn verb(open: bool) -> &'static str {
    if open { "open" } else { "close" }
}

/// What the judge says in the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceReport {
    /// What is wrong, by step; the first hundred.
    pub violations: Vec<SpaceViolation>,
    /// How many violations there are.
    pub total: u64,
    /// How many of them are bodies that touch each other.
    pub collisions: u64,
    /// Steps judged.
    pub steps: u64,
    /// The least gap between two bodies that were near enough to be compared.
    pub least_gap: Option<f64>,
}

impl SpaceReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.total == 0
    }
}

/// One line per violation, or one line of metrics.
impl fmt::Display for SpaceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_valid() {
            return write!(f, "valid: {} steps", self.steps);
        }
        for (place, violation) in self.violations.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            write!(f, "{violation}")?;
        }
        match self.total - self.violations.len() as u64 {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Judges one step after the other.
#[derive(Clone, Debug)]
pub struct SpaceJudge {
    movers: Vec<Mover>,
    walls: Vec<Solid>,
    doors: Doors,
    poses: Vec<Option<Pose>>,
    report: SpaceReport,
}

/// What a body or a wall covers in a step: solid, place, way, and the box around all that.
struct Swept {
    solid: Solid,
    from: Point,
    by: Point,
    x: (f64, f64),
    y: (f64, f64),
    who: Who,
}

#[derive(Clone, Copy, PartialEq)]
enum Who {
    Body(AgentId),
    Wall(usize),
    Door(usize),
}

impl SpaceJudge {
    /// Bodies at their places (nowhere: not in the world now) among walls. Whoever touches somebody at once is found by
    /// the first step.
    #[must_use]
    pub fn new(movers: Vec<Mover>, walls: &[Convex], poses: Vec<Option<Pose>>) -> Self {
        let walls = walls.iter().map(Solid::wall).collect();
        Self { movers, walls, doors: Doors::default(), poses, report: SpaceReport::default() }
    }

    /// A judge of what is done about a scene by bodies that begin at `poses`.
    #[must_use]
    pub fn of(scene: &Scene, poses: Vec<Option<Pose>>) -> Self {
        let mover = |body: &NewBody| Mover { shape: body.shape.clone(), speed: body.speed };
        let walls = [&scene.walls[..], &scene.border()].concat();
        let judge = Self::new(scene.bodies.iter().map(mover).collect(), &walls, poses);
        Self { doors: Doors::of(scene), ..judge }
    }

    /// Before the next step a door has closed or opened.
    pub fn change(&mut self, door: u32, open: bool) {
        let step = self.report.steps;
        self.doors.happen(step);
        match self.doors.list.get_mut(door as usize) {
            None => self.object(SpaceViolation::NoDoor { step, door }),
            Some(found) => {
                found.closed = !open;
                // Once is enough.
                if core::mem::replace(&mut found.wanted, !open) == open {
                    self.object(SpaceViolation::NotInStore { step, door, open });
                }
            }
        }
    }

    /// Somebody from outside wants a door closed or open from now on, whatever the scene had in store for it until now.
    pub fn want(&mut self, door: u32, open: bool) {
        self.doors.happen(self.report.steps);
        if let Some(door) = self.doors.list.get_mut(door as usize) {
            door.wanted = !open;
        }
    }

    /// One step of so much time, which leads everybody to these poses. Who comes or goes does so between two steps.
    pub fn step(&mut self, time: f64, poses: &[Option<Pose>]) {
        let step = self.report.steps;
        self.report.steps += 1;
        if poses.len() != self.movers.len() || self.poses.len() != self.movers.len() {
            let (found, expected) = (poses.len(), self.movers.len());
            self.object(SpaceViolation::WrongCount { step, found, expected });
            return;
        }
        self.hold_doors(step);
        let mut swept = Vec::with_capacity(poses.len() + self.walls.len());
        for (place, to) in poses.iter().enumerate() {
            let Some(to) = *to else { continue };
            let from = self.poses[place].unwrap_or(to);
            swept.extend(self.sweep(step, AgentId(place as u32), from, to, time));
        }
        swept.extend(
            self.walls
                .iter()
                .enumerate()
                .map(|(wall, solid)| Swept::new(solid.clone(), Point::ZERO, Point::ZERO, Who::Wall(wall))),
        );
        let closed = self.doors.list.iter().enumerate().filter(|(_, door)| door.closed);
        swept.extend(
            closed.map(|(id, door)| Swept::new(door.solid.clone(), Point::ZERO, Point::ZERO, Who::Door(id))),
        );
        self.compare(step, swept);
        self.poses = poses.to_vec();
    }

    /// A body that has come to the world, with the next number.
    pub fn join(&mut self, mover: Mover, pose: Pose) {
        self.movers.push(mover);
        self.poses.push(Some(pose));
    }

    /// What was found so far.
    #[must_use]
    pub const fn report(&self) -> &SpaceReport {
        &self.report
    }

    pub(super) fn object(&mut self, violation: SpaceViolation) {
        self.report.total += 1;
        self.report.collisions += u64::from(matches!(violation, SpaceViolation::Touch { .. }));
        if self.report.violations.len() < KEPT {
            self.report.violations.push(violation);
        }
    }

    /// Doors have to be as the scene has it in store, but for those that somebody keeps open.
    fn hold_doors(&mut self, step: u64) {
        self.doors.happen(step);
        for door in 0..self.doors.list.len() {
            let (wanted, closed) = (self.doors.list[door].wanted, self.doors.list[door].closed);
            if wanted != closed && !(wanted && self.is_taken(door)) {
                self.object(SpaceViolation::Missed { step, door, open: !wanted });
                // Once is enough.
                self.doors.list[door].closed = wanted;
            }
        }
    }

    /// Whether the disc around somebody is in a door, or nearly so.
    fn is_taken(&self, door: usize) -> bool {
        let near = |(mover, pose): (&Mover, &Option<Pose>)| {
            let Some(pose) = pose else { return false };
            let disc = Solid { points: vec![Point::ZERO], round: mover.shape.reach() };
            let still = (Point::ZERO, Point::ZERO);
            closest(&disc, &self.doors.list[door].solid, (pose.at, Point::ZERO), still).gap <= NEAR
        };
        self.movers.iter().zip(&self.poses).any(near)
    }

    /// What one body covers, after a look at how it moves.
    fn sweep(&mut self, step: u64, agent: AgentId, from: Pose, to: Pose, time: f64) -> Option<Swept> {
        if !from.is_sound() || !to.is_sound() {
            self.object(SpaceViolation::Nowhere { step, agent });
            return None;
        }
        let Mover { shape, speed } = &self.movers[agent.index()];
        let by = to.at - from.at;
        let (far, limit) = (by.length(), speed * time);
        let solid = Solid::turning(shape, from.heading, to.heading);
        let facing = Solid::facing(shape, to.heading);
        if far > limit * (1.0 + ROUNDING) + ROUNDING {
            self.object(SpaceViolation::TooFast { step, agent, far, limit });
        }
        if solid.is_none() {
            self.object(SpaceViolation::TurnsTooFar { step, agent });
        }
        Some(Swept::new(solid.unwrap_or(facing), from.at, by, Who::Body(agent)))
    }

    /// Everybody against everybody whose box overlaps theirs: in the order of left edges, so that only those are
    /// compared that overlap from left to right.
    fn compare(&mut self, step: u64, mut swept: Vec<Swept>) {
        swept.sort_by(|a, b| a.x.0.total_cmp(&b.x.0));
        let mut open: Vec<usize> = Vec::new();
        for place in 0..swept.len() {
            let here = &swept[place];
            open.retain(|&other| swept[other].x.1 >= here.x.0);
            for &other in &open {
                let there = &swept[other];
                if here.y.0 > there.y.1 || there.y.0 > here.y.1 {
                    continue;
                }
                let found = match (here.who, there.who) {
                    (Who::Wall(_) | Who::Door(_), Who::Wall(_) | Who::Door(_)) => continue,
                    _ => closest(&here.solid, &there.solid, (here.from, there.from), (here.by, there.by)),
                };
                self.weigh(step, here.who, there.who, found);
            }
            open.push(place);
        }
    }

    fn weigh(&mut self, step: u64, one: Who, other: Who, Closest { time, gap }: Closest) {
        match (one, other) {
            (Who::Body(a), Who::Body(b)) => {
                let least = self.report.least_gap.get_or_insert(gap);
                *least = least.min(gap);
                if gap <= 0.0 {
                    let (first, second) = (a.min(b), a.max(b));
                    self.object(SpaceViolation::Touch { step, first, second, time, gap });
                }
            }
            (Who::Body(agent), Who::Wall(wall)) | (Who::Wall(wall), Who::Body(agent)) if gap <= 0.0 => {
                self.object(SpaceViolation::Wall { step, agent, wall, time, gap });
            }
            (Who::Body(agent), Who::Door(door)) | (Who::Door(door), Who::Body(agent)) if gap <= 0.0 => {
                self.object(SpaceViolation::Door { step, agent, door, time, gap });
            }
            _ => {}
        }
    }
}

impl Swept {
    fn new(solid: Solid, from: Point, by: Point, who: Who) -> Self {
        let span = |of: fn(Point) -> f64| {
            let ((least, most), start, way) = (solid.span(of), of(from), of(by));
            (start + least + way.min(0.0), start + most + way.max(0.0))
        };
        let (x, y) = (span(|point| point.x), span(|point| point.y));
        Self { solid, from, by, x, y, who }
    }
}
