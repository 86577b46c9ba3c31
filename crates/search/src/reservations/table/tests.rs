//! What each rule forbids, in every store.

use super::super::{Ring, Sparse};
use super::*;
use crate::GridGraph;
use throng_core::{Cell, Connectivity, Grid, Timing};

fn both(test: impl Fn(&mut dyn FnMut(Rule) -> Box<dyn Probe>)) {
    test(&mut |rule| Box::new(Table::new(rule, Ring::new(64, 31))));
    test(&mut |rule| Box::new(Table::new(rule, Sparse::new(64))));
}

/// The table on a 5×5 field, whatever its store.
trait Probe {
    fn go(&mut self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32);
    fn may(&self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32) -> bool;
    fn undo(&mut self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32);
}

fn field<T>(use_it: impl FnOnce(&GridGraph<'_>, &dyn Fn((i32, i32)) -> u32) -> T) -> T {
    let grid = Grid::empty(5, 5).unwrap();
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    use_it(&GridGraph::new(&grid, rules, 5), &|(x, y)| grid.id(Cell::new(x, y)).unwrap().0)
}

impl<S: Store> Probe for Table<S> {
    fn go(&mut self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32) {
        field(|g, id| self.reserve(g, who, (id(from), id(to)), tick, duration, |_| {}));
    }
    fn may(&self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32) -> bool {
        field(|g, id| self.admits(g, who, id(from), id(to), tick, duration).is_some())
    }
    fn undo(&mut self, who: u32, from: (i32, i32), to: (i32, i32), tick: Tick, duration: u32) {
        field(|g, id| self.release(g, who, (id(from), id(to)), tick, duration));
    }
}

#[test]
fn swap_rule_forbids_the_same_cell_and_swaps_and_crossings_only() {
    both(|make| {
        let mut table = make(Rule::Swap);
        table.go(1, (1, 1), (1, 1), 0, 1);
        table.go(1, (1, 1), (2, 1), 1, 1);
        assert!(!table.may(2, (3, 1), (2, 1), 1, 1), "same cell");
        assert!(!table.may(2, (2, 1), (1, 1), 1, 1), "swap");
        assert!(table.may(2, (0, 1), (1, 1), 1, 1), "following");
        table.go(3, (3, 3), (3, 3), 0, 1);
        table.go(3, (3, 3), (4, 4), 1, 1);
        assert!(!table.may(2, (4, 3), (3, 4), 1, 1), "crossing");
        assert!(table.may(2, (4, 3), (4, 2), 1, 1));
        table.undo(1, (1, 1), (2, 1), 1, 1);
        assert!(table.may(2, (3, 1), (2, 1), 1, 1));
    });
}

#[test]
fn hold_rule_keeps_everything_covered_until_arrival() {
    both(|make| {
        let mut table = make(Rule::Hold);
        table.go(1, (1, 1), (2, 2), 0, 7);
        for cell in [(1, 1), (2, 2), (1, 2), (2, 1)] {
            assert!(!table.may(2, cell, cell, 3, 1), "{cell:?} is covered by the diagonal");
        }
        assert!(table.may(2, (1, 1), (1, 1), 7, 1), "left behind on arrival");
        assert!(!table.may(2, (2, 2), (2, 2), 7, 1), "the target stays held");
        assert!(!table.may(2, (0, 1), (1, 1), 3, 5), "following needs the cell free");
    });
}

/// A store that counts what it is asked and told.
struct Counting(Sparse, core::cell::Cell<usize>, usize);

impl Store for Counting {
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        self.1.set(self.1.get() + 1);
        self.0.owner(node, tick)
    }
    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        self.2 += 1;
        self.0.claim(node, tick, owner)
    }
    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        self.0.release(node, tick, owner);
    }
}

/// A diagonal of seven ticks covers four cells: by ticks that is many entries, by entries of eight few.
#[test]
fn a_coarse_table_is_asked_and_told_less() {
    let work = |grain| {
        field(|graph, id| {
            let store = Counting(Sparse::new(64), core::cell::Cell::new(0), 0);
            let mut table = Table::new(Rule::Hold, store).coarse(grain);
            let ends = (id((1, 1)), id((2, 2)));
            assert_eq!(table.admits(graph, 1, ends.0, ends.1, 8, 7), Some(0));
            table.reserve(graph, 1, ends, 8, 7, |_| {});
            (table.store.1.get(), table.store.2)
        })
    };
    // While it lasts and when it arrives; what it leaves behind is not told.
    assert_eq!((work(1), work(8)), ((4 * 8, 1 + 4 * 7), (4, 1 + 4)));
}

/// Two steps share a coarse entry; what the first gives back the second still needs.
#[test]
fn what_another_step_needs_is_kept() {
    field(|graph, id| {
        let mut table = Table::new(Rule::Hold, Sparse::new(64)).coarse(4);
        let [a, b, c] = [(1, 1), (2, 1), (3, 1)].map(id);
        let step = |from, to, tick| Step { from, to, tick, duration: 2, action: throng_core::Action::Wait };
        let steps = [step(a, b, 0), step(b, c, 2), step(c, c, 4)];
        for s in &steps {
            table.reserve(graph, 1, (s.from, s.to), s.tick, s.duration, |_| {});
        }
        table.release_but(graph, 1, &steps[..1], &steps[1..], false);
        assert!(table.store.is_free(a, 0) && !table.store.is_free(b, 0) && !table.store.is_free(c, 0));
        table.release_but(graph, 1, &steps[2..], &steps[1..2], true);
        assert!(!table.store.is_free(c, 0), "the second step passes there");
        assert!(!table.store.is_free(c, 1), "and ends there");
        assert_eq!(table.admits(graph, 2, a, a, 3, 1), Some(0));
        assert_eq!(table.admits(graph, 2, b, b, 3, 1), None, "in the same entry, though gone by then");
    });
}
