//! A breadth-first search of the tests' own, so that they do not trust the code they test.

use std::collections::{BTreeMap, VecDeque};
use throng_core::{Cell, Connectivity, Dir, Grid};

/// Moves of a square body from `from` to every cell that its smallest corner can reach.
pub(crate) fn distances(
    grid: &Grid,
    connectivity: Connectivity,
    body: u8,
    from: Cell,
) -> BTreeMap<Cell, u32> {
    let n = i32::from(body);
    let fits = |c: Cell| (0..n * n).all(|k| grid.is_open(Cell::new(c.x + k % n, c.y + k / n)));
    let mut found = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        let steps = found[&cell] + 1;
        for dir in Dir::ALL {
            let next = cell.step(dir);
            let (dx, dy) = dir.delta();
            let corners = [Cell::new(cell.x + dx, cell.y), Cell::new(cell.x, cell.y + dy), next];
            let allowed = connectivity == Connectivity::Eight || !dir.is_diagonal();
            if allowed && corners.iter().all(|&c| fits(c)) && !found.contains_key(&next) {
                found.insert(next, steps);
                queue.push_back(next);
            }
        }
    }
    found
}

/// Moves from `from` to `to`, if there is a way.
pub(crate) fn distance(grid: &Grid, connectivity: Connectivity, from: Cell, to: Cell) -> Option<u32> {
    distances(grid, connectivity, 1, from).get(&to).copied()
}

/// Whether every open cell can be reached from every other.
pub(crate) fn all_connected(grid: &Grid) -> bool {
    let first = grid.open_ids().next().map(|id| grid.cell(id));
    first.is_none_or(|cell| distances(grid, Connectivity::Four, 1, cell).len() == grid.open_cells())
}
