//! The article's figures 2 and 3: one unit before a dead end, and what searches for its path look at.

use crate::atlas::trap;
use crate::{Heat, LabError, Plot};
use serde::{Deserialize, Serialize};
use throng::core::{Cell, Grid, Rules, Tick};
use throng::search::reservations::{Rule, Sparse, Table};
use throng::search::{
    Ending, Estimate, Found, Graph as _, GridGraph, Ground, Heuristic, Query, SpaceTime, TrueDistance,
};

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Picture {
    /// 2A: how far away the goal seems from what A* explores in space alone.
    Flooding,
    /// 2B: how often a search in space and time explores each cell, by the straight line.
    Straight,
    /// 2C: the same by true distances.
    TrueDistance,
    /// 3A: the distances that the backwards search knows when it has come to the unit.
    Distances,
    /// 3B: when it would explore every cell.
    Contours,
}

impl Picture {
    pub(super) const ALL: [Self; 5] =
        [Self::Flooding, Self::Straight, Self::TrueDistance, Self::Distances, Self::Contours];

    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Flooding => "figure-2a",
            Self::Straight => "figure-2b",
            Self::TrueDistance => "figure-2c",
            Self::Distances => "figure-3a",
            Self::Contours => "figure-3b",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Flooding => "A* in space, straight line: f of explored cells",
            Self::Straight => "Space and time, straight line: visits",
            Self::TrueDistance => "Space and time, true distance: visits",
            Self::Distances => "Backwards search: distances when it meets the unit",
            Self::Contours => "Backwards search: f at which a cell is explored",
        }
    }
}

/// A picture and what it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(super) picture: Picture,
    width: usize,
    start: usize,
    goal: usize,
    pub(super) open_cells: usize,
    /// Steps from start to goal.
    pub(super) shortest: u32,
    /// Expansions of the search for a path, and of the backwards search.
    pub(super) main: u64,
    pub(super) backwards: u64,
    /// Different cells with a number.
    pub(super) explored: usize,
    /// Row by row; nothing is a wall.
    cells: Vec<Option<f64>>,
}

impl Figure {
    pub(super) fn plot(&self) -> Plot {
        let (width, cells) = (self.width, self.cells.clone());
        let marks = vec![(self.start, 'S'), (self.goal, 'G')];
        let title = format!("{} ({} expansions)", self.picture.title(), self.main + self.backwards);
        Plot::Heat(Heat { file: self.picture.file().to_owned(), title, width, cells, marks })
    }
}

/// Draws a picture on a map of this side.
pub(super) fn figure(picture: Picture, side: usize) -> Result<Figure, LabError> {
    let grid = trap(side, side)?;
    let (edge, middle) = (side as i32 / 8, side as i32 / 2);
    let node = |x: i32| grid.id(Cell::new(x, middle)).unwrap_or_default().0;
    let (start, goal) = (node(edge), node(side as i32 - 1 - edge));
    let graph = GridGraph::new(&grid, Rules::default(), 1);
    let mut field = TrueDistance::new(&graph, goal, Some(start));
    let shortest = field.distance(&graph, start).unwrap_or(0);
    let mut numbers = vec![0.0; grid.len()];
    let (mut main, mut backwards) = (0, 0);
    match picture {
        Picture::Flooding => {
            // With all ticks alike, the search in space and time is A* in space.
            let aim = graph.aim(goal);
            let visit = |at: u32, tick: Tick| {
                let seen = &mut numbers[at as usize];
                if *seen == 0.0 {
                    *seen = tick as f64 + f64::from(graph.estimate(at, aim));
                }
            };
            main = explore(&grid, &mut Estimate::new(&graph, goal), (start, goal), 0, visit);
        }
        Picture::Straight => {
            let visit = |at: u32, _| numbers[at as usize] += 1.0;
            main = explore(&grid, &mut Estimate::new(&graph, goal), (start, goal), Tick::MAX, visit);
        }
        Picture::TrueDistance => {
            let visit = |at: u32, _| numbers[at as usize] += 1.0;
            main = explore(&grid, &mut field, (start, goal), Tick::MAX, visit);
            backwards = field.expanded();
        }
        Picture::Distances => {
            backwards = field.expanded();
            for id in grid.open_ids() {
                numbers[id.index()] = field.known(id.0).map_or(0.0, f64::from);
            }
        }
        Picture::Contours => {
            let aim = graph.aim(start);
            for id in grid.open_ids() {
                let f = field.distance(&graph, id.0).map(|far| far + graph.estimate(id.0, aim));
                numbers[id.index()] = f.map_or(0.0, f64::from);
            }
            backwards = field.expanded();
        }
    }
    let (cells, place) = laid_out(&grid, &numbers);
    Ok(Figure {
        picture,
        width: grid.width(),
        start: place(start),
        goal: place(goal),
        open_cells: grid.open_cells(),
        shortest,
        main,
        backwards,
        explored: cells.iter().flatten().filter(|&&number| number > 0.0).count(),
        cells,
    })
}

/// Searches a path among nobody else; answers the expansions.
fn explore<'a>(
    grid: &'a Grid,
    heuristic: &mut impl Heuristic<GridGraph<'a>>,
    (start, goal): (u32, u32),
    still_from: Tick,
    visit: impl FnMut(u32, Tick),
) -> u64 {
    let graph = GridGraph::new(grid, Rules::default(), 1);
    let table = Table::new(Rule::of(&Rules::default(), 1), Sparse::new(grid.len()));
    let ground = Ground { graph: &graph, table: &table, toll: |_| 0 };
    let query = Query {
        owner: 0,
        start,
        tick: 0,
        goal,
        ending: Ending::Reach,
        penalty: 0,
        passes: false,
        toll: 0,
        still_from,
        room: u64::MAX,
        again: false,
    };
    let mut search = SpaceTime::new();
    let found = search.search(&ground, heuristic, &query, &mut Vec::new(), visit, |_| false);
    debug_assert!(matches!(found, Found::Path(_)), "the dead end has a way around");
    search.expanded()
}

/// Numbers row by row with walls left out, and where a node is among them.
fn laid_out<'a>(grid: &'a Grid, numbers: &[f64]) -> (Vec<Option<f64>>, impl Fn(u32) -> usize + 'a) {
    let mut cells = vec![None; grid.width() * grid.height()];
    let place = |node: u32| {
        let cell = grid.cell(throng::core::CellId(node));
        cell.y as usize * grid.width() + cell.x as usize
    };
    for id in grid.open_ids() {
        cells[place(id.0)] = Some(numbers[id.index()]);
    }
    (cells, place)
}
