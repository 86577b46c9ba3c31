//! Doors: walls that close and open while bodies move.
//!
//! What is to happen happens before anybody decides in a step. A door that somebody is in closes when it is free. Then only what lies
//! near it is worked out anew: the points of roadmaps around it, and the ways that lead through it. Who had no way tries again when a
//! door opens, and who may have a shorter one asks for it.

use crate::body::{Body, Doing, Want};
use crate::geometry::{Solid, overlap, touches};
use crate::knot::Knot;
use crate::planning::length;
use crate::{Event, MARGIN, Space, SpaceError, World};
use throng_core::space::{Convex, Door, DoorChange, DoorEvent, Point};

/// A way through a door that has opened is looked for if it may be shorter than this part of the one that a body has.
const SHORTER: f64 = 0.95;

/// All doors of a world, and what is to become of them.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Doors {
    list: Vec<Doorway>,
    /// What has not happened yet, by step.
    events: Vec<DoorEvent>,
    /// The space with all of them open, if there are any.
    #[cfg_attr(feature = "serde", serde(skip))]
    open: Option<Space>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Doorway {
    door: Door,
    /// Whether it is to be closed.
    wanted: bool,
}

impl Doors {
    /// Doors in a space that has its other walls only.
    pub(crate) fn new(
        space: &Space,
        doors: Vec<Door>,
        mut events: Vec<DoorEvent>,
    ) -> Result<Self, SpaceError> {
        events.sort_by_key(|event| event.at);
        let list = doors.into_iter().map(|door| Doorway { wanted: door.closed, door }).collect();
        Self { list, events, open: None }.in_space(space)
    }

    /// The same in a space that has its other walls only, once every door and every event has been looked at.
    pub(crate) fn in_space(self, space: &Space) -> Result<Self, SpaceError> {
        let doors = self.list.len();
        (0..).zip(&self.list).try_for_each(|(id, way)| check(space, id, &way.door))?;
        let named = self.events.iter().flat_map(|event| event.close.iter().chain(&event.open));
        match named.copied().find(|&door| door as usize >= doors) {
            Some(door) => Err(SpaceError::NoDoor { door, doors }),
            None => Ok(Self { open: (doors > 0).then(|| space.clone()), ..self }),
        }
    }

    /// The space as it is now; nothing if there are no doors.
    pub(crate) fn space(&self) -> Option<Space> {
        let closed = self.list.iter().filter(|way| way.door.closed).map(|way| way.door.wall.clone());
        self.open.as_ref().map(|open| open.with_walls(open.walls().iter().cloned().chain(closed).collect()))
    }

    /// The space with all of them open; nothing if there are none.
    pub(crate) const fn all_open(&self) -> Option<&Space> {
        self.open.as_ref()
    }

    /// All doors as they are now.
    pub(crate) fn now(&self) -> Vec<Door> {
        self.list.iter().map(|way| way.door.clone()).collect()
    }

    /// What is to happen from step `now` on, as if that were the first.
    pub(crate) fn in_store(&self, now: u64) -> Vec<DoorEvent> {
        let waiting = |closes: bool| {
            let waits = move |(way, _): &(&Doorway, u32)| way.wanted == closes && way.door.closed != closes;
            self.list.iter().zip(0..).filter(waits).map(|(_, door)| door).collect::<Vec<u32>>()
        };
        let late = DoorEvent { at: 0, close: waiting(true), open: waiting(false) };
        let late = Some(late).filter(|late| !late.close.is_empty() || !late.open.is_empty());
        let rest =
            self.events.iter().map(|event| DoorEvent { at: event.at.saturating_sub(now), ..event.clone() });
        late.into_iter().chain(rest).collect()
    }

    /// Whether something is to open yet.
    pub(crate) fn will_open(&self) -> bool {
        self.events.iter().any(|event| !event.open.is_empty())
            || self.list.iter().any(|way| way.door.closed && !way.wanted)
    }

    /// What can be told apart of them, for a fingerprint.
    pub(crate) fn states(&self) -> impl Iterator<Item = u64> {
        self.list.iter().map(|way| u64::from(way.door.closed) | u64::from(way.wanted) << 1)
    }

    /// What is due is wanted from now on.
    fn happen(&mut self, step: u64) {
        let due = self.events.partition_point(|event| event.at <= step);
        for DoorEvent { close, open, .. } in self.events.drain(..due) {
            open.iter().for_each(|&door| self.list[door as usize].wanted = false);
            close.iter().for_each(|&door| self.list[door as usize].wanted = true);
        }
    }
}

/// A door has to let somebody through when it is open.
fn check(space: &Space, door: u32, Door { wall, .. }: &Door) -> Result<(), SpaceError> {
    let far = space.most() - space.least();
    let inside = vec![Point::ZERO, Point::new(far.x, 0.0), far, Point::new(0.0, far.y)];
    let solid = |corners: Vec<Point>| Solid { corners, round: 0.0, reach: 0.0 };
    let corners = wall.corners().iter().map(|&corner| corner - space.least()).collect();
    if !overlap(&solid(inside), &solid(corners), Point::ZERO, 0.0) {
        return Err(SpaceError::DoorOutside { door });
    }
    let covers = |other: &Convex| wall.corners().iter().all(|&corner| other.holds(corner));
    match space.walls().iter().position(covers) {
        Some(wall) => Err(SpaceError::DoorInWall { door, wall }),
        None => Ok(()),
    }
}

/// Doors that have closed or opened, as seen from the least corner of the space.
struct Changed {
    solid: Solid,
    closed: bool,
}

impl World {
    /// All doors as they are now, by number.
    pub fn doors(&self) -> impl Iterator<Item = &Door> {
        self.doors.list.iter().map(|way| &way.door)
    }

    /// The doors that closed and opened in the last step, before anybody moved.
    pub fn changes(&self) -> impl Iterator<Item = DoorChange> {
        let tick = self.steps.saturating_sub(1);
        self.events.iter().filter_map(move |event| match *event {
            Event::Closed { door } => Some(DoorChange { tick, door, open: false }),
            Event::Opened { door } => Some(DoorChange { tick, door, open: true }),
            _ => None,
        })
    }

    /// Has a door close in the next step, or as soon as nobody is in it.
    pub fn close(&mut self, door: u32) -> Result<(), SpaceError> {
        self.want(door, true)
    }

    /// Has a door open in the next step.
    pub fn open(&mut self, door: u32) -> Result<(), SpaceError> {
        self.want(door, false)
    }

    fn want(&mut self, door: u32, closed: bool) -> Result<(), SpaceError> {
        let doors = self.doors.list.len();
        let way = self.doors.list.get_mut(door as usize).ok_or(SpaceError::NoDoor { door, doors })?;
        way.wanted = closed;
        Ok(())
    }

    /// Closes and opens what is to, as far as nobody is in it.
    pub(crate) fn move_doors(&mut self) {
        self.doors.happen(self.steps);
        let mut changed = Vec::new();
        for place in 0..self.doors.list.len() {
            let Doorway { door, wanted } = &self.doors.list[place];
            if door.closed == *wanted {
                continue;
            }
            let corners = door.wall.corners().iter().map(|&corner| corner - self.space.least()).collect();
            let solid = Solid { corners, round: 0.0, reach: 0.0 };
            let (closed, door) = (*wanted, place as u32);
            if closed && self.is_taken(&solid) {
                continue;
            }
            self.doors.list[place].door.closed = closed;
            self.events.push(if closed { Event::Closed { door } } else { Event::Opened { door } });
            changed.push(Changed { solid, closed });
        }
        if let Some(space) = self.doors.space().filter(|_| !changed.is_empty()) {
            self.space = space;
            self.mend(&changed);
        }
    }

    /// Whether somebody is in a door: by the room that it needs, all around if it turns, so that it has a way from there.
    fn is_taken(&self, door: &Solid) -> bool {
        let near = |(id, body): (usize, &Body)| {
            let (solid, at) = (self.ways.solid(id), body.pose.at - self.space.least());
            let room = solid.reach + 2.0 * MARGIN;
            !body.is_gone() && door.is_within(at, room) && overlap(solid, door, at, 2.0 * MARGIN)
        };
        self.bodies.iter().enumerate().any(near)
    }

    /// Doors have closed or opened: whatever was made with them as they were is made anew.
    fn mend(&mut self, changed: &[Changed]) {
        for door in changed {
            let (least, most) = door.solid.extent();
            self.ways.changed(least + self.space.least(), most + self.space.least());
        }
        let barred: Vec<bool> = (0..self.bodies.len()).map(|id| self.is_barred(id, changed)).collect();
        let broken = |knot: &Knot| knot.bodies.iter().any(|&id| barred[id as usize]);
        let broken =
            self.knots.iter().filter(|knot| broken(knot)).filter_map(|knot| knot.bodies.first().copied());
        for id in broken.collect::<Vec<_>>() {
            self.dissolve(id as usize);
        }
        self.unsettle();
        let opened: Vec<&Changed> = changed.iter().filter(|door| !door.closed).collect();
        for (id, barred) in barred.into_iter().enumerate() {
            if barred {
                self.turn_back(id);
            } else if !opened.is_empty() && self.bodies[id].doing == Doing::Lost {
                self.set_out(id);
            } else if opened.iter().any(|door| self.may_gain(id, door)) {
                self.bodies[id].want = Want::Route;
            }
        }
    }

    /// Whether a door that has closed is in the way of a body.
    fn is_barred(&self, id: usize, changed: &[Changed]) -> bool {
        let (body, solid) = (&self.bodies[id], self.ways.solid(id));
        let mut at = body.pose.at;
        body.path.iter().rev().any(|&to| {
            let from = core::mem::replace(&mut at, to);
            let (place, by) = (from - self.space.least(), to - from);
            changed.iter().any(|door| door.closed && touches(solid, &door.solid, place, by, MARGIN))
        })
    }

    /// The way of a body is closed. Who was on its way back to where it rests looks for another way there.
    fn turn_back(&mut self, id: usize) {
        let rests = self.bodies[id].leg >= self.bodies[id].errand.legs();
        if !rests {
            self.bodies[id].path.clear();
            return self.set_out(id);
        }
        let body = &mut self.bodies[id];
        body.path.truncate(1);
        body.round = false;
        if let Some(&home) = body.path.first()
            && !self.goes_straight(id, home)
        {
            self.bodies[id].want = Want::Route;
        }
    }

    /// Whether a door is between a body that has done its errand and where it rested: it rests where it is then.
    pub(crate) fn is_walled_off(&self, id: usize) -> bool {
        let body = &self.bodies[id];
        let rests = body.leg >= body.errand.legs() && self.doors.open.is_some();
        rests && body.path.last().is_some_and(|&next| !self.goes_straight(id, next))
    }

    /// Whether a body that is on its way may have a shorter one through a door that has opened.
    fn may_gain(&self, id: usize, door: &Changed) -> bool {
        let body = &self.bodies[id];
        let on_its_way = body.leg < body.errand.legs() && !body.path.is_empty() && !body.tied;
        let Some(to) = body.errand.target(body.leg).filter(|_| on_its_way && body.want == Want::Nothing)
        else {
            return false;
        };
        let (least, most) = door.solid.extent();
        let middle = (least + most) * 0.5 + self.space.least();
        let far = |at: Point| ((at - middle).length() - (most - least).length() * 0.5).max(0.0);
        let at = body.pose.at;
        far(at) + far(to) < SHORTER * length(at, &body.path)
    }
}
