//! The terrain: which cells exist and where one may step from each.

use crate::{Cell, CellId, Dir, TerrainPolicy};

/// The largest number of cells (border included) a grid may have.
pub const MAX_CELLS: usize = 1 << 26;

/// A rectangular map. It knows terrain only: no units, no time.
///
/// Cells are stored row by row inside a border of blocked cells, so [`CellId`]s of neighbours differ
/// by constant offsets. For every cell the legal directions of a 1×1 body are kept as a bit mask, and the side of
/// the largest body that fits there.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(try_from = "crate::wire::Grid"))]
pub struct Grid {
    width: u32,
    height: u32,
    stride: u32,
    /// ⌈2⁶⁴ / stride⌉: turns the division in [`Grid::cell`] into one multiplication.
    reciprocal: u64,
    policy: TerrainPolicy,
    terrain: Vec<u8>,
    exits: Vec<u8>,
    /// Side of the largest open square whose smallest corner a cell is, at most [`LARGEST`].
    clearance: Vec<u8>,
    open: usize,
}

/// Larger bodies than this are not told apart.
const LARGEST: u8 = crate::Scenario::MAX_BODY + 1;

/// Why a grid could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A side is zero.
    #[error("a map needs at least one row and one column, not {width}×{height}")]
    Empty {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// More cells than [`MAX_CELLS`].
    #[error("a map of {width}×{height} is too large: at most {MAX_CELLS} cells with the border")]
    TooLarge {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// The number of letters is not width × height.
    #[error("{found} terrain letters for a map of {expected} cells")]
    WrongLength {
        /// width × height
        expected: usize,
        /// Letters given.
        found: usize,
    },
    /// A letter that no map may contain.
    #[error("unknown terrain {:?} at {at}: expected one of {}", char::from(*.letter), TerrainPolicy::LETTERS)]
    UnknownTerrain {
        /// The letter.
        letter: u8,
        /// Where it stands.
        at: Cell,
    },
}

impl Grid {
    /// A grid from its terrain letters, row by row.
    pub fn new(
        width: usize,
        height: usize,
        letters: &[u8],
        policy: TerrainPolicy,
    ) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        if letters.len() != width * height {
            return Err(GridError::WrongLength { expected: width * height, found: letters.len() });
        }
        let stride = width + 1;
        let mut terrain = vec![b'@'; (height + 2) * stride];
        for (y, row) in letters.chunks_exact(width).enumerate() {
            if let Some(x) = row.iter().position(|&l| policy.passable(l).is_none()) {
                return Err(GridError::UnknownTerrain { letter: row[x], at: Cell::new(x as i32, y as i32) });
            }
            let begin = (y + 1) * stride;
            terrain[begin..begin + width].copy_from_slice(row);
        }
        let exits = vec![0; terrain.len()];
        let open = letters.iter().filter(|&&l| policy.passable(l) == Some(true)).count();
        let mut grid = Self {
            width: width as u32,
            height: height as u32,
            stride: stride as u32,
            reciprocal: u64::MAX / stride as u64 + 1,
            policy,
            terrain,
            clearance: exits.clone(),
            exits,
            open,
        };
        grid.refresh_all();
        Ok(grid)
    }

    /// Whether a map of this size can be made.
    pub fn check_size(width: usize, height: usize) -> Result<(), GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        let cells = width.checked_add(1).zip(height.checked_add(2)).and_then(|(w, h)| w.checked_mul(h));
        match cells {
            Some(cells) if cells <= MAX_CELLS => Ok(()),
            _ => Err(GridError::TooLarge { width, height }),
        }
    }

    /// An open field of this size.
    pub fn empty(width: usize, height: usize) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        Self::new(width, height, &vec![b'.'; width * height], TerrainPolicy::default())
    }

    /// A grid drawn as lines of terrain letters; for tests and built-in scenarios.
    pub fn from_rows(rows: &[&str]) -> Result<Self, GridError> {
        let width = rows.first().map_or(0, |r| r.len());
        let letters: Vec<u8> = rows.iter().flat_map(|r| r.bytes()).collect();
        Self::new(width, rows.len(), &letters, TerrainPolicy::default())
    }

    /// Columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// How long an array indexed by [`CellId`] must be. Larger than [`Self::open_cells`]: it counts
    /// blocked cells and the border.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.terrain.len()
    }

    /// Whether there is no passable cell.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// How many cells are passable.
    #[must_use]
    pub const fn open_cells(&self) -> usize {
        self.open
    }

    /// The policy that decides which letters are passable.
    #[must_use]
    pub const fn policy(&self) -> TerrainPolicy {
        self.policy
    }

    /// Whether `cell` lies on the map.
    #[must_use]
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x >= 0 && cell.y >= 0 && cell.x < self.width as i32 && cell.y < self.height as i32
    }

    /// The index of `cell`, or `None` off the map.
    #[must_use]
    #[inline]
    pub const fn id(&self, cell: Cell) -> Option<CellId> {
        if self.contains(cell) {
            Some(CellId((cell.y as u32 + 1) * self.stride + cell.x as u32))
        } else {
            None
        }
    }

    /// The coordinate of an index that [`Self::id`] gave.
    #[must_use]
    #[inline]
    pub const fn cell(&self, id: CellId) -> Cell {
        // Exact, since id · stride < 2⁶⁴ for every grid that can be made.
        let row = ((id.0 as u128 * self.reciprocal as u128) >> 64) as u32;
        Cell { x: (id.0 - row * self.stride) as i32, y: row as i32 - 1 }
    }

    /// The terrain letter at `id`.
    #[must_use]
    pub fn letter(&self, id: CellId) -> u8 {
        self.terrain[id.index()]
    }

    /// The terrain letters of row `y`, left to right.
    #[must_use]
    pub fn row(&self, y: usize) -> &[u8] {
        let begin = (y + 1) * self.stride as usize;
        &self.terrain[begin..begin + self.width as usize]
    }

    /// Whether `cell` lies on the map and may be stood on.
    #[must_use]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.id(cell).is_some_and(|id| self.is_open_id(id))
    }

    /// Whether the cell with this index may be stood on.
    #[must_use]
    #[inline]
    pub fn is_open_id(&self, id: CellId) -> bool {
        self.policy.passable(self.terrain[id.index()]) == Some(true)
    }

    /// Whether an n×n body fits with its smallest corner at `cell`.
    #[must_use]
    pub fn fits(&self, cell: Cell, body: u8) -> bool {
        self.id(cell).is_some_and(|id| self.clearance(id) >= body)
    }

    /// Side of the largest body that fits with its smallest corner here, as far as bodies go.
    #[must_use]
    #[inline]
    pub fn clearance(&self, id: CellId) -> u8 {
        self.clearance[id.index()]
    }

    /// Legal directions of an n×n body, as [`Self::exits`] has them for 1×1. A straight step needs room where it
    /// leads; a diagonal needs the whole block of n + 1.
    #[must_use]
    pub fn exits_of_body(&self, id: CellId, body: u8) -> u8 {
        if self.clearance(id) < body {
            return 0;
        }
        let room = |dir: Dir, side: u8| self.clearance(self.neighbour(id, dir)) >= side;
        let mut mask = 0u8;
        for dir in [Dir::N, Dir::E, Dir::S, Dir::W] {
            mask |= u8::from(room(dir, body)) << dir as u8;
        }
        // The smallest corner of the block that a diagonal needs; on the map if both straight steps are legal.
        let blocks =
            [(Dir::NE, Some(Dir::N)), (Dir::SE, None), (Dir::SW, Some(Dir::W)), (Dir::NW, Some(Dir::NW))];
        for (dir, corner) in blocks {
            let straight = dir.components().is_some_and(|(v, h)| mask >> v as u8 & mask >> h as u8 & 1 == 1);
            let roomy = straight && corner.map_or(self.clearance(id) > body, |corner| room(corner, body + 1));
            mask |= u8::from(roomy) << dir as u8;
        }
        mask
    }

    /// Legal directions of a 1×1 body as a mask: bit `d` for `Dir` number `d`. A diagonal needs both
    /// straight neighbours open. The lower four bits are the straight moves.
    #[must_use]
    #[inline]
    pub fn exits(&self, id: CellId) -> u8 {
        self.exits[id.index()]
    }

    /// The index of the neighbour in direction `dir`; valid wherever [`Self::exits`] has that bit.
    #[must_use]
    #[inline]
    pub const fn neighbour(&self, id: CellId, dir: Dir) -> CellId {
        CellId(id.0.wrapping_add(self.offset(dir) as u32))
    }

    /// What to add to an index to go one step in `dir`.
    #[must_use]
    #[inline]
    pub const fn offset(&self, dir: Dir) -> i32 {
        let (dx, dy) = dir.delta();
        dy * self.stride as i32 + dx
    }

    /// All eight offsets, by direction.
    #[must_use]
    pub fn offsets(&self) -> [i32; 8] {
        Dir::ALL.map(|d| self.offset(d))
    }

    /// All passable cells, row by row.
    pub fn open_ids(&self) -> impl Iterator<Item = CellId> + '_ {
        (0..self.terrain.len() as u32).map(CellId).filter(|&id| self.is_open_id(id))
    }

    /// Changes the terrain at `id`; answers whether passability changed.
    pub fn set_letter(&mut self, id: CellId, letter: u8) -> Result<bool, GridError> {
        let at = self.cell(id);
        let Some(after) = self.policy.passable(letter) else {
            return Err(GridError::UnknownTerrain { letter, at });
        };
        let before = self.is_open_id(id);
        self.terrain[id.index()] = letter;
        if before != after {
            self.open = if after { self.open + 1 } else { self.open - 1 };
            for dy in -1..=1 {
                for dx in -1..=1 {
                    if let Some(near) = self.id(Cell::new(at.x + dx, at.y + dy)) {
                        self.exits[near.index()] = self.exits_of(near);
                    }
                }
            }
            self.clear_around(at);
        }
        Ok(before != after)
    }

    /// Squares that reach a cell begin above and to the left of it, at most [`LARGEST`] away. Each follows from those to the
    /// right and below, so where those are as before there is nothing to do.
    fn clear_around(&mut self, at: Cell) {
        let reach = i32::from(LARGEST) - 1;
        // The leftmost that changed in the row below.
        let mut last = at.x;
        for y in (at.y - reach..=at.y).rev() {
            let mut first = None;
            for x in (at.x - reach..=at.x).rev() {
                let Some(near) = self.id(Cell::new(x, y)) else { break };
                let side = self.clearance_of(near);
                if core::mem::replace(&mut self.clearance[near.index()], side) != side {
                    first = Some(x);
                } else if x < last && first != Some(x + 1) {
                    break;
                }
            }
            let Some(first) = first else { break };
            last = first;
        }
    }

    fn refresh_all(&mut self) {
        // Nothing leads anywhere, which is how it begins.
        if self.open == 0 {
            return;
        }
        for y in 0..self.height {
            for x in 0..self.width {
                let id = CellId((y + 1) * self.stride + x);
                self.exits[id.index()] = self.exits_of(id);
            }
        }
        for y in (0..self.height).rev() {
            for x in (0..self.width).rev() {
                let id = CellId((y + 1) * self.stride + x);
                self.clearance[id.index()] = self.clearance_of(id);
            }
        }
    }

    /// From the three neighbours to the right and below, whose own must be known.
    fn clearance_of(&self, id: CellId) -> u8 {
        if !self.is_open_id(id) {
            return 0;
        }
        let beside = [Dir::E, Dir::S, Dir::SE].map(|dir| self.clearance(self.neighbour(id, dir)));
        (beside.into_iter().fold(LARGEST, u8::min) + 1).min(LARGEST)
    }

    fn exits_of(&self, id: CellId) -> u8 {
        if !self.is_open_id(id) {
            return 0;
        }
        let open = |dir: Dir| self.is_open_id(self.neighbour(id, dir));
        let bit = |dir: Dir, open: bool| u8::from(open) << dir as u8;
        let (n, e, s, w) = (open(Dir::N), open(Dir::E), open(Dir::S), open(Dir::W));
        let straight = bit(Dir::N, n) | bit(Dir::E, e) | bit(Dir::S, s) | bit(Dir::W, w);
        let diagonal = |dir: Dir, beside: bool| bit(dir, beside && open(dir));
        straight
            | diagonal(Dir::NE, n && e)
            | diagonal(Dir::SE, s && e)
            | diagonal(Dir::SW, s && w)
            | diagonal(Dir::NW, n && w)
    }
}

impl core::fmt::Debug for Grid {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "Grid {}×{}", self.width, self.height)?;
        for y in 0..self.height() {
            writeln!(f, "{}", String::from_utf8_lossy(self.row(y)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_not_cut() {
        let grid = Grid::from_rows(&["..", ".@"]).unwrap();
        let at = |x, y| grid.id(Cell::new(x, y)).unwrap();
        assert_eq!(grid.exits(at(0, 0)), 1 << Dir::E as u8 | 1 << Dir::S as u8);
        assert_eq!(grid.exits(at(1, 0)), 1 << Dir::W as u8);
        assert_eq!(grid.exits(at(1, 1)), 0);
    }

    #[test]
    fn the_border_never_wraps() {
        let grid = Grid::empty(3, 2).unwrap();
        for id in grid.open_ids() {
            let cell = grid.cell(id);
            assert_eq!(grid.id(cell), Some(id));
            for dir in Dir::ALL {
                let legal = grid.exits(id) & (1 << dir as u8) != 0;
                assert_eq!(legal, grid.is_open(cell.step(dir)), "{cell} {dir:?}");
                if legal {
                    assert_eq!(grid.cell(grid.neighbour(id, dir)), cell.step(dir));
                }
            }
        }
    }

    #[test]
    fn closing_and_opening_keeps_exits_true() {
        let mut grid = Grid::empty(4, 4).unwrap();
        let whole = grid.clone();
        let id = grid.id(Cell::new(1, 2)).unwrap();
        assert_eq!(grid.set_letter(id, b'@'), Ok(true));
        let rebuilt = Grid::from_rows(&["....", "....", ".@..", "...."]).unwrap();
        assert_eq!(grid, rebuilt);
        assert_eq!(grid.set_letter(id, b'.'), Ok(true));
        assert_eq!(grid, whole);
        assert!(grid.set_letter(id, b'x').is_err());
    }

    /// Against the definition, for every body, before and after cells close and open.
    #[test]
    fn clearance_says_what_fits() {
        let mut grid =
            Grid::from_rows(&["........", "...@....", "........", "......@.", "........"]).unwrap();
        let rules = crate::Rules { connectivity: crate::Connectivity::Eight, ..crate::Rules::default() };
        for (x, y, letter) in [(0, 0, b'.'), (3, 1, b'.'), (4, 2, b'@'), (6, 3, b'.'), (4, 2, b'.')] {
            grid.set_letter(grid.id(Cell::new(x, y)).unwrap(), letter).unwrap();
            for id in grid.open_ids() {
                for body in 1..=5u8 {
                    let (cell, n) = (grid.cell(id), i32::from(body));
                    let open = |dx, dy| grid.is_open(Cell::new(cell.x + dx, cell.y + dy));
                    let fits = (0..n * n).all(|k| open(k % n, k / n));
                    assert_eq!(grid.fits(cell, body), fits, "{body} at {cell}");
                    let exits = grid.exits_of_body(id, body);
                    for dir in Dir::ALL {
                        let legal =
                            crate::Actions::new(rules, body, 1).legal(&grid, cell, 0, crate::Action::Go(dir));
                        assert_eq!(exits >> dir as u8 & 1 == 1, legal && fits, "{body} from {cell} {dir:?}");
                    }
                    if body == 1 {
                        assert_eq!(exits, grid.exits(id));
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_are_bounded() {
        assert!(matches!(Grid::empty(0, 3), Err(GridError::Empty { .. })));
        assert!(matches!(Grid::empty(usize::MAX, 3), Err(GridError::TooLarge { .. })));
        assert!(matches!(Grid::from_rows(&["..", "."]), Err(GridError::WrongLength { .. })));
    }
}
