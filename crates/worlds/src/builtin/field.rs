//! An open field.

use super::stage::Stage;
use throng_core::{Cell, Grid, Random};

/// Columns and rows.
const SIDE: i32 = 48;
/// Units.
const CROWD: usize = 100;

pub(super) fn make(dice: &mut Random) -> Stage {
    let grid = Grid::empty(SIDE as usize, SIDE as usize).expect("48×48 is a map");
    let cells: Vec<Cell> = (0..SIDE * SIDE).map(|n| Cell::new(n % SIDE, n / SIDE)).collect();
    let mut stage = Stage::new(grid);
    stage.send(CROWD, &cells, &cells, dice);
    stage
}
