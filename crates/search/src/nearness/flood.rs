//! A contour with four moves, a word at a time.
//!
//! A step either leads nearer to the origin and stays in the contour, or leads away from it and to the next but one. Of the
//! cells of a word, those on one side of the origin are nearer to it the further they are to the other: all that a contour
//! reaches from some of them is found by one addition.

use super::{Nearness, Open};
use crate::OpenCells;
use crate::open_cells::Word;

/// Words to look at, and which of their cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// In this contour.
    now: Vec<(u32, u64)>,
    /// In the next but one.
    later: Vec<(u32, u64)>,
    /// Cells of the last word that were closed, if there was no room for all of them.
    part: u64,
}

impl Front {
    /// A goal.
    pub(super) fn at(cell: u32) -> Self {
        Self { now: vec![(cell >> 6, 1 << (cell & 63))], ..Self::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.now.len() + self.later.len()) * size_of::<(u32, u64)>()
    }
}

/// Both lists while they are worked on.
pub(super) struct Queues {
    now: Queue,
    later: Queue,
}

impl Queues {
    pub(super) fn of(cells: &OpenCells, front: &Front) -> Self {
        let [now, later] = [&front.now, &front.later].map(|saved| Queue::of(cells.words().len(), saved));
        Self { now, later }
    }

    pub(super) fn save(&self, front: &mut Front) {
        self.now.save(&mut front.now);
        self.later.save(&mut front.later);
    }
}

/// A list of words that are there once each, with their cells by word.
struct Queue {
    words: Vec<u32>,
    cells: Vec<u64>,
}

impl Queue {
    fn of(words: usize, saved: &[(u32, u64)]) -> Self {
        let mut queue = Self { words: Vec::with_capacity(saved.len() + 16), cells: vec![0; words] };
        saved.iter().for_each(|&(word, cells)| queue.add(word, cells));
        queue
    }

    fn save(&self, saved: &mut Vec<(u32, u64)>) {
        saved.clear();
        saved.extend(self.words.iter().map(|&word| (word, self.cells[word as usize])));
    }

    #[inline(always)]
    fn add(&mut self, word: u32, cells: u64) {
        if cells != 0 {
            let all = &mut self.cells[word as usize];
            if *all == 0 {
                self.words.push(word);
            }
            *all |= cells;
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u32, u64)> {
        let word = self.words.pop()?;
        Some((word, core::mem::take(&mut self.cells[word as usize])))
    }
}

/// Those cells of a word that lie before, below and beyond a column.
#[inline(always)]
fn sides(column: i32) -> (u64, u64, u64) {
    match column {
        ..0 => (0, 0, u64::MAX),
        0..64 => {
            let at = 1 << column;
            (at - 1, at, !(at - 1) & !at)
        }
        _ => (u64::MAX, 0, 0),
    }
}

/// All of `room` that is reached from `seeds` within it by going on to higher bits.
#[inline(always)]
const fn onwards(seeds: u64, room: u64) -> u64 {
    // The carry goes through what is there, and changes it.
    (room ^ room.wrapping_add(seeds)) & room | seeds
}

/// The first `count` of some cells.
fn first(mut cells: u64, count: u64) -> u64 {
    while u64::from(cells.count_ones()) > count {
        cells ^= 1 << (63 - cells.leading_zeros());
    }
    cells
}

/// By what the first cell of a word has as a remainder by three: those with the remainder 0 if distances grow from cell to cell.
const THIRDS: [u64; 3] = [0x9249_2492_4924_9249, 0x4924_9249_2492_4924, 0x2492_4924_9249_2492];

/// The lower and the upper bits of remainders of the distances `far + bit`.
#[inline(always)]
fn growing(far: i32) -> [u64; 2] {
    let of = |remainder: i32| THIRDS[(far - remainder).rem_euclid(3) as usize];
    [of(1), of(2)]
}

/// Of the distances `far - bit`.
#[inline(always)]
fn falling(far: i32) -> [u64; 2] {
    let of = |remainder: i32| THIRDS[(remainder - far).rem_euclid(3) as usize];
    [of(1), of(2)]
}

impl Nearness {
    /// Closes everything whose estimated way is as long as the shortest of those that are open. Answers whether there was
    /// room for all of it; `None` if nothing is open.
    pub(super) fn flood(&mut self, cells: &OpenCells, queues: &mut Queues, room: u64) -> Option<bool> {
        let Open::Words(Front { part, .. }) = &mut self.open else { return None };
        if queues.now.words.is_empty() {
            if queues.later.words.is_empty() {
                return None;
            }
            core::mem::swap(&mut queues.now, &mut queues.later);
            self.floor += 2;
        }
        let Queues { now, later } = queues;
        let words = cells.words();
        let (origin, floor) = (cells.place(self.origin), self.floor as i32);
        let marks = self.marks.as_mut_slice();
        let unknown = |marks: &[[u64; 2]], word: u32| {
            words[word as usize].open & marks[word as usize][0] & marks[word as usize][1]
        };
        let (mut closed, mut whole) = (0, true);
        while let Some((word, seeds)) = now.pop() {
            let Word { first: at, beside, .. } = words[word as usize];
            let before_that = core::mem::take(part);
            let free = unknown(marks, word);
            let seeds = seeds & free;
            if seeds | before_that == 0 {
                continue;
            }
            let column = origin.x - at.x;
            let (before, below, beyond) = sides(column);
            let mut reached = seeds;
            if before != 0 {
                reached |= onwards(seeds & before, free & (before | below));
            }
            if beyond != 0 {
                let [seeds, free] = [seeds & beyond, free & (below | beyond)].map(u64::reverse_bits);
                reached |= onwards(seeds, free).reverse_bits();
            }
            let mut all = reached;
            if u64::from(reached.count_ones()) > room - closed {
                reached = first(reached, room - closed);
                whole = false;
            }
            closed += u64::from(reached.count_ones());
            let far = floor - (origin.y - at.y).abs();
            let (up, down) = (growing(far - column), falling(far + column));
            let known = &mut marks[word as usize];
            for half in 0..2 {
                known[half] &= !reached | up[half] & (before | below) | down[half] & beyond;
            }
            if at.y == origin.y && reached & below != 0 {
                self.far = Some(floor as u32);
            }
            if !whole {
                now.add(word, all ^ reached);
                *part = before_that | reached;
                break;
            }
            all |= before_that;
            let [above, right, beneath, left] = beside;
            let (nearer, farther) = if at.y < origin.y { (beneath, above) } else { (above, beneath) };
            let up = all & unknown(marks, nearer);
            if at.y == origin.y {
                later.add(nearer, up);
            } else {
                now.add(nearer, up);
            }
            later.add(farther, all & unknown(marks, farther));
            let (left_of, right_of) = (all & (before | below), all & (below | beyond));
            later.add(word, (left_of >> 1 | right_of << 1) & unknown(marks, word));
            if all & 1 != 0 {
                let last = (1 << 63) & unknown(marks, left);
                if column < 0 { now.add(left, last) } else { later.add(left, last) }
            }
            if all >> 63 != 0 {
                let first = 1 & unknown(marks, right);
                if column > 63 { now.add(right, first) } else { later.add(right, first) }
            }
        }
        self.closed += closed;
        Some(whole)
    }
}
