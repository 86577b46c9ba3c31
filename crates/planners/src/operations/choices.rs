//! What a unit would do best: its operations by what they gain.

use super::menu::{LONGEST, Menu, STAYS};
use super::table::Way;
use crate::pibt::{Compass, Ground, mix};

/// More places than any menu has.
const PLACES: usize = 64;

/// By agent: its operations, the best first, as far as they were worked out in this step.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// By agent: where they are among all.
    ranges: Vec<(u32, u32)>,
    all: Vec<u64>,
    dice: u64,
}

impl Choices {
    /// Begins a step with ties broken by `seed`.
    pub(super) fn begin(&mut self, agents: usize, seed: u64) {
        self.dice = seed;
        self.ranges.clear();
        self.ranges.resize(agents, (0, 0));
        self.all.clear();
    }

    /// The number of an agent's operation in its menu: the best has rank 0. Nothing beyond the last that the map allows.
    pub(super) fn get(&self, agent: u32, rank: u32) -> Option<usize> {
        let (begin, end) = self.ranges[agent as usize];
        (begin + rank < end).then(|| (self.all[(begin + rank) as usize] & 0xffff) as usize)
    }

    /// Works out what an agent that stands at `at` in a pose would do best, unless that is done: what brings it nearest to its goal in these
    /// ticks, the turn counted that it has to make before it can go on; of those what gets there sooner, with
    /// fewer turns.
    pub(super) fn prepare(
        &mut self,
        (ground, compass): (&Ground, &mut Compass),
        menu: &Menu,
        (agent, at): (u32, u32),
        (ticks, turns): (usize, bool),
    ) {
        if self.ranges[agent as usize].1 > 0 {
            return;
        }
        let (begin, dice) = (self.all.len(), mix(self.dice ^ u64::from(agent)));
        let wall = ground.cells.wall();
        let mut fans: [Option<[i8; 4]>; PLACES] = [None; PLACES];
        let mut fan = |place: u8, cell: u32| {
            *fans[usize::from(place)].get_or_insert_with(|| {
                let mut gains = [0; 4];
                compass.fan(ground, agent, cell, ground.cells.beside(cell), &mut gains);
                gains
            })
        };
        let (mut cells, mut gains, mut sums): (Way, _, _) =
            ([at; LONGEST + 1], [0i32; LONGEST + 1], [0i32; LONGEST + 1]);
        // Up to this tick the last operation leads into no wall.
        let mut free = 0;
        for (number, operation) in menu.operations.iter().enumerate() {
            let shared = usize::from(operation.shared).min(ticks);
            if shared > free {
                continue;
            }
            free = shared;
            while free < ticks {
                let (cell, dir) = (cells[free], operation.dirs[free]);
                let (mut next, mut gain) = (cell, gains[free]);
                if dir != STAYS {
                    next = ground.cells.beside(cell)[usize::from(dir)];
                    if next == wall {
                        break;
                    }
                    gain += i32::from(fan(operation.places[free], cell)[usize::from(dir)]);
                }
                free += 1;
                (cells[free], gains[free], sums[free]) = (next, gain, sums[free - 1] + gain);
            }
            if free < ticks {
                continue;
            }
            let left = if turns {
                let ahead = fan(operation.end, cells[ticks]);
                let towards = |turn: u8| ahead[usize::from((operation.pose + turn) % 4)] > 0;
                if towards(0) {
                    0
                } else if towards(1) || towards(3) {
                    1
                } else {
                    i32::from(towards(2)) * 2
                }
            } else {
                0
            };
            let cost = (128 + left - gains[ticks]) as u64;
            let late = (512 - sums[ticks]) as u64;
            // What is left is drawn by lot, so that no two keep each other from the same place for ever.
            let lot = dice.rotate_left(number as u32 * 5) & 0xff;
            let turns = u64::from(operation.turns);
            self.all.push(cost << 48 | late << 32 | turns << 24 | lot << 16 | number as u64);
        }
        self.all[begin..].sort_unstable();
        self.ranges[agent as usize] = (begin as u32, self.all.len() as u32);
    }
}
