//! What no expedition can beat: how soon units that know the map could have seen what there is to see, if each of them could be
//! everywhere at once.

use super::start;
use throng::core::{CellId, Connectivity, Scenario, Task, Tick, neighbours};
use throng::search::vision::{Facing, Vision};

/// Every cell has to be seen from somewhere, and somebody has to walk there: the least ticks that takes, for the cell for which it is
/// most.
pub(super) fn ticks(scenario: &Scenario) -> Tick {
    let (grid, Some(sight)) = (scenario.grid(), scenario.sight()) else { return 0 };
    let Ok(eyes) = Vision::around(sight.radius) else { return 0 };
    let mut steps = vec![Tick::MAX; grid.len()];
    let mut queue: Vec<CellId> = scenario.agents().iter().filter_map(|agent| grid.id(agent.start)).collect();
    queue.iter().for_each(|id| steps[id.index()] = 0);
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for beside in neighbours(grid, at, 1, Connectivity::Four) {
            if steps[beside.index()] == Tick::MAX {
                steps[beside.index()] = steps[at.index()] + 1;
                queue.push(beside);
            }
        }
    }
    // Whoever sees is seen.
    let seen = |id: CellId| {
        let mut least = Tick::MAX;
        eyes.from_cell(grid, grid.cell(id), Facing::default(), |from| least = least.min(steps[from.index()]));
        least
    };
    let first = &scenario.agents()[0];
    let all = match first.task {
        Task::Find(goal) => grid.id(goal).into_iter().collect(),
        _ => start::around(grid, first.start),
    };
    all.into_iter().map(seen).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::core::{Agent, Cell, Grid, Rules, Sight};

    #[test]
    fn a_corridor_is_walked_until_its_end_is_in_sight() {
        let grid = Grid::from_rows(&["..........", "@@@@@@@@@.", ".........."]).unwrap();
        let of = |task| {
            let agents = vec![Agent::new(0, Cell::new(2, 0), task)];
            ticks(
                &Scenario::new("bend", grid.clone(), Rules::default(), agents)
                    .unwrap()
                    .with_sight(Sight::new(3))
                    .unwrap(),
            )
        };
        // Seven steps to the corner, two down, and along until the last cell is three cells away.
        assert_eq!(of(Task::Explore), 7 + 2 + 6);
        assert_eq!(of(Task::Find(Cell::new(6, 0))), 1);
        assert_eq!(of(Task::Find(Cell::new(2, 0))), 0);
    }
}
