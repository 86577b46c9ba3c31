//! Who may stop because the crowd covers the goal already.

use super::room::{around, cells};
use super::spread::Spread;
use super::{Place, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, Grid, Rules};
use throng_search::{Graph, TrueDistance};

/// How many times its own side a body may step back from the goal on its way round the crowd.
const STEPS_BACK: u32 = 2;

/// Decides for units that share a goal whether one should rest where it stands instead of pushing for ever.
///
/// A unit may rest where it stands when it has come to the goal; or when its place is free, it touches somebody who
/// rests, and there is no place nearer to the goal that it could walk to round those who rest. Places that are shut
/// in by the crowd do not count, nor do ways round it that lead back from the goal by more than twice the side of
/// the body.
///
/// So a crowd grows from the goal outwards without holes that somebody could fill, whatever the order in which
/// units come. Who rests is up to the caller: units that have settled, and others that were told to stay.
///
/// The struct keeps distances to goals between questions. They change what an answer costs, never the answer.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Place, Settling};
///
/// let (grid, rules) = (Grid::empty(9, 1)?, Rules::default());
/// let mut settling = Settling::default();
/// let (goal, member) = (Cell::new(4, 0), Place::new(Cell::new(2, 0), 1));
/// // Somebody has the goal, and there is still a place between.
/// assert!(!settling.may_rest(&grid, rules, goal, member, |cell| cell.x == 4));
/// assert!(settling.may_rest(&grid, rules, goal, member, |cell| cell.x == 4 || cell.x == 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Settling {
    /// By goal and side of the body.
    fields: Vec<(Cell, u8, TrueDistance)>,
    spread: Spread,
}

impl core::fmt::Debug for Settling {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "distances to {} goals", self.fields.len())
    }
}

impl Settling {
    /// Whether `member`, on its way to `goal`, may rest where it stands. `resting` says of a cell whether somebody
    /// else rests on it. The goal is where the smallest corner of the body is to come.
    pub fn may_rest(
        &mut self,
        grid: &Grid,
        rules: Rules,
        goal: Cell,
        member: Place,
        resting: impl Fn(Cell) -> bool,
    ) -> bool {
        let graph = ground(grid, rules, member.body);
        let (Some(node), Some(goal_node)) = (member.node(grid), Place { at: goal, ..member }.node(grid))
        else {
            return false;
        };
        if node == goal_node {
            return true;
        }
        let free = |node: u32| cells(grid, node, member.body).all(|id| !resting(grid.cell(id)));
        if !free(node) || !around(member).any(&resting) {
            return false;
        }
        let known = self.fields.iter().position(|&(of, body, _)| (of, body) == (goal, member.body));
        let known = known.unwrap_or_else(|| {
            self.fields.push((goal, member.body, TrueDistance::new(&graph, goal_node, None)));
            self.fields.len() - 1
        });
        let field = &mut self.fields[known].2;
        let Some(here) = field.distance(&graph, node) else { return false };
        let farthest = here + STEPS_BACK * u32::from(member.body) * graph.longest();
        let nearer = core::cell::Cell::new(false);
        let enter = |to: u32| {
            let far = field.distance(&graph, to).filter(|&far| far <= farthest && free(to));
            nearer.set(nearer.get() || far.is_some_and(|far| far < here));
            far.is_some()
        };
        self.spread.run(&graph, [node], enter, |_, _, _| match nearer.get() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        !nearer.get()
    }

    /// Forgets the distances to goals that are not `wanted` any more.
    pub fn retain(&mut self, wanted: impl Fn(Cell) -> bool) {
        self.fields.retain(|&(goal, ..)| wanted(goal));
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
        let (goal, member) = (Cell::new(goal.0, goal.1), Place::new(Cell::new(at.0, at.1), body));
        let mut settling = Settling::default();
        settling.may_rest(&grid, Rules::default(), goal, member, |cell| resting.contains(&cell))
    }

    #[test]
    fn who_touches_the_full_crowd_stops() {
        let crowd = [".....", "..x..", ".xxx.", "..x..", "....."];
        assert!(rests(&crowd, (2, 2), (1, 1), 1));
        // Not beside anybody.
        assert!(!rests(&crowd, (2, 2), (0, 0), 1));
        // As far as the corners, which are still free: one is as good as the other.
        assert!(rests(&crowd, (2, 2), (0, 2), 1));
        // Somebody has this place.
        assert!(!rests(&crowd, (2, 2), (1, 2), 1));
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
