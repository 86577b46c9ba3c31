//! The free places nearest to a goal that is taken.

use super::room::cells;
use super::spread::Spread;
use super::{Place, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, CellId, Grid, Rules};

/// Finds where a unit can rest whose goal is taken: as near to it as there is room. So a crowd of units that were
/// sent to one goal one by one grows from it outwards, without holes, and nobody pushes.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Beside, Place};
///
/// let (grid, rules) = (Grid::empty(9, 1)?, Rules::default());
/// let goal = Place::new(Cell::new(4, 0), 1);
/// let taken = |cell: Cell| (3..6).contains(&cell.x);
/// let mut beside = Beside::default();
/// assert_eq!(beside.distance(&grid, rules, goal, taken), Some(2));
/// // Two places are equally far; the unit comes from the right.
/// let place = beside.nearest(&grid, rules, goal, Cell::new(8, 0), taken, |_| true);
/// assert_eq!(place, Some(Place::new(Cell::new(6, 0), 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Beside {
    spread: Spread,
    level: Vec<u32>,
}

impl core::fmt::Debug for Beside {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Beside").finish_non_exhaustive()
    }
}

impl Beside {
    /// How far bodies at these places of the region of `goal` are from it, walls and the body counted.
    pub fn ways<'a>(
        &'a mut self,
        grid: &Grid,
        rules: Rules,
        goal: Place,
        from: impl Iterator<Item = Cell> + Clone + 'a,
    ) -> impl Iterator<Item = Option<u32>> + 'a {
        let graph = ground(grid, rules, goal.body);
        let node = |cell: Cell| Place { at: cell, ..goal }.node(grid);
        self.level.clear();
        self.level.extend(from.clone().filter_map(node));
        self.spread.reach(&graph, goal.node(grid), &self.level);
        let nodes: Vec<_> = from.map(node).collect();
        nodes.into_iter().map(|node| self.spread.distance(node?))
    }

    /// How far the nearest place is from the goal whose cells are not `taken`, walls and the body counted.
    pub fn distance(
        &mut self,
        grid: &Grid,
        rules: Rules,
        goal: Place,
        taken: impl Fn(Cell) -> bool,
    ) -> Option<u32> {
        let mut found = None;
        self.levels(grid, rules, goal, taken, |distance, _| {
            found = Some(distance);
            ControlFlow::Break(())
        });
        found
    }

    /// The nearest place to the goal that is not `taken` and that the unit `reaches`; of several the one nearest to
    /// where the unit is, `from`.
    pub fn nearest(
        &mut self,
        grid: &Grid,
        rules: Rules,
        goal: Place,
        from: Cell,
        taken: impl Fn(Cell) -> bool,
        mut reaches: impl FnMut(Cell) -> bool,
    ) -> Option<Place> {
        let mut found = None;
        self.levels(grid, rules, goal, taken, |_, level| {
            let at = |node: u32| grid.cell(CellId(node));
            let far = |node: u32| at(node).x.abs_diff(from.x) + at(node).y.abs_diff(from.y);
            level.sort_unstable_by_key(|&node| (far(node), node));
            found = level.iter().map(|&node| at(node)).find(|&cell| reaches(cell));
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.map(|at| Place { at, ..goal })
    }

    /// Calls `visit` with the free places of each distance that has some, nearest first.
    fn levels(
        &mut self,
        grid: &Grid,
        rules: Rules,
        goal: Place,
        taken: impl Fn(Cell) -> bool,
        mut visit: impl FnMut(u32, &mut Vec<u32>) -> ControlFlow<()>,
    ) {
        let Some(node) = goal.node(grid) else { return };
        let Self { spread, level: free } = self;
        spread.run(
            &ground(grid, rules, goal.body),
            [node],
            |_| true,
            |_, distance, level| {
                free.clear();
                let is_free = |node| cells(grid, node, goal.body).all(|id| !taken(grid.cell(id)));
                free.extend(level.iter().copied().filter(|&node| is_free(node)));
                if free.is_empty() { ControlFlow::Continue(()) } else { visit(distance, free) }
            },
        );
    }
}

/// What a unit can walk to round those who stay.
#[derive(Default)]
pub(crate) struct Walk(Spread);

impl Walk {
    /// Whether a unit can walk from one place to another without anybody moving who stands on `closed` cells.
    /// Afterwards [`Self::reaches`] knows what else it can walk to, if it cannot.
    pub(crate) fn is_open(
        &mut self,
        grid: &Grid,
        rules: Rules,
        (from, to): (Place, Cell),
        closed: impl Fn(Cell) -> bool,
    ) -> bool {
        let (Some(node), Some(aim)) = (from.node(grid), grid.id(to)) else { return false };
        let enter = |node| cells(grid, node, from.body).all(|id| !closed(grid.cell(id)));
        self.0.run(&ground(grid, rules, from.body), [node], enter, |known, _, _| {
            if known.distance(aim.0).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.0.distance(aim.0).is_some()
    }

    /// Whether the unit of the last [`Self::is_open`] can walk to `cell`.
    pub(crate) fn reaches(&self, grid: &Grid, cell: Cell) -> bool {
        grid.id(cell).is_some_and(|id| self.0.distance(id.0).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of a body that was sent to `goal` and comes from the left; `x` is taken.
    fn place(rows: &[&str], goal: (i32, i32), body: u8) -> Option<(i32, i32)> {
        let plain: Vec<String> = rows.iter().map(|row| row.replace('x', ".")).collect();
        let grid = Grid::from_rows(&plain.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let taken = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'x';
        let goal = Place::new(Cell::new(goal.0, goal.1), body);
        let from = Cell::new(0, goal.at.y);
        let place = Beside::default().nearest(&grid, Rules::default(), goal, from, taken, |_| true);
        place.map(|place| (place.at.x, place.at.y))
    }

    #[test]
    fn a_crowd_grows_without_holes() {
        assert_eq!(place(&[".....", ".....", "..x..", "....."], (2, 2), 1), Some((1, 2)));
        assert_eq!(place(&[".....", "..x..", ".xx..", "..x.."], (2, 2), 1), Some((3, 2)));
        assert_eq!(place(&[".....", "..x..", ".xxx.", "..x.."], (2, 2), 1), Some((0, 2)));
    }

    #[test]
    fn larger_bodies_need_room() {
        assert_eq!(place(&[".....", ".....", "..x..", "....."], (2, 2), 2), Some((3, 2)));
    }

    #[test]
    fn walls_count_and_there_may_be_no_room() {
        assert_eq!(place(&["..@..", "..@x."], (3, 1), 1), Some((3, 0)));
        assert_eq!(place(&["..@xx", "..@xx"], (3, 1), 1), None);
        assert_eq!(place(&["..@.."], (2, 0), 1), None);
    }
}
