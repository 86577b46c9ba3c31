//! Where two hardly fit side by side, whoever meets somebody that comes towards it keeps to its right.
//!
//! In a corridor of about two bodies' width all ways lead along its middle. Two that meet there slow down for each other, step
//! aside for each other, and do so again and again: neither knows on which side the other will pass. So both keep to
//! their right, as far as they have to and as walls allow, for as long as they would meet. Nothing of it is remembered.

use super::sight::{CLEAR, Eye, Piece, Sight};
use crate::MARGIN;
use crate::crowd::Seen;
use throng_core::space::Point;

/// Who goes against another's way by this much, as a cosine, comes towards it.
const AGAINST: f64 = -0.5;
/// Free places across a corridor for the middle of a body: fewer than this many widths of both.
const NARROW: f64 = 2.0;
/// Who is off the other's way by less than this, in its reaches, need not go aside any farther.
const OFF: f64 = 1e-3;

/// Part of the room on its right that a way takes up.
const LANE: f64 = 0.5;

/// Whom a body meets head on, and when: the first of all.
#[derive(Clone, Copy)]
pub(super) struct Oncoming<'a> {
    pub(super) who: &'a Seen,
    pub(super) time: f64,
}

impl<'a> Oncoming<'a> {
    /// The sooner of two, the lower number among equals.
    pub(super) fn or(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if (other.time, other.who.id) < (self.time, self.who.id) => other,
            _ => self,
        }
    }
}

impl Eye<'_> {
    /// Whether somebody comes towards the body: as it moves, or as it would if it could.
    pub(super) fn comes_towards(&self, dir: Point, who: &Seen) -> bool {
        let wish = self.sight.bodies[who.id as usize].wish;
        wish.dot(dir) < AGAINST && who.velocity.dot(dir) <= 0.0
    }

    /// Whether the body hardly fits past somebody who goes that way, or does not, for walls.
    pub(super) fn is_narrow(&self, dir: Point, who: &Seen) -> bool {
        let far = NARROW * self.closest(who);
        let solid = self.sight.ways.solid(self.id as usize);
        let room = |side: Point| self.sight.space.room(solid, self.body.pose.at, side * far) * far;
        // Somebody who pushes it against the wall goes across the corridor.
        [Point::new(-dir.y, dir.x), dir].into_iter().any(|side| room(side) + room(-side) < far)
    }

    /// Where a body goes that keeps to its right so as to pass somebody, and on from there; nothing if both fit with room to
    /// spare, or do not fit at all.
    pub(super) fn keeps_right(&self, piece: &Piece, who: &Seen) -> Option<[Piece; 2]> {
        let Self { sight, body, id, .. } = *self;
        let (at, dir) = (body.pose.at, piece.dir);
        // As in a picture, where y grows downwards.
        let right = Point::new(-dir.y, dir.x);
        let place = who.at - at;
        let (ahead, beside) = (place.dot(dir), -place.dot(right));
        let closest = self.closest(who);
        if ahead <= 0.0 {
            return None;
        }
        // Who has come so near on the left already goes on there.
        let (side, beside) =
            if beside < 0.0 && ahead < closest { (-right, -beside) } else { (right, beside) };
        let (solid, other) = (sight.ways.solid(id as usize), sight.ways.solid(who.id as usize));
        let room = |side: Point| sight.space.room(solid, at, side * (NARROW * closest)) * NARROW * closest;
        let (mine, across) = (room(side), room(-side));
        if mine + across >= NARROW * closest {
            return None;
        }
        let theirs = sight.space.room(other, who.at, -side * closest) * closest;
        let touch = self.reach() + who.reach + 2.0 * MARGIN;
        if beside + mine + theirs < touch {
            return None;
        }
        let aside = (closest - beside).clamp(0.0, mine);
        let aside = if aside < OFF * self.reach() { 0.0 } else { aside };
        let far = (ahead - closest) / 2.0;
        let on = if aside == 0.0 {
            [far.max(self.reach()); 3]
        } else {
            [far.max(0.0), far.clamp(0.0, aside), 0.0]
        };
        let ways = on.map(|on| dir * on + side * aside);
        let by = ways.into_iter().find(|&by| sight.space.is_free(solid, at, by))?;
        let first = self.ahead(by.unit()?, by.length());
        let forecast = sight.settings.forecast;
        let velocity = dir * body.preferred;
        let then = Piece { from: at + by, dir, velocity, begin: first.end.min(forecast), end: forecast };
        Some([first, then])
    }
}

impl Sight<'_> {
    /// The same way on the right side of all places that it leads by where two of the body's size hardly fit side by side, so that
    /// those who come out of a corridor do not find its mouth full of those who want to go in. Not where that leads past somebody who stands.
    pub(crate) fn on_the_right(
        &self,
        id: usize,
        mut path: Vec<Point>,
        passes: impl Fn(Point, Point) -> bool,
    ) -> Vec<Point> {
        let (solid, reach) = (self.ways.solid(id), self.bodies[id].shape.reach());
        let (touch, wide) = (2.0 * (reach + MARGIN), NARROW * reach * (2.0 + CLEAR));
        let mut before = self.bodies[id].pose.at;
        for place in (1..path.len()).rev() {
            let (at, next) = (path[place], path[place - 1]);
            if let Some(dir) = (next - before).unit() {
                let right = Point::new(-dir.y, dir.x);
                let room = |side: Point| self.space.room(solid, at, side * wide) * wide;
                let (mine, across) = (room(right), room(-right));
                let aside = at + right * (LANE * mine);
                let free = |from: Point, to: Point| {
                    self.space.is_free(solid, from, to - from) && !passes(from, to - from)
                };
                if (touch..wide).contains(&(mine + across)) && free(before, aside) && free(aside, next) {
                    path[place] = aside;
                }
            }
            before = path[place];
        }
        path
    }
}
