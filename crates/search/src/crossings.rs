//! Where roads meet.

use throng_core::{Cell, Grid};

/// Roads are no wider than this; what is wider is a place.
const WIDEST: usize = 4;

/// The crossings of a grid: where a row and a column of road run into each other and at least three ways lead out. Any
/// corridors do, whoever made the map; in the open there are none.
///
/// ```
/// use throng_core::{Cell, Grid};
/// use throng_search::Crossings;
///
/// let rows = ["@@@@@.@@@@@", "@@@@@.@@@@@", "...........", "@@@@@.@@@@@", "@@@@@.@@@@@", "@@@@@.@@@@@"];
/// let grid = Grid::from_rows(&rows)?;
/// let crossings = Crossings::of(&grid);
/// let middle = grid.id(Cell::new(5, 2)).unwrap();
/// assert_eq!((crossings.len(), crossings.at(middle.0)), (1, Some(middle.0)));
/// # Ok::<(), throng_core::GridError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crossings {
    /// By cell: the first cell of its crossing, plus one.
    label: Vec<u32>,
    count: usize,
}

impl Crossings {
    /// Finds all crossings.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        let mut found = Self { label: vec![0; grid.len()], count: 0 };
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let open = |x: i32, y: i32| grid.is_open(Cell::new(x, y));
        // How many open cells there are in a row, and in a column, through each cell.
        let mut runs = vec![(0usize, 0usize); (width * height) as usize];
        let place = |x: i32, y: i32| (y * width + x) as usize;
        for y in 0..height {
            stretches(width, |x| open(x, y), |x, long| runs[place(x, y)].0 = long);
        }
        for x in 0..width {
            stretches(height, |y| open(x, y), |y, long| runs[place(x, y)].1 = long);
        }
        let meets =
            |x: i32, y: i32| open(x, y) && runs[place(x, y)].0 > WIDEST && runs[place(x, y)].1 > WIDEST;
        for y in 0..height {
            for x in 0..width {
                let first = meets(x, y) && !(x > 0 && meets(x - 1, y)) && !(y > 0 && meets(x, y - 1));
                if !first {
                    continue;
                }
                let wide = (x..width).take_while(|&x| meets(x, y)).count() as i32;
                let high = (y..height).take_while(|&y| meets(x, y)).count() as i32;
                let small = wide <= WIDEST as i32 && high <= WIDEST as i32;
                let whole = (y..y + high).all(|y| (x..x + wide).all(|x| meets(x, y)));
                // A bay beside a road is no way out.
                let leads =
                    |x: i32, y: i32, dx: i32, dy: i32| open(x + dx, y + dy) && open(x + 2 * dx, y + 2 * dy);
                let ways = [
                    (x..x + wide).any(|x| leads(x, y, 0, -1)),
                    (y..y + high).any(|y| leads(x + wide - 1, y, 1, 0)),
                    (x..x + wide).any(|x| leads(x, y + high - 1, 0, 1)),
                    (y..y + high).any(|y| leads(x, y, -1, 0)),
                ];
                if !small || !whole || ways.iter().filter(|&&way| way).count() < 3 {
                    continue;
                }
                found.count += 1;
                let Some(name) = grid.id(Cell::new(x, y)) else { continue };
                for cell in (y..y + high).flat_map(|y| (x..x + wide).map(move |x| Cell::new(x, y))) {
                    if let Some(id) = grid.id(cell) {
                        found.label[id.index()] = name.0 + 1;
                    }
                }
            }
        }
        found
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The crossing that a cell is part of, by its first cell, row by row: it keeps that name whatever changes elsewhere.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: u32) -> Option<u32> {
        self.label.get(cell as usize).and_then(|&label| label.checked_sub(1))
    }
}

/// Calls `tell` for every place of a line with the length of the stretch of open places around it.
fn stretches(count: i32, open: impl Fn(i32) -> bool, mut tell: impl FnMut(i32, usize)) {
    let mut begin = 0;
    while begin < count {
        let end = (begin..count).find(|&k| !open(k)).unwrap_or(count);
        (begin..end).for_each(|k| tell(k, (end - begin) as usize));
        begin = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&str]) -> (usize, Vec<(i32, i32)>) {
        let grid = Grid::from_rows(rows).unwrap();
        let crossings = Crossings::of(&grid);
        let cells = grid.open_ids().filter(|id| crossings.at(id.0).is_some()).map(|id| grid.cell(id));
        (crossings.len(), cells.map(|cell| (cell.x, cell.y)).collect())
    }

    #[test]
    fn a_bend_is_no_crossing_and_a_branch_is_one() {
        let bend = ["......", "@@@@@.", "@@@@@.", "@@@@@.", "@@@@@.", "@@@@@."];
        assert_eq!(of(&bend), (0, vec![]));
        let branch = ["...........", "@@@@@.@@@@@", "@@@@@.@@@@@", "@@@@@.@@@@@", "@@@@@.@@@@@"];
        assert_eq!(of(&branch), (1, vec![(5, 0)]));
    }

    #[test]
    fn wide_roads_cross_in_all_their_cells() {
        let rows =
            ["@@@@@..@@@@@", "@@@@@..@@@@@", "............", "............", "@@@@@..@@@@@", "@@@@@..@@@@@"];
        assert_eq!(of(&rows), (1, vec![(5, 2), (6, 2), (5, 3), (6, 3)]));
    }

    #[test]
    fn bays_and_open_ground_are_no_crossings() {
        let bays = ["@@@@.@@@@", ".........", ".........", "@@@@.@@@@"];
        assert_eq!(of(&bays), (0, vec![]));
        let field = [".........."; 10];
        assert_eq!(of(&field), (0, vec![]));
    }
}
