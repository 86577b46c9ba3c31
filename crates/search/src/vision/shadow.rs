//! What the middle of a cell sees, by casting shadows: each cell is looked at once an octant, however far it is.
//!
//! An octant is scanned row by row, outwards. A slope is how far aside something is for how far out it is, so all of an
//! octant lies between 0 and 1. A wall hides the slopes strictly between those of its outermost corners; what is still
//! in sight is a list of closed stretches of slopes, none of which is a mere point.
//!
//! Within a row a wall nearer to the axis is in front of the next one, and none hides the middle of an open cell of its
//! own row (that would need a slope above 1), so this is exactly what the lines of [`super::sees`] say.

use throng_core::{Cell, CellId, Dir, Grid};

/// A slope: `aside` for `out`, which is above zero.
#[derive(Clone, Copy)]
struct Slope {
    aside: i64,
    out: i64,
}

impl Slope {
    const fn below(self, other: Self) -> bool {
        self.aside * other.out < other.aside * self.out
    }

    const fn max(self, other: Self) -> Self {
        if self.below(other) { other } else { self }
    }

    const fn min(self, other: Self) -> Self {
        if other.below(self) { other } else { self }
    }
}

/// The slopes from the first to the second, which is larger.
type Stretch = (Slope, Slope);

const WHOLE: Stretch = (Slope { aside: 0, out: 1 }, Slope { aside: 1, out: 1 });

/// Tells `seen` of every cell that `from` sees and that is at most `radius` away, in the larger of both directions: how far to the
/// right and below it is, and its index.
pub(super) fn cast(grid: &Grid, from: Cell, radius: u32, mut seen: impl FnMut((i32, i32), CellId)) {
    let Some(id) = grid.id(from) else { return };
    seen((0, 0), id);
    let mut sight = Vec::new();
    let mut spare = Vec::new();
    // Indices grow evenly along rows and columns, so that each cell is one step from the last.
    let (right, down) = (grid.offset(Dir::E), grid.offset(Dir::S));
    let room = |at: i32, size: usize, sign: i32| if sign > 0 { size as i32 - 1 - at } else { at };
    for octant in 0..8 {
        let (sx, sy) = (if octant & 2 == 0 { 1 } else { -1 }, if octant & 4 == 0 { 1 } else { -1 });
        let (x_room, y_room) = (room(from.x, grid.width(), sx), room(from.y, grid.height(), sy));
        let upright = octant & 1 == 0;
        let (aside_room, out_room) = if upright { (x_room, y_room) } else { (y_room, x_room) };
        let (aside_step, out_step) = if upright { (sx * right, sy * down) } else { (sy * down, sx * right) };
        sight.clear();
        sight.push(WHOLE);
        for out in 1..=(radius as i32).min(out_room) {
            if sight.is_empty() {
                break;
            }
            let first = id.0.wrapping_add_signed(out * out_step);
            for aside in 0..=out.min(aside_room) {
                let id = CellId(first.wrapping_add_signed(aside * aside_step));
                let (x, y) = if upright { (aside, out) } else { (out, aside) };
                let away = (sx * x, sy * y);
                let (a, o) = (i64::from(aside), i64::from(out));
                if grid.clearance(id) > 0 {
                    let slope = Slope { aside: a, out: o };
                    if sight.iter().any(|&(low, high)| !slope.below(low) && !high.below(slope)) {
                        seen(away, id);
                    }
                } else {
                    // The first corner of a wall on the axis lies beyond it.
                    let first = Slope { aside: (2 * a - 1).max(0), out: 2 * o + 1 };
                    let last = Slope { aside: 2 * a + 1, out: 2 * o - 1 };
                    if hide((first, last), &mut sight, &mut spare) {
                        seen(away, id);
                    }
                }
            }
        }
    }
}

/// Takes `wall` out of what is in sight; answers whether any of that was.
fn hide((first, last): Stretch, sight: &mut Vec<Stretch>, spare: &mut Vec<Stretch>) -> bool {
    spare.clear();
    let mut hidden = false;
    for &(low, high) in sight.iter() {
        hidden |= low.max(first).below(high.min(last));
        // What is left below and above the wall.
        for (low, high) in [(low, high.min(first)), (low.max(last), high)] {
            if low.below(high) {
                spare.push((low, high));
            }
        }
    }
    std::mem::swap(sight, spare);
    hidden
}
