//! Units of several sizes and speeds in one world.

use throng::core::{
    Agent, AgentId, Cell, CellId, Connectivity, Draw as _, Grid, Regions, Rules, Task, Timing, stream,
};
use throng::worlds::UnitsError;

/// Under which they move: only metric timing knows speeds.
pub(crate) const RULES: Rules =
    Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, hold_both: false, follow: false };

/// Their bodies, in turn: a large one makes way for many small ones.
const BODIES: [u8; 10] = [1, 1, 2, 1, 1, 1, 2, 1, 1, 3];
/// Ticks of their straight steps, in turn; as many as have nothing in common with the bodies.
const PERIODS: [u8; 3] = [2, 3, 4];

/// Units from anywhere to anywhere. No two starts overlap, and no two goals; from each start there is a way to the goal.
pub(crate) fn units(grid: &Grid, count: usize, seed: u64) -> Result<Vec<Agent>, UnitsError> {
    let mut dice = stream(seed, AgentId(0), 0);
    // By body: the cells where it fits and from which all others can be reached, in random order.
    let mut places = |body: u8| {
        let regions = Regions::of(grid, body);
        let fits = |id: &CellId| grid.clearance(*id) >= body;
        let widest = |id: &CellId| Some(regions.of_cell(*id)) == regions.largest();
        let mut cells: Vec<Cell> =
            grid.open_ids().filter(fits).filter(widest).map(|id| grid.cell(id)).collect();
        for last in (1..cells.len()).rev() {
            cells.swap(last, dice.below(last as u32 + 1) as usize);
        }
        cells
    };
    let mut starts = [1, 2, 3].map(&mut places);
    let mut goals = [1, 2, 3].map(&mut places);
    let (mut started, mut ended) = (vec![false; grid.len()], vec![false; grid.len()]);
    let mut agents = Vec::with_capacity(count);
    for number in 0..count {
        let body = BODIES[number % BODIES.len()];
        let kind = usize::from(body) - 1;
        let (Some(start), Some(goal)) = (
            settle(grid, body, &mut starts[kind], &mut started),
            settle(grid, body, &mut goals[kind], &mut ended),
        ) else {
            return Err(UnitsError::NotEnoughRoom { asked: count, fit: number });
        };
        let period = PERIODS[number % PERIODS.len()];
        agents.push(Agent { body, period, ..Agent::new(number as u32, start, Task::Goal(goal)) });
    }
    Ok(agents)
}

/// The next place where nobody is yet.
fn settle(grid: &Grid, body: u8, places: &mut Vec<Cell>, taken: &mut [bool]) -> Option<Cell> {
    let under = |at: Cell| {
        let side = i32::from(body);
        let cells = (0..side * side).map(move |k| Cell::new(at.x + k % side, at.y + k / side));
        cells.filter_map(|cell| grid.id(cell))
    };
    while let Some(place) = places.pop() {
        if under(place).all(|id| !taken[id.index()]) {
            under(place).for_each(|id| taken[id.index()] = true);
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::core::Scenario;
    use throng::worlds::generate::RandomMap;

    #[test]
    fn every_size_and_speed_is_there_and_nobody_overlaps() {
        let grid = RandomMap { width: 32, height: 32, percent: 5, connected: true }.generate(1).unwrap();
        let agents = units(&grid, 40, 1).unwrap();
        assert_eq!(agents, units(&grid, 40, 1).unwrap());
        for body in 1..=3 {
            for period in PERIODS {
                let there = agents.iter().any(|agent| (agent.body, agent.period) == (body, period));
                assert!(there, "{body}×{body}, period {period}");
            }
        }
        for agent in &agents {
            let ends = [agent.start, agent.waypoints().last()].map(|cell| grid.id(cell).unwrap());
            assert!(Regions::of(&grid, agent.body).joined(ends[0], ends[1]), "{agent:?}");
        }
        // Starts and goals of bodies that overlap are refused.
        let scenario = Scenario::new("mixed", grid.clone(), RULES, agents).unwrap();
        scenario.require_distinct_goals().unwrap();
        assert!(matches!(units(&grid, 900, 1), Err(UnitsError::NotEnoughRoom { asked: 900, .. })));
    }
}
