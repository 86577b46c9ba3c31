//! Which cells can be reached from each other.

use crate::{CellId, Connectivity, Dir, Grid};

/// The connected regions of a grid for bodies of one size. Four and eight moves have the same regions, since a diagonal needs
/// both straight neighbours open.
#[derive(Clone, Debug)]
pub struct Regions {
    /// By cell: the number of its region; [`Self::NONE`] where blocked.
    label: Vec<u32>,
    /// By region: its number of cells.
    sizes: Vec<u32>,
}

impl Regions {
    const NONE: u32 = u32::MAX;

    /// Numbers the regions of an n×n body in the order of their first cells, row by row.
    #[must_use]
    pub fn of(grid: &Grid, body: u8) -> Self {
        let mut label = vec![Self::NONE; grid.len()];
        let mut sizes = Vec::new();
        let mut queue = Vec::new();
        for first in grid.open_ids().filter(|&id| grid.clearance(id) >= body) {
            if label[first.index()] != Self::NONE {
                continue;
            }
            let region = sizes.len() as u32;
            let mut size = 0;
            label[first.index()] = region;
            queue.push(first);
            while let Some(id) = queue.pop() {
                size += 1;
                for next in neighbours(grid, id, body, Connectivity::Four) {
                    if label[next.index()] == Self::NONE {
                        label[next.index()] = region;
                        queue.push(next);
                    }
                }
            }
            sizes.push(size);
        }
        Self { label, sizes }
    }

    /// The number of the region that a cell belongs to; nonsense where the body does not fit.
    #[must_use]
    pub fn of_cell(&self, id: CellId) -> usize {
        self.label[id.index()] as usize
    }

    /// Whether there is a way between two cells.
    #[must_use]
    pub fn joined(&self, a: CellId, b: CellId) -> bool {
        let [a, b] = [a, b].map(|id| self.label[id.index()]);
        a == b && a != Self::NONE
    }

    /// By region: its number of cells.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The largest region, the first of several.
    #[must_use]
    pub fn largest(&self) -> Option<usize> {
        let largest = self.sizes.iter().max()?;
        self.sizes.iter().position(|size| size == largest)
    }
}

/// The cells one move of an n×n body away.
pub fn neighbours(
    grid: &Grid,
    id: CellId,
    body: u8,
    connectivity: Connectivity,
) -> impl Iterator<Item = CellId> + '_ {
    let exits = grid.exits_of_body(id, body) & connectivity.mask();
    Dir::ALL
        .into_iter()
        .filter(move |&dir| exits & (1 << dir as u8) != 0)
        .map(move |dir| grid.neighbour(id, dir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    #[test]
    fn a_wall_parts_the_map() {
        let grid = Grid::from_rows(&["..@.", "..@.", "@@@."]).unwrap();
        let regions = Regions::of(&grid, 1);
        assert_eq!(regions.sizes(), [4, 3]);
        assert_eq!(regions.largest(), Some(0));
        let id = |x, y| grid.id(Cell::new(x, y)).unwrap();
        assert_eq!(regions.of_cell(id(3, 2)), 1);
        assert!(regions.joined(id(0, 0), id(1, 1)) && !regions.joined(id(0, 0), id(3, 0)));
        assert_eq!(Regions::of(&grid, 2).sizes(), [1]);
    }
}
