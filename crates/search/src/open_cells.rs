//! The open cells of a grid, numbered so that neighbours are near each other.

use throng_core::{Cell, CellId, Connectivity, Grid};

/// No cell.
pub const NOWHERE: u32 = u32::MAX;

/// Cells of a word, side by side.
const ACROSS: i32 = 64;

/// The open cells of a grid with their neighbours at hand, as units of one cell walk them. Cells come in words of 64 that lie side by side,
/// one bit for each; only words with an open cell are kept, those one above the other in a row. So what is kept by cell is small where there are
/// walls, lies close together, and searches can close a word at a time.
#[derive(Clone, Debug)]
pub struct OpenCells {
    ways: usize,
    /// By cell, by direction: the cell one step away, or [`Self::wall`].
    beside: Vec<u32>,
    /// By cell: how many steps lead away from it, and how many of these do not lead into a dead end.
    degrees: Vec<(u8, u8)>,
    /// The last one stands for walls.
    words: Vec<Word>,
    /// By cell of the grid: its number.
    numbers: Vec<u32>,
}

/// Cells side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Which of them are open.
    pub(crate) open: u64,
    /// Where the first one is.
    pub(crate) first: Cell,
    /// The words above, to the right, below and to the left.
    pub(crate) beside: [u32; 4],
}

impl OpenCells {
    /// The open cells of a grid.
    #[must_use]
    pub fn new(grid: &Grid, connectivity: Connectivity) -> Self {
        let ways = if connectivity == Connectivity::Four { 4 } else { 8 };
        let mut numbers = vec![NOWHERE; grid.len()];
        let mut words: Vec<Word> = Vec::new();
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        for left in (0..width).step_by(ACROSS as usize) {
            for y in 0..height {
                let mut open = 0;
                for (bit, x) in (left..width.min(left + ACROSS)).enumerate() {
                    if let Some(id) = grid.id(Cell::new(x, y)).filter(|&id| grid.is_open_id(id)) {
                        numbers[id.index()] = (words.len() * ACROSS as usize + bit) as u32;
                        open |= 1 << bit;
                    }
                }
                if open != 0 {
                    words.push(Word { open, first: Cell::new(left, y), beside: [0; 4] });
                }
            }
        }
        let wall = words.len() as u32;
        let mut rows: Vec<u32> = vec![wall; height.max(0) as usize];
        for word in 0..wall as usize {
            let Cell { x, y } = words[word].first;
            let (above, left) = (word.wrapping_sub(1), rows[y as usize]);
            if words.get(above).is_some_and(|above| above.first == Cell::new(x, y - 1)) {
                words[word].beside[0] = above as u32;
                words[above].beside[2] = word as u32;
            } else {
                words[word].beside[0] = wall;
            }
            words[word].beside[1] = wall;
            words[word].beside[2] = wall;
            words[word].beside[3] = wall;
            if words.get(left as usize).is_some_and(|left| left.first == Cell::new(x - ACROSS, y)) {
                words[word].beside[3] = left;
                words[left as usize].beside[1] = word as u32;
            }
            rows[y as usize] = word as u32;
        }
        words.push(Word { open: 0, first: Cell::new(0, 0), beside: [wall; 4] });
        let mut cells = Self { ways, beside: Vec::new(), degrees: Vec::new(), words, numbers };
        cells.connect(grid);
        cells
    }

    fn connect(&mut self, grid: &Grid) {
        let (offsets, ways) = (grid.offsets(), self.ways);
        self.beside = vec![self.wall(); self.len() * ways];
        let mut alone = vec![0; self.len() + 1];
        let ids: Vec<CellId> = grid.open_ids().collect();
        for &id in &ids {
            let (number, exits) = (self.numbers[id.index()] as usize, grid.exits(id));
            for dir in (0..ways).filter(|dir| exits >> dir & 1 == 1) {
                let to = id.0.wrapping_add(offsets[dir] as u32);
                self.beside[number * ways + dir] = self.numbers[to as usize];
                alone[number] += 1;
            }
        }
        self.degrees = vec![(0, 0); self.len()];
        for &id in &ids {
            let number = self.numbers[id.index()];
            let onwards = self.beside(number).iter().filter(|&&to| alone[to as usize] > 1).count();
            self.degrees[number as usize] = (alone[number as usize], onwards as u8);
        }
    }

    /// One more than the largest number; not all below it are cells.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.words.len() - 1) * ACROSS as usize
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All words, and one that stands for walls.
    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    /// Whether a number is one of a cell.
    #[must_use]
    pub fn is_cell(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / ACROSS as usize);
        word.is_some_and(|word| word.open >> (number % ACROSS as u32) & 1 == 1)
    }

    /// Whether units move in eight directions.
    #[must_use]
    #[inline]
    pub const fn is_eight(&self) -> bool {
        self.ways == 8
    }

    /// The number of a cell; [`NOWHERE`] if it is not open.
    #[must_use]
    #[inline]
    pub fn number(&self, id: CellId) -> u32 {
        self.numbers.get(id.index()).copied().unwrap_or(NOWHERE)
    }

    /// Where a cell is.
    #[must_use]
    #[inline]
    pub fn place(&self, cell: u32) -> Cell {
        let first = self.words[cell as usize >> 6].first;
        Cell::new(first.x + (cell & 63) as i32, first.y)
    }

    /// What stands for a wall beside a cell.
    #[must_use]
    #[inline]
    pub fn wall(&self) -> u32 {
        self.len() as u32
    }

    /// By direction, in the order of [`throng_core::Dir::ALL`]: the cell one step away, or [`Self::wall`].
    #[must_use]
    #[inline]
    pub fn beside(&self, cell: u32) -> &[u32] {
        &self.beside[cell as usize * self.ways..][..self.ways]
    }

    /// How many steps lead away from a cell.
    #[must_use]
    #[inline]
    pub fn degree(&self, cell: u32) -> u32 {
        u32::from(self.degrees[cell as usize].0)
    }

    /// How many steps lead away from a cell to where one can go on.
    #[must_use]
    #[inline]
    pub fn onwards(&self, cell: u32) -> u32 {
        u32::from(self.degrees[cell as usize].1)
    }

    /// The least number of steps between two places.
    #[must_use]
    #[inline]
    pub fn estimate(&self, a: Cell, b: Cell) -> u32 {
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        if self.is_eight() { dx.max(dy) } else { dx + dy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Dir;

    #[test]
    fn neighbours_are_those_of_the_grid() {
        let rows: Vec<String> =
            (0..20)
                .map(|y| {
                    (0..150)
                        .map(|x| {
                            if (x * 7 + y * 5) % 4 == 0 || (60..70).contains(&x) && y < 15 {
                                '@'
                            } else {
                                '.'
                            }
                        })
                        .collect()
                })
                .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let cells = OpenCells::new(&grid, connectivity);
            let known = (0..=cells.wall()).filter(|&number| cells.is_cell(number)).count();
            assert_eq!(known, grid.open_cells());
            for id in grid.open_ids() {
                let number = cells.number(id);
                assert_eq!(cells.place(number), grid.cell(id));
                let exits = grid.exits(id) & connectivity.mask();
                assert_eq!(cells.degree(number), exits.count_ones());
                let (mut onwards, word) = (0, cells.words()[number as usize / 64]);
                for (&to, dir) in cells.beside(number).iter().zip(Dir::ALL) {
                    let there = grid.neighbour(id, dir);
                    let open = exits >> dir as u8 & 1 == 1;
                    assert_eq!(to, if open { cells.number(there) } else { cells.wall() });
                    onwards += u32::from(open && (grid.exits(there) & connectivity.mask()).count_ones() > 1);
                    let (up, side) = (number % 64, [63, 0][usize::from(dir == Dir::E)]);
                    let across = matches!((dir, up), (Dir::E, 63) | (Dir::W, 0));
                    if open && (matches!(dir, Dir::N | Dir::S) || across) {
                        let bit = if across { side } else { up };
                        assert_eq!(to, word.beside[dir as usize] * 64 + bit);
                    }
                }
                assert_eq!(cells.onwards(number), onwards);
            }
        }
    }
}
