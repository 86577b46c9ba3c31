//! Nodes that are still to be expanded, and which is next.

use super::Factor;
use super::tree::{Node, Tree};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Parts of a tick in estimates.
const PARTS: u64 = 1024;

type Heap = BinaryHeap<Reverse<(u64, u64, Reverse<u32>)>>;

/// Open nodes. For the best plan that with the least bound is next, then that with the fewest conflicts. Where plans may cost
/// more, three orders are kept, as in explicit estimation search: by bound, by what a plan is estimated to cost in
/// the end, and, among those that are estimated to be good enough, by conflicts.
#[derive(Debug)]
pub(super) struct Open {
    factor: Factor,
    low: Heap,
    guess: Heap,
    /// Those not estimated to be good enough so far.
    pending: Heap,
    focal: Heap,
    /// By node: which entry counts; 0 if it is closed.
    stamps: Vec<u64>,
    /// By node: its estimate.
    guesses: Vec<u64>,
    /// Ticks that first children cost more than their parents, and conflicts that they have fewer.
    more: u64,
    fewer: u64,
}

impl Open {
    pub(super) const fn new(factor: Factor) -> Self {
        Self {
            factor,
            low: Heap::new(),
            guess: Heap::new(),
            pending: Heap::new(),
            focal: Heap::new(),
            stamps: Vec::new(),
            guesses: Vec::new(),
            more: 0,
            fewer: 1,
        }
    }

    /// Learns from the better child of a node how much conflicts cost.
    pub(super) fn learn(&mut self, parent: &Node, child: &Node) {
        self.more += child.cost.saturating_sub(parent.cost);
        self.fewer += u64::from(parent.count.saturating_sub(child.count));
    }

    pub(super) fn push(&mut self, id: u32, node: &Node) {
        let place = id as usize;
        if self.stamps.len() <= place {
            self.stamps.resize(place + 1, 0);
            self.guesses.resize(place + 1, 0);
        }
        let count = u64::from(node.count);
        self.stamps[place] = node.bound() + 1;
        self.low.push(Reverse((node.bound(), count, Reverse(id))));
        if self.factor == Factor::ONE {
            return;
        }
        let guess = (node.cost * PARTS + count * (self.more * PARTS / self.fewer)).max(node.bound() * PARTS);
        self.guesses[place] = guess;
        self.guess.push(Reverse((guess, count, Reverse(id))));
        self.pending.push(Reverse((guess, count, Reverse(id))));
    }

    /// The least bound of all.
    pub(super) fn bound(&mut self) -> Option<u64> {
        while let Some(&Reverse((bound, _, Reverse(id)))) = self.low.peek() {
            if self.stamps[id as usize] == bound + 1 {
                return Some(bound);
            }
            self.low.pop();
        }
        None
    }

    /// Takes out the next node. Whether it is that with the least bound.
    pub(super) fn pop(&mut self, tree: &Tree) -> Option<(u32, bool)> {
        let bound = self.bound()?;
        let &Reverse((_, _, Reverse(lowest))) = self.low.peek()?;
        let next = if self.factor == Factor::ONE { None } else { self.promising(tree, bound) };
        let id = next.unwrap_or(lowest);
        self.stamps[id as usize] = 0;
        Some((id, id == lowest))
    }

    /// A node that may lead to a plan which is good enough, if one of those that come to mind may.
    fn promising(&mut self, tree: &Tree, bound: u64) -> Option<u32> {
        purge(&mut self.guess, &self.stamps, &self.guesses);
        let &Reverse((least, _, Reverse(best))) = self.guess.peek()?;
        let enough = self.factor.of(least);
        while let Some(&Reverse((guess, count, Reverse(id)))) = self.pending.peek() {
            if guess > enough {
                break;
            }
            self.pending.pop();
            if self.stamps[id as usize] != 0 && self.guesses[id as usize] == guess {
                self.focal.push(Reverse((count, guess, Reverse(id))));
            }
        }
        while let Some(&Reverse((_, guess, Reverse(id)))) = self.focal.peek() {
            if self.stamps[id as usize] != 0 && self.guesses[id as usize] == guess {
                break;
            }
            self.focal.pop();
        }
        let fits = |&id: &u32| tree[id].cost <= self.factor.of(bound);
        let first = self.focal.peek().map(|&Reverse((_, _, Reverse(id)))| id);
        first.filter(fits).or(Some(best).filter(fits))
    }
}

fn purge(heap: &mut Heap, stamps: &[u64], guesses: &[u64]) {
    while let Some(&Reverse((guess, _, Reverse(id)))) = heap.peek() {
        if stamps[id as usize] != 0 && guesses[id as usize] == guess {
            return;
        }
        heap.pop();
    }
}
