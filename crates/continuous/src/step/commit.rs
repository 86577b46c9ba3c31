//! Proposals become moves, one after the other, so that nobody ever touches anybody.

use super::propose::Proposal;
use super::sight::Sight;
use crate::MARGIN;
use crate::geometry::{Solid, touches};
use throng_core::space::{Point, Pose};

/// Parts of a move that are tried, the largest first; if none will do, the body stops.
const PARTS: [f64; 3] = [1.0, 0.5, 0.25];
/// Tangent of half the angle by which a body turns in a step at most: about 15 degrees.
const HALF_TURN: f64 = 0.131_652_497_587_395_85;

/// What has been committed in a step so far. Whoever has not had its turn stands where it is, and whoever has goes its way;
/// both leave it the room to stand still, so that everybody can.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commit {
    /// By body: how far it goes in this step.
    pub(crate) moves: Vec<Point>,
    /// By body: how it faces after the step.
    pub(crate) headings: Vec<Point>,
    /// By body: which way it wanted to go; zero if nowhere.
    pub(crate) wishes: Vec<Point>,
    /// By body: who or what stood in the way of the whole move, a body or a wall.
    obstacles: Vec<Option<Option<u32>>>,
    /// What those cover who turn meanwhile.
    turning: Vec<(u32, Solid)>,
    /// By body: its place among those, if it turns.
    turns: Vec<u32>,
    /// Who has a turn in this step.
    had: Vec<u32>,
}

/// Where a body wants to go in a step: a direction, and as far as this.
struct Wish {
    dir: Point,
    way: Point,
}

fn wish(sight: &Sight<'_>, id: usize, proposal: &Proposal) -> Option<Wish> {
    let body = &sight.bodies[id];
    if proposal.waits_for.is_some() {
        return None;
    }
    let most = proposal.speed * sight.settings.step;
    if let Some((_, dir)) = proposal.makes_way {
        return Some(Wish { dir, way: dir * most });
    }
    let next = match (proposal.beside, proposal.straight, &body.path[..]) {
        (Some(beside), ..) => beside,
        (None, true, [.., beyond, _]) => *beyond,
        (None, _, path) => *path.last()?,
    };
    let way = next - body.pose.at;
    if keeps(body.wish, way, most, MARGIN) {
        return Some(Wish { dir: body.wish, way: body.wish * most });
    }
    let dir = way.unit()?;
    // The last step ends exactly there.
    Some(Wish { dir, way: if way.length() <= most { way } else { dir * most } })
}

/// Whether a direction still leads to the end of `way`, which is farther than `most`, give or take `off`. It is kept then, to the last
/// bit, so that a body on a straight way goes the same step over and over.
pub(crate) fn keeps(dir: Point, way: Point, most: f64, off: f64) -> bool {
    dir.dot(way) > most && dir.cross(way).abs() <= off
}

const STEADY: u32 = u32::MAX;

impl Commit {
    /// Nobody has moved yet.
    pub(crate) fn begin(&mut self, sight: &Sight<'_>, awake: &[u32]) {
        let count = sight.bodies.len();
        self.turning.clear();
        // Whoever had a turn in the step before may drift in this one.
        for id in core::mem::take(&mut self.had) {
            (self.moves[id as usize], self.turns[id as usize]) = (Point::ZERO, STEADY);
        }
        self.had.extend(awake);
        self.moves.resize(count, Point::ZERO);
        self.headings.resize(count, Point::EAST);
        self.wishes.resize(count, Point::ZERO);
        self.obstacles.resize(count, None);
        self.turns.resize(count, STEADY);
        for &id in awake {
            let id = id as usize;
            self.headings[id] = sight.bodies[id].pose.heading;
            (self.wishes[id], self.obstacles[id]) = (Point::ZERO, None);
        }
    }

    /// The turn of body `id`.
    pub(crate) fn turn(&mut self, sight: &Sight<'_>, id: usize, proposal: &Proposal) {
        let Some(Wish { dir, way }) = wish(sight, id, proposal) else { return };
        let body = &sight.bodies[id];
        self.wishes[id] = dir;
        if body.shape.is_disc() {
            self.headings[id] = dir;
        } else if body.turns && proposal.makes_way.is_none() {
            self.face(sight, id, dir, proposal);
        }
        self.obstacles[id] = self.go(sight, id, way, proposal);
        if self.stopped(id).is_some() && self.turns[id] != STEADY {
            // Who cannot turn and go at once goes as it stands, and turns on the spot if it cannot do that either.
            let (turned, heading) = (self.turns[id], self.headings[id]);
            (self.turns[id], self.headings[id]) = (STEADY, body.pose.heading);
            self.go(sight, id, way, proposal);
            if self.moves[id] == Point::ZERO {
                (self.turns[id], self.headings[id]) = (turned, heading);
            }
        }
    }

    /// Who or what keeps a body from moving at all.
    pub(crate) fn stopped(&self, id: usize) -> Option<Option<u32>> {
        self.obstacles[id].filter(|_| self.moves[id] == Point::ZERO)
    }

    /// Whether nothing was in the way of the whole move.
    pub(crate) fn went_all(&self, id: usize) -> bool {
        self.obstacles[id].is_none()
    }

    /// Moves a body as far as it can go of its way, in parts: who or what stands in the way of all of it.
    fn go(&mut self, sight: &Sight<'_>, id: usize, way: Point, proposal: &Proposal) -> Option<Option<u32>> {
        let mut first = None;
        for by in PARTS.map(|part| way * part) {
            match self.obstacle(sight, id, by, proposal) {
                None => {
                    self.moves[id] = by;
                    break;
                }
                Some(who) => first = first.or(Some(who)),
            }
        }
        first
    }

    /// Turns a body on the spot towards `dir`, as far as it can in a step, if there is room for that.
    fn face(&mut self, sight: &Sight<'_>, id: usize, dir: Point, proposal: &Proposal) {
        let body = &sight.bodies[id];
        let Some(to) = towards(body.pose.heading, dir) else { return };
        self.turns[id] = self.turning.len() as u32;
        self.turning.push((id as u32, Solid::turning(&body.shape, body.pose.heading, to)));
        if self.crowded(sight, id, proposal) {
            self.turning.pop();
            self.turns[id] = STEADY;
        } else {
            self.headings[id] = to;
        }
    }

    /// What a body covers in this step.
    fn solid<'a>(&'a self, sight: &'a Sight<'_>, id: usize) -> &'a Solid {
        self.turning.get(self.turns[id] as usize).map_or(&sight.solids[id], |(_, solid)| solid)
    }

    /// Whom or what a body would touch on its way: a body, or a wall.
    fn obstacle(&self, sight: &Sight<'_>, id: usize, by: Point, proposal: &Proposal) -> Option<Option<u32>> {
        let at = sight.bodies[id].pose.at;
        let (solid, clearance) = (self.solid(sight, id), sight.ways.solid(id));
        // Who turns keeps the room for that from walls, or it would get where it can neither turn nor go on.
        let turns = sight.bodies[id].turns && !solid.is_disc();
        if !sight.space.is_free(solid, at, by) || turns && !sight.space.is_free(clearance, at, by) {
            return Some(None);
        }
        let hit = |other: u32| {
            let other = other as usize;
            let place = at - sight.bodies[other].pose.at;
            touches(solid, self.solid(sight, other), place, by - self.moves[other], MARGIN)
        };
        // The least of all whom it would touch, in whatever order they are found.
        self.close(sight, id, proposal).filter(|&other| hit(other)).min().map(Some)
    }

    /// Whether a body has no room to turn.
    fn crowded(&self, sight: &Sight<'_>, id: usize, proposal: &Proposal) -> bool {
        let at = sight.bodies[id].pose.at;
        let solid = self.solid(sight, id);
        let hit = |other: u32| {
            let other = other as usize;
            let place = at - sight.bodies[other].pose.at;
            crate::geometry::sweeps(solid, self.solid(sight, other), place, -self.moves[other], MARGIN)
        };
        !sight.space.has_room(solid, at) || self.close(sight, id, proposal).any(hit)
    }

    /// Everybody whom a body could touch in this step.
    fn close<'a>(
        &self,
        sight: &'a Sight<'_>,
        id: usize,
        proposal: &'a Proposal,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let (known, many) = match proposal.close() {
            Some(known) => (known, None),
            None => {
                let near = sight.crowd.near(sight.bodies[id].pose.at, sight.nearby(&sight.bodies[id]));
                (&[][..], Some(near.map(|who| who.id).filter(move |&other| other as usize != id)))
            }
        };
        known.iter().copied().chain(many.into_iter().flatten())
    }
}

/// The heading after a step of a body that turns from `from` towards `to`; nothing if it faces there already.
fn towards(from: Point, to: Point) -> Option<Point> {
    let (cos, sin) = (from.dot(to), from.cross(to));
    if cos > 0.0 && sin.abs() < 1e-6 {
        return None;
    }
    let square = HALF_TURN * HALF_TURN;
    let most = Point::new((1.0 - square) / (1.0 + square), 2.0 * HALF_TURN / (1.0 + square));
    if cos >= most.x {
        return to.unit();
    }
    let turn = if sin < 0.0 { Point::new(most.x, -most.y) } else { most };
    from.turned(turn).unit()
}

impl Commit {
    /// Where a body is after the step.
    pub(crate) fn pose(&self, before: Pose, id: usize) -> Pose {
        Pose { at: before.at + self.moves[id], heading: self.headings[id] }
    }
}
