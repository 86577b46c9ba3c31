//! A few units at once: A* over where all of them are, one unit's move after the other.
//!
//! Where few units are so tangled that the search over demands goes through ever longer ways, there are not many placements of
//! them. This finds the best plan among those, or that there is none.

use super::demands::{Demands, EVER, Time};
use super::field::{FAR, NONE};
use super::meter::Meter;
use super::world::{EACH, Tools, World};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More units than this have too many placements, wherever they are.
pub(super) const MOST: usize = 10;

/// Marks who has come to rest.
const RESTS: u32 = 1 << 31;

/// How it ended.
#[derive(Debug)]
pub(super) enum Joined {
    /// A best plan: a cell by unit and tick.
    Found(Vec<Vec<u32>>),
    /// There is none; so many placements were met.
    Nothing(u64),
    /// It can go on later.
    Paused,
    /// The budget is over.
    Stopped,
}

struct Node {
    /// Where everybody was at a tick.
    from: Rc<[u32]>,
    /// Where the first few are one tick later.
    to: Vec<u32>,
    tick: Time,
    cost: u32,
    /// The node with the placement before this one.
    parent: u32,
}

/// The search.
pub(super) struct Joint<'w> {
    world: &'w World,
    team: Vec<u32>,
    demands: Vec<Rc<Demands>>,
    /// By unit and cell: steps to its goal.
    far: Vec<Rc<[u32]>>,
    nodes: Vec<Node>,
    /// By bound.
    open: Vec<Vec<u32>>,
    low: usize,
    /// By placement and tick: the least cost so far.
    seen: FxHashMap<(Time, Rc<[u32]>), u32>,
    /// From this tick on nothing changes any more.
    settled: Time,
}

impl<'w> Joint<'w> {
    /// Nothing if the budget is over.
    pub(super) fn new(
        world: &'w World,
        team: Vec<u32>,
        demands: Vec<Rc<Demands>>,
        tools: &mut Tools,
        meter: &mut Meter<'_>,
    ) -> Option<Self> {
        let far = team.iter().map(|&walker| tools.far(world, walker, meter)).collect::<Option<_>>()?;
        let settled = demands.iter().map(|demands| settled(demands)).max().unwrap_or(0);
        let (nodes, open, seen) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut joint = Self { world, team, demands, far, nodes, open, low: 0, seen, settled };
        let start: Rc<[u32]> =
            joint.team.iter().map(|&walker| world.walkers[walker as usize].start).collect();
        joint.arrive(start, 0, 0, NONE);
        Some(joint)
    }

    /// No plan costs less.
    pub(super) fn bound(&self) -> u64 {
        self.low as u64
    }

    fn goal(&self, unit: usize) -> u32 {
        self.world.walkers[self.team[unit] as usize].goal
    }

    /// How far a unit has to go; nothing if it rests.
    fn far(&self, unit: usize, at: u32) -> u32 {
        if at & RESTS != 0 { 0 } else { self.far[unit][at as usize] }
    }

    fn push(&mut self, node: Node) {
        let ahead = node.from.iter().enumerate();
        let ahead = ahead.map(|(unit, &at)| u64::from(self.far(unit, *node.to.get(unit).unwrap_or(&at))));
        let bound = u64::from(node.cost) + ahead.sum::<u64>();
        if bound >= u64::from(FAR) {
            return;
        }
        if self.open.len() <= bound as usize {
            self.open.resize_with(bound as usize + 1, Vec::new);
        }
        self.open[bound as usize].push(self.nodes.len() as u32);
        self.nodes.push(node);
    }

    /// Everybody has moved.
    fn arrive(&mut self, at: Rc<[u32]>, tick: Time, cost: u32, parent: u32) {
        let known = self.seen.entry((tick.min(self.settled), Rc::clone(&at))).or_insert(u32::MAX);
        if cost < *known {
            *known = cost;
            self.push(Node { from: at, to: Vec::new(), tick, cost, parent });
        }
    }

    /// Whether there is no memory left.
    pub(super) fn is_full(&self) -> bool {
        // Where everybody was is shared by those who go on from there.
        let each = size_of::<Node>() + 2 * size_of_val(&*self.team) + 64;
        self.nodes.len().saturating_mul(each) > self.world.memory / EACH
    }

    /// Searches on for so many expansions, as long as there is memory.
    pub(super) fn run(&mut self, meter: &mut Meter<'_>, most: u64) -> Joined {
        for _ in 0..most {
            if self.is_full() {
                break;
            }
            while self.open.get(self.low).is_some_and(Vec::is_empty) {
                self.low += 1;
            }
            let Some(id) = self.open.get_mut(self.low).and_then(Vec::pop) else {
                return Joined::Nothing(self.seen.len() as u64);
            };
            if !meter.spend() {
                self.open[self.low].push(id);
                return Joined::Stopped;
            }
            let node = &self.nodes[id as usize];
            if node.to.is_empty() {
                if self
                    .seen
                    .get(&(node.tick.min(self.settled), Rc::clone(&node.from)))
                    .is_some_and(|&cost| cost < node.cost)
                {
                    continue;
                }
                if node.from.iter().all(|at| at & RESTS != 0) {
                    return Joined::Found(self.ways(id));
                }
            }
            self.expand(id);
        }
        Joined::Paused
    }

    /// Moves one more unit.
    fn expand(&mut self, id: u32) {
        let Node { from, to, tick, cost, parent } = &self.nodes[id as usize];
        let (unit, from, to, tick, cost) = (to.len(), Rc::clone(from), to.clone(), *tick, *cost);
        let parent = if unit == 0 { id } else { *parent };
        let at = from[unit];
        if at & RESTS != 0 {
            self.moved((from, to), at, (tick, cost, parent));
            return;
        }
        let demands = Rc::clone(&self.demands[unit]);
        if at == self.goal(unit) && may_rest(&demands, at, tick) && is_free(self.world, &from, &to, at) {
            self.moved((Rc::clone(&from), to.clone()), at | RESTS, (tick, cost, parent));
        }
        if tick >= demands.most() {
            return;
        }
        let world = self.world;
        let exits = world.field.exits(at).iter().map(|exit| (exit.to, exit.spot));
        for (next, spot) in std::iter::once((at, NONE)).chain(exits) {
            let allowed =
                allows(&demands, next, tick + 1) && (spot == NONE || allows(&demands, spot, tick + 1));
            if allowed && self.far(unit, next) != FAR && is_free(world, &from, &to, next) {
                self.moved((Rc::clone(&from), to.clone()), next, (tick, cost + 1, parent));
            }
        }
    }

    fn moved(
        &mut self,
        (from, mut to): (Rc<[u32]>, Vec<u32>),
        next: u32,
        (tick, cost, parent): (Time, u32, u32),
    ) {
        to.push(next);
        if to.len() == self.team.len() {
            self.arrive(to.into(), tick + 1, cost, parent);
        } else {
            self.push(Node { from, to, tick, cost, parent });
        }
    }

    /// The ways that lead to a node, each until its unit rests.
    fn ways(&self, last: u32) -> Vec<Vec<u32>> {
        let (mut states, mut id) = (Vec::new(), last);
        while id != NONE {
            states.push(&self.nodes[id as usize].from);
            id = self.nodes[id as usize].parent;
        }
        states.reverse();
        let way = |unit: usize| {
            let moves = states.iter().map(|state| state[unit]).take_while(|at| at & RESTS == 0);
            let mut way: Vec<u32> = moves.collect();
            while way.len() > 1 && way[way.len() - 1] == way[way.len() - 2] {
                way.pop();
            }
            way
        };
        (0..self.team.len()).map(way).collect()
    }
}

/// Whether the next unit may go to a cell, given where those before it go and those after it rest.
fn is_free(world: &World, from: &[u32], to: &[u32], next: u32) -> bool {
    let unit = to.len();
    let spot = world.field.spot(from[unit], next);
    let crosses = |other: usize| {
        let (here, there) = (from[other] & !RESTS, to[other] & !RESTS);
        there == next || (spot.is_some() && world.field.spot(here, there) == spot)
    };
    !(0..unit).any(crosses) && !from[unit + 1..].contains(&(next | RESTS))
}

fn allows(demands: &Demands, spot: u32, tick: Time) -> bool {
    let first = demands.off.partition_point(|off| off.0 < spot);
    let rows = demands.off[first..].iter().take_while(|off| off.0 == spot);
    rows.into_iter().all(|&(_, from, until)| tick < from || until < tick)
}

fn may_rest(demands: &Demands, goal: u32, tick: Time) -> bool {
    let first = demands.off.partition_point(|off| off.0 < goal);
    let mut rows = demands.off[first..].iter().take_while(|off| off.0 == goal);
    (demands.least..=demands.most()).contains(&tick) && rows.all(|&(_, _, until)| until < tick)
}

/// From which tick on nothing that is demanded changes.
fn settled(demands: &Demands) -> Time {
    let offs = demands.off.iter().map(|&(_, from, until)| if until == EVER { from } else { until + 1 });
    let most = if demands.early == 0 { 0 } else { demands.most() + 1 };
    offs.max().unwrap_or(0).max(demands.least).max(most)
}
