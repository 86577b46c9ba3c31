//! Goals that are not far from their starts.

use crate::dice::shuffle;
use throng_core::{Cell, CellId, Connectivity, Draw, Grid, Random, Rules, neighbours};

/// How many cells to guess at before looking at all that are near.
const GUESSES: u32 = 32;
/// How many of those guesses may cost a search.
const SEARCHES: u32 = 4;

/// Draws each goal from the free cells at most `within` moves away, all equally likely. A start with none is
/// passed over for the next.
pub(super) fn pairs(
    grid: &Grid,
    rules: Rules,
    count: usize,
    within: u32,
    starts: &[CellId],
    dice: &mut Random,
) -> Vec<(CellId, CellId)> {
    let mut search = Search::new(grid, rules.connectivity, within);
    let mut taken = vec![false; grid.len()];
    let mut pairs = Vec::with_capacity(count.min(starts.len()));
    for &start in starts {
        if pairs.len() == count {
            break;
        }
        let free = |id: CellId| id != start && !taken[id.index()];
        let guess = guess(&mut search, start, free, dice);
        let Some(goal) = guess.or_else(|| look(&mut search, start, free, dice)) else { continue };
        taken[goal.index()] = true;
        pairs.push((start, goal));
    }
    pairs
}

/// Draws from the square around `start` until a cell is free and near enough. Cheap where there is room.
fn guess(
    search: &mut Search<'_>,
    start: CellId,
    free: impl Fn(CellId) -> bool,
    dice: &mut Random,
) -> Option<CellId> {
    let (grid, within) = (search.grid, search.within as i32);
    let Cell { x, y } = grid.cell(start);
    let mut along = |at: i32, side: usize| {
        let (first, last) = ((at - within).max(0), (at + within).min(side as i32 - 1));
        first + dice.below((last - first) as u32 + 1) as i32
    };
    let mut searches = 0;
    for _ in 0..GUESSES {
        let drawn = Cell::new(along(x, grid.width()), along(y, grid.height()));
        let Some(id) = grid.id(drawn).filter(|&id| grid.is_open_id(id) && free(id)) else { continue };
        if search.at_least(start, id) > search.within {
            continue;
        }
        if search.reaches(start, id) {
            return Some(id);
        }
        searches += 1;
        if searches == SEARCHES {
            break;
        }
    }
    None
}

/// Looks at every cell near enough.
fn look(
    search: &mut Search<'_>,
    start: CellId,
    free: impl Fn(CellId) -> bool,
    dice: &mut Random,
) -> Option<CellId> {
    let mut near = search.ball(start);
    shuffle(&mut near, dice);
    near.into_iter().find(|&id| free(id))
}

/// Searches from one cell after another without clearing in between.
struct Search<'a> {
    grid: &'a Grid,
    connectivity: Connectivity,
    within: u32,
    /// By cell: the last search that met it, and after how many moves.
    met: Vec<(u32, u32)>,
    number: u32,
    /// By moves of detour: cells to go on from.
    open: Vec<Vec<(CellId, u32)>>,
}

impl<'a> Search<'a> {
    fn new(grid: &'a Grid, connectivity: Connectivity, within: u32) -> Self {
        Self { grid, connectivity, within, met: vec![(0, 0); grid.len()], number: 0, open: Vec::new() }
    }

    /// How many moves it takes at least, whatever stands in between.
    fn at_least(&self, from: CellId, to: CellId) -> u32 {
        let (from, to) = (self.grid.cell(from), self.grid.cell(to));
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        match self.connectivity {
            Connectivity::Four => dx + dy,
            Connectivity::Eight => dx.max(dy),
        }
    }

    /// Whether the search that runs now meets `id` for the first time, or after fewer moves than before.
    fn meet(&mut self, id: CellId, moves: u32) -> bool {
        let (search, before) = self.met[id.index()];
        let better = search != self.number || moves < before;
        if better {
            self.met[id.index()] = (self.number, moves);
        }
        better
    }

    /// Whether `goal` is near enough: A* with stacks of cells by detour, the smallest detour first.
    fn reaches(&mut self, start: CellId, goal: CellId) -> bool {
        self.number += 1;
        self.open.iter_mut().for_each(Vec::clear);
        let Some(spare) = self.within.checked_sub(self.at_least(start, goal)) else { return false };
        self.open.resize(self.open.len().max(spare as usize + 1), Vec::new());
        self.meet(start, 0);
        self.open[0].push((start, 0));
        for detour in 0..=spare as usize {
            while let Some((id, moves)) = self.open[detour].pop() {
                if id == goal {
                    return true;
                }
                if self.met[id.index()].1 < moves {
                    continue;
                }
                for next in neighbours(self.grid, id, 1, self.connectivity) {
                    let total = moves + 1 + self.at_least(next, goal);
                    if total <= self.within && self.meet(next, moves + 1) {
                        let detour = spare - (self.within - total);
                        self.open[detour as usize].push((next, moves + 1));
                    }
                }
            }
        }
        false
    }

    /// The cells at most `within` moves from `start`, nearest first.
    fn ball(&mut self, start: CellId) -> Vec<CellId> {
        self.number += 1;
        self.meet(start, 0);
        let mut found = vec![start];
        let mut next_up = 0;
        while let Some(&id) = found.get(next_up) {
            next_up += 1;
            let moves = self.met[id.index()].1 + 1;
            if moves > self.within {
                break;
            }
            for next in neighbours(self.grid, id, 1, self.connectivity) {
                if self.meet(next, moves) {
                    found.push(next);
                }
            }
        }
        found
    }
}
