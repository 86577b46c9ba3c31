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
    /// A move holds every node that it covers while it lasts, and where it ends those that the body stands on.
    Hold,
}

impl Rule {
    /// The rule that keeps units apart under these rules, the largest of which has such a body.
    #[must_use]
    pub const fn of(rules: &Rules, largest_body: u8) -> Self {
        if rules.graph_rules() && largest_body == 1 { Self::Swap } else { Self::Hold }
    }
}

/// Entries with their rule. Owners may have ranks: who plans sees only reservations of its own rank and
/// above as obstacles, and may override those below.
#[derive(Clone, Debug)]
pub struct Table<S> {
    rule: Rule,
    /// The entries.
    pub store: S,
    /// By owner; empty while all are equal.
    ranks: Vec<u32>,
    fixed: Vec<Tick>,
}

impl<S: Store> Table<S> {
    /// A table over `store`.
    #[must_use]
    pub const fn new(rule: Rule, store: S) -> Self {
        Self { rule, store, ranks: Vec::new(), fixed: Vec::new() }
    }

    /// The rule in force.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The rank of `owner`; 0 unless it was raised.
    #[must_use]
    #[inline]
    pub fn rank(&self, owner: u32) -> u32 {
        self.ranks.get(owner as usize).copied().unwrap_or(0)
    }

    /// Until when what `owner` holds cannot be overridden, whoever wants it: it is there.
    pub fn set_fixed(&mut self, owner: u32, until: Tick) {
        if self.fixed.len() <= owner as usize {
            self.fixed.resize(owner as usize + 1, 0);
        }
        self.fixed[owner as usize] = until;
    }

    /// Sets the rank of `owner`.
    pub fn set_rank(&mut self, owner: u32, rank: u32) {
        if self.ranks.len() <= owner as usize {
            self.ranks.resize(owner as usize + 1, 0);
        }
        self.ranks[owner as usize] = rank;
    }

    /// How a reservation of `holder` bears on `owner`: `None` an obstacle, otherwise 1 if it would be
    /// overridden and 0 if there is none.
    #[inline]
    pub(crate) fn weigh(&self, holder: u32, owner: u32, tick: Tick) -> Option<u32> {
        if holder == NOBODY || holder == owner {
            Some(0)
        } else if self.ranks.is_empty() {
            None
        } else {
            let fixed = self.fixed.get(holder as usize).is_some_and(|&until| tick <= until);
            (!fixed && self.rank(holder) < self.rank(owner)).then_some(1)
        }
    }

    /// Whether `owner` may go from `from` to its neighbour `to` (or stay, if they are equal) from
    /// `tick` on, taking `duration` ticks. If so, the number of entries of lower rank in the way.
    #[inline]
    pub fn admits(
        &self,
        graph: &impl Graph,
        owner: u32,
        from: u32,
        to: u32,
        tick: Tick,
        duration: u32,
    ) -> Option<u32> {
        self.admits_past(graph, owner, self.comer(from, tick), (from, to), tick, duration)
    }

    /// Who comes to `node` with a move of one tick that begins at `tick`: the only one that whoever leaves it
    /// then can swap with. Several moves from one node share the answer.
    #[must_use]
    #[inline]
    pub fn comer(&self, node: u32, tick: Tick) -> u32 {
        match self.rule {
            Rule::Swap => self.store.owner(node, tick + 1),
            Rule::Hold => NOBODY,
        }
    }

    /// [`Self::admits`] where [`Self::comer`] is known.
    #[inline]
    pub fn admits_past(
        &self,
        graph: &impl Graph,
        owner: u32,
        comer: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) -> Option<u32> {
        let arrival = tick + Tick::from(duration);
        let place = graph.place(to);
        let mut weight = self.weigh(self.store.owner(place, arrival), owner, arrival)?;
        match self.rule {
            Rule::Swap => {
                if from != to {
                    if comer != NOBODY && self.store.owner(to, tick) == comer {
                        weight += self.weigh(comer, owner, arrival)?;
                    }
                    if let Some((a, b)) = graph.crossing(from, to) {
                        weight += self.weigh(self.swapper(a, b, tick, arrival), owner, arrival)?;
                        weight += self.weigh(self.swapper(b, a, tick, arrival), owner, arrival)?;
                    }
                }
                Some(weight)
            }
            Rule::Hold => {
                let mut total = Some(weight);
                graph.covered(to, to, |node| {
                    if node != place {
                        total = total.and_then(|w| {
                            Some(w + self.weigh(self.store.owner(node, arrival), owner, arrival)?)
                        });
                    }
                });
                graph.covered(from, to, |node| {
                    for t in tick..arrival {
                        total =
                            total.and_then(|w| Some(w + self.weigh(self.store.owner(node, t), owner, t)?));
                    }
                });
                total
            }
        }
    }

    /// Who goes from `to` to `from` between the two ticks.
    #[inline]
    fn swapper(&self, from: u32, to: u32, tick: Tick, arrival: Tick) -> u32 {
        // Hardly ever does anybody come here, so that is asked first.
        let comer = self.store.owner(from, arrival);
        if comer != NOBODY && self.store.owner(to, tick) == comer { comer } else { NOBODY }
    }

    /// Calls `found` for every other owner whose reservations such a move runs into.
    pub fn rivals(
        &self,
        graph: &impl Graph,
        owner: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
        mut found: impl FnMut(u32),
    ) {
        let arrival = tick + Tick::from(duration);
        let mut report = |holder| {
            if holder != NOBODY && holder != owner {
                found(holder);
            }
        };
        report(self.store.owner(graph.place(to), arrival));
        match self.rule {
            Rule::Swap if from == to => {}
            Rule::Swap => {
                report(self.swapper(from, to, tick, arrival));
                if let Some((a, b)) = graph.crossing(from, to) {
                    report(self.swapper(a, b, tick, arrival));
                    report(self.swapper(b, a, tick, arrival));
                }
            }
            Rule::Hold => {
                graph.covered(to, to, |node| report(self.store.owner(node, arrival)));
                graph.covered(from, to, |node| {
                    (tick..arrival).for_each(|t| report(self.store.owner(node, t)));
                });
            }
        }
    }

    /// Reserves such a move. `taken` hears of every other owner that loses an entry by it.
    #[inline]
    pub fn reserve(
        &mut self,
        graph: &impl Graph,
        owner: u32,
        ends: (u32, u32),
        tick: Tick,
        duration: u32,
        mut taken: impl FnMut(u32),
    ) {
        let rule = self.rule;
        held(rule, graph, ends, tick, duration, |node, t| {
            let before = self.store.claim(node, t, owner);
            if before != NOBODY && before != owner {
                taken(before);
            }
        });
    }

    /// Frees what [`Self::reserve`] gave to `owner`.
    #[inline]
    pub fn release(&mut self, graph: &impl Graph, owner: u32, ends: (u32, u32), tick: Tick, duration: u32) {
        let rule = self.rule;
        held(rule, graph, ends, tick, duration, |node, t| self.store.release(node, t, owner));
    }
}

/// Calls `visit` for every entry that a move between `ends` holds.
#[inline]
fn held(
    rule: Rule,
    graph: &impl Graph,
    (from, to): (u32, u32),
    tick: Tick,
    duration: u32,
    mut visit: impl FnMut(u32, Tick),
) {
    let arrival = tick + Tick::from(duration);
    visit(graph.place(to), arrival);
    match rule {
        // Only what is held from the arrival on; where a path starts is claimed by whoever reserves it.
        Rule::Swap => {}
        Rule::Hold => {
            graph.covered(to, to, |node| visit(node, arrival));
            graph.covered(from, to, |node| (tick..arrival).for_each(|t| visit(node, t)));
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
}
