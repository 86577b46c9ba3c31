//! Exact answers on tiny worlds, by search over joint states.

use crate::joint::{Joint, JointWorld};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{Plan, Scenario, Tick};

/// More joint states than this is not a tiny world.
const MAX_STATES: usize = 8_000_000;

/// The least that any plan costs. The two need not be reached by the same plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimal {
    /// Least sum of costs: over all agents, the first tick after which the agent stays at its goal (a
    /// patrol: at which it came back for the last time).
    pub soc: u64,
    /// Least tick at which everybody can have finished.
    pub makespan: Tick,
    /// A plan with that sum of costs.
    pub plan: Plan,
}

/// The least costs of a tiny world under the graph rules with four or eight moves, or `None` if there is
/// no plan. Up to 4 agents on 16 open cells take moments; up to 8 agents work where it is so crowded that
/// few can move.
///
/// # Panics
/// If the scenario needs other rules or larger bodies, or is not tiny.
#[must_use]
pub fn optimal(scenario: &Scenario) -> Option<Optimal> {
    let world = JointWorld::new(scenario)?;
    let (makespan, _) = search(&world, false)?;
    let (soc, states) = search(&world, true)?;
    Some(Optimal { soc, makespan, plan: world.plan(&states) })
}

/// A* over joint states: for the sum of costs with `sum`, otherwise for the makespan. Answers with the
/// cost and the states on the way.
fn search(world: &JointWorld<'_>, sum: bool) -> Option<(u64, Vec<Joint>)> {
    let estimate = |joint: &Joint| {
        let times = (0..world.agents()).map(|k| world.to_go(k, joint[k]));
        if sum { times.sum::<u64>() } else { times.max().unwrap_or(0) }
    };
    let start = world.start();
    let mut best: FxHashMap<Joint, (u64, Option<Joint>)> = FxHashMap::from_iter([(start, (0, None))]);
    let mut open = BinaryHeap::from([Reverse((estimate(&start), estimate(&start), start))]);
    while let Some(Reverse((total, ahead, joint))) = open.pop() {
        let cost = total - ahead;
        if best[&joint].0 < cost {
            continue;
        }
        if world.is_done(&joint) {
            return Some((cost, way(&best, joint)));
        }
        assert!(best.len() < MAX_STATES, "not a tiny world: more than {MAX_STATES} joint states");
        world.successors(&joint, sum, &mut |next, payers| {
            let ahead = estimate(&next);
            let cost = cost + if sum { payers } else { 1 };
            let known = best.entry(next).or_insert((u64::MAX, None));
            if cost < known.0 {
                *known = (cost, Some(joint));
                open.push(Reverse((cost + ahead, ahead, next)));
            }
        });
    }
    None
}

fn way(best: &FxHashMap<Joint, (u64, Option<Joint>)>, last: Joint) -> Vec<Joint> {
    let before = |joint: &Joint| best.get(joint).and_then(|&(_, before)| before);
    let mut states: Vec<Joint> = std::iter::successors(Some(last), before).collect();
    states.reverse();
    states
}
