//! What everybody can see, and what follows from it for one way.

use crate::MARGIN;
use crate::body::Body;
use crate::crowd::{Crowd, Seen};
use crate::geometry::{Meeting, Solid, meeting, overlap, unsafe_speeds};
use crate::planning::Ways;
use crate::{Settings, Space};
use throng_core::space::Point;

/// A world that nobody changes while others look at it.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) space: &'a Space,
    pub(crate) settings: &'a Settings,
    pub(crate) bodies: &'a [Body],
    pub(crate) solids: &'a [Solid],
    pub(crate) crowd: &'a Crowd,
    pub(crate) ways: &'a Ways,
    /// The highest speed of anybody, and the largest reach.
    pub(crate) fastest: f64,
    pub(crate) widest: f64,
    /// Now.
    pub(crate) step: u64,
}

/// A straight piece of the way ahead: begins at `from` at a time from now and goes on until another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) from: Point,
    pub(crate) dir: Point,
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

/// Who is slower than this part of the fastest stands, as far as others are concerned.
const STANDING: f64 = 0.02;
/// What others are forecast to keep clear of a body, as a part of its reach, so that it rarely comes to a stop.
const CLEAR: f64 = 0.1;
/// Squares hold this many times as many as are near, about.
const CROWD: usize = 4;

impl Sight<'_> {
    /// How far a body looks: as far as somebody can be whom it meets within its forecast; less far in a crowd, so that
    /// it looks at no more than a few times as many as it may.
    pub(crate) fn range(&self, id: usize) -> f64 {
        let (body, least) = (&self.bodies[id], self.nearby(id));
        let mut range = self.settings.forecast * (body.preferred + self.fastest) + least;
        while range > least && self.crowd.count(body.pose.at, range) > CROWD * self.settings.nearest {
            range = (range * 0.7).max(least);
        }
        range
    }

    /// How far away somebody can be whom it could touch in one step.
    pub(crate) fn nearby(&self, id: usize) -> f64 {
        let body = &self.bodies[id];
        (body.preferred + self.fastest) * self.settings.step
            + body.shape.reach() * (1.0 + CLEAR)
            + self.widest
    }

    pub(crate) fn room(&self, id: usize) -> f64 {
        self.bodies[id].shape.reach() * CLEAR
    }

    /// When a body that goes along a piece at its own speed meets somebody who goes on as now, if that is within the
    /// piece: the time from now.
    #[inline]
    pub(crate) fn meets(&self, id: usize, piece: &Piece, who: &Seen) -> Option<f64> {
        let body = &self.bodies[id];
        let way = piece.dir * body.preferred - who.velocity;
        let place = piece.from - (who.at + who.velocity * piece.begin);
        let towards = place.dot(way);
        let (touch, square) = (body.shape.reach() + who.reach, way.dot(way));
        let radius = touch + self.room(id);
        let mut beyond = place.dot(place) - radius * radius;
        let discs = who.disc && body.shape.is_disc();
        if beyond <= 0.0 && discs {
            // Too close for comfort: what counts is whether they would touch.
            beyond = place.dot(place) - (touch + MARGIN) * (touch + MARGIN);
        }
        let mut time = 0.0;
        if beyond > 0.0 || discs {
            let root = towards * towards - square * beyond;
            if towards >= 0.0 || root <= 0.0 {
                return None;
            }
            time = if beyond > 0.0 { (-towards - root.sqrt()) / square } else { 0.0 };
        }
        if piece.begin + time > piece.end {
            return None;
        }
        if !discs {
            // The discs around them meet; what about themselves?
            let Meeting { begin, end } = self.meeting(id, who, place, way)?;
            if end <= 0.0 || begin + end <= 0.0 {
                return None;
            }
            time = begin.max(0.0);
        }
        let time = piece.begin + time;
        (time <= piece.end).then_some(time)
    }

    /// When bodies meet of which one at least is a polygon, with some room between them if they have it.
    fn meeting(&self, id: usize, who: &Seen, place: Point, way: Point) -> Option<Meeting> {
        let (mine, theirs) = (&self.solids[id], &self.solids[who.id as usize]);
        let found = meeting(mine, theirs, place, way, self.room(id))?;
        if found.begin < 0.0 && found.end > 0.0 {
            meeting(mine, theirs, place, way, MARGIN)
        } else {
            Some(found)
        }
    }

    /// Whether a body has to mind another: that one stands, or has this one behind it, or goes first.
    #[inline]
    pub(crate) fn yields(&self, id: usize, who: &Seen) -> bool {
        let slow = STANDING * self.fastest;
        let ahead = (self.bodies[id].pose.at - who.at).dot(who.velocity) > 0.0;
        who.velocity.dot(who.velocity) < slow * slow || !ahead || who.rank < self.crowd.rank(id)
    }

    /// The highest speed along a piece at which a body passes behind somebody whom it would meet at `time`, or comes to
    /// the meeting point no sooner than the forecast goes.
    pub(crate) fn slowed(&self, id: usize, piece: &Piece, who: &Seen, time: f64) -> f64 {
        let body = &self.bodies[id];
        let brake = body.preferred * time / self.settings.forecast;
        if piece.begin > 0.0 {
            return brake;
        }
        let (mine, theirs) = (&self.solids[id], &self.solids[who.id as usize]);
        let place = piece.from - who.at;
        let room = if overlap(mine, theirs, place, self.room(id)) { MARGIN } else { self.room(id) };
        let cone = unsafe_speeds(mine, theirs, place, piece.dir, who.velocity, room);
        let behind = cone.map_or(body.preferred, |(least, _)| least);
        behind.max(brake).min(body.preferred)
    }
}
