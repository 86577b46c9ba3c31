//! Where everybody might go if each goes the way that others go, and nobody asks when.
//!
//! One after the other, those with the shortest way first, each takes the shortest way in which a step costs the more, the more of the
//! others take it the other way; and once more, now that all have one.
//!
//! Source: Chen, Harabor, Li and Stuckey, "Traffic flow optimisation for lifelong multi-agent path finding" (2024), of which this takes
//! the cost of contraflow.

use super::ways::{Way, Ways};
use throng_core::{Budget, Grid};
use throng_search::{AStar, Graph};

/// How often everybody looks for a way.
const ROUNDS: usize = 2;

/// How many who come towards one make a step cost as much as two, and how much more it costs at most.
const AGAINST: u32 = 2;
const MOST: u32 = 8;

/// Such ways, and what finding them took; `None` if the budget ended first.
pub(crate) fn streams<G: Graph>(
    (graph, grid): (&G, &Grid),
    resting: &Ways,
    alone: &[u32],
    budget: &dyn Budget,
) -> (Option<Vec<Way>>, u64) {
    let offsets = grid.offsets();
    let dir = |from: u32, to: u32| {
        let offset = to.wrapping_sub(from);
        offsets.iter().position(|&known| known as u32 == offset).unwrap_or(0)
    };
    let mut stream = vec![[0u32; 8]; graph.len()];
    let mut ways: Vec<Way> = vec![Way::new(); alone.len()];
    let mut order: Vec<usize> = (0..alone.len()).collect();
    order.sort_by_key(|&unit| alone[unit]);
    let mut search = AStar::new();
    for _ in 0..ROUNDS {
        for &unit in &order {
            let spent = search.expanded();
            if budget.should_stop(spent) || spent >= budget.limit() {
                return (None, spent);
            }
            let (start, goal) = (resting.all[unit][0], resting.goals[unit]);
            let way = &mut ways[unit];
            way.windows(2).for_each(|step| stream[step[0] as usize][dir(step[0], step[1])] -= 1);
            let aim = graph.aim(goal);
            let against = |from, to| (stream[to as usize][dir(to, from)] / AGAINST).min(MOST);
            let found = search.reach_by(
                graph,
                start,
                |node| graph.estimate(node, aim),
                |node| node == goal,
                MOST,
                |from, to| Some(against(from, to)),
            );
            match found {
                Some(_) if !resting.holds[unit] => search.way(start, goal, way),
                _ => *way = vec![start],
            }
            way.windows(2).for_each(|step| stream[step[0] as usize][dir(step[0], step[1])] += 1);
        }
    }
    (Some(ways), search.expanded())
}
