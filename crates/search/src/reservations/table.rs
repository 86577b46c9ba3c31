//! The table: entries, and the rule by which moves use them.

use super::{NOBODY, Store};
use crate::Graph;
use throng_core::{Rules, Tick};

/// How head-to-head moves are forbidden, and what a move holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A move holds its target from its arrival on. Swaps and crossing diagonals are looked for
    /// explicitly; following and rotating are free.
    Swap,
    /// A move holds every node that it covers while it lasts.
    Hold,
}

impl Rule {
    /// The rule that keeps two 1×1 units apart under these rules.
    #[must_use]
    pub const fn of(rules: &Rules) -> Self {
        if rules.graph_rules() { Self::Swap } else { Self::Hold }
    }
}

/// Entries with their rule.
#[derive(Clone, Debug)]
pub struct Table<S> {
    rule: Rule,
    /// The entries.
    pub store: S,
}

impl<S: Store> Table<S> {
    /// A table over `store`.
    #[must_use]
    pub const fn new(rule: Rule, store: S) -> Self {
        Self { rule, store }
    }

    /// The rule in force.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    #[inline]
    fn free(&self, node: u32, tick: Tick, owner: u32) -> bool {
        let holder = self.store.owner(node, tick);
        holder == NOBODY || holder == owner
    }

    /// Whether `owner` may go from `from` to its neighbour `to` (or stay, if they are equal) from
    /// `tick` on, taking `duration` ticks.
    #[inline]
    pub fn admits(
        &self,
        graph: &impl Graph,
        owner: u32,
        from: u32,
        to: u32,
        tick: Tick,
        duration: u32,
    ) -> bool {
        let arrival = tick + Tick::from(duration);
        if !self.free(to, arrival, owner) {
            return false;
        }
        match self.rule {
            Rule::Swap => {
                if from == to {
                    return true;
                }
                let there = self.store.owner(to, tick);
                if there != NOBODY && there != owner && self.store.owner(from, arrival) == there {
                    return false;
                }
                match graph.crossing(from, to) {
                    None => true,
                    Some((a, b)) => {
                        let crosses = |p, q| {
                            let other = self.store.owner(p, tick);
                            other != NOBODY && other != owner && self.store.owner(q, arrival) == other
                        };
                        !crosses(a, b) && !crosses(b, a)
                    }
                }
            }
            Rule::Hold => {
                let mut free = true;
                graph.covered(from, to, |node| {
                    free = free && (tick..arrival).all(|t| self.free(node, t, owner));
                });
                free
            }
        }
    }

    /// Reserves such a move. `taken` hears of every other owner that loses an entry by it.
    #[inline]
    pub fn reserve(
        &mut self,
        graph: &impl Graph,
        owner: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
        mut taken: impl FnMut(u32),
    ) {
        let arrival = tick + Tick::from(duration);
        let mut claim = |node, t| {
            let before = self.store.claim(node, t, owner);
            if before != NOBODY && before != owner {
                taken(before);
            }
        };
        claim(to, arrival);
        match self.rule {
            // The rule says what is held from the arrival on; the start of a path is claimed by `reserve_start`.
            Rule::Swap => {}
            Rule::Hold => graph.covered(from, to, |node| (tick..arrival).for_each(|t| claim(node, t))),
        }
    }

    /// Frees what [`Self::reserve`] gave to `owner`.
    #[inline]
    pub fn release(
        &mut self,
        graph: &impl Graph,
        owner: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) {
        let arrival = tick + Tick::from(duration);
        self.store.release(to, arrival, owner);
        match self.rule {
            Rule::Swap => {}
            Rule::Hold => graph.covered(from, to, |node| {
                (tick..arrival).for_each(|t| self.store.release(node, t, owner));
            }),
        }
    }
}

#[cfg(test)]
mod tests {
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
            field(|g, id| self.admits(g, who, id(from), id(to), tick, duration))
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
}
