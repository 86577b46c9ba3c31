//! People are driven from one bay beside a road to another, for ever.

use super::stage::Stage;
use crate::generate::RoadMap;
use throng_core::{Brings, Cell, Places, Random, Stream, Supply};

const MAP: RoadMap = RoadMap { width: 60, height: 44, block: 6, lanes: 2, missing: 20, bays: 2 };

/// Which of all maps of these numbers.
const SEED: u64 = 4;

/// Units, and errands in a thousand ticks: about as many as they can do.
const CROWD: usize = 70;
const RATE: u32 = 900;

pub(super) fn make(dice: &mut Random) -> Stage {
    let grid = MAP.generate(SEED).expect("the numbers are in range");
    let bays: Vec<Cell> = grid
        .open_ids()
        .filter(|&id| (grid.exits(id) & 0x0f).count_ones() == 1)
        .map(|id| grid.cell(id))
        .collect();
    let mut stage = Stage::new(grid);
    stage.employ(CROWD, &bays, dice);
    let brings = Brings::Drawn(vec![Places::Cells(bays.clone()), Places::Cells(bays)]);
    stage.stream = Some(Stream { supply: Supply::Rate(RATE), brings, count: None, seed: None });
    stage
}
