//! Who will be where in the next few ticks, and who is in whose way.

use super::menu::LONGEST;
use crate::pibt::NONE;

/// Somebody whom nobody asks to make way.
pub(super) const STRANGER: u32 = u32::MAX - 1;

/// The cells of an operation: where a unit is now, and after each tick.
pub(super) type Way = [u32; LONGEST + 1];

/// Reservations of cells by tick.
#[derive(Debug, Default)]
pub(super) struct Table {
    ticks: usize,
    /// By cell, by tick: who.
    held: Vec<u32>,
    /// By agent.
    ways: Vec<Way>,
    strange: Vec<u32>,
}

/// What keeps a unit from a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rival {
    Nobody,
    /// This one alone.
    One(u32),
    /// Several, or a stranger.
    Many,
}

impl Table {
    /// Begins a step of operations of so many ticks: nobody is anywhere.
    pub(super) fn begin(&mut self, cells: usize, ticks: usize, agents: usize) {
        for agent in 0..self.ways.len() {
            self.release(agent as u32);
        }
        let width = self.ticks + 1;
        for cell in core::mem::take(&mut self.strange) {
            self.held[cell as usize * width..][..width].fill(NONE);
        }
        if (self.ticks, self.held.len()) != (ticks, cells * (ticks + 1)) {
            self.ticks = ticks;
            self.held.clear();
            self.held.resize(cells * (ticks + 1), NONE);
        }
        self.ways.clear();
        self.ways.resize(agents, [NONE; LONGEST + 1]);
    }

    /// Somebody who is not asked is, and will be, at this cell.
    pub(super) fn block(&mut self, cell: u32) {
        self.strange.push(cell);
        for tick in 0..=self.ticks {
            *self.slot(cell, tick) = STRANGER;
        }
    }

    pub(super) fn way(&self, agent: u32) -> &Way {
        &self.ways[agent as usize]
    }

    #[inline]
    fn slot(&mut self, cell: u32, tick: usize) -> &mut u32 {
        &mut self.held[cell as usize * (self.ticks + 1) + tick]
    }

    #[inline]
    fn holder(&self, cell: u32, tick: usize) -> u32 {
        self.held[cell as usize * (self.ticks + 1) + tick]
    }

    /// An agent takes a way, which has to be free.
    pub(super) fn reserve(&mut self, agent: u32, way: &Way) {
        self.ways[agent as usize] = *way;
        for (tick, &cell) in way.iter().enumerate().take(self.ticks + 1) {
            *self.slot(cell, tick) = agent;
        }
    }

    /// An agent gives up its way.
    pub(super) fn release(&mut self, agent: u32) {
        let way = self.ways[agent as usize];
        if way[0] == NONE {
            return;
        }
        for (tick, &cell) in way.iter().enumerate().take(self.ticks + 1) {
            *self.slot(cell, tick) = NONE;
        }
    }

    /// Who is in the way of an agent that would go this way and holds nothing: in the same cell at the same tick, or coming towards it.
    #[inline]
    pub(super) fn rival(&self, way: &Way) -> Rival {
        let mut found = NONE;
        let mut note = |who: u32| {
            let one = who != STRANGER && (found == NONE || found == who);
            found = who;
            one
        };
        for tick in 1..=self.ticks {
            let (from, to) = (way[tick - 1], way[tick]);
            let there = self.holder(to, tick);
            if there != NONE && !note(there) {
                return Rival::Many;
            }
            if from == to {
                continue;
            }
            let comes = self.holder(from, tick);
            let swaps = comes < STRANGER && self.ways[comes as usize][tick - 1] == to;
            if swaps && !note(comes) {
                return Rival::Many;
            }
        }
        if found == NONE { Rival::Nobody } else { Rival::One(found) }
    }
}
