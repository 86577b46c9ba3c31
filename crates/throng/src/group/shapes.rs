//! The shapes that a group can rest in.

use super::Place;
use throng_core::Cell;

/// How a group arranges itself around its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// As close to the goal as there is room.
    #[default]
    Block,
    /// As the members stand now, moved so that the middle of the group comes to the goal.
    Formation,
    /// Abreast across the direction of travel, the middle of the first rank at the goal.
    Line {
        /// How many ranks, one behind the other; 0 counts as 1.
        ranks: u16,
    },
    /// One behind the other, the foremost at the goal.
    Column,
}

/// Where each member would rest if nothing were in the way; `None` for a shape that has no such places.
pub(super) fn wishes(members: &[Place], goal: Cell, shape: Shape) -> Option<Vec<Cell>> {
    match shape {
        Shape::Block => None,
        Shape::Formation => Some(moved(members, goal)),
        Shape::Line { ranks } => {
            Some(ranked(members, goal, |count| usize::from(ranks).clamp(1, count.max(1))))
        }
        Shape::Column => Some(ranked(members, goal, |count| count.max(1))),
    }
}

/// Twice the middle of a body, so that it is an integer.
fn middle(place: Place) -> (i64, i64) {
    let twice = |at: i32| 2 * i64::from(at) + i64::from(place.body);
    (twice(place.at.x), twice(place.at.y))
}

/// How far the group's middle is from the goal, as (numerators, denominator).
fn way(members: &[Place], goal: Cell) -> (i64, i64, i64) {
    let count = members.len() as i64;
    let (x, y) = members.iter().map(|&m| middle(m)).fold((0, 0), |sum, m| (sum.0 + m.0, sum.1 + m.1));
    ((2 * i64::from(goal.x) + 1) * count - x, (2 * i64::from(goal.y) + 1) * count - y, 2 * count)
}

fn moved(members: &[Place], goal: Cell) -> Vec<Cell> {
    let (x, y, by) = way(members, goal);
    // Everybody moves by the same whole number of cells, so that offsets stay what they are.
    let rounded = |n: i64| if by == 0 { 0 } else { (n + by / 2).div_euclid(by) };
    members.iter().map(|m| shifted(m.at, rounded(x), rounded(y))).collect()
}

/// Ranks and files as far apart as the largest body needs. Members keep their order from left to right, and within
/// a file from front to back.
fn ranked(members: &[Place], goal: Cell, ranks: impl Fn(usize) -> usize) -> Vec<Cell> {
    let (x, y, _) = way(members, goal);
    // Straight towards the goal along the longer side; who is there already faces up.
    let (ahead_x, ahead_y) =
        if x.abs() > y.abs() { (x.signum(), 0) } else { (0, if y > 0 { 1 } else { -1 }) };
    let (right_x, right_y) = (-ahead_y, ahead_x);
    let ranks = ranks(members.len());
    let files = members.len().div_ceil(ranks) as i64;
    let pitch = members.iter().map(|m| i64::from(m.body)).max().unwrap_or(1);
    let aside = |m: &usize| middle(members[*m]).0 * right_x + middle(members[*m]).1 * right_y;
    let back = |m: &usize| -(middle(members[*m]).0 * ahead_x + middle(members[*m]).1 * ahead_y);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|m| (aside(m), *m));
    let mut cells = vec![goal; members.len()];
    for (file, members) in order.chunks_mut(ranks).enumerate() {
        members.sort_by_key(|m| (back(m), *m));
        for (rank, &member) in members.iter().enumerate() {
            let (side, behind) = (file as i64 * pitch - (files - 1) * pitch / 2, rank as i64 * pitch);
            cells[member] =
                shifted(goal, side * right_x - behind * ahead_x, side * right_y - behind * ahead_y);
        }
    }
    cells
}

fn shifted(cell: Cell, x: i64, y: i64) -> Cell {
    // Far beyond every map, and far from where sums overflow.
    const FAR: i64 = 1 << 29;
    let add = |a: i32, b: i64| (i64::from(a) + b).clamp(-FAR, FAR) as i32;
    Cell::new(add(cell.x, x), add(cell.y, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(cells: &[(i32, i32)]) -> Vec<Place> {
        cells.iter().map(|&(x, y)| Place::new(Cell::new(x, y), 1)).collect()
    }

    fn at(shape: Shape, members: &[Place], goal: (i32, i32)) -> Vec<(i32, i32)> {
        let cells = wishes(members, Cell::new(goal.0, goal.1), shape).unwrap();
        cells.iter().map(|c| (c.x, c.y)).collect()
    }

    #[test]
    fn a_formation_keeps_its_offsets() {
        let members = crowd(&[(0, 0), (4, 0), (2, 3)]);
        assert_eq!(at(Shape::Formation, &members, (22, 11)), [(20, 10), (24, 10), (22, 13)]);
    }

    #[test]
    fn a_line_lies_across_the_way_and_a_column_along_it() {
        let members = crowd(&[(0, 0), (1, 0), (0, 1), (1, 1)]);
        // They go to the right: to the right of them is down.
        assert_eq!(at(Shape::Line { ranks: 1 }, &members, (20, 5)), [(20, 4), (20, 5), (20, 6), (20, 7)]);
        assert_eq!(at(Shape::Column, &members, (20, 5)), [(18, 5), (20, 5), (17, 5), (19, 5)]);
    }

    #[test]
    fn nobody_is_a_formation_too() {
        for shape in [Shape::Formation, Shape::Line { ranks: 0 }, Shape::Column] {
            assert!(at(shape, &[], (1, 1)).is_empty());
        }
    }
}
