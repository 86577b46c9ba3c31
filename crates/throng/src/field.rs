//! How far places are from a goal, nearest first, worked out as far as somebody asks and pays.

use crate::group::{Place, ground};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use throng_core::{Cell, CellId, Grid, Rules};
use throng_search::Graph as _;

/// Work that may be done in this tick, in nodes.
#[derive(Debug)]
pub(crate) struct Work {
    room: u64,
    pub(crate) spent: u64,
}

impl Work {
    pub(crate) const fn new(room: u64) -> Self {
        Self { room, spent: 0 }
    }

    pub(crate) const fn left(&self) -> u64 {
        self.room - self.spent
    }

    pub(crate) const fn take(&mut self, nodes: u64) -> bool {
        let enough = nodes <= self.left();
        if enough {
            self.spent += nodes;
        }
        enough
    }
}

/// What became of a question that may cost more than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer<T> {
    Found(T),
    Nothing,
    /// To be asked again in the next tick.
    Starved,
}

/// A search from one goal in all directions that goes on where it stopped. It holds as much as it has seen, not as
/// much as the map has; what it has seen is paid for once, however many ask.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) goal: Place,
    /// Nodes that it has visited, with their distances, nearest first.
    order: Vec<(u32, u32)>,
    best: BTreeMap<u32, u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Field {
    /// Nothing visited yet; no field where the body of `goal` does not fit.
    pub(crate) fn new(grid: &Grid, goal: Place) -> Option<Self> {
        let node = grid.id(goal.at).filter(|_| grid.fits(goal.at, goal.body))?.0;
        let (best, open) = (BTreeMap::from([(node, 0)]), BinaryHeap::from([Reverse((0, node))]));
        Some(Self { goal, order: Vec::new(), best, open })
    }

    /// How many nodes it has visited.
    pub(crate) const fn visited(&self) -> usize {
        self.order.len()
    }

    /// Visits so many nodes that were paid for before.
    pub(crate) fn replay(&mut self, grid: &Grid, rules: Rules, visited: usize) {
        while self.order.len() < visited && self.visit(grid, rules) {}
    }

    /// The distance of a cell if it has been visited.
    pub(crate) fn distance(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        let distance = *self.best.get(&grid.id(cell)?.0)?;
        let &(last, _) = self.order.last()?;
        let node = grid.id(cell)?.0;
        (distance < last || self.order.binary_search(&(distance, node)).is_ok()).then_some(distance)
    }

    /// Visits everything up to a distance; answers whether that is done.
    pub(crate) fn spread(&mut self, grid: &Grid, rules: Rules, until: u32, work: &mut Work) -> bool {
        while let Some(far) = self.next() {
            if far > until {
                return true;
            }
            if !work.take(1) {
                return false;
            }
            self.visit(grid, rules);
        }
        true
    }

    /// The distance of a cell, if that shows before more than `most` nodes are visited.
    pub(crate) fn reach(
        &mut self,
        grid: &Grid,
        rules: Rules,
        cell: Cell,
        most: usize,
        work: &mut Work,
    ) -> Option<u32> {
        loop {
            let known = self.distance(grid, cell);
            if known.is_some() || self.order.len() >= most || self.next().is_none() || !work.take(1) {
                return known;
            }
            self.visit(grid, rules);
        }
    }

    /// Calls `visit` with all places of each distance, nearest first, until it has an answer.
    pub(crate) fn levels<T>(
        &mut self,
        grid: &Grid,
        rules: Rules,
        work: &mut Work,
        mut visit: impl FnMut(u32, &mut Vec<Cell>, &mut Work) -> Option<Answer<T>>,
    ) -> Answer<T> {
        let (mut begin, mut level) = (0, Vec::new());
        loop {
            let Some(far) = self.order.get(begin).map(|&(far, _)| far).or_else(|| self.next()) else {
                return Answer::Nothing;
            };
            if !self.spread(grid, rules, far, work) {
                return Answer::Starved;
            }
            let end = begin + self.order[begin..].partition_point(|&(other, _)| other <= far);
            level.clear();
            level.extend(self.order[begin..end].iter().map(|&(_, node)| grid.cell(CellId(node))));
            if let Some(answer) = visit(far, &mut level, work) {
                return answer;
            }
            begin = end;
        }
    }

    /// How far the next node is.
    fn next(&mut self) -> Option<u32> {
        while let Some(&Reverse((far, node))) = self.open.peek() {
            if self.best.get(&node) == Some(&far) {
                return Some(far);
            }
            // A shorter way to it has been found since.
            self.open.pop();
        }
        None
    }

    fn visit(&mut self, grid: &Grid, rules: Rules) -> bool {
        let Some(far) = self.next() else { return false };
        let Some(Reverse((_, node))) = self.open.pop() else { return false };
        self.order.push((far, node));
        let Self { best, open, .. } = self;
        ground(grid, rules, self.goal.body).edges(node, |edge| {
            let (to, farther) = (edge.to, far + edge.duration);
            let known = best.entry(to).or_insert(u32::MAX);
            if farther < *known {
                *known = farther;
                open.push(Reverse((farther, to)));
            }
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest place to `goal` for a body; `x` is taken.
    fn place(rows: &[&str], goal: (i32, i32), body: u8, room: u64) -> Answer<(i32, i32)> {
        let plain: Vec<String> = rows.iter().map(|row| row.replace('x', ".")).collect();
        let grid = Grid::from_rows(&plain.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let free = |at: &Cell| {
            Place::new(*at, body)
                .cells()
                .all(|cell| rows[cell.y as usize].as_bytes()[cell.x as usize] != b'x')
        };
        let goal = Place::new(Cell::new(goal.0, goal.1), body);
        let Some(mut field) = Field::new(&grid, goal) else { return Answer::Nothing };
        let mut work = Work::new(room);
        let found = field.levels(&grid, Rules::default(), &mut work, |_, level, _| {
            level.iter().copied().find(free).map(|at| Answer::Found((at.x, at.y)))
        });
        assert_eq!(work.spent, field.visited() as u64, "all is paid for");
        found
    }

    #[test]
    fn a_crowd_grows_without_holes() {
        let at = |rows: &[&str]| place(rows, (2, 2), 1, u64::MAX);
        assert_eq!(at(&[".....", ".....", "..x..", "....."]), Answer::Found((2, 1)));
        assert_eq!(at(&[".....", "..x..", ".xx..", "..x.."]), Answer::Found((3, 2)));
        assert_eq!(at(&[".....", "..x..", ".xxx.", "..x.."]), Answer::Found((2, 0)));
    }

    #[test]
    fn larger_bodies_need_room() {
        assert_eq!(place(&[".....", ".....", "..x..", "....."], (2, 2), 2, 99), Answer::Found((3, 2)));
    }

    #[test]
    fn walls_count_and_there_may_be_no_room() {
        assert_eq!(place(&["..@..", "..@x."], (3, 1), 1, 99), Answer::Found((3, 0)));
        assert_eq!(place(&["..@xx", "..@xx"], (3, 1), 1, 99), Answer::Nothing);
        assert_eq!(place(&["..@.."], (2, 0), 1, 99), Answer::Nothing);
    }

    #[test]
    fn it_stops_when_nothing_is_left_to_spend() {
        assert_eq!(place(&["xxxxxx."], (0, 0), 1, 6), Answer::Starved);
        assert_eq!(place(&["xxxxxx."], (0, 0), 1, 7), Answer::Found((6, 0)));
    }
}
