//! What one worker needs to plan for groups: everybody's reservations, and a search around them.

use super::ways::{Objective, Price, Way, Ways, price};
use throng_core::Tick;
use throng_search::reservations::{Rule, Store, Table, Timelines};
use throng_search::{Found, Graph, IntervalSearch, Step, Trip, TrueDistance};

/// How many expansions a search may take for each step of the way alone, and at least: whoever needs more is in a jam that another
/// group or another order gets out of sooner.
const PATIENCE: (u64, u64) = (24, 4096);

/// A group that is to plan anew, one after the other, with the distances of each.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) group: Vec<u32>,
    /// By place in the group; lent by the one who keeps all.
    pub(super) fields: Vec<TrueDistance>,
    /// Which way of choosing found it.
    pub(super) choice: usize,
    /// By place in the group, if that is better than before or as good.
    pub(super) found: Option<Vec<Way>>,
    /// How many expansions its searches may take.
    pub(super) room: u64,
    /// What it took, distances included.
    pub(super) expanded: u64,
}

/// Everybody's reservations and the workspace of a search.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) table: Table<Timelines>,
    search: IntervalSearch,
    steps: Vec<Step>,
}

impl Lane {
    /// A lane in which these ways are reserved.
    pub(super) fn new(nodes: usize, ways: &Ways) -> Self {
        let table = Table::new(Rule::Swap, Timelines::new(nodes));
        let mut lane = Self { table, search: IntervalSearch::new(), steps: Vec::new() };
        for (unit, way) in (0..).zip(&ways.all) {
            lane.reserve(unit, way);
        }
        lane
    }

    pub(super) fn reserve(&mut self, unit: u32, way: &[u32]) {
        for (tick, &cell) in (0..).zip(way) {
            self.table.store.claim(cell, tick, unit);
        }
        self.table.store.rest(way[way.len() - 1], way.len() as Tick - 1, unit);
    }

    pub(super) fn release(&mut self, unit: u32, way: &[u32]) {
        self.table.store.rise(way[way.len() - 1], way.len() as Tick - 1, unit);
        for (tick, &cell) in way.iter().enumerate().rev() {
            self.table.store.release(cell, tick as Tick, unit);
        }
    }

    /// Whether a unit that has nothing reserved could go this way.
    pub(super) fn admits<G: Graph>(&self, graph: &G, unit: u32, way: &[u32]) -> bool {
        let last = way.len() - 1;
        let rests = self.table.store.free_from(way[last], |_| true);
        rests.is_some_and(|from| from <= last as Tick)
            && self.table.store.owner(way[0], 0) == throng_search::reservations::NOBODY
            && (0..)
                .zip(way.windows(2))
                .all(|(tick, step)| self.table.admits(graph, unit, step[0], step[1], tick, 1) == Some(0))
    }

    /// Plans for a group anew and leaves everything as it was. What is found costs no more than before.
    pub(super) fn work<G: Graph>(&mut self, graph: &G, ways: &Ways, objective: Objective, job: &mut Job) {
        let first = self.search.expanded();
        let before = first + job.fields.iter().map(TrueDistance::expanded).sum::<u64>();
        for &unit in &job.group {
            self.release(unit, &ways.all[unit as usize]);
        }
        let mut new: Vec<Way> = Vec::with_capacity(job.group.len());
        let whole = self.plan(graph, ways, objective, (job, first), &mut new);
        for (&unit, way) in job.group.iter().zip(&new).rev() {
            self.release(unit, way);
        }
        for &unit in &job.group {
            self.reserve(unit, &ways.all[unit as usize]);
        }
        let goals = || job.group.iter().map(|&unit| ways.goals[unit as usize]);
        let after = price(objective, new.iter().zip(goals()));
        job.found = (whole && after <= old_price(ways, objective, &job.group)).then_some(new);
        let spent = self.search.expanded() + job.fields.iter().map(TrueDistance::expanded).sum::<u64>();
        job.expanded = spent - before;
    }

    /// Finds a way for each, until one has none that is worth it. Whether all have one.
    fn plan<G: Graph>(
        &mut self,
        graph: &G,
        ways: &Ways,
        objective: Objective,
        (job, first): (&mut Job, u64),
        new: &mut Vec<Way>,
    ) -> bool {
        let (most, _) = old_price(ways, objective, &job.group);
        let mut least: Vec<u64> = Vec::with_capacity(job.group.len());
        for (&unit, field) in job.group.iter().zip(&mut job.fields) {
            let start = ways.all[unit as usize][0];
            let Some(far) = field.distance(graph.measure(), graph.measured(start)) else { return false };
            least.push(u64::from(far));
        }
        // What is left for those who have not planned yet, beyond what they need at least.
        let mut room = match objective {
            Objective::Makespan => 0,
            // What a way loses is known when it is there; a few ticks at the goal in between may be free.
            Objective::Costs | Objective::Loss => most.saturating_sub(least.iter().sum()),
        };
        for (place, &unit) in job.group.iter().enumerate() {
            let (start, goal) = (ways.all[unit as usize][0], ways.goals[unit as usize]);
            let Some(from) = self.table.store.free_from(goal, |_| true) else { return false };
            let most = match objective {
                Objective::Costs => least[place] + room,
                Objective::Makespan => most,
                Objective::Loss => u64::from(u32::MAX / 4),
            };
            let trip = Trip {
                owner: unit,
                start,
                tick: 0,
                goal,
                from,
                penalty: 0,
                most: most.min(u64::from(u32::MAX / 4)) as u32,
                room: match job.room {
                    u64::MAX => u64::MAX,
                    room => room.saturating_sub(self.search.expanded() - first),
                },
            };
            let patience = PATIENCE.0 * least[place] + PATIENCE.1;
            let field = &mut job.fields[place];
            let found = self.search.search(
                (graph, &self.table),
                field,
                &trip,
                &mut self.steps,
                |_, _| {},
                |spent| spent > patience,
            );
            let Found::Path(_) = found else { return false };
            let way: Way = core::iter::once(start).chain(self.steps.iter().map(|step| step.to)).collect();
            room = room.saturating_sub((way.len() as u64 - 1).saturating_sub(least[place]));
            self.reserve(unit, &way);
            new.push(way);
        }
        true
    }
}

/// What the ways of a group cost now.
fn old_price(ways: &Ways, objective: Objective, group: &[u32]) -> Price {
    let each = group.iter().map(|&unit| (&ways.all[unit as usize], ways.goals[unit as usize]));
    price(objective, each)
}
