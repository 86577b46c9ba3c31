//! Another way for a body that would have to slow down too much: a point beside those in its way.

use super::sight::{Eye, Sight};
use crate::crowd::Seen;
use core::f64::consts::FRAC_1_SQRT_2;
use throng_core::space::Point;

/// Cosine and sine of the angles that are tried, to the right and to the left: 15, 30, 45, 60, 90 and 120 degrees.
const ANGLES: [(f64, f64); 6] = [
    (0.965_925_826_289_068_3, 0.258_819_045_102_520_74),
    (0.866_025_403_784_438_6, 0.5),
    (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    (0.5, 0.866_025_403_784_438_6),
    (0.0, 1.0),
    (-0.5, 0.866_025_403_784_438_6),
];

/// So many points are tried for a detour: what it takes of a budget.
pub(crate) const CANDIDATES: u64 = 2 * ANGLES.len() as u64;

/// What going at right angles to the goal is worth, compared with going there.
const ASIDE: f64 = 0.4;
/// A detour has to be better than staying on the way by this much.
const BETTER: f64 = 1.1;
/// What it is worth to pass on the right. Where many meet, those who pass each other now on this side and now on that stand in each
/// other's way; if all keep to one side they go round together, as round an island.
const RIGHT: f64 = 2.0;
/// Unless a wall is so near the way ahead, as a part of how far one looks.
const OPEN: f64 = 0.5;
/// What it is worth to stay on the side on which one is.
const SAME_SIDE: f64 = 1.25;

/// A detour on which one is slower than this, as a part of one's speed, is none.
const LEAST: f64 = 0.1;

/// A point to go round those in the way by, and on which side it lies (1 right, -1 left); nothing if none of the first `most`
/// that are tried is better than to go straight on.
pub(crate) fn detour(sight: &Sight<'_>, id: usize, most: u64) -> Option<(Point, i8)> {
    let eye = sight.eye(id);
    let near: Vec<&Seen> = eye.others(eye.range()).collect();
    let (body, at) = (eye.body, eye.body.pose.at);
    // Where it wants to be after the detour; on one already, that is the place after the next.
    let onwards = if body.round { body.path.iter().rev().nth(1) } else { body.path.last() };
    let &onwards = onwards?;
    let way = onwards - at;
    let (far, ahead) = (way.length(), way.unit()?);
    let length = (body.preferred * sight.settings.forecast * 0.5).max(2.0 * body.shape.reach());
    let length = length.min(far.max(2.0 * body.shape.reach()));
    // Between walls the right side may well be the longer way.
    let (solid, look) = (sight.ways.solid(id), body.preferred * sight.settings.forecast);
    let open = sight.space.is_clear(solid, at, ahead * far.min(look), OPEN * look);
    let straight = speed(&eye, &near, ahead, far);
    let mut best = (straight * (1.0 + ASIDE) * BETTER, None);
    let tries = ANGLES.iter().flat_map(|&(cos, sin)| [(cos, sin, 1i8), (cos, sin, -1)]);
    for (cos, sin, side) in tries.take(usize::try_from(most).unwrap_or(usize::MAX)) {
        // y grows downwards in pictures and upwards in books; "right" is as in a picture.
        let dir = ahead.turned(Point::new(cos, sin * f64::from(side)));
        let speed = speed(&eye, &near, dir, far);
        if speed < LEAST * body.preferred {
            continue;
        }
        let worth = speed * (cos + ASIDE);
        let worth = if body.round && side == body.side { worth * SAME_SIDE } else { worth };
        let worth = if side > 0 && open { worth * RIGHT } else { worth };
        if worth <= best.0 {
            continue;
        }
        let by = dir * length;
        if sight.space.is_free(solid, at, by) && sight.space.is_free(solid, at + by, onwards - (at + by)) {
            best = (worth, Some((at + by, side)));
        }
    }
    best.1
}

/// How fast a body can go that way, as far as it looks ahead.
fn speed(eye: &Eye<'_>, near: &[&Seen], dir: Point, length: f64) -> f64 {
    let piece = eye.ahead(dir, length);
    let slowed = near.iter().filter_map(|who| {
        let time = eye.meets(&piece, who)?;
        eye.yields(who).then(|| eye.slowed(&piece, who, time))
    });
    slowed.fold(eye.body.preferred, f64::min)
}
