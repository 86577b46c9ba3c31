//! Where expeditions begin, and where what they look for is hidden.

use crate::LabError;
use serde::{Deserialize, Serialize};
use throng::core::{
    Agent, AgentId, Cell, CellId, Connectivity, Draw as _, Grid, Regions, Rules, Scenario, Sight, Task,
    Unlimited, Unobserved, neighbours, stream,
};
use throng::worlds::UnitsError;
use throng::{Options, Session, Setup};

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Errand {
    /// See everything.
    Explore,
    /// See a cell that nobody knows.
    Find,
}

/// Where units start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layout {
    /// Anywhere.
    Scattered,
    /// Side by side in a corner.
    Corner,
}

impl Errand {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Find => "find",
        }
    }
}

impl Layout {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Scattered => "scattered",
            Self::Corner => "corner",
        }
    }
}

/// In a corner, units share so many cells for each of them.
const ROOM: usize = 2;

/// An expedition; the same whatever its method is.
pub(super) fn scenario(
    world: &str,
    grid: Grid,
    sight: Sight,
    errand: Errand,
    layout: Layout,
    count: usize,
    seed: u64,
) -> Result<Scenario, LabError> {
    let mut dice = stream(seed, AgentId(0), 0);
    let mut shuffle = |cells: &mut [CellId]| {
        for last in (1..cells.len()).rev() {
            cells.swap(last, dice.below(last as u32 + 1) as usize);
        }
    };
    let regions = Regions::of(&grid, 1);
    let mut places: Vec<CellId> =
        grid.open_ids().filter(|&id| Some(regions.of_cell(id)) == regions.largest()).collect();
    let fit = places.len();
    if fit < count || count == 0 {
        return Err(LabError::Units {
            world: world.to_owned(),
            why: UnitsError::NotEnoughRoom { asked: count, fit },
        });
    }
    if layout == Layout::Corner {
        let (right, below) = (seed & 1 != 0, seed & 2 != 0);
        let far = |id: &CellId| {
            let Cell { x, y } = grid.cell(*id);
            let x = if right { grid.width() as i32 - 1 - x } else { x };
            (x + if below { grid.height() as i32 - 1 - y } else { y }, id.0)
        };
        let corner = places.iter().copied().min_by_key(far).unwrap_or(places[0]);
        places = around(&grid, grid.cell(corner));
        places.truncate(ROOM * count);
    }
    shuffle(&mut places);
    let agents = |task: Task| -> Vec<Agent> {
        let starts = places.iter().take(count).map(|&id| grid.cell(id));
        starts.enumerate().map(|(id, start)| Agent::new(id as u32, start, task.clone())).collect()
    };
    let scenario = |task: Task| -> Result<Scenario, LabError> {
        Ok(Scenario::new(world, grid.clone(), Rules::default(), agents(task))?.with_sight(sight)?)
    };
    let all = scenario(Task::Explore)?;
    if errand == Errand::Explore {
        return Ok(all);
    }
    // It is hidden where nobody sees it from where units start.
    let mut session = Session::new(Setup::new(all), &Options::planner("explore"))?;
    session.tick(&Unlimited, &mut Unobserved);
    let mut hidden = around(&grid, grid.cell(places[0]));
    if let Some(seen) = session.seen(AgentId(0)) {
        hidden.retain(|&id| !seen.contains(id));
    }
    shuffle(&mut hidden);
    scenario(Task::Find(grid.cell(hidden.first().copied().unwrap_or(places[0]))))
}

/// Every cell that can be reached from one, the nearest first.
pub(super) fn around(grid: &Grid, first: Cell) -> Vec<CellId> {
    let mut cells: Vec<CellId> = grid.id(first).into_iter().collect();
    let mut known = vec![false; grid.len()];
    cells.iter().for_each(|id| known[id.index()] = true);
    let mut next = 0;
    while let Some(&id) = cells.get(next) {
        next += 1;
        for near in neighbours(grid, id, 1, Connectivity::Four) {
            if !std::mem::replace(&mut known[near.index()], true) {
                cells.push(near);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(errand: Errand, layout: Layout, seed: u64) -> Scenario {
        let grid = Grid::empty(30, 20).unwrap();
        scenario("w", grid, Sight::new(3), errand, layout, 5, seed).unwrap()
    }

    #[test]
    fn those_in_a_corner_are_near_each_other() {
        for seed in 0..8 {
            let corner = of(Errand::Explore, Layout::Corner, seed);
            let first = corner.agents()[0].start;
            for agent in corner.agents() {
                assert!((agent.start.x - first.x).abs() + (agent.start.y - first.y).abs() <= 8, "{agent:?}");
            }
            assert_eq!(corner, of(Errand::Explore, Layout::Corner, seed));
        }
        assert_ne!(of(Errand::Explore, Layout::Corner, 0), of(Errand::Explore, Layout::Corner, 1));
    }

    #[test]
    fn nobody_sees_the_goal_from_the_start() {
        for seed in 0..8 {
            let hunt = of(Errand::Find, Layout::Scattered, seed);
            for agent in hunt.agents() {
                let Task::Find(goal) = agent.task else { panic!("{agent:?}") };
                let far = (goal.x - agent.start.x).pow(2) + (goal.y - agent.start.y).pow(2);
                assert!(far > 9, "{agent:?}");
            }
        }
    }

    #[test]
    fn too_many_are_refused() {
        let grid = Grid::empty(2, 2).unwrap();
        let why = scenario("w", grid, Sight::new(3), Errand::Find, Layout::Corner, 5, 0).unwrap_err();
        assert!(matches!(why, LabError::Units { .. }), "{why}");
    }
}
