//! Everybody as others see them, by where they are.

use crate::body::Body;
use crate::squares::Squares;
use throng_core::space::Point;

/// What others know of a body: where it is, how it moves, how large it is and who goes first. All that predictions are
/// made of, in one line of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Point,
    pub(crate) velocity: Point,
    /// Who has a lower one goes first: see [`rank`].
    pub(crate) rank: u128,
    pub(crate) reach: f64,
    pub(crate) id: u32,
    pub(crate) disc: bool,
    /// Whether it has been held up for so long that others make way.
    pub(crate) presses: bool,
}

/// All bodies of a world. What it holds follows from the bodies; it is kept from step to step since most of it stays the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    /// About half as wide as the fastest look ahead.
    squares: Squares,
    /// And as wide as those who touch: where all stand close, a large square holds many who are too far away.
    fine: Squares,
    /// By body.
    seen: Vec<Seen>,
    /// Whoever looks around goes through all bodies.
    pub(crate) unsorted: bool,
}

/// Who makes way for somebody who makes way for somebody, and so on: looked at as far as this.
const CHAIN: u32 = 32;

/// The place of a body in the queue: higher priorities first, then who was promoted, the longest ago first, then longer delays,
/// counted in `quantum`, then lower numbers. Who makes way goes as if it were the one that it makes way for in the end, and
/// after that one, so that the two never change places.
pub(crate) fn rank(bodies: &[Body], id: usize, quantum: f64) -> u128 {
    let late = |body: &Body| match body.promoted {
        Some(step) => step.min(1 << 30) as u32,
        None => !((body.delay / quantum) as u32 & (u32::MAX >> 1)),
    };
    let own = |body: &Body| (!(body.priority as u32 ^ (1 << 31)), late(body));
    let body = &bodies[id];
    let (mut first, mut after) = (own(body), 0);
    let mut next = body.makes_way;
    for depth in 1..=CHAIN {
        let Some(other) = next.and_then(|other| bodies.get(other as usize)) else { break };
        let before = own(other);
        if before <= first {
            (first, after) = (before, depth);
        }
        next = other.makes_way;
    }
    let (priority, late) = first;
    let high = u128::from(priority) << 32 | u128::from(late);
    high << 64 | u128::from(after) << 32 | id as u128
}

impl Crowd {
    /// Sees to it that everybody is there, in squares of these sides: answers whether anybody is new.
    pub(crate) fn gather(&mut self, bodies: &[Body], side: f64, fine: f64) -> bool {
        if self.seen.len() == bodies.len() && self.squares.side() == side {
            return false;
        }
        self.squares = Squares::new(side, bodies.len(), !self.unsorted);
        self.fine = Squares::new(fine, bodies.len(), !self.unsorted);
        let seen = |(id, body): (usize, &Body)| Seen {
            at: body.pose.at,
            velocity: body.velocity,
            rank: id as u128,
            reach: body.shape.reach(),
            id: id as u32,
            disc: body.shape.is_disc(),
            presses: false,
        };
        self.seen.clear();
        self.seen.extend(bodies.iter().enumerate().map(seen));
        for (id, body) in bodies.iter().enumerate().filter(|(_, body)| !body.is_gone()) {
            self.squares.put(id, body.pose.at);
            self.fine.put(id, body.pose.at);
        }
        true
    }

    /// A body goes before and after others, and presses or not.
    pub(crate) fn place(&mut self, id: usize, rank: u128, presses: bool) {
        (self.seen[id].rank, self.seen[id].presses) = (rank, presses);
    }

    /// A body is there now, and moves like that.
    pub(crate) fn moved(&mut self, id: usize, at: Point, velocity: Point) {
        self.seen[id].velocity = velocity;
        self.drifts(id, at);
    }

    /// A body is there now, and moves as before.
    #[inline]
    pub(crate) fn drifts(&mut self, id: usize, at: Point) {
        self.seen[id].at = at;
        self.squares.put(id, at);
        self.fine.put(id, at);
    }

    /// A body has left.
    pub(crate) fn left(&mut self, id: usize) {
        self.squares.take(id);
        self.fine.take(id);
    }

    pub(crate) fn seen(&self, id: usize) -> &Seen {
        &self.seen[id]
    }

    /// All who may be within `radius` of a place, and some others.
    #[inline]
    pub(crate) fn near(&self, at: Point, radius: f64) -> impl Iterator<Item = &Seen> {
        let corner = Point::new(radius, radius);
        self.within((at - corner, at + corner))
    }

    /// All who may be within a rectangle, and some others.
    #[inline]
    pub(crate) fn within(&self, around: (Point, Point)) -> impl Iterator<Item = &Seen> {
        let (least, most) = around;
        let wide = (most.x - least.x).max(most.y - least.y) > self.squares.side();
        let squares = if wide { &self.squares } else { &self.fine };
        squares.within(least, most).map(|id| &self.seen[id as usize])
    }

    /// How many were gone through to find so many.
    #[inline]
    pub(crate) fn passed(&self, found: u32) -> u32 {
        if self.unsorted { self.seen.len() as u32 - 1 } else { found }
    }
}
