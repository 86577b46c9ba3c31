//! What everybody can see, and what follows from it for one way.

use crate::MARGIN;
use crate::body::Body;
use crate::crowd::{Crowd, Seen};
use crate::geometry::{Meeting, Solid, meeting, overlap, unsafe_speeds};
use crate::knot::Knot;
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
    pub(crate) knots: &'a [Knot],
    /// The highest speed of anybody, and the largest reach.
    pub(crate) fastest: f64,
    pub(crate) widest: f64,
    /// By body: how many times it had to look less far when it last did, or nothing of it.
    pub(crate) narrowed: &'a [u8],
    /// Now.
    pub(crate) step: u64,
}

/// One body that looks at the others, with what it needs for that close at hand.
#[derive(Clone, Copy)]
pub(crate) struct Eye<'a> {
    pub(crate) sight: &'a Sight<'a>,
    pub(crate) body: &'a Body,
    pub(crate) id: u32,
    rank: u128,
    reach: f64,
    /// What it keeps clear of others if it can.
    pub(crate) room: f64,
    disc: bool,
}

/// A straight piece of the way ahead: begins at `from` at a time from now and goes on until another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) from: Point,
    pub(crate) dir: Point,
    /// The same way at the body's own speed.
    pub(crate) velocity: Point,
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

/// Who is slower than this part of the fastest stands, as far as others are concerned.
pub(super) const STANDING: f64 = 0.02;
/// What others are forecast to keep clear of a body, as a part of its reach, so that it rarely comes to a stop.
pub(crate) const CLEAR: f64 = 0.1;
/// Part of its speed at which a body goes past somebody who rests where there is less room than that.
const SQUEEZING: f64 = 0.1;
/// How far ahead of somebody one is in its way, in its own reaches, beyond where they would touch.
const AHEAD: f64 = 1.0;
/// Who sees too many looks this part as far.
pub(super) const NARROWER: f64 = 0.7;
/// Squares hold this many times as many as are near, about.
const CROWD: usize = 4;

impl Sight<'_> {
    /// A look from body `id`.
    #[inline]
    pub(crate) fn eye(&self, id: usize) -> Eye<'_> {
        let body = &self.bodies[id];
        let reach = body.shape.reach();
        let (rank, disc) = (self.crowd.seen(id).rank, body.shape.is_disc());
        Eye { sight: self, body, id: id as u32, rank, reach, room: reach * CLEAR, disc }
    }

    /// How far away somebody can be whom a body could touch in one step.
    #[inline]
    pub(crate) fn nearby(&self, body: &Body) -> f64 {
        let reach = body.shape.reach();
        (body.preferred + self.fastest) * self.settings.step + reach * (1.0 + CLEAR) + self.widest
    }
}

impl Sight<'_> {
    /// Where everybody is now who can come as close as `close` to somebody who is at `at` now, and at other places after some time:
    /// others have come so far meanwhile. Those behind it are left out, which are most.
    pub(crate) fn reach(
        &self,
        at: Point,
        ends: impl Iterator<Item = (Point, f64)>,
        close: f64,
    ) -> (Point, Point) {
        let box_of = |at: Point, far: f64| (at - Point::new(far, far), at + Point::new(far, far));
        let (mut least, mut most) = box_of(at, close);
        for (at, time) in ends {
            let (a, b) = box_of(at, close + self.fastest * time);
            (least, most) = (
                Point::new(least.x.min(a.x), least.y.min(a.y)),
                Point::new(most.x.max(b.x), most.y.max(b.y)),
            );
        }
        (least, most)
    }
}

impl<'a> Eye<'a> {
    /// How far somebody can be whom the body meets within its forecast.
    #[inline]
    pub(crate) fn farthest(&self) -> f64 {
        let Self { sight, body, .. } = self;
        sight.settings.forecast * (body.preferred + sight.fastest) + sight.nearby(body)
    }

    /// It looks at no more than so many, or less far.
    #[inline]
    pub(crate) const fn most(&self) -> usize {
        CROWD * self.sight.settings.nearest
    }

    /// How far a body looks: as far as there may be somebody whom it meets, and less far in a crowd.
    pub(crate) fn range(&self) -> f64 {
        let Self { sight, body, .. } = self;
        let (mut range, least) = (self.farthest(), sight.nearby(body));
        while range > least && sight.crowd.near(body.pose.at, range).nth(self.most()).is_some() {
            range = (range * NARROWER).max(least);
        }
        range
    }

    /// All others who may be within `radius`, and some more.
    #[inline]
    pub(crate) fn others(&self, radius: f64) -> impl Iterator<Item = &'a Seen> + use<'a> {
        let id = self.id;
        self.sight.crowd.near(self.body.pose.at, radius).filter(move |who| who.id != id)
    }

    /// How close to somebody it means to come at most, disc around disc.
    #[inline]
    pub(crate) fn closest(&self, who: &Seen) -> f64 {
        self.reach + who.reach + self.room
    }

    /// A straight way from where it is, at its own speed.
    pub(crate) fn ahead(&self, dir: Point, length: f64) -> Piece {
        let end = (length / self.body.preferred).min(self.sight.settings.forecast);
        let velocity = dir * self.body.preferred;
        Piece { from: self.body.pose.at, dir, velocity, begin: 0.0, end }
    }

    /// Whether the disc around the body may meet the one around somebody on its way, whatever the time. Does not branch.
    #[inline(always)]
    pub(crate) fn may_meet(&self, pieces: &[Piece], who: &Seen, place: Point, square: f64) -> bool {
        let [piece] = pieces else { return true };
        let way = piece.velocity - who.velocity;
        let towards = place.dot(way);
        let radius = self.closest(who);
        let beyond = square - radius * radius;
        let root = towards * towards - way.dot(way) * beyond;
        (beyond <= 0.0) | ((towards < 0.0) & (root > 0.0))
    }

    /// When the body meets somebody who goes on as now, if that is within the piece: the time from now.
    #[inline(always)]
    pub(crate) fn meets(&self, piece: &Piece, who: &Seen) -> Option<f64> {
        let way = piece.velocity - who.velocity;
        let place = piece.from - (who.at + who.velocity * piece.begin);
        let towards = place.dot(way);
        let radius = self.closest(who);
        let beyond = place.dot(place) - radius * radius;
        if beyond > 0.0 {
            // Nearly everybody: going apart, passing by, or too late.
            if towards >= 0.0 {
                return None;
            }
            let square = way.dot(way);
            let root = towards * towards - square * beyond;
            if root <= 0.0 {
                return None;
            }
            let time = (-towards - root.sqrt()) / square;
            if piece.begin + time > piece.end {
                return None;
            }
            if self.disc && who.disc {
                return Some(piece.begin + time);
            }
        }
        self.meets_closely(piece, who, place, way)
    }

    /// The same for bodies that are close, or of which one at least is a polygon.
    fn meets_closely(&self, piece: &Piece, who: &Seen, place: Point, way: Point) -> Option<f64> {
        let Meeting { begin, end } = if self.disc && who.disc {
            // Too close for comfort: what counts is whether they would touch.
            meeting(self.solid(), self.solid_of(who), place, way, MARGIN)?
        } else {
            let found = meeting(self.solid(), self.solid_of(who), place, way, self.room)?;
            let close = found.begin < 0.0 && found.end > 0.0;
            if close { meeting(self.solid(), self.solid_of(who), place, way, MARGIN)? } else { found }
        };
        let time = piece.begin + begin.max(0.0);
        (end > 0.0 && begin + end > 0.0 && time <= piece.end).then_some(time)
    }

    pub(super) const fn reach(&self) -> f64 {
        self.reach
    }

    fn solid(&self) -> &'a Solid {
        &self.sight.solids[self.id as usize]
    }

    fn solid_of(&self, who: &Seen) -> &'a Solid {
        &self.sight.solids[who.id as usize]
    }

    /// Whether the body has to mind another: that one stands, or has this one behind it, or goes first.
    #[inline]
    pub(crate) fn yields(&self, who: &Seen) -> bool {
        let ahead = (self.body.pose.at - who.at).dot(who.velocity) > 0.0;
        self.stands(who) || !ahead || who.rank < self.rank
    }

    /// The highest speed along a piece at which the body passes behind somebody whom it would meet at `time`, or comes to
    /// the meeting point no sooner than the forecast goes.
    pub(crate) fn slowed(&self, piece: &Piece, who: &Seen, time: f64) -> f64 {
        let preferred = self.body.preferred;
        let brake = preferred * time / self.sight.settings.forecast;
        if piece.begin > 0.0 {
            return brake;
        }
        let (mine, theirs) = (self.solid(), self.solid_of(who));
        let place = piece.from - who.at;
        let room = if overlap(mine, theirs, place, self.room) { MARGIN } else { self.room };
        let cone = unsafe_speeds(mine, theirs, place, piece.dir, who.velocity, room);
        let behind = cone.map_or(preferred, |(least, _)| least);
        let speed = behind.max(brake).min(preferred);
        // As slow as that it would never get by: past somebody who rests it squeezes if they do not touch.
        let rests = || self.stands(who) && self.sight.bodies[who.id as usize].path.is_empty();
        let squeezes = speed < SQUEEZING * preferred && room > MARGIN && rests();
        let touch = |way: Point| meeting(mine, theirs, place, way, MARGIN);
        if squeezes && touch(piece.velocity).is_none_or(|it| it.end <= 0.0) {
            return SQUEEZING * preferred;
        }
        speed
    }

    /// Whether somebody stands, as far as others are concerned.
    #[inline]
    fn stands(&self, who: &Seen) -> bool {
        let slow = STANDING * self.sight.fastest;
        who.velocity.dot(who.velocity) < slow * slow
    }

    /// Whether another is held up by the body, which has to make way: it goes first, presses, and has the body before it.
    #[inline]
    pub(crate) fn holds_up(&self, who: &Seen) -> bool {
        who.presses && who.rank <= self.rank && {
            let wish = self.sight.bodies[who.id as usize].wish;
            let place = self.body.pose.at - who.at;
            let (along, across) = (place.dot(wish), wish.cross(place));
            let touch = self.reach + who.reach;
            along > 0.0 && along < touch + AHEAD * who.reach && across.abs() < touch + self.room
        }
    }
}
