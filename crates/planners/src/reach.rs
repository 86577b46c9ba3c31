//! Who cannot get to its goal at all.

use throng_core::{Reason, Regions, Scenario};

/// The first unit of one cell that no way leads to its goal.
pub(crate) fn unreachable(scenario: &Scenario) -> Option<Reason> {
    let grid = scenario.grid();
    let regions = Regions::of(grid, 1);
    let apart = scenario.agents().iter().find(|agent| {
        let ends = grid.id(agent.start).zip(grid.id(agent.waypoints().last()));
        ends.is_none_or(|(from, to)| !regions.joined(from, to))
    })?;
    Some(Reason::Unreachable { agent: apart.id, from: apart.start, to: apart.waypoints().last() })
}
