//! Who is in whose way at one tick.

use crate::{board::Board, mover::Mover};
use throng_core::{AgentId, Cell, Conflict, ConflictKind, Grid, Tick};

/// Finds the conflicts of one tick after the other.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    /// Where everybody under the graph rules stands; there if anybody is.
    stands: Option<Board>,
    /// Diagonal moves by the smallest corner of the four cells they pass through.
    diagonals: Option<Board>,
    /// What everybody under the footprint rule covers; there if anybody is.
    covers: Option<Board>,
    follow: bool,
    now: Vec<Conflict>,
    before: Vec<[AgentId; 2]>,
}

impl Conflicts {
    pub(crate) fn new(grid: &Grid, movers: &[Mover<'_>], eight: bool, follow: bool) -> Self {
        let board = |wanted: bool| wanted.then(|| Board::new(grid.len()));
        let graph = movers.iter().any(|m| m.graph);
        Self {
            stands: board(graph),
            diagonals: board(graph && eight),
            covers: board(movers.iter().any(|m| !m.graph)),
            follow,
            now: Vec::new(),
            before: Vec::new(),
        }
    }

    /// The conflicts of this tick between pairs that did not conflict at the tick before, by pair.
    pub(crate) fn at(
        &mut self,
        grid: &Grid,
        movers: &[Mover<'_>],
        tick: Tick,
    ) -> impl Iterator<Item = Conflict> {
        self.now.clear();
        if let Some(board) = &mut self.stands {
            same_cells(board, movers, tick, &mut self.now);
            swaps(board, movers, tick, &mut self.now);
        }
        if let Some(board) = &mut self.diagonals {
            crossings(board, grid, movers, tick, &mut self.now);
        }
        if let Some(board) = &mut self.covers {
            overlaps(board, grid, movers, tick, self.follow, &mut self.now);
        }
        self.now.sort_unstable_by_key(|c| (c.agents, c.kind, c.cells[0].y, c.cells[0].x));
        self.now.dedup_by_key(|c| c.agents);
        let before = core::mem::replace(&mut self.before, self.now.iter().map(|c| c.agents).collect());
        self.now.iter().copied().filter(move |c| before.binary_search(&c.agents).is_err())
    }
}

/// Graph rules: two in one cell.
fn same_cells(board: &mut Board, movers: &[Mover<'_>], tick: Tick, found: &mut Vec<Conflict>) {
    board.clear();
    for (a, mover) in graph_movers(movers) {
        let Some(id) = mover.at_id else { continue };
        board.claim(id, a, |b| {
            found.push(conflict(ConflictKind::SameCell, tick, (a, mover.at), (b, mover.at)));
        });
    }
}

/// Graph rules: one goes where the other comes from, and the other way round. `board` knows who stands where.
fn swaps(board: &Board, movers: &[Mover<'_>], tick: Tick, found: &mut Vec<Conflict>) {
    for (a, mover) in graph_movers(movers) {
        let (true, Some(id)) = (mover.goes(), mover.to_id) else { continue };
        board.claimants(id, |b| {
            let other = &movers[b];
            if other.goes() && other.to == mover.at {
                found.push(conflict(ConflictKind::Swap, tick, (a, mover.at), (b, other.at)));
            }
        });
    }
}

/// Graph rules: two diagonals through the same four cells that are not the same line.
fn crossings(board: &mut Board, grid: &Grid, movers: &[Mover<'_>], tick: Tick, found: &mut Vec<Conflict>) {
    board.clear();
    for (a, mover) in graph_movers(movers) {
        let Some(heading) = mover.heading().filter(|h| h.is_diagonal()) else { continue };
        let Some(id) = grid.id(mover.cover().anchor) else { continue };
        board.claim(id, a, |b| {
            let other = &movers[b];
            if other.heading() != Some(heading) && other.heading() != Some(heading.opposite()) {
                found.push(conflict(ConflictKind::Crossing, tick, (a, mover.at), (b, other.at)));
            }
        });
    }
}

/// Footprint rule: what two cover intersects. Two agents under the graph rules are not held to it, so
/// only the others need to be remembered on the board.
fn overlaps(
    board: &mut Board,
    grid: &Grid,
    movers: &[Mover<'_>],
    tick: Tick,
    follow: bool,
    found: &mut Vec<Conflict>,
) {
    board.clear();
    let mut meet = |a: usize, b: usize, cell: Cell| {
        let (p, q) = (&movers[a], &movers[b]);
        if !(follow && (follows(p, q, cell) || follows(q, p, cell))) {
            found.push(conflict(ConflictKind::Overlap, tick, (a, cell), (b, cell)));
        }
    };
    let on_map = |mover: &Mover<'_>| mover.cover().cells().filter_map(|cell| Some((cell, grid.id(cell)?)));
    for (a, mover) in movers.iter().enumerate().filter(|(_, m)| !m.graph) {
        for (cell, id) in on_map(mover) {
            board.claim(id, a, |b| meet(a, b, cell));
        }
    }
    for (a, mover) in graph_movers(movers) {
        for (cell, id) in on_map(mover) {
            board.claimants(id, |b| meet(a, b, cell));
        }
    }
}

/// Whether `leader` leaves `cell` while `follower` enters it with the same heading, the leader beginning
/// no later and arriving no later.
fn follows(leader: &Mover<'_>, follower: &Mover<'_>, cell: Cell) -> bool {
    leader.heading().is_some()
        && leader.heading() == follower.heading()
        && leader.since <= follower.since
        && leader.until <= follower.until
        && leader.leaves(cell)
        && follower.enters(cell)
}

fn graph_movers<'m, 'a>(movers: &'m [Mover<'a>]) -> impl Iterator<Item = (usize, &'m Mover<'a>)> {
    movers.iter().enumerate().filter(|(_, m)| m.graph)
}

fn conflict(kind: ConflictKind, tick: Tick, a: (usize, Cell), b: (usize, Cell)) -> Conflict {
    let (low, high) = if a.0 < b.0 { (a, b) } else { (b, a) };
    let agents = [AgentId(low.0 as u32), AgentId(high.0 as u32)];
    Conflict { kind, agents, tick, cells: [low.1, high.1] }
}
