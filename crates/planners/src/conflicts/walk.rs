//! The way of one unit that keeps to all demands and meets few others: a search in space and time.
//!
//! Of all ways that are short enough, it goes on first with that which meets the fewest. Short enough is what is at most a
//! factor longer than the shortest can be, which is what the search knows at that moment (focal search).

use super::Factor;
use super::demands::{EVER, Table, Time};
use super::field::{FAR, Field, NONE};
use super::meter::Meter;
use super::seen::Seen;
use super::traffic::Traffic;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is asked for.
pub(super) struct Trip<'a> {
    pub(super) field: &'a Field,
    pub(super) start: u32,
    pub(super) goal: u32,
    /// Steps to the goal by cell.
    pub(super) far: &'a [u32],
    pub(super) table: &'a Table,
    /// The others; if there are none it does not matter whether the unit can rest at the goal.
    pub(super) traffic: Option<&'a Traffic>,
    /// Rests no later than this.
    pub(super) most: Time,
    pub(super) factor: Factor,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// There is a way, and none takes less than this.
    Found(Time),
    /// There is none.
    Nothing,
    /// The budget is over.
    Stopped,
}

struct Node {
    cell: u32,
    tick: Time,
    parent: u32,
    met: u32,
    closed: bool,
}

/// Memory of the search.
pub(super) struct Walk {
    nodes: Vec<Node>,
    seen: Seen,
    focal: BinaryHeap<Reverse<(u64, u32)>>,
    /// By length, less the least: nodes that are too long so far, and how many in all are not closed.
    later: Vec<(Vec<u32>, u32)>,
    /// The way that was found last: a cell by tick.
    pub(super) way: Vec<u32>,
}

impl Walk {
    pub(super) fn new() -> Self {
        let (nodes, later, way) = (Vec::new(), Vec::new(), Vec::new());
        Self { nodes, seen: Seen::new(), focal: BinaryHeap::new(), later, way }
    }

    pub(super) fn search(&mut self, trip: &Trip<'_>, meter: &mut Meter<'_>) -> Walked {
        let rests = trip.traffic.is_some();
        let least = if rests { trip.table.least } else { 0 };
        let most = if rests { trip.most.min(trip.table.most) } else { trip.most };
        let far = trip.far[trip.start as usize];
        if far == FAR || least == EVER {
            return Walked::Nothing;
        }
        let floor = far.max(least);
        let horizon =
            trip.table.settled.max(least).max(trip.traffic.map_or(0, |traffic| traffic.latest() + 1));
        self.nodes.clear();
        self.seen.clear();
        self.focal.clear();
        self.later.iter_mut().for_each(|(nodes, open)| {
            nodes.clear();
            *open = 0;
        });
        let mut low = floor;
        let mut bound = trip.factor.times(low);
        self.push((trip.start, 0, NONE, 0), (floor, floor, bound));
        loop {
            // The shortest that is open, and with it what is short enough.
            while self.later.get((low - floor) as usize).is_some_and(|(_, open)| *open == 0) {
                low += 1;
            }
            if (low - floor) as usize >= self.later.len() || low > most {
                return Walked::Nothing;
            }
            let reach = trip.factor.times(low);
            if reach > bound {
                for length in bound + 1..=reach.min(floor + self.later.len() as u32 - 1) {
                    let mut nodes = std::mem::take(&mut self.later[(length - floor) as usize].0);
                    for node in nodes.drain(..) {
                        let rank = rank(&self.nodes[node as usize], length - floor);
                        self.focal.push(Reverse((rank, node)));
                    }
                    self.later[(length - floor) as usize].0 = nodes;
                }
                bound = reach;
            }
            let Some(Reverse((key, id))) = self.focal.pop() else { return Walked::Nothing };
            let &Node { cell, tick, parent, met, closed } = &self.nodes[id as usize];
            let length = (tick + trip.far[cell as usize]).max(least);
            if closed || key != rank(&self.nodes[id as usize], length - floor) {
                continue;
            }
            let came = parent == NONE || self.nodes[parent as usize].cell != cell;
            if cell == trip.goal && tick >= least && (came || !rests) {
                self.trace(id);
                return Walked::Found(low);
            }
            if !meter.spend() {
                return Walked::Stopped;
            }
            self.nodes[id as usize].closed = true;
            self.later[(length - floor) as usize].1 -= 1;
            let next = tick + 1;
            let wait = std::iter::once((cell, NONE));
            for (to, spot) in wait.chain(trip.field.exits(cell).iter().map(|exit| (exit.to, exit.spot))) {
                let far = trip.far[to as usize];
                if far == FAR
                    || !trip.table.allows(to, next)
                    || (spot != NONE && !trip.table.allows(spot, next))
                {
                    continue;
                }
                let length = (next + far).max(least);
                if length > most {
                    continue;
                }
                let mut met = met;
                if let Some(traffic) = trip.traffic {
                    met += traffic.count(to, spot, next);
                    if to == trip.goal && spot != NONE && next >= least {
                        met += traffic.visits_after(to, next).len() as u32;
                    }
                }
                // Who waits at its goal has not come to rest there, so that is another place.
                let waits = u64::from(to == trip.goal && to == cell);
                let key = (u64::from(next.min(horizon)) << 33) | (u64::from(to) << 1) | waits;
                match self.seen.enter(key, self.nodes.len() as u32) {
                    None => self.push((to, next, id, met), (length, floor, bound)),
                    Some(known) => self.better(known, (next, id, met), (length, floor, bound), trip.far),
                }
            }
        }
    }

    fn push(&mut self, (cell, tick, parent, met): (u32, Time, u32, u32), reach: (Time, Time, Time)) {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { cell, tick, parent, met, closed: false });
        let (length, floor, bound) = reach;
        let place = (length - floor) as usize;
        if place >= self.later.len() {
            self.later.resize_with(place + 1, Default::default);
        }
        self.later[place].1 += 1;
        if length <= bound {
            self.focal.push(Reverse((rank(&self.nodes[id as usize], place as u32), id)));
        } else {
            self.later[place].0.push(id);
        }
    }

    /// Another way to a node that is known.
    fn better(
        &mut self,
        known: u32,
        (tick, parent, met): (Time, u32, u32),
        reach: (Time, Time, Time),
        far: &[u32],
    ) {
        let (length, floor, bound) = reach;
        let node = &mut self.nodes[known as usize];
        if node.tick == tick && met < node.met && !node.closed {
            (node.met, node.parent) = (met, parent);
            if length <= bound {
                let rank = rank(node, length - floor);
                self.focal.push(Reverse((rank, known)));
            }
        } else if tick < node.tick {
            // Nothing changes any more, and sooner is better whatever was met: a new node takes its place, and whoever
            // finds the old one compares with the tick of the new one.
            if !node.closed {
                let old = node.tick + far[node.cell as usize];
                self.later[(old - floor) as usize].1 -= 1;
            }
            (node.closed, node.tick) = (true, tick);
            let cell = node.cell;
            self.push((cell, tick, parent, met), reach);
        }
    }

    fn trace(&mut self, last: u32) {
        self.way.clear();
        let mut id = last;
        while id != NONE {
            let node = &self.nodes[id as usize];
            self.way.push(node.cell);
            id = node.parent;
        }
        self.way.reverse();
    }
}

/// What comes first: who meets fewer, then the shorter way, then who has come farther.
fn rank(node: &Node, more: Time) -> u64 {
    const MOST: u64 = (1 << 24) - 1;
    let (met, more) = (u64::from(node.met.min(0xffff)), u64::from(more).min(MOST));
    met << 48 | more << 24 | (MOST - u64::from(node.tick).min(MOST))
}
