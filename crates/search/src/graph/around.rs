//! Where cells lie to each other.

use throng_core::{Cell, CellId, Grid};

/// Calls `visit` for every place whose exits a cell can change for a body of this size.
pub(super) fn touched(grid: &Grid, body: u8, place: u32, mut visit: impl FnMut(u32)) {
    let Cell { x, y } = grid.cell(CellId(place));
    let body = i32::from(body);
    for y in y - body..=y + 1 {
        for x in x - body..=x + 1 {
            if let Some(near) = grid.id(Cell::new(x, y)) {
                visit(near.0);
            }
        }
    }
}

/// How far a cell is off the straight line between two others, in quarters of a cell.
pub(super) fn stray(grid: &Grid, node: u32, [from, to]: [u32; 2]) -> u32 {
    let [node, from, to] = [node, from, to].map(|node| grid.cell(CellId(node)));
    let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    let cross = dx * i64::from(node.y - from.y) - dy * i64::from(node.x - from.x);
    (4 * cross.unsigned_abs() / dx.abs().max(dy.abs()).max(1) as u64) as u32
}
