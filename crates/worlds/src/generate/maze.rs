//! A perfect maze: exactly one way between any two places.

use super::{GenerateError, Parameter, canvas::Canvas};
use crate::dice::{Purpose, dice};
use throng_core::{Draw, Grid, Random};

/// A perfect maze: corridors of one width between walls one cell thick, carved along a random spanning
/// tree, so there are no loops and exactly one way from each place to each other (up to what one does
/// inside a corridor wider than one).
///
/// The maze is made of square places `corridor` cells wide, one cell apart, inside a wall. Columns and rows
/// at the right and the bottom that do not suffice for another place are wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MazeMap {
    /// Columns: `corridor` + 2 to 16384, default 65.
    pub width: u32,
    /// Rows: `corridor` + 2 to 16384, default 65.
    pub height: u32,
    /// Width of the corridors in cells: 1 to 256, default 1.
    pub corridor: u32,
}

impl MazeMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 3] = [
        Parameter::width(65),
        Parameter::height(65),
        Parameter::new("corridor", 1, 1, 256, "width of the corridors in cells"),
    ];

    /// The map of this seed.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, corridor] = Self::PARAMETERS;
        let corridor = corridor.check(self.corridor)?;
        let width = width.check_from(self.width, self.corridor + 2)?;
        let height = height.check_from(self.height, self.corridor + 2)?;
        let mut canvas = Canvas::new(width, height, Canvas::WALL)?;
        let pitch = corridor + 1;
        let (columns, rows) = ((width - 1) / pitch, (height - 1) / pitch);
        for step in spanning_tree(columns, rows, &mut dice(seed, Purpose::MazeMap)) {
            // One rectangle covers both places and the gap in the wall between them.
            let ((x, y), (across, down)) = step;
            let size = (corridor + across * pitch, corridor + down * pitch);
            canvas.fill((x * pitch + 1, y * pitch + 1), size, Canvas::OPEN);
        }
        canvas.into_grid()
    }
}

/// A place and how far (0 or 1) the passage from it leads to the right and down.
type Passage = ((usize, usize), (usize, usize));

/// A depth-first walk over all places with the stack kept by hand: long winding corridors. A single place
/// gets one passage of no length.
fn spanning_tree(columns: usize, rows: usize, dice: &mut Random) -> Vec<Passage> {
    let mut seen = vec![false; columns * rows];
    let mut passages = vec![((0, 0), (0, 0))];
    let mut stack = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some(&(x, y)) = stack.last() {
        let all: [Option<(usize, usize)>; 4] = [
            y.checked_sub(1).map(|y| (x, y)),
            (x + 1 < columns).then_some((x + 1, y)),
            (y + 1 < rows).then_some((x, y + 1)),
            x.checked_sub(1).map(|x| (x, y)),
        ];
        let fresh = all.into_iter().flatten().filter(|&(x, y)| !seen[y * columns + x]);
        let choices = fresh.clone().count() as u32;
        let next = if choices == 0 { None } else { fresh.clone().nth(dice.below(choices) as usize) };
        let Some((nx, ny)) = next else {
            stack.pop();
            continue;
        };
        seen[ny * columns + nx] = true;
        passages.push(((x.min(nx), y.min(ny)), (x.abs_diff(nx), y.abs_diff(ny))));
        stack.push((nx, ny));
    }
    passages
}

impl Default for MazeMap {
    fn default() -> Self {
        let [width, height, corridor] = Self::PARAMETERS;
        Self { width: width.default, height: height.default, corridor: corridor.default }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_maze_is_a_tree() {
        let grid = MazeMap { width: 21, height: 31, corridor: 1 }.generate(4).unwrap();
        // 10×15 places and a passage less than places; that it is connected, `tests/generators.rs` checks.
        assert_eq!(grid.open_cells(), 150 + 149);
    }

    #[test]
    fn a_wide_maze_opens_whole_corridors() {
        let grid = MazeMap { width: 16, height: 16, corridor: 4 }.generate(4).unwrap();
        assert_eq!(grid.open_cells(), 9 * 16 + 8 * 4);
    }
}
