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
    /// Which way it wants to go.
    pub(crate) wish: Point,
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
    order: Vec<(u32, u32, u32)>,
}

/// Who makes way for somebody who makes way for somebody, and so on: looked at as far as this.
const CHAIN: usize = 8;

impl Crowd {
    /// Looks at everybody. `side` is about how far anybody looks, `quantum` what delays are counted in, and who has been held
    /// up for `long` steps is made way for.
    pub(crate) fn look(&mut self, bodies: &[Body], side: f64, quantum: f64, long: u32) {
        self.order.clear();
        let here = |(_, body): &(usize, &Body)| !body.is_gone();
        // Higher priorities and longer delays first.
        let own = |body: &Body| (!(body.priority as u32 ^ (1 << 31)), !((body.delay / quantum) as u32));
        self.order.extend(bodies.iter().enumerate().filter(here).map(|(id, body)| {
            let mut first = own(body);
            let mut next = body.makes_way;
            for _ in 0..CHAIN {
                let Some(other) = next.and_then(|other| bodies.get(other as usize)) else { break };
                first = first.min(own(other));
                next = other.makes_way;
            }
            (first.0, first.1, id as u32)
        }));
        self.order.sort_unstable();
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
            wish: Point::ZERO,
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
                wish: body.wish,
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
