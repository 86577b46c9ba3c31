//! Tunnels that nobody knows, and a party that looks for something in them.

use super::stage::Stage;
use crate::dice::pick;
use crate::generate::TunnelMap;
use throng_core::{Cell, Random, Sight, Task};

/// How many look for it.
const PARTY: usize = 5;

/// What they look for is at least so far from where they come in, along rows and columns.
const FAR: u32 = 40;

/// Wide enough to meet in, with ways round.
const TUNNELS: TunnelMap = TunnelMap {
    width: 50,
    height: 34,
    min_connections: 1,
    max_connections: 2,
    noise: 1,
    min_island: 4,
    wall: 2,
    tunnel: 2,
};

/// The map is the one of this seed, whoever explores it.
const SEED: u64 = 3;

pub(super) fn make(dice: &mut Random) -> Stage {
    let grid = TUNNELS.generate(SEED).unwrap_or_else(|_| unreachable!("its settings can be met"));
    let open: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
    let entrance = open[0];
    let away = |cell: &Cell| cell.x.abs_diff(entrance.x) + cell.y.abs_diff(entrance.y);
    let far: Vec<_> = open.iter().copied().filter(|cell| away(cell) >= FAR).collect();
    let hidden = pick(&far, 1, dice)[0];
    let mut near = open.clone();
    near.sort_by_key(|cell| (away(cell), *cell));
    let mut stage = Stage::new(grid);
    stage.sight = Some(Sight { angle: 72, inner: Some(5), ..Sight::new(11) });
    for start in near.into_iter().take(PARTY) {
        stage.add(start, Task::Find(hidden));
    }
    stage
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of it can be reached, so that everything can be found.
    #[test]
    fn the_tunnels_are_one() {
        let grid = TUNNELS.generate(SEED).unwrap();
        let regions = throng_core::Regions::of(&grid, 1);
        let first = grid.open_ids().next().unwrap();
        assert!(grid.open_ids().all(|id| regions.joined(first, id)));
    }
}
