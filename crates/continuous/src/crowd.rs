//! Everybody as others see them, sorted by where they are.

use crate::body::Body;
use crate::buckets::Buckets;
use throng_core::space::Point;

/// What others know of a body: where it is, how it moves, how large it is and who goes first. All that predictions are
/// made of, side by side in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Point,
    pub(crate) velocity: Point,
    pub(crate) reach: f64,
    /// Its place in the queue: the most delayed first.
    pub(crate) rank: u32,
    pub(crate) id: u32,
    pub(crate) disc: bool,
    /// Whether it has been held up for so long that others make way.
    pub(crate) presses: bool,
}

/// All bodies of a world at one time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    buckets: Buckets,
    sorted: Vec<Seen>,
    places: Vec<u32>,
    /// By body: whether it is in the world, and its rank.
    ranks: Vec<u32>,
    /// Priority, lateness, for how many others in turn it makes way, and who.
    order: Vec<(u32, u32, u32, u32)>,
    /// So many bodies have been looked at before.
    known: usize,
}

/// Who makes way for somebody who makes way for somebody, and so on: looked at as far as this.
const CHAIN: u32 = 32;

impl Crowd {
    /// Looks at everybody. `side` is about how far anybody looks, `quantum` what delays are counted in, and who has been held
    /// up for `long` steps is made way for.
    pub(crate) fn look(&mut self, bodies: &[Body], side: f64, quantum: f64, long: u32) {
        // Higher priorities first, then who was promoted, the longest ago first, then longer delays.
        let late = |body: &Body| match body.promoted {
            Some(step) => step.min(1 << 30) as u32,
            None => !((body.delay / quantum) as u32 & (u32::MAX >> 1)),
        };
        let own = |body: &Body| (!(body.priority as u32 ^ (1 << 31)), late(body));
        // As if it were the one that it makes way for in the end, and after that one, so that the two never change places.
        let first = |body: &Body| {
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
            (first, after)
        };
        // Who came since the last look goes last, and the others are nearly in order, which makes sorting cheap.
        let known = self.known;
        self.order.extend((known..bodies.len()).map(|id| (0, 0, 0, id as u32)));
        self.known = bodies.len();
        self.order.retain_mut(|(priority, late, after, id)| {
            let body = &bodies[*id as usize];
            ((*priority, *late), *after) = first(body);
            !body.is_gone()
        });
        self.order.sort();
        self.ranks.clear();
        self.ranks.resize(bodies.len(), u32::MAX);
        for (rank, &(.., id)) in self.order.iter().enumerate() {
            self.ranks[id as usize] = rank as u32;
        }
        let here = bodies.iter().filter(|body| !body.is_gone());
        self.buckets.sort(side, here.map(|body| body.pose.at), &mut self.places);
        let nobody = Seen {
            at: Point::ZERO,
            velocity: Point::ZERO,
            reach: 0.0,
            rank: 0,
            id: 0,
            disc: true,
            presses: false,
        };
        self.sorted.clear();
        self.sorted.resize(self.places.len(), nobody);
        let here = bodies.iter().enumerate().filter(|(_, body)| !body.is_gone());
        for ((id, body), &place) in here.zip(&self.places) {
            self.sorted[place as usize] = Seen {
                at: body.pose.at,
                velocity: body.velocity,
                reach: body.shape.reach(),
                rank: self.ranks[id],
                id: id as u32,
                disc: body.shape.is_disc(),
                presses: body.presses(long),
            };
        }
    }

    /// All who may be within `radius` of a place, and some others.
    #[inline]
    pub(crate) fn near(&self, at: Point, radius: f64) -> impl Iterator<Item = &Seen> {
        self.buckets.near(at, radius).flat_map(|range| &self.sorted[range])
    }

    /// All who may be within a rectangle, and some others, row by row of squares.
    #[inline]
    pub(crate) fn rows(&self, (least, most): (Point, Point)) -> impl Iterator<Item = &[Seen]> {
        self.buckets.within(least, most).map(|range| &self.sorted[range])
    }

    /// How many [`Self::near`] would tell of.
    #[inline]
    pub(crate) fn count(&self, at: Point, radius: f64) -> usize {
        self.buckets.near(at, radius).map(|range| range.len()).sum()
    }

    /// Everybody in the order of the queue: higher priorities first, then longer delays, then lower numbers.
    pub(crate) fn queue(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|&(.., id)| id)
    }

    /// The place of a body in the queue.
    pub(crate) fn rank(&self, id: usize) -> u32 {
        self.ranks[id]
    }
}
