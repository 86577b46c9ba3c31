//! A map cut into square sectors: the parts of a sector that hang together are its regions, and regions that touch are
//! beside each other.

use crate::{Edge, Graph, GridGraph};
use throng_core::{Action, Cell, CellId, Grid};

/// In no region.
const NONE: u32 = u32::MAX;

/// The regions of all sectors.
#[derive(Clone, Debug, Default)]
pub struct Sectors {
    size: i32,
    /// By place.
    region: Vec<u32>,
    /// By region: the place nearest to its middle, which stands for it.
    middle: Vec<u32>,
    /// By region: where its neighbours begin in `beside`; one more for the end of the last.
    first: Vec<u32>,
    beside: Vec<u32>,
}

/// The cells of a sector, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sector {
    low: Cell,
    high: Cell,
}

impl Sector {
    /// The cell of the sector that is nearest to `cell`.
    #[must_use]
    #[inline]
    pub fn nearest(&self, cell: Cell) -> Cell {
        Cell::new(cell.x.clamp(self.low.x, self.high.x), cell.y.clamp(self.low.y, self.high.y))
    }
}

impl Sectors {
    /// Cuts a map into sectors of `size` × `size` cells, from the top left; those at the right and at the bottom may be smaller.
    #[must_use]
    pub fn new(graph: &GridGraph<'_>, size: u32) -> Self {
        let grid = graph.grid();
        let size = size.clamp(1, 1 << 15) as i32;
        let mut sectors = Self { size, region: vec![NONE; grid.len()], ..Self::default() };
        let (mut stack, mut members) = (Vec::new(), Vec::new());
        for cell in grid.open_ids() {
            if sectors.region[cell.index()] != NONE {
                continue;
            }
            let (number, home) = (sectors.middle.len() as u32, sectors.sector_of(grid.cell(cell)));
            sectors.region[cell.index()] = number;
            stack.push(cell.0);
            members.clear();
            while let Some(at) = stack.pop() {
                members.push(at);
                graph.edges(at, |edge| {
                    let region = &mut sectors.region[edge.to as usize];
                    let to = grid.cell(CellId(edge.to));
                    if *region == NONE && home.nearest(to) == to {
                        *region = number;
                        stack.push(edge.to);
                    }
                });
            }
            sectors.middle.push(middle(grid, &members));
        }
        sectors.join(graph);
        sectors
    }

    /// Finds out which regions are beside each other.
    fn join(&mut self, graph: &GridGraph<'_>) {
        let mut pairs = Vec::new();
        for cell in graph.grid().open_ids() {
            let here = self.region[cell.index()];
            graph.edges(cell.0, |edge| {
                let there = self.region[edge.to as usize];
                if there != here {
                    pairs.push((here, there));
                }
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        self.first = (0..=self.middle.len() as u32)
            .map(|region| pairs.partition_point(|&(from, _)| from < region) as u32)
            .collect();
        self.beside = pairs.into_iter().map(|(_, to)| to).collect();
    }

    fn sector_of(&self, cell: Cell) -> Sector {
        let low = Cell::new(cell.x - cell.x % self.size, cell.y - cell.y % self.size);
        Sector { low, high: Cell::new(low.x + self.size - 1, low.y + self.size - 1) }
    }

    /// The region of a place; `None` in walls.
    #[must_use]
    #[inline]
    pub fn region(&self, place: u32) -> Option<u32> {
        Some(self.region[place as usize]).filter(|&region| region != NONE)
    }

    /// The sector of a region.
    #[must_use]
    pub fn sector(&self, grid: &Grid, region: u32) -> Sector {
        self.sector_of(grid.cell(CellId(self.middle[region as usize])))
    }

    /// How many regions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.middle.len()
    }

    /// Whether there is no region: all is wall.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.middle.is_empty()
    }
}

/// The member nearest to the middle of all.
fn middle(grid: &Grid, members: &[u32]) -> u32 {
    let count = members.len() as i64;
    let cell = |&id: &u32| grid.cell(CellId(id));
    let sum = members.iter().map(cell).fold((0, 0), |(x, y), at| (x + i64::from(at.x), y + i64::from(at.y)));
    let far = |id: &u32| {
        let at = cell(id);
        let (dx, dy) = (i64::from(at.x) * count - sum.0, i64::from(at.y) * count - sum.1);
        (dx * dx + dy * dy, *id)
    };
    members.iter().copied().min_by_key(far).unwrap_or(NONE)
}

/// The regions as a graph: going from one to the next costs what the straight way between their middles does.
#[derive(Clone, Copy, Debug)]
pub struct RegionGraph<'a> {
    sectors: &'a Sectors,
    ground: GridGraph<'a>,
}

impl<'a> RegionGraph<'a> {
    /// The regions as units on `ground` see them.
    #[must_use]
    pub const fn new(sectors: &'a Sectors, ground: GridGraph<'a>) -> Self {
        Self { sectors, ground }
    }
}

impl Graph for RegionGraph<'_> {
    fn len(&self) -> usize {
        self.sectors.len()
    }

    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        let Sectors { first, beside, .. } = self.sectors;
        let here = self.aim(node);
        for &to in &beside[first[node as usize] as usize..first[node as usize + 1] as usize] {
            visit(Edge { to, duration: self.estimate(to, here).max(1), action: Action::Wait });
        }
    }

    type Aim = Cell;

    fn aim(&self, node: u32) -> Cell {
        self.ground.aim(self.sectors.middle[node as usize])
    }

    fn estimate(&self, node: u32, aim: Cell) -> u32 {
        self.ground.estimate(self.sectors.middle[node as usize], aim)
    }

    fn longest(&self) -> u32 {
        // Neighbours lie within two sectors side by side.
        self.ground.longest() * 4 * self.sectors.size as u32
    }

    fn crossing(&self, _from: u32, _to: u32) -> Option<(u32, u32)> {
        None
    }

    fn covered(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        visit(from);
        if from != to {
            visit(to);
        }
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AStar;
    use throng_core::Rules;

    fn cut(rows: &[&str], size: u32) -> (Grid, Sectors) {
        let grid = Grid::from_rows(rows).unwrap();
        let sectors = Sectors::new(&GridGraph::new(&grid, Rules::default(), 1), size);
        (grid, sectors)
    }

    /// The region of every cell, row by row.
    fn drawn(grid: &Grid, sectors: &Sectors) -> String {
        let row = |y| (0..grid.width() as i32).map(move |x| Cell::new(x, y));
        let letter = |cell| match grid.id(cell).and_then(|id| sectors.region(id.0)) {
            Some(region) => char::from(b'a' + region as u8),
            None => '@',
        };
        (0..grid.height() as i32).map(|y| row(y).map(letter).collect::<String>() + "/").collect()
    }

    /// A wall through a sector makes two regions of it; at the edges sectors are smaller.
    #[test]
    fn regions_hang_together_within_their_sector() {
        let (grid, sectors) = cut(&["..@..", "..@..", "@@@..", "....."], 3);
        assert_eq!(drawn(&grid, &sectors), "aa@bb/aa@bb/@@@bb/cccdd/");
        let graph = RegionGraph::new(&sectors, GridGraph::new(&grid, Rules::default(), 1));
        let beside = |region| {
            let mut beside = Vec::new();
            graph.edges(region, |edge| beside.push(edge.to));
            beside
        };
        assert_eq!([0, 1, 2, 3].map(beside), [vec![], vec![3], vec![3], vec![1, 2]]);
    }

    #[test]
    fn sectors_of_one_cell_and_of_more_than_the_map() {
        let (grid, sectors) = cut(&["..", ".@"], 1);
        assert_eq!(drawn(&grid, &sectors), "ab/c@/");
        let (grid, sectors) = cut(&["..", ".@"], 999);
        assert_eq!(drawn(&grid, &sectors), "aa/a@/");
        let (_, sectors) = cut(&["@@"], 8);
        assert!(sectors.is_empty());
    }

    #[test]
    fn a_way_over_regions_costs_what_it_says() {
        let (grid, sectors) = cut(&["........", ".@@@@@@.", "........"], 2);
        let graph = RegionGraph::new(&sectors, GridGraph::new(&grid, Rules::default(), 1));
        let mut search = AStar::new();
        for from in 0..sectors.len() as u32 {
            for to in 0..sectors.len() as u32 {
                let found = search.reach(&graph, from, graph.aim(to), |node| node == to, 0, |_| Some(0));
                let cost = found.map(|(_, cost)| cost);
                assert_eq!(cost, search.dijkstra(&graph, from, to));
            }
        }
    }

    #[test]
    fn the_nearest_cell_of_a_sector_is_in_it() {
        let (grid, sectors) = cut(&["......", "......", "......", "......"], 2);
        let region = sectors.region(grid.id(Cell::new(3, 2)).unwrap().0).unwrap();
        let sector = sectors.sector(&grid, region);
        assert_eq!(sector.nearest(Cell::new(0, 0)), Cell::new(2, 2));
        assert_eq!(sector.nearest(Cell::new(5, 3)), Cell::new(3, 3));
        assert_eq!(sector.nearest(Cell::new(2, 3)), Cell::new(2, 3));
    }
}
