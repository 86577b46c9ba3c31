//! Who is later and has no room is made way for, also by those who rest.
//!
//! The document has bodies slow down and go round, and nothing else. Where many meet in one place, nobody can do either, and
//! all stand for ever. So whoever stands in the way of one that goes first, and that has been held up for some time,
//! steps aside; which way that one wants to go is seen. Who makes way goes first until it has, so
//! that those behind it make way as well.

use super::sight::{Piece, Sight};
use crate::crowd::Seen;
use core::f64::consts::FRAC_1_SQRT_2;
use throng_core::space::Point;

/// How far ahead of somebody one is in its way, in its own reaches, beyond where they would touch.
const AHEAD: f64 = 1.0;
/// Part of its speed at which a body steps aside.
const GENTLY: f64 = 0.5;

/// Whether `who` is held up by body `id`, which has to make way.
#[inline]
pub(super) fn holds_up(sight: &Sight<'_>, id: usize, who: &Seen) -> bool {
    if !who.presses || who.rank > sight.crowd.rank(id) {
        return false;
    }
    let body = &sight.bodies[id];
    let place = body.pose.at - who.at;
    let (along, across) = (place.dot(who.wish), who.wish.cross(place));
    let touch = body.shape.reach() + who.reach;
    along > 0.0 && along < touch + AHEAD * who.reach && across.abs() < touch + sight.room(id)
}

/// Which way, and how fast, body `id` steps aside for `who`: to the side on which it is, and if there is no room along with
/// that one, or to the other side, or back. Where there is no room at all it stands, and others see which way it would go.
pub(super) fn aside(sight: &Sight<'_>, id: usize, who: &Seen) -> (Point, f64) {
    let body = &sight.bodies[id];
    let speed = GENTLY * body.preferred;
    let ahead = who.wish;
    let left = Point::new(-ahead.y, ahead.x);
    let side = if ahead.cross(body.pose.at - who.at) < 0.0 { -left } else { left };
    let half = FRAC_1_SQRT_2;
    let ways =
        [side, (side + ahead) * half, (side - ahead) * half, ahead, (ahead - side) * half, -side, -ahead];
    let far = body.shape.reach();
    let is_free = |dir: &Point| {
        let piece = Piece { from: body.pose.at, dir: *dir, begin: 0.0, end: far / body.preferred };
        let mut others = sight.crowd.near(body.pose.at, sight.nearby(id) + far);
        let met = |other: &Seen| other.id as usize != id && sight.meets(id, &piece, other).is_some();
        !others.any(met) && sight.space.is_free(sight.ways.solid(id), body.pose.at, *dir * far)
    };
    ways.into_iter().find(is_free).map_or((side, 0.0), |dir| (dir, speed))
}
