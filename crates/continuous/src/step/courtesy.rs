//! Who is later and has no room is made way for, also by those who rest.
//!
//! The document has bodies slow down and go round, and nothing else. Where many meet in one place, nobody can do either, and
//! all stand for ever. So whoever stands in the way of one that goes first, and that has been held up for some time,
//! steps aside; which way that one wants to go is seen. Who makes way goes first until it has, so
//! that those behind it make way as well.

use super::sight::Eye;
use crate::crowd::Seen;
use core::f64::consts::FRAC_1_SQRT_2;
use throng_core::space::Point;

/// Part of its speed at which a body steps aside.
const GENTLY: f64 = 0.5;

/// Which way, and how fast, a body steps aside for `who`: to the side on which it is, and if there is no room along with
/// that one, or to the other side, or back. Where there is no room at all it stands, and others see which way it would go.
pub(super) fn aside(eye: &Eye<'_>, who: &Seen) -> (Point, f64) {
    let (sight, body, half) = (eye.sight, eye.body, FRAC_1_SQRT_2);
    let ahead = sight.bodies[who.id as usize].wish;
    let left = Point::new(-ahead.y, ahead.x);
    let side = if ahead.cross(body.pose.at - who.at) < 0.0 { -left } else { left };
    let ways =
        [side, (side + ahead) * half, (side - ahead) * half, ahead, (ahead - side) * half, -side, -ahead];
    let far = body.shape.reach();
    let is_free = |dir: &Point| {
        let piece = eye.ahead(*dir, far);
        let mut others = eye.others(sight.nearby(body) + far);
        !others.any(|other| eye.meets(&piece, other).is_some())
            && sight.space.is_free(sight.ways.solid(eye.id as usize), body.pose.at, *dir * far)
    };
    ways.into_iter().find(is_free).map_or((side, 0.0), |dir| (dir, GENTLY * body.preferred))
}
