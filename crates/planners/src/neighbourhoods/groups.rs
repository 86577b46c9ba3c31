//! Which units plan anew together.
//!
//! Three ways of choosing, after MAPF-LNS: those who keep a late unit from being sooner, those who pass one crossing, and any. Which
//! of them is used more often is learned from what they have brought.

use super::fields::Fields;
use super::lane::Lane;
use super::ways::{Objective, Ways};
use throng_core::{CellId, Draw, Grid, Random};
use throng_search::reservations::{FOR_EVER, NOBODY, Store};
use throng_search::{Graph, TrueDistance};

/// How many ways of choosing there are.
pub(super) const CHOICES: usize = 3;

/// How many steps a walk through space and time takes at most, and how many walks begin before a group is taken as it is.
const WALK: u32 = 64;
const WALKS: u32 = 12;

/// What a gain counts at once, in 1,024ths; the rest is what was learned before.
const LEARN: u64 = 24;

/// Whoever stays where it is is never in a group.
const ALWAYS: u32 = u32::MAX;

/// Who chooses.
#[derive(Debug)]
pub(super) struct Chooser {
    size: usize,
    objective: Objective,
    /// What each way of choosing has brought for the work it took, on the average.
    worth: [u64; CHOICES],
    /// By unit: the round in which it is in a group already.
    taken: Vec<u32>,
    round: u32,
    /// Cells that have been looked at, around a crossing.
    seen: Vec<u32>,
    crossings: Vec<u32>,
    queue: Vec<u32>,
    /// Late units that have been looked at since all were; so that each has its turn.
    tabu: Vec<bool>,
    /// By unit: how many ticks its way takes alone.
    alone: Vec<u32>,
}

impl Chooser {
    pub(super) fn new(grid: &Grid, ways: &Ways, alone: Vec<u32>, size: usize, objective: Objective) -> Self {
        let degree = |id: CellId| (grid.exits(id) & 0x0f).count_ones();
        Self {
            size,
            objective,
            worth: [1 << 20; CHOICES],
            taken: ways.holds.iter().map(|&holds| if holds { ALWAYS } else { 0 }).collect(),
            round: 0,
            seen: vec![0; grid.len()],
            crossings: grid.open_ids().filter(|&id| degree(id) > 2).map(|id| id.0).collect(),
            queue: Vec::new(),
            tabu: vec![false; alone.len()],
            alone,
        }
    }

    /// A new round begins: everybody may be in a group again.
    pub(super) fn begin(&mut self) {
        self.round += 1;
    }

    /// What a group has brought by so much work.
    pub(super) fn learn(&mut self, choice: usize, gain: u64, work: u64) {
        let brought = (gain << 30) / (work + 64);
        let worth = &mut self.worth[choice];
        *worth = ((*worth * (1024 - LEARN) + brought.min(1 << 40) * LEARN) / 1024).max(1 << 8);
    }

    /// The next group of this round, into `group`; by which way it was chosen.
    pub(super) fn choose<G: Graph>(
        &mut self,
        graph: &G,
        (ways, lane): (&Ways, &Lane),
        fields: &mut Fields,
        random: &mut Random,
        group: &mut Vec<u32>,
    ) -> usize {
        group.clear();
        let total: u64 = self.worth.iter().sum();
        let mut draw = (u64::from(random.below(1 << 24)) * (total >> 8)) >> 16;
        let mut choice = self.worth.iter().position(|&worth| {
            let here = draw < worth;
            draw = draw.saturating_sub(worth);
            here
        });
        match choice {
            Some(0) => self.around_somebody_late(graph, (ways, lane), fields, random, group),
            Some(1) => self.at_a_crossing(graph, ways, lane, random, group),
            _ => choice = Some(2),
        }
        if group.len() < 2 {
            group.iter().for_each(|&unit| self.taken[unit as usize] = 0);
            group.clear();
            for _ in 0..4 * self.size {
                if group.len() >= self.size {
                    break;
                }
                let unit = random.below(ways.all.len() as u32);
                self.add(unit, group);
            }
            choice = Some(2);
        }
        // In any order: who plans first has the better way.
        shuffle(group, random);
        choice.unwrap_or(2)
    }

    fn add(&mut self, unit: u32, group: &mut Vec<u32>) {
        let taken = &mut self.taken[unit as usize];
        if *taken != self.round && *taken != ALWAYS {
            *taken = self.round;
            group.push(unit);
        }
    }

    /// The latest who has not had its turn lately and is in no group.
    fn somebody_late(&mut self, ways: &Ways) -> Option<u32> {
        for _ in 0..2 {
            let mut latest = None;
            for (unit, way) in ways.all.iter().enumerate() {
                let ticks = way.len() as u32 - 1;
                let late = ticks.saturating_sub(self.alone[unit]);
                if late == 0 || self.tabu[unit] || self.taken[unit] == self.round {
                    continue;
                }
                let worst = if self.objective == Objective::Makespan { ticks } else { late };
                latest = latest.max(Some((worst, unit)));
            }
            if let Some((_, unit)) = latest {
                self.tabu[unit] = true;
                return Some(unit as u32);
            }
            self.tabu.fill(false);
        }
        None
    }

    /// A unit that is late and those in its way: walks through space and time that would bring it there sooner meet them.
    fn around_somebody_late<G: Graph>(
        &mut self,
        graph: &G,
        (ways, lane): (&Ways, &Lane),
        fields: &mut Fields,
        random: &mut Random,
        group: &mut Vec<u32>,
    ) {
        let Some(first) = self.somebody_late(ways) else { return };
        self.add(first, group);
        let mut from = first;
        for _ in 0..WALKS {
            if group.len() >= self.size {
                return;
            }
            let way = &ways.all[from as usize];
            let begin = random.below(way.len() as u32);
            let mut field = fields.lend(graph, from, ways);
            let begin = (way[begin as usize], begin);
            self.walk(graph, (way.len() as u32, begin), (&mut field, lane), random, group);
            fields.give_back(from, field);
            from = group[random.below(group.len() as u32) as usize];
        }
    }

    /// Walks from a cell and tick on, wherever the goal is still to be had sooner than after `ticks`.
    fn walk<G: Graph>(
        &mut self,
        graph: &G,
        (ticks, (mut at, mut tick)): (u32, (u32, u32)),
        (field, lane): (&mut TrueDistance, &Lane),
        random: &mut Random,
        group: &mut Vec<u32>,
    ) {
        for _ in 0..WALK {
            let (mut count, mut next) = (0, None);
            let mut consider = |to: u32, field: &mut TrueDistance, random: &mut Random| {
                let far = field.distance(graph.measure(), graph.measured(to));
                if far.is_some_and(|far| tick + 2 + far < ticks) {
                    count += 1;
                    if random.below(count) == 0 {
                        next = Some(to);
                    }
                }
            };
            consider(at, field, random);
            graph.edges(at, |edge| consider(edge.to, field, random));
            let Some(to) = next else { return };
            for who in
                [lane.table.store.owner(to, u64::from(tick) + 1), swapper(lane, at, to, u64::from(tick))]
            {
                if who != NOBODY && group.len() < self.size {
                    self.add(who, group);
                }
            }
            if group.len() >= self.size {
                return;
            }
            (at, tick) = (to, tick + 1);
        }
    }

    /// Those who come through a crossing at about the same time, and then through the cells around it.
    fn at_a_crossing<G: Graph>(
        &mut self,
        graph: &G,
        ways: &Ways,
        lane: &Lane,
        random: &mut Random,
        group: &mut Vec<u32>,
    ) {
        if self.crossings.is_empty() {
            return;
        }
        let first = self.crossings[random.below(self.crossings.len() as u32) as usize];
        let stamp = self.round.wrapping_mul(64).wrapping_add(random.below(64)) | 1;
        let last = ways.all.iter().map(|way| way.len() as u32).max().unwrap_or(1);
        let around = random.below(last);
        self.queue.clear();
        self.queue.push(first);
        self.seen[first as usize] = stamp;
        let mut place = 0;
        while let Some(&cell) = self.queue.get(place) {
            place += 1;
            // From the one who is there at that time on, outwards.
            let runs = lane.table.store.runs(cell);
            let middle = runs.partition_point(|run| run.until <= around);
            for step in 0..runs.len() {
                let (later, sooner) = (middle.checked_add(step), middle.checked_sub(step + 1));
                for run in [later, sooner].into_iter().flatten().filter_map(|index| runs.get(index)) {
                    if group.len() >= self.size {
                        return;
                    }
                    // Whoever rests where it has always been is in nobody's way but its own.
                    if run.until != FOR_EVER || ways.all[run.owner as usize].len() > 1 {
                        self.add(run.owner, group);
                    }
                }
            }
            if self.queue.len() < 4096 {
                graph.edges(cell, |edge| {
                    if self.seen[edge.to as usize] != stamp {
                        self.seen[edge.to as usize] = stamp;
                        self.queue.push(edge.to);
                    }
                });
            }
        }
    }
}

/// Who goes from `to` to `at` at that tick.
fn swapper(lane: &Lane, at: u32, to: u32, tick: u64) -> u32 {
    let comer = lane.table.store.owner(at, tick + 1);
    if at != to && comer != NOBODY && lane.table.store.owner(to, tick) == comer { comer } else { NOBODY }
}

/// Brings them into any order.
pub(super) fn shuffle(units: &mut [u32], random: &mut Random) {
    for place in (1..units.len()).rev() {
        units.swap(place, random.below(place as u32 + 1) as usize);
    }
}
