//! Which open cells can be reached from each other.

use throng_core::{CellId, Connectivity, Dir, Grid};

/// The connected regions of a grid. Four and eight moves have the same regions, since a diagonal needs
/// both straight neighbours open.
pub(crate) struct Regions {
    /// By cell: the number of its region; [`Self::NONE`] where blocked.
    label: Vec<u32>,
    /// By region: its number of cells.
    sizes: Vec<u32>,
}

impl Regions {
    const NONE: u32 = u32::MAX;

    /// Numbers the regions in the order of their first cells, row by row.
    pub(crate) fn of(grid: &Grid) -> Self {
        let mut label = vec![Self::NONE; grid.len()];
        let mut sizes = Vec::new();
        let mut queue = Vec::new();
        for first in grid.open_ids() {
            if label[first.index()] != Self::NONE {
                continue;
            }
            let region = sizes.len() as u32;
            let mut size = 0;
            label[first.index()] = region;
            queue.push(first);
            while let Some(id) = queue.pop() {
                size += 1;
                for next in neighbours(grid, id, Connectivity::Four) {
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

    /// The number of the region that an open cell belongs to.
    pub(crate) fn of_cell(&self, id: CellId) -> usize {
        self.label[id.index()] as usize
    }

    /// By region: its number of cells.
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The largest region, the first of several.
    pub(crate) fn largest(&self) -> Option<usize> {
        let largest = self.sizes.iter().max()?;
        self.sizes.iter().position(|size| size == largest)
    }
}

/// The cells one move away.
pub(crate) fn neighbours(
    grid: &Grid,
    id: CellId,
    connectivity: Connectivity,
) -> impl Iterator<Item = CellId> + '_ {
    let exits = grid.exits(id) & connectivity.mask();
    Dir::ALL
        .into_iter()
        .filter(move |&dir| exits & (1 << dir as u8) != 0)
        .map(move |dir| grid.neighbour(id, dir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Cell;

    #[test]
    fn a_wall_parts_the_map() {
        let grid = Grid::from_rows(&["..@.", "..@.", "@@@."]).unwrap();
        let regions = Regions::of(&grid);
        assert_eq!(regions.sizes(), [4, 3]);
        assert_eq!(regions.largest(), Some(0));
        assert_eq!(regions.of_cell(grid.id(Cell::new(3, 2)).unwrap()), 1);
    }
}
