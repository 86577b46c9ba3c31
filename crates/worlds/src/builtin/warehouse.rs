//! Goods are carried from shelves to stations, for ever.

use super::stage::Stage;
use crate::generate::WarehouseMap;
use throng_core::{Brings, Cell, Dir, Places, Random, Stream, Supply};

const MAP: WarehouseMap =
    WarehouseMap { columns: 5, rows: 8, shelf_width: 8, shelf_height: 2, corridor: 1, margin: 4 };

/// Units, and errands that are open at a time.
const CROWD: usize = 80;
const OPEN: u32 = 120;

/// Rows from one station to the next.
const STATIONS: i32 = 3;

pub(super) fn make(dice: &mut Random) -> Stage {
    let grid = MAP.generate(0).expect("the numbers are in range");
    let cells: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let inside = |cell: Cell| (1..width - 1).contains(&cell.x) && (1..height - 1).contains(&cell.y);
    // Below and above a shelf.
    let shelf = |cell: Cell| inside(cell) && !grid.is_open(cell);
    let beside = |cell: &Cell| [Dir::N, Dir::S].into_iter().any(|dir| shelf(cell.step(dir)));
    let picked: Vec<Cell> = cells.iter().copied().filter(beside).collect();
    let station = |cell: &Cell| (cell.x == 1 || cell.x == width - 2) && cell.y % STATIONS == 1;
    let delivered = cells.iter().copied().filter(station).collect();
    let mut stage = Stage::new(grid);
    stage.employ(CROWD, &cells, dice);
    let brings = Brings::Drawn(vec![Places::Cells(picked), Places::Cells(delivered)]);
    stage.stream = Some(Stream { supply: Supply::Open(OPEN), brings, count: None, seed: None });
    stage
}
