//! Who is later and has no room is made way for, also by those who rest.
//!
//! The document has bodies slow down and go round, and nothing else. Where many meet in one place, nobody can do either, and
//! all stand for ever. So whoever stands in the way of one that goes first, and that has been held up for some time,
//! steps aside; which way that one wants to go is seen. Who makes way goes first until it has, so
//! that those behind it make way as well.
//!
//! Delays alone do not settle who has to give way: whoever gives way gets later, and soon is the one to be made way for. Two
//! that meet in a corridor then push each other to and fro. So whoever has come no nearer to where it goes for long is
//! promoted: it goes before everybody who is not, and before those who were promoted after it, until it has arrived.

use super::sight::Eye;
use crate::body::Want;
use crate::crowd::Seen;
use crate::geometry::Solid;
use crate::planning::{length, stands};
use crate::{MARGIN, World};
use core::f64::consts::FRAC_1_SQRT_2;
use throng_core::space::Point;
use throng_core::{AgentId, Draw as _, stream};

/// Part of its speed at which a body steps aside.
const GENTLY: f64 = 0.5;
/// How far it looks whether there is room, in reaches.
const SHORTER: [f64; 2] = [1.0, 0.25];
/// Less than this, as a cosine, is not along a direction.
const ALONG: f64 = 0.1;

/// Which way, and how fast, a body steps aside for `who`: to the side on which it is, and if there is no room along with
/// that one, or to the other side, or back. Where others stand on all sides it stands as well, and
/// they see which way it would go if they let it: one without a wall.
pub(super) fn aside(eye: &Eye<'_>, who: &Seen) -> (Point, f64) {
    let (sight, body, half) = (eye.sight, eye.body, FRAC_1_SQRT_2);
    let ahead = sight.bodies[who.id as usize].wish;
    let left = Point::new(-ahead.y, ahead.x);
    let side = if ahead.cross(body.pose.at - who.at) < 0.0 { -left } else { left };
    let ways =
        [side, (side + ahead) * half, (side - ahead) * half, ahead, (ahead - side) * half, -side, -ahead];
    let reach = body.shape.reach();
    let solid = sight.ways.solid(eye.id as usize);
    // Where both do not fit side by side, no step to the side leads out of the way: who took one would go to and fro before the other,
    // and those behind it would not see that it has to go back.
    let touch = reach + who.reach + 2.0 * MARGIN;
    let off = (body.pose.at - who.at).dot(side);
    let leads_out = [(side, off), (-side, -off)].map(|(side, off)| {
        let room = |solid: &Solid, at: Point, way: Point| sight.space.room(solid, at, way * touch) * touch;
        let theirs = || room(sight.ways.solid(who.id as usize), who.at, -side);
        let mine = off + room(solid, body.pose.at, side);
        mine >= touch || mine + theirs() >= touch
    });
    let helps = |(dir, _): &(Point, f64)| {
        let (on, across) = (dir.dot(ahead), dir.dot(side));
        on > ALONG || across.abs() < ALONG || leads_out[usize::from(across < 0.0)]
    };
    // Who has no room for a whole step aside may have some for a part of one, and for a whole one after that.
    let tries = || SHORTER.iter().flat_map(|part| ways.map(|dir| (dir, part * reach))).filter(helps);
    let open = |(dir, far): &(Point, f64)| sight.space.is_free(solid, body.pose.at, *dir * *far);
    // Whoever is farther away cannot be met on any of these ways.
    let apart = sight.nearby(body) + reach * (1.0 + sight.fastest / body.preferred);
    let concerns = |other: &&Seen| (other.at - body.pose.at).length() <= apart;
    let near: Vec<&Seen> = eye.others(apart).filter(concerns).collect();
    let nobody = |(dir, far): &(Point, f64)| {
        let piece = eye.ahead(*dir, *far);
        !near.iter().any(|other| eye.meets(&piece, other).is_some())
    };
    if let Some((dir, _)) = tries().filter(open).find(nobody) {
        return (dir, GENTLY * body.preferred);
    }
    // Those go before it who make way for the same one; whoever does not, or does for this body, can be made to.
    let movable = |(dir, far): &(Point, f64)| {
        let piece = eye.ahead(*dir, *far);
        let mut met = near.iter().filter(|other| eye.meets(&piece, other).is_some());
        met.all(|other| {
            let for_whom = sight.bodies[other.id as usize].makes_way;
            other.rank > who.rank && for_whom.is_none_or(|it| it == eye.id)
        })
    };
    let wish = tries().filter(open).find(movable).or_else(|| tries().find(open));
    (wish.map_or(side, |(dir, _)| dir), 0.0)
}

/// Times its patience after which a body's progress is looked at.
pub(super) const LONG: f64 = 2.0;
/// Who has come less far in that time than this part of what it could have is promoted.
const PROGRESS: f64 = 0.2;
/// Who has been promoted and comes not even so far, since it has pushed somebody into a dead end, goes last of those.
const NONE: f64 = 0.02;
/// And goes after those who are promoted in up to so many such times from then on.
const TURNS: u32 = 4;

impl World {
    /// Who has made way for so many steps where it is narrow wants a way together with those who push it.
    pub(crate) fn cornered(&self) -> u32 {
        (LONG * self.settings.patience / self.settings.step).clamp(1.0, 1e9) as u32
    }

    /// Promotes whoever has come no nearer to where it goes, and lets another have a try if that did not help. Everybody is
    /// looked at once in a while, not all at once.
    pub(crate) fn promote(&mut self) {
        let time = LONG * self.settings.patience;
        let every = u64::from(self.cornered());
        let first = (every - self.steps % every) % every;
        for id in (first..self.bodies.len() as u64).step_by(every as usize) {
            let stays = |id: u32| self.bodies.get(id as usize).is_some_and(stands);
            let kept = self.bodies[id as usize].cause.is_some_and(stays);
            let body = &mut self.bodies[id as usize];
            if body.path.is_empty() || body.tied {
                body.left = f64::INFINITY;
                continue;
            }
            let left = length(body.pose.at, &body.path);
            let before = core::mem::replace(&mut body.left, left);
            let again = body.promoted.is_some();
            let least = if again { NONE } else { PROGRESS };
            if before - left < least * body.preferred * time {
                // Two that keep each other would else lose their turns together, over and over.
                let late = if again { stream(0, AgentId(id as u32), self.steps).below(TURNS) } else { 0 };
                body.promoted = Some(self.steps + u64::from(late) * every);
                if again && kept && body.want != Want::Knot {
                    // Nobody will make way, and it may go to and fro before that one, however fast.
                    body.want = Want::Route;
                }
                self.calm.wake(id as usize);
                self.counts.promoted += 1;
            }
        }
    }
}
