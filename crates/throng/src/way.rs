//! How far a unit has to go, on the graph that it moves on.

use std::sync::Arc;
use throng_core::{Agent, CellId, Grid, Motion, Rules};
use throng_search::{CarGraph, CarShape, GaitGraph, Graph, GridGraph, TrueDistance};

/// Ticks from a cell and a pose to another cell, if `agent` can get there alone. A runner is measured as if it were
/// always at a run, as planners do.
pub(crate) fn ticks(
    grid: &Grid,
    rules: Rules,
    agent: &Agent,
    (at, pose): (CellId, u8),
    to: CellId,
) -> Option<u32> {
    let node = at.0 * u32::from(agent.motion.poses()) + u32::from(pose);
    match (agent.motion, CarShape::of(rules, agent)) {
        (_, Some(shape)) => on(&CarGraph::new(grid, rules, Arc::new(shape)), node, to),
        (Motion::Gaits { .. }, _) => on(&GaitGraph::of(grid, rules, agent), node, to),
        (Motion::Steps | Motion::Car { .. }, None) => on(&GridGraph::of(grid, rules, agent), node, to),
    }
}

fn on(graph: &impl Graph, node: u32, to: CellId) -> Option<u32> {
    let (measure, from) = (graph.measure(), graph.measured(node));
    TrueDistance::new(measure, to.0, Some(from)).distance(measure, from)
}
