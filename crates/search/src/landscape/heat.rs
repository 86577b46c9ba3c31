//! Steps to the nearest target.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{CellId, Connectivity, Dir, Grid};

/// By cell, the number of steps to the nearest of any number of targets: a search in breadth from all of them at once.
///
/// When cells close, open, or become targets or cease to be, [`Self::update`] looks only at cells whose number may be
/// another, and gives what [`Self::build`] would.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The moves that count, as in [`Grid::exits`].
    moves: u8,
    steps: Vec<u32>,
    target: Vec<bool>,
    queue: Vec<CellId>,
    /// It was brought up to date since it was made anew, so that the queue is not all that it has reached.
    mended: bool,
    /// What of the queue has been looked at.
    next: usize,
    heap: BinaryHeap<Reverse<(u32, CellId)>>,
}

impl Heat {
    const FAR: u32 = u32::MAX;

    /// A map without targets.
    #[must_use]
    pub fn new(grid: &Grid, connectivity: Connectivity) -> Self {
        let moves = match connectivity {
            Connectivity::Four => 0x0f,
            Connectivity::Eight => 0xff,
        };
        Self {
            moves,
            steps: vec![Self::FAR; grid.len()],
            target: vec![false; grid.len()],
            queue: Vec::new(),
            mended: false,
            next: 0,
            heap: BinaryHeap::new(),
        }
    }

    /// Steps from here to the nearest target; `None` if no way leads to one.
    #[must_use]
    pub fn steps(&self, id: CellId) -> Option<u32> {
        let steps = self.steps[id.index()];
        (steps != Self::FAR).then_some(steps)
    }

    /// Makes all of it anew. Targets that are walls are ignored.
    pub fn build(&mut self, grid: &Grid, targets: impl IntoIterator<Item = CellId>) {
        self.begin(grid, targets);
        self.advance(grid, u64::MAX);
    }

    /// Begins anew with these targets, without going anywhere yet: [`Self::spread`] does.
    pub fn begin(&mut self, grid: &Grid, targets: impl IntoIterator<Item = CellId>) {
        if core::mem::take(&mut self.mended) || self.steps.len() != grid.len() {
            self.steps.clear();
            self.steps.resize(grid.len(), Self::FAR);
            self.target.clear();
            self.target.resize(grid.len(), false);
        }
        // All that was reached is in the queue: the rest is as it was.
        for id in &self.queue {
            self.steps[id.index()] = Self::FAR;
            self.target[id.index()] = false;
        }
        self.queue.clear();
        self.next = 0;
        for id in targets {
            if grid.is_open_id(id) && self.steps[id.index()] != 0 {
                self.target[id.index()] = true;
                self.steps[id.index()] = 0;
                self.queue.push(id);
            }
        }
    }

    /// Goes on where it left off, by so many cells at most; answers how many those were.
    pub fn advance(&mut self, grid: &Grid, most: u64) -> u64 {
        let offsets = grid.offsets();
        let first = self.next;
        while self.next < self.queue.len() && ((self.next - first) as u64) < most {
            let id = self.queue[self.next];
            self.next += 1;
            let steps = self.steps[id.index()] + 1;
            let mut exits = grid.exits(id) & self.moves;
            while exits != 0 {
                let beside = id.0.wrapping_add(offsets[exits.trailing_zeros() as usize] as u32);
                exits &= exits - 1;
                if self.steps[beside as usize] == Self::FAR {
                    self.steps[beside as usize] = steps;
                    self.queue.push(CellId(beside));
                }
            }
        }
        (self.next - first) as u64
    }

    /// Goes on until the numbers of some cells and of those beside them are known, or by so many cells at most; answers
    /// how many those were and whether the numbers are known. Whoever stands near a target need not pay for the rest of
    /// the map.
    pub fn spread(&mut self, grid: &Grid, wanted: &[CellId], most: u64) -> (u64, bool) {
        let (mut used, mut known, mut last) = (0, 0, 0);
        loop {
            while let Some(steps) = wanted.get(known).map(|id| self.steps[id.index()])
                && steps != Self::FAR
            {
                last = last.max(steps);
                known += 1;
            }
            let Some(&id) = self.queue.get(self.next) else { return (used, true) };
            if known == wanted.len() && self.steps[id.index()] > last {
                return (used, true);
            }
            if used == most {
                return (used, false);
            }
            // A few at a time: whether that is enough need not be asked after each.
            used += self.advance(grid, (most - used).min(32));
        }
    }

    /// Brings it up to date after the cells `changed` closed or opened on `grid`, or became targets or ceased to be.
    pub fn update(&mut self, grid: &Grid, changed: &[CellId], is_target: impl Fn(CellId) -> bool) {
        // A cell that closes or opens also decides about the diagonals that pass it, so those around it are looked at too.
        self.advance(grid, u64::MAX);
        self.mended = true;
        let mut touched = std::mem::take(&mut self.queue);
        touched.clear();
        for &id in changed {
            self.target[id.index()] = is_target(id);
            touched.push(id);
            let cell = grid.cell(id);
            touched.extend(Dir::ALL.iter().filter_map(|&dir| grid.id(cell.step(dir))));
        }
        self.forget(grid, &mut touched);
        self.settle(grid, &touched);
        touched.clear();
        (self.queue, self.next) = (touched, 0);
    }

    /// Forgets, the nearest first, whatever no longer has a neighbour one step nearer. Adds what it forgot to `touched`.
    fn forget(&mut self, grid: &Grid, touched: &mut Vec<CellId>) {
        let known = touched.iter().map(|&id| Reverse((self.steps[id.index()], id)));
        self.heap.extend(known.filter(|Reverse((steps, _))| *steps != Self::FAR));
        while let Some(Reverse((steps, id))) = self.heap.pop() {
            if self.steps[id.index()] != steps || self.is_backed(grid, id, steps) {
                continue;
            }
            self.steps[id.index()] = Self::FAR;
            touched.push(id);
            for beside in beside(grid, id, self.moves) {
                if self.steps[beside.index()] == steps + 1 {
                    self.heap.push(Reverse((steps + 1, beside)));
                }
            }
        }
    }

    fn is_backed(&self, grid: &Grid, id: CellId, steps: u32) -> bool {
        match steps.checked_sub(1) {
            None => self.target[id.index()] && grid.is_open_id(id),
            Some(nearer) => beside(grid, id, self.moves).any(|beside| self.steps[beside.index()] == nearer),
        }
    }

    /// Tells `touched` and all that follows from them how far they are.
    fn settle(&mut self, grid: &Grid, touched: &[CellId]) {
        for &id in touched.iter().filter(|&&id| grid.is_open_id(id)) {
            let nearest = beside(grid, id, self.moves).map(|beside| self.steps[beside.index()]).min();
            let steps =
                if self.target[id.index()] { 0 } else { nearest.unwrap_or(Self::FAR).saturating_add(1) };
            if steps < self.steps[id.index()] {
                self.steps[id.index()] = steps;
                self.heap.push(Reverse((steps, id)));
            }
        }
        while let Some(Reverse((steps, id))) = self.heap.pop() {
            if self.steps[id.index()] != steps {
                continue;
            }
            for beside in beside(grid, id, self.moves) {
                if self.steps[beside.index()] > steps + 1 {
                    self.steps[beside.index()] = steps + 1;
                    self.heap.push(Reverse((steps + 1, beside)));
                }
            }
        }
    }
}

/// Where one step leads from `id`.
pub(super) fn beside(grid: &Grid, id: CellId, moves: u8) -> impl Iterator<Item = CellId> {
    let exits = grid.exits(id) & moves;
    Dir::ALL
        .into_iter()
        .filter(move |&dir| exits >> dir as u8 & 1 == 1)
        .map(move |dir| grid.neighbour(id, dir))
}
