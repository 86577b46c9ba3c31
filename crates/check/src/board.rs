//! Who claims which cell in the present tick.

use throng_core::CellId;

/// How many claims on one cell are remembered. A legal world needs two; the bound keeps the work linear
/// when many agents are piled up on one cell.
const CROWD: usize = 8;

/// One slot per cell with the list of its claimants. A slot whose stamp is not the present one is empty,
/// so nothing has to be cleared between ticks.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Stamp in the upper half, place of the newest claim in the lower.
    slots: Vec<u64>,
    claims: Vec<Claim>,
    stamp: u32,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    agent: u32,
    /// Place of the claim before it on the same cell.
    older: u32,
}

const NONE: u32 = u32::MAX;

impl Board {
    /// An empty board of this many cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self { slots: vec![0; cells], claims: Vec::new(), stamp: 1 }
    }

    /// Forgets all claims.
    pub(crate) fn clear(&mut self) {
        self.claims.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill(0);
            self.stamp = 1;
        }
    }

    /// Calls `each` with everybody who claims the cell.
    pub(crate) fn claimants(&self, id: CellId, each: impl FnMut(usize)) {
        self.walk(self.newest(id), each);
    }

    /// Claims the cell, after calling `each` with everybody who does so already.
    pub(crate) fn claim(&mut self, id: CellId, agent: usize, each: impl FnMut(usize)) {
        let older = self.newest(id);
        if older == NONE || self.walk(older, each) < CROWD {
            self.slots[id.index()] = u64::from(self.stamp) << 32 | self.claims.len() as u64;
            self.claims.push(Claim { agent: agent as u32, older });
        }
    }

    /// Calls `each` from the claim at `place` to the oldest on the cell; answers how many they are.
    fn walk(&self, mut place: u32, mut each: impl FnMut(usize)) -> usize {
        let mut count = 0;
        while let Some(claim) = self.claims.get(place as usize) {
            each(claim.agent as usize);
            count += 1;
            place = claim.older;
        }
        count
    }

    fn newest(&self, id: CellId) -> u32 {
        let slot = self.slots[id.index()];
        if (slot >> 32) as u32 == self.stamp { slot as u32 } else { NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(board: &Board, id: u32) -> Vec<usize> {
        let mut list = Vec::new();
        board.claimants(CellId(id), |agent| list.push(agent));
        list
    }

    #[test]
    fn claims_last_until_cleared() {
        let mut board = Board::new(4);
        assert_eq!(who(&board, 2), []);
        for agent in 0..3 {
            board.claim(CellId(2), agent, |_| ());
        }
        board.claim(CellId(3), 7, |_| ());
        assert_eq!(who(&board, 2), [2, 1, 0]);
        assert_eq!(who(&board, 3), [7]);
        board.clear();
        assert_eq!(who(&board, 2), []);
    }

    #[test]
    fn stamps_may_wrap() {
        let mut board = Board::new(1);
        board.claim(CellId(0), 5, |_| ());
        board.stamp = u32::MAX;
        board.clear();
        assert_eq!(who(&board, 0), []);
    }

    #[test]
    fn a_pile_is_bounded() {
        let mut board = Board::new(1);
        (0..100).for_each(|agent| board.claim(CellId(0), agent, |_| ()));
        assert_eq!(who(&board, 0).len(), CROWD);
    }
}
