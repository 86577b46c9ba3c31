//! One step: everybody takes an operation that is in nobody's way.

use super::choices::Choices;
use super::menu::{LONGEST, Menu, STAYS};
use super::table::{Rival, Table, Way};
use crate::pibt::{Compass, Ground, NONE};

/// The state of a step that is being decided, and its buffers.
#[derive(Debug, Default)]
pub(super) struct Deciding {
    pub(super) table: Table,
    choices: Choices,
    /// By agent: where it stands, and the number of its menu.
    units: Vec<(u32, u8)>,
    /// By agent: its place in the order; none of those who are let be.
    rank: Vec<u32>,
    /// By agent: how often it was asked in this step, and whether it waits for an answer now.
    asked: Vec<(u8, bool)>,
    /// By agent: the operation that it has; none while it is to stay where it is.
    taken: Vec<u16>,
    chain: Vec<Turn>,
    /// How often somebody was asked in all.
    pub(super) turns: u64,
}

/// Somebody who looks for an operation.
#[derive(Clone, Copy, Debug)]
struct Turn {
    agent: u32,
    /// What it comes to next.
    next: u32,
    /// What it had.
    before: (Way, u16),
}

/// No operation: it stays.
const NOTHING: u16 = u16::MAX;

impl Deciding {
    /// Begins a step of operations of so many ticks, with ties broken by `seed`. Everybody stays where it is at first: `units`
    /// tell where that is, and from which menu each takes.
    pub(super) fn begin(
        &mut self,
        (cells, ticks, seed): (usize, usize, u64),
        units: impl Iterator<Item = (u32, u8)>,
    ) {
        self.units.clear();
        self.units.extend(units);
        let agents = self.units.len();
        self.table.begin(cells, ticks, agents);
        self.choices.begin(agents, seed);
        self.rank.clear();
        self.rank.resize(agents, NONE);
        self.asked.clear();
        self.asked.resize(agents, (0, false));
        self.taken.clear();
        self.taken.resize(agents, NOTHING);
        self.turns = 0;
        for (agent, &(at, _)) in self.units.iter().enumerate() {
            if at != NONE {
                self.table.reserve(agent as u32, &[at; LONGEST + 1]);
            }
        }
    }

    /// This agent comes in turn at this place of the order; whoever has none is asked for nothing.
    pub(super) fn line_up(&mut self, agent: u32, rank: u32) {
        self.rank[agent as usize] = rank;
    }

    /// Lets an agent decide, unless it has been asked to make way before. Whoever is in its way, comes later in the order and is
    /// alone in that looks for another operation in turn, and so on; if somebody finds none, whoever asked it looks
    /// further. Nobody is asked more than `revisits` times.
    pub(super) fn decide(
        &mut self,
        (ground, compass): (&Ground, &mut Compass),
        menus: &[Menu],
        agent: u32,
        (ticks, revisits, room): (usize, u8, u64),
    ) {
        let root = self.rank[agent as usize];
        if root == NONE || self.taken[agent as usize] != NOTHING {
            return;
        }
        self.chain.clear();
        self.ask(agent);
        while let Some(mut turn) = self.chain.pop() {
            let (agent, (at, menu)) = (turn.agent, self.units[turn.agent as usize]);
            let menu_of = &menus[usize::from(menu)];
            self.choices.prepare((ground, &mut *compass), menu_of, (agent, at), (ticks, menu > 0));
            let mut answer = None;
            while let Some(number) = self.choices.get(agent, turn.next) {
                turn.next += 1;
                let way = way(ground, at, &menu_of.operations[number].dirs);
                match self.table.rival(&way) {
                    Rival::Nobody => answer = Some((way, number, None)),
                    Rival::One(other) => {
                        let (often, waits) = self.asked[other as usize];
                        let later = self.rank[other as usize] != NONE && self.rank[other as usize] > root;
                        if !later || waits || often >= revisits || self.turns >= room {
                            continue;
                        }
                        answer = Some((way, number, Some(other)));
                    }
                    Rival::Many => continue,
                }
                break;
            }
            match answer {
                Some((way, number, None)) => {
                    self.take(agent, &way, number as u16);
                    self.chain.drain(..).for_each(|turn| self.asked[turn.agent as usize].1 = false);
                    self.asked[agent as usize].1 = false;
                    return;
                }
                Some((way, number, Some(other))) => {
                    self.chain.push(turn);
                    // It is out of the way first.
                    self.ask(other);
                    self.take(agent, &way, number as u16);
                }
                None => {
                    self.asked[agent as usize].1 = false;
                    // Whoever asked it has its place by now.
                    if let Some(asker) = self.chain.last() {
                        self.table.release(asker.agent);
                    }
                    let (way, number) = turn.before;
                    self.take(agent, &way, number);
                }
            }
        }
    }

    fn ask(&mut self, agent: u32) {
        let asked = &mut self.asked[agent as usize];
        *asked = (asked.0.saturating_add(1), true);
        let before = (*self.table.way(agent), self.taken[agent as usize]);
        self.table.release(agent);
        self.chain.push(Turn { agent, next: 0, before });
        self.turns += 1;
    }

    fn take(&mut self, agent: u32, way: &Way, number: u16) {
        self.table.reserve(agent, way);
        self.taken[agent as usize] = number;
    }

    /// The number of the operation that an agent takes, if it does not stay.
    pub(super) fn taken(&self, agent: u32) -> Option<usize> {
        let number = self.taken[agent as usize];
        (number != NOTHING).then_some(usize::from(number))
    }
}

/// The cells that steps lead through from `at`.
fn way(ground: &Ground, at: u32, dirs: &[u8; LONGEST]) -> Way {
    let mut way = [at; LONGEST + 1];
    for (tick, &dir) in dirs.iter().enumerate() {
        let from = way[tick];
        way[tick + 1] = if dir == STAYS { from } else { ground.cells.beside(from)[usize::from(dir)] };
    }
    way
}
