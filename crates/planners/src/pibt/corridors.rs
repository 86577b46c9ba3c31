//! Corridors: cells in a row with two neighbours each. Whoever walks along one need not look at each of its cells.

use throng_search::{NOWHERE, OpenCells};

/// All corridors of a map.
#[derive(Debug)]
pub(crate) struct Corridors {
    /// By cell: its place in `cells`, if it lies in a corridor.
    places: Vec<u32>,
    /// Corridor after corridor, from one end to the other.
    cells: Vec<u32>,
    /// By place: the number of its corridor.
    numbers: Vec<u32>,
    /// By corridor: where it begins; and where the last one ends.
    first: Vec<u32>,
    /// By corridor: whether it leads in a circle.
    rings: Vec<bool>,
}

/// A walk along a corridor, seen from a cell of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    number: u32,
    /// The place of the cell.
    at: u32,
    ahead: bool,
}

impl Corridors {
    pub(super) fn new(cells: &OpenCells) -> Self {
        let mut all = Self {
            places: Vec::new(),
            cells: Vec::new(),
            numbers: Vec::new(),
            first: vec![0],
            rings: Vec::new(),
        };
        let inside = |cell: u32| cell != cells.wall() && cells.degree(cell) == 2;
        let next = |cell: u32, before: u32| {
            let mut beside = cells.beside(cell).iter().copied();
            beside.find(|&to| to != cells.wall() && to != before).unwrap_or(before)
        };
        for cell in 0..cells.len() as u32 {
            if cells.degree(cell) != 2 || all.place(cell).is_some() {
                continue;
            }
            // Back to where it begins, or once around.
            let (mut at, mut from) = (cell, next(cell, NOWHERE));
            while inside(from) && from != cell {
                (at, from) = (from, next(from, at));
            }
            let ring = from == cell;
            let number = all.rings.len() as u32;
            let begin = at;
            all.places.resize(cells.len(), NOWHERE);
            loop {
                all.places[at as usize] = all.cells.len() as u32;
                all.cells.push(at);
                all.numbers.push(number);
                (from, at) = (at, next(at, from));
                if !inside(at) || at == begin {
                    break;
                }
            }
            all.first.push(all.cells.len() as u32);
            all.rings.push(ring);
        }
        all
    }

    /// Where a cell lies in its corridor, if it lies in one.
    fn place(&self, cell: u32) -> Option<u32> {
        self.places.get(cell as usize).copied().filter(|&place| place != NOWHERE)
    }

    /// The walk of who comes from the cell `behind` to the one beside it, `at`; `None` if that one is in no corridor.
    #[inline]
    pub(super) fn walk(&self, behind: u32, at: u32) -> Option<Walk> {
        let at = self.place(at)?;
        let number = self.numbers[at as usize];
        let (first, end) = self.ends(number);
        let before = if at > first { at - 1 } else { end - 1 };
        let comes_from_before = if at > first || self.rings[number as usize] {
            self.cells[before as usize] == behind
        } else {
            // Into the corridor by its first end; a corridor of one cell has no other.
            end - first == 1 || self.cells[at as usize + 1] != behind
        };
        Some(Walk { number, at, ahead: comes_from_before })
    }

    fn ends(&self, number: u32) -> (u32, u32) {
        (self.first[number as usize], self.first[number as usize + 1])
    }

    /// How many steps of a walk it takes to get to a cell of the corridor; `None` if the walk does not come through it.
    pub(super) fn steps(&self, walk: Walk, to: u32) -> Option<u32> {
        let to = self.place(to).filter(|&to| self.numbers[to as usize] == walk.number)?;
        let (first, end) = self.ends(walk.number);
        let far = if walk.ahead { to.checked_sub(walk.at) } else { walk.at.checked_sub(to) };
        let around = || self.rings[walk.number as usize].then(|| end - first - to.abs_diff(walk.at));
        far.or_else(around)
    }

    /// How many steps of a walk it takes to get to the last cell of the corridor; `None` if there is none, since it leads in a circle.
    pub(super) fn rest(&self, walk: Walk) -> Option<u32> {
        let (first, end) = self.ends(walk.number);
        let far = if walk.ahead { end - 1 - walk.at } else { walk.at - first };
        (!self.rings[walk.number as usize]).then_some(far)
    }

    /// Where a walk is after so many steps, and where it was one step before; `behind` is where that was before the first.
    pub(super) fn after(&self, walk: Walk, steps: u32, behind: u32) -> (u32, u32) {
        let cell = |steps: u32| {
            let (first, end) = self.ends(walk.number);
            let (length, from) = (end - first, walk.at - first);
            let steps = steps % length;
            let to = if walk.ahead { from + steps } else { from + length - steps };
            self.cells[(first + to % length) as usize]
        };
        (if steps == 0 { behind } else { cell(steps - 1) }, cell(steps))
    }
}
