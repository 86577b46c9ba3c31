//! How far a unit has to go, on the graph that it moves on.

use std::sync::Arc;
use throng_core::{Agent, CellId, Grid, Motion, Rules};
use throng_search::{CarGraph, CarShape, GaitGraph, Graph, GridGraph, TrueDistance};

/// Ticks from a cell and a pose to another cell, if `agent` can get there alone. A runner is measured as if it were
/// always at a run, as planners do; turns of one that turns where it stands are not counted.
pub(crate) fn ticks(grid: &Grid, rules: Rules, agent: &Agent, from: (CellId, u8), to: CellId) -> Option<u32> {
    within(grid, rules, agent, from, to, u64::MAX).0
}

/// The same as far as `most` expansions show, and how many it took.
pub(crate) fn within(
    grid: &Grid,
    rules: Rules,
    agent: &Agent,
    (at, pose): (CellId, u8),
    to: CellId,
    most: u64,
) -> (Option<u32>, u64) {
    let node = at.0 * u32::from(agent.motion.poses()) + u32::from(pose);
    match (agent.motion, CarShape::of(rules, agent)) {
        (_, Some(shape)) => on(&CarGraph::new(grid, rules, Arc::new(shape)), node, to, most),
        (Motion::Gaits { .. }, _) => on(&GaitGraph::of(grid, rules, agent), node, to, most),
        (Motion::Turns { .. }, None) => on(&GridGraph::of(grid, rules, agent), at.0, to, most),
        (Motion::Steps | Motion::Car { .. }, None) => on(&GridGraph::of(grid, rules, agent), node, to, most),
    }
}

fn on(graph: &impl Graph, node: u32, to: CellId, most: u64) -> (Option<u32>, u64) {
    let (measure, from) = (graph.measure(), graph.measured(node));
    let mut search = TrueDistance::new(measure, to.0, Some(from));
    search.allow(most);
    (search.distance(measure, from), search.expanded())
}
