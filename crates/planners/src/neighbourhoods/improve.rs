//! Rounds: several groups plan anew at the same time, and what they find is taken over in order.
//!
//! Every group of a round plans around the same ways, so that it does not matter who works on which, or on how many threads. Groups
//! have no unit in common; if what one has found is in the way of what an earlier one has, it is dropped.

use super::fields::Fields;
use super::groups::Chooser;
use super::lane::{Job, Lane};
use super::ways::{Objective, Price, Way, Ways};
use throng_core::{AgentId, Budget, Grid, stream};
use throng_search::{Graph, Workers};

/// Groups in a round, whatever the number of threads.
const JOBS: usize = 8;

/// What is given to improving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) objective: Objective,
    /// Units in a group.
    pub(crate) size: usize,
    /// Rounds without a gain after which it ends; `None`: it does not.
    pub(crate) patience: Option<u64>,
    pub(crate) seed: u64,
}

/// Makes ways without collisions better, until the budget ends or nothing is gained for long. `alone` is how many ticks each needs
/// by itself, `spent` what all has taken, distances included.
pub(crate) fn improve<G: Graph>(
    (graph, grid): (&G, &Grid),
    (ways, fields, alone): (&mut Ways, &mut Fields, &[u32]),
    effort: Effort,
    budget: &dyn Budget,
    workers: &Workers,
    spent: &mut u64,
) {
    // To begin with takes a while, too.
    if ways.all.is_empty() || budget.should_stop(*spent) || *spent >= budget.limit() {
        return;
    }
    let first = Lane::new(graph.len(), ways);
    let mut lanes: Vec<(Lane, Vec<Job>)> = vec![(first, Vec::new())];
    let least = match effort.objective {
        Objective::Makespan => alone.iter().max().copied().unwrap_or(0).into(),
        Objective::Costs | Objective::Loss => alone.iter().map(|&far| u64::from(far)).sum::<u64>(),
    };
    let mut chooser = Chooser::new(grid, ways, alone.to_vec(), effort.size, effort.objective);
    let (mut round, mut idle) = (0, 0);
    let mut now = ways.price(effort.objective);
    while now.0 > least && effort.patience.is_none_or(|most| idle < most) {
        if budget.should_stop(*spent) || *spent >= budget.limit() {
            return;
        }
        round += 1;
        chooser.begin();
        // As if all spent as much: nobody knows what the others need.
        let room = match budget.limit() {
            u64::MAX => u64::MAX,
            limit => (limit - *spent).div_ceil(JOBS as u64),
        };
        let mut jobs = Vec::with_capacity(JOBS);
        for number in 0..JOBS as u32 {
            let mut random = stream(effort.seed, AgentId(number), round);
            let mut group = Vec::with_capacity(effort.size);
            let before = fields.expanded();
            let choice = chooser.choose(graph, (ways, &lanes[0].0), fields, &mut random, &mut group);
            *spent += fields.expanded() - before;
            let own = group.iter().map(|&unit| fields.lend(graph, unit, ways)).collect();
            jobs.push(Job { group, fields: own, choice, found: None, room, expanded: 0 });
        }
        let share = jobs.len().div_ceil(workers.threads()).max(1);
        while lanes.len() < jobs.len().div_ceil(share) {
            lanes.push((Lane::new(graph.len(), ways), Vec::new()));
        }
        let mut rest = jobs.into_iter();
        for (_, jobs) in &mut lanes {
            jobs.extend(rest.by_ref().take(share));
        }
        let current = &*ways;
        workers.for_each(&mut lanes, |(lane, jobs)| {
            for job in jobs {
                lane.work(graph, current, effort.objective, job);
            }
        });
        let done: Vec<Job> = lanes.iter_mut().flat_map(|(_, jobs)| jobs.drain(..)).collect();
        let gained = take_over(graph, ways, &mut lanes, &mut chooser, done, fields, effort.objective, spent);
        idle = if gained { 0 } else { idle + 1 };
        now = ways.price(effort.objective);
    }
}

/// Takes over what groups have found, in their order. Whether anything was gained.
#[allow(clippy::too_many_arguments)]
fn take_over<G: Graph>(
    graph: &G,
    ways: &mut Ways,
    lanes: &mut [(Lane, Vec<Job>)],
    chooser: &mut Chooser,
    done: Vec<Job>,
    fields: &mut Fields,
    objective: Objective,
    spent: &mut u64,
) -> bool {
    let mut gained = false;
    for job in done {
        *spent += job.expanded;
        for (&unit, field) in job.group.iter().zip(job.fields) {
            fields.give_back(unit, field);
        }
        let mut gain = 0;
        if let Some(found) = job.found {
            let change: Vec<(u32, Way)> = job.group.iter().copied().zip(found).collect();
            gain = exchange(graph, ways, lanes, change, objective);
        }
        gained |= gain > 0;
        chooser.learn(job.choice, gain, job.expanded);
    }
    gained
}

/// Gives these units these ways, unless they are in the way of somebody by now. What is gained by it.
fn exchange<G: Graph>(
    graph: &G,
    ways: &mut Ways,
    lanes: &mut [(Lane, Vec<Job>)],
    mut change: Vec<(u32, Way)>,
    objective: Objective,
) -> u64 {
    change.retain(|(unit, way)| *way != ways.all[*unit as usize]);
    let price = |change: &[(u32, Way)], ways: &Ways| {
        let each = change.iter().map(|(unit, way)| (way, ways.goals[*unit as usize]));
        super::ways::price(objective, each)
    };
    let (lane, _) = &mut lanes[0];
    for (unit, _) in &change {
        lane.release(*unit, &ways.all[*unit as usize]);
    }
    let mut placed = 0;
    for (unit, way) in &change {
        if !lane.admits(graph, *unit, way) {
            break;
        }
        lane.reserve(*unit, way);
        placed += 1;
    }
    if placed < change.len() {
        for (unit, way) in &change[..placed] {
            lane.release(*unit, way);
        }
        for (unit, _) in &change {
            lane.reserve(*unit, &ways.all[*unit as usize]);
        }
        return 0;
    }
    for (lane, _) in &mut lanes[1..] {
        change.iter().for_each(|(unit, _)| lane.release(*unit, &ways.all[*unit as usize]));
        change.iter().for_each(|(unit, way)| lane.reserve(*unit, way));
    }
    let after = price(&change, ways);
    for (unit, way) in &mut change {
        core::mem::swap(way, &mut ways.all[*unit as usize]);
    }
    let before = price(&change, ways);
    gain(before, after)
}

/// What is gained: by what counts first, or by what counts second if that is equal.
const fn gain(before: Price, after: Price) -> u64 {
    let first = before.0.saturating_sub(after.0);
    if first > 0 || before.0 < after.0 { first } else { before.1.saturating_sub(after.1) }
}
