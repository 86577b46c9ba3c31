//! Who may stop because the crowd covers the goal already.

use super::parties::Homes;
use super::room::{around, cells};
use super::spread::Spread;
use super::{Place, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, Grid, Rules};
use throng_search::{Graph, TrueDistance};

/// How many times its own side a body may step back from the goal on its way round the crowd.
const STEPS_BACK: u32 = 2;

/// Decides for members that share one goal whether one should rest where it stands instead of pushing for ever.
///
/// A member may rest where it stands when
/// * it is as near to the goal as a body of its size can come; or
/// * it touches somebody who rests, and there is no place nearer to the goal that it could walk to round those who
///   rest. Places that are shut in by the crowd do not count, nor do ways round it that lead back from the goal by
///   more than twice the side of the body.
///
/// So a crowd grows from the goal outwards without holes that somebody could fill, whatever slots were handed out.
/// Who rests is up to the caller: members that have settled, and units of others that were told to stay.
///
/// The struct keeps distances to the goal between questions. They change what an answer costs, never the answer.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Place, Settling};
///
/// let grid = Grid::empty(9, 1)?;
/// let mut settling = Settling::new(&grid, Rules::default(), Cell::new(4, 0));
/// let member = Place::new(Cell::new(2, 0), 1);
/// // Somebody has the goal, and there is still a place between.
/// assert!(!settling.may_rest(member, |cell| cell.x == 4));
/// assert!(settling.may_rest(member, |cell| cell.x == 4 || cell.x == 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Settling<'a> {
    grid: &'a Grid,
    rules: Rules,
    homes: Homes<'a>,
    /// Distances to where bodies of a size rest that have the goal for themselves; several for one size if members
    /// of it cannot reach each other.
    fields: Vec<(u8, TrueDistance)>,
    spread: Spread,
}

impl<'a> Settling<'a> {
    /// For members that are on their way to `goal`.
    #[must_use]
    pub fn new(grid: &'a Grid, rules: Rules, goal: Cell) -> Self {
        let homes = Homes::new(grid, rules, goal);
        Self { grid, rules, homes, fields: Vec::new(), spread: Spread::new() }
    }

    /// Whether `member` may rest where it stands. `resting` says of a cell whether somebody else rests on it.
    pub fn may_rest(&mut self, member: Place, resting: impl Fn(Cell) -> bool) -> bool {
        let Some(node) = member.node(self.grid) else { return false };
        let graph = ground(self.grid, self.rules, member.body);
        let Some(field) = self.field(node, member.body) else { return false };
        let (grid, field) = (self.grid, &mut self.fields[field].1);
        let Some(here) = field.distance(&graph, node) else { return false };
        if here == 0 {
            return true;
        }
        if !around(member).any(&resting) {
            return false;
        }
        let farthest = here + STEPS_BACK * u32::from(member.body) * graph.longest();
        let mut nearer = false;
        let enter = |to: u32| {
            field.distance(&graph, to).is_some_and(|distance| {
                let free =
                    distance <= farthest && cells(grid, to, member.body).all(|id| !resting(grid.cell(id)));
                nearer |= free && distance < here;
                free
            })
        };
        self.spread.run(&graph, [node], enter, |_, _, _| ControlFlow::Continue(()));
        !nearer
    }

    /// The distances that count for a body at `node`, if it can come into the region of the goal.
    fn field(&mut self, node: u32, body: u8) -> Option<usize> {
        let graph = ground(self.grid, self.rules, body);
        let known = self
            .fields
            .iter_mut()
            .position(|(size, field)| *size == body && field.distance(&graph, node).is_some());
        if known.is_some() {
            return known;
        }
        let home = self.homes.of(node, body, &[])?;
        self.fields.push((body, TrueDistance::new(&graph, home, None)));
        Some(self.fields.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[&str]) -> (Grid, Vec<Cell>) {
        let plain: Vec<String> = rows.iter().map(|row| row.replace('x', ".")).collect();
        let grid = Grid::from_rows(&plain.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let all = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
        let resting = all.filter(|&(x, y)| rows[y].as_bytes()[x] == b'x');
        let resting = resting.map(|(x, y)| Cell::new(x as i32, y as i32)).collect();
        (grid, resting)
    }

    fn rests(rows: &[&str], goal: (i32, i32), at: (i32, i32), body: u8) -> bool {
        let (grid, resting) = drawn(rows);
        let mut settling = Settling::new(&grid, Rules::default(), Cell::new(goal.0, goal.1));
        settling.may_rest(Place::new(Cell::new(at.0, at.1), body), |cell| resting.contains(&cell))
    }

    #[test]
    fn who_touches_the_full_crowd_stops() {
        let crowd = [".....", "..x..", ".xxx.", "..x..", "....."];
        assert!(rests(&crowd, (2, 2), (1, 1), 1));
        // Not beside anybody.
        assert!(!rests(&crowd, (2, 2), (0, 0), 1));
        // As far as the corners, which are still free: one is as good as the other.
        assert!(rests(&crowd, (2, 2), (0, 2), 1));
    }

    #[test]
    fn a_hole_that_can_be_walked_to_is_filled_first() {
        let open = [".....", "..x..", ".xx..", "..x..", "....."];
        assert!(!rests(&open, (2, 2), (1, 1), 1));
        // The goal is free, but nobody can come to it.
        assert!(rests(&["@@@@@", "x.xx.", "@@@@@"], (1, 1), (4, 1), 1));
    }

    #[test]
    fn the_goal_itself_is_always_good() {
        assert!(rests(&["...", "...", "..."], (1, 1), (1, 1), 1));
        assert!(rests(&["...", "...", "..."], (1, 1), (1, 1), 2));
        assert!(!rests(&["...", "...", "..."], (1, 1), (0, 1), 1));
    }

    #[test]
    fn who_cannot_come_or_does_not_fit_never_settles() {
        assert!(!rests(&[".@.", "x@."], (2, 0), (0, 0), 1));
        assert!(!rests(&["...", "..."], (2, 0), (2, 1), 2));
        assert!(!rests(&["...", "..."], (2, 0), (-5, 1), 1));
    }
}
