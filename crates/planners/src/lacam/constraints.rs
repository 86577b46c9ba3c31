//! What is prescribed for the next step: all combinations of moves, the shortest prescriptions first.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Prescriptions for the step from one placement. Each says where the first few in line go; it grows out of a shorter one
/// by one more unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Constraints {
    /// Each with the one it grew out of, its unit and its cell.
    all: Vec<(u32, u32, u32)>,
    /// Those not asked for yet, and how many units each is about.
    waiting: VecDeque<(u32, u32)>,
}

/// Nothing is prescribed.
const FREE: u32 = u32::MAX;

impl Constraints {
    pub(super) fn new() -> Self {
        Self { all: Vec::new(), waiting: VecDeque::from([(FREE, 0)]) }
    }

    /// The next prescription, and about how many units it is; `None` if all were asked for.
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        self.waiting.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Prescribes, beyond all that `last` does, that `unit` goes to `cell`.
    pub(super) fn push(&mut self, (last, depth): (u32, u32), unit: u32, cell: u32) {
        self.all.push((last, unit, cell));
        self.waiting.push_back((self.all.len() as u32 - 1, depth + 1));
    }

    /// Who goes where by a prescription.
    pub(super) fn of(&self, constraint: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut next = constraint;
        std::iter::from_fn(move || {
            let &(last, unit, cell) = self.all.get(next as usize)?;
            next = last;
            Some((unit, cell))
        })
    }

    /// Whether all units and cells are some of a world, and what grows out of something grows out of what there is.
    pub(super) fn fits(&self, unit: impl Fn(u32) -> bool, cell: impl Fn(u32) -> bool) -> bool {
        let older = |last: u32, index: u32| last == FREE || last < index;
        let count = self.all.len() as u32;
        (0..).zip(&self.all).all(|(index, &(last, who, to))| older(last, index) && unit(who) && cell(to))
            && self.waiting.iter().all(|&(last, _)| older(last, count))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u32, u32, u32)>() + self.waiting.capacity() * size_of::<(u32, u32)>()
    }

    /// Gives its memory back; there is nothing more to ask for.
    pub(super) fn close(&mut self) {
        *self = Self { all: Vec::new(), waiting: VecDeque::new() };
    }
}
