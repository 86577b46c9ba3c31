//! The map as this planner walks it: open cells with small numbers, and spots where units can meet.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use throng_core::{Cell, CellId, Connectivity, Grid, Rules};

/// No cell, corridor or spot.
pub(super) const NONE: u32 = u32::MAX;

/// Farther than any way.
pub(super) const FAR: u32 = u32::MAX;

/// A move out of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) to: u32,
    /// Its midpoint. Two moves conflict on their way if and only if they have one midpoint: they swap places or cross.
    pub(super) spot: u32,
}

/// Cells in a row with two neighbours each, between two others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corridor {
    pub(super) ends: [u32; 2],
    /// Steps from one end to the other.
    pub(super) length: u32,
}

/// The map without the cells of those who hold their places, which are walls to everybody else.
#[derive(Debug)]
pub(super) struct Field {
    /// By cell: where it is.
    places: Vec<Cell>,
    /// By cell, and one more: where its exits begin.
    first: Vec<u32>,
    exits: Vec<Exit>,
    /// Spots: first all cells, then all midpoints of moves.
    spots: usize,
    /// By cell: the corridor that it is inside of.
    corridor: Vec<u32>,
    corridors: Vec<Corridor>,
    four: bool,
}

impl Field {
    /// The field, and by cell of the grid its number.
    pub(super) fn new(grid: &Grid, rules: Rules, held: &[CellId]) -> (Self, Vec<u32>) {
        let mut numbers = vec![NONE; grid.len()];
        let mut ids = Vec::new();
        for id in grid.open_ids().filter(|id| !held.contains(id)) {
            numbers[id.0 as usize] = ids.len() as u32;
            ids.push(id);
        }
        let (moves, offsets) = (rules.connectivity.mask(), grid.offsets());
        let places: Vec<Cell> = ids.iter().map(|&id| grid.cell(id)).collect();
        let mut midpoints: FxHashMap<(i32, i32), u32> = FxHashMap::default();
        let (mut first, mut exits) = (vec![0], Vec::new());
        for (&id, &at) in ids.iter().zip(&places) {
            let open = grid.exits(id) & moves;
            for dir in (0..8).filter(|dir| open >> dir & 1 == 1) {
                let to = numbers[id.0.wrapping_add(offsets[dir] as u32) as usize];
                let Some(&there) = places.get(to as usize) else { continue };
                let next = (places.len() + midpoints.len()) as u32;
                let spot = *midpoints.entry((at.x + there.x, at.y + there.y)).or_insert(next);
                exits.push(Exit { to, spot });
            }
            first.push(exits.len() as u32);
        }
        let spots = places.len() + midpoints.len();
        let (corridor, corridors) = (vec![NONE; places.len()], Vec::new());
        let four = rules.connectivity == Connectivity::Four;
        let mut field = Self { places, first, exits, spots, corridor, corridors, four };
        field.find_corridors();
        (field, numbers)
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) const fn spots(&self) -> usize {
        self.spots
    }

    /// Whether units move in four directions only.
    pub(super) const fn is_four(&self) -> bool {
        self.four
    }

    pub(super) fn place(&self, cell: u32) -> Cell {
        self.places[cell as usize]
    }

    #[inline]
    pub(super) fn exits(&self, cell: u32) -> &[Exit] {
        &self.exits[self.first[cell as usize] as usize..self.first[cell as usize + 1] as usize]
    }

    /// The midpoint of a move; nothing for who waits.
    #[inline]
    pub(super) fn spot(&self, from: u32, to: u32) -> Option<u32> {
        self.exits(from).iter().find(|exit| exit.to == to).map(|exit| exit.spot)
    }

    /// The number of the corridor that a cell is inside of.
    pub(super) fn corridor_of(&self, cell: u32) -> u32 {
        self.corridor[cell as usize]
    }

    pub(super) fn corridor(&self, number: u32) -> Corridor {
        self.corridors[number as usize]
    }

    /// By cell: steps to `goal` for who stays out of one corridor.
    pub(super) fn distances(&self, goal: u32, closed: u32) -> Vec<u32> {
        let mut far = vec![FAR; self.len()];
        far[goal as usize] = 0;
        let mut queue = VecDeque::from([goal]);
        while let Some(cell) = queue.pop_front() {
            for exit in self.exits(cell) {
                let to = exit.to as usize;
                if far[to] == FAR && (closed == NONE || self.corridor[to] != closed) {
                    far[to] = far[cell as usize] + 1;
                    queue.push_back(exit.to);
                }
            }
        }
        far
    }

    fn find_corridors(&mut self) {
        for cell in 0..self.len() as u32 {
            if self.exits(cell).len() != 2 || self.corridor[cell as usize] != NONE {
                continue;
            }
            let number = self.corridors.len() as u32;
            self.corridor[cell as usize] = number;
            let (mut ends, mut length) = ([NONE; 2], 0);
            for (side, end) in ends.iter_mut().enumerate() {
                let (mut before, mut at) = (cell, self.exits(cell)[side].to);
                length += 1;
                while self.exits(at).len() == 2 && self.corridor[at as usize] == NONE {
                    self.corridor[at as usize] = number;
                    let next = self.exits(at).iter().find(|exit| exit.to != before);
                    (before, at) = (at, next.map_or(at, |exit| exit.to));
                    length += 1;
                }
                *end = at;
            }
            self.corridors.push(Corridor { ends, length });
        }
    }
}
