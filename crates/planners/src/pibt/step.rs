//! One step of everybody: priority inheritance with backtracking.
//!
//! Who comes first takes the best cell that is left. If somebody stands there who has not decided yet, that one decides
//! next, in its place; if it finds no way out, it stays, and the first looks for another cell. Nobody ever moves to a cell
//! that another one takes, two never exchange places, and diagonals do not cross. The chain of those who wait for others
//! is a list and no recursion, however long it gets.

use super::compass::Compass;
use super::ground::Ground;
use super::swap;

/// Nobody, or nowhere.
pub(crate) const NONE: u32 = u32::MAX;

/// A unit that is nobody's business: others go around it.
const STRANGER: u32 = u32::MAX - 1;

/// The state of a step that is being decided, and its buffers.
#[derive(Debug)]
pub(crate) struct Step {
    /// By agent: where it stands.
    at: Vec<u32>,
    /// By agent: where it will stand; [`NONE`] if it has not decided.
    next: Vec<u32>,
    /// By cell: who stands there.
    pub(super) now: Vec<u32>,
    /// By cell: who will.
    then: Vec<u32>,
    /// Cells where strangers were put.
    strange: Vec<u32>,
    chain: Vec<Turn>,
    dice: u64,
    /// How many may still decide.
    room: u64,
    decided: u64,
    /// Whether units mind in whose way they would be.
    courteous: bool,
    /// Who exchanges places with nobody.
    stubborn: u32,
    /// By agent: where somebody else has it go, if nobody needs that cell; [`NONE`] for those who go by themselves.
    wishes: Vec<u32>,
}

/// Somebody who decides.
#[derive(Clone, Copy, Debug)]
struct Turn {
    agent: u32,
    /// Where it might go, the best first; the first `count`.
    choices: [u32; 9],
    count: u8,
    tried: u8,
    /// Who is to follow it, if it gets its first choice: they exchange places that way.
    partner: u32,
    /// Whether there is only its wish among the choices; if that fails it is asked for all of them.
    wishes: bool,
}

impl Step {
    pub(crate) const fn new() -> Self {
        Self {
            at: Vec::new(),
            next: Vec::new(),
            now: Vec::new(),
            then: Vec::new(),
            strange: Vec::new(),
            chain: Vec::new(),
            dice: 0,
            room: u64::MAX,
            decided: 0,
            courteous: false,
            stubborn: NONE,
            wishes: Vec::new(),
        }
    }

    /// Begins a step of units that stand at these cells, with ties broken by `seed`; at most `room` of them may decide.
    pub(crate) fn begin(&mut self, cells: usize, at: impl IntoIterator<Item = u32>, seed: u64, room: u64) {
        for &cell in self.at.iter().chain(&self.next).chain(&self.strange).filter(|&&cell| cell != NONE) {
            self.now[cell as usize] = NONE;
            self.then[cell as usize] = NONE;
        }
        self.now.resize(cells, NONE);
        self.then.resize(cells, NONE);
        self.strange.clear();
        self.at.clear();
        self.at.extend(at);
        self.next.clear();
        self.next.resize(self.at.len(), NONE);
        for (agent, &cell) in self.at.iter().enumerate() {
            if cell != NONE {
                self.now[cell as usize] = agent as u32;
            }
        }
        // Never zero, which would stay zero.
        self.dice = seed | 1;
        (self.room, self.decided, self.courteous, self.stubborn) = (room, 0, false, NONE);
        self.wishes.clear();
    }

    /// This agent is to go to a cell, its own or one beside it, if nobody who decides before it is in its way. To find that out is not counted:
    /// it is asked nothing.
    pub(crate) fn wish(&mut self, agent: u32, to: u32) {
        self.wishes.resize(self.at.len(), NONE);
        self.wishes[agent as usize] = to;
    }

    /// Where an agent is to go, if it does not go by itself.
    fn wished(&self, agent: u32) -> Option<u32> {
        self.wishes.get(agent as usize).copied().filter(|&to| to != NONE)
    }

    /// This agent exchanges places with nobody in this step: whoever decides first and is stubborn gets nearer to its goal
    /// wherever two ways lead round, whatever the others do.
    pub(crate) const fn be_stubborn(&mut self, agent: u32) {
        self.stubborn = agent;
    }

    /// Among cells that are equally near to its goal, everybody takes the one where it is in the way of the fewest beside it, in
    /// this step.
    pub(crate) const fn be_courteous(&mut self) {
        self.courteous = true;
    }

    /// Somebody who is not asked is or will be at this cell.
    pub(crate) fn block(&mut self, cell: u32) {
        self.strange.push(cell);
        self.then[cell as usize] = STRANGER;
        if self.now[cell as usize] == NONE {
            self.now[cell as usize] = STRANGER;
        }
    }

    /// Decides for an agent from outside. Answers whether that is allowed, given what was decided before.
    pub(crate) fn fix(&mut self, ground: &Ground, agent: u32, to: u32) -> bool {
        let from = self.at[agent as usize];
        if self.next[agent as usize] != NONE {
            return self.next[agent as usize] == to;
        }
        if self.then[to as usize] != NONE || self.collides(ground, agent, from, to) {
            return false;
        }
        self.take(agent, to);
        true
    }

    /// Where an agent will stand; [`NONE`] if it has not decided.
    pub(crate) fn next(&self, agent: u32) -> u32 {
        self.next[agent as usize]
    }

    pub(crate) fn at(&self, agent: u32) -> u32 {
        self.at[agent as usize]
    }

    /// Who stands at a cell, if anybody with a goal does.
    #[inline]
    pub(super) fn who(&self, cell: u32) -> Option<u32> {
        let who = self.now[cell as usize];
        (who < STRANGER).then_some(who)
    }

    /// How many have decided since the step began.
    pub(crate) const fn decided(&self) -> u64 {
        self.decided
    }

    /// Whether nobody may decide any more.
    pub(crate) const fn is_full(&self) -> bool {
        self.room == 0
    }

    fn take(&mut self, agent: u32, to: u32) {
        self.next[agent as usize] = to;
        self.then[to as usize] = agent;
    }

    /// Lets an agent decide, and all whom it needs out of its way. Answers whether it got a cell of its own choice; it
    /// stays where it is otherwise, and so does whoever is not allowed to decide any more.
    pub(crate) fn decide(&mut self, ground: &Ground, compass: &mut Compass, agent: u32) -> bool {
        if self.next[agent as usize] != NONE {
            return true;
        }
        let wishes = self.wished(agent).is_some();
        if self.room == 0 && !wishes {
            return false;
        }
        let at = self.at[agent as usize];
        // Most are at home, where nobody wants anything else.
        if self.then[at as usize] == NONE && !wishes && compass.rests(agent, at) {
            self.count();
            self.take(agent, at);
            return true;
        }
        self.chain.clear();
        let turn = self.first_turn(ground, compass, agent);
        self.chain.push(turn);
        let mut answer = None;
        while let Some(mut turn) = self.chain.pop() {
            if answer.take() == Some(true) {
                self.settle(ground, &turn);
                answer = Some(true);
                continue;
            }
            let from = self.at[turn.agent as usize];
            let mut pushed = None;
            loop {
                if turn.tried == turn.count {
                    if !turn.wishes || self.room == 0 {
                        break;
                    }
                    turn = self.turn(ground, compass, turn.agent);
                }
                let to = turn.choices[turn.tried as usize];
                turn.tried += 1;
                if self.then[to as usize] != NONE || self.collides(ground, turn.agent, from, to) {
                    continue;
                }
                let other = self.now[to as usize];
                let undecided = other < STRANGER && other != turn.agent && self.next[other as usize] == NONE;
                if undecided && self.room == 0 && self.wished(other).is_none() {
                    continue;
                }
                self.take(turn.agent, to);
                if undecided {
                    pushed = Some(other);
                } else {
                    self.settle(ground, &turn);
                    answer = Some(true);
                }
                break;
            }
            if let Some(other) = pushed {
                self.chain.push(turn);
                let turn = self.first_turn(ground, compass, other);
                self.chain.push(turn);
            } else if answer.is_none() {
                self.take(turn.agent, from);
                answer = Some(false);
            }
        }
        answer == Some(true)
    }

    /// Whether a move meets one that was decided already, other than at its end.
    fn collides(&self, ground: &Ground, agent: u32, from: u32, to: u32) -> bool {
        let other = self.now[to as usize];
        if other < STRANGER && other != agent && self.next[other as usize] == from {
            return true;
        }
        let Some((a, b)) = ground.corners(from, to) else { return false };
        let crosses = |a: u32, b: u32| self.who(a).is_some_and(|other| self.next[other as usize] == b);
        crosses(a, b) || crosses(b, a)
    }

    /// Whoever got its first choice and has a partner draws it after itself.
    fn settle(&mut self, ground: &Ground, turn: &Turn) {
        let (agent, partner) = (turn.agent, turn.partner);
        if turn.tried != 1 || partner == NONE || self.next[partner as usize] != NONE {
            return;
        }
        let (left, stands) = (self.at[agent as usize], self.at[partner as usize]);
        let free = self.then[left as usize] == NONE && self.next[agent as usize] != stands;
        if free && !self.collides(ground, partner, stands, left) {
            self.take(partner, left);
        }
    }

    const fn count(&mut self) {
        self.room = self.room.saturating_sub(1);
        self.decided += 1;
    }

    /// What an agent is asked first: its wish, if it has one.
    fn first_turn(&mut self, ground: &Ground, compass: &mut Compass, agent: u32) -> Turn {
        let Some(to) = self.wished(agent) else { return self.turn(ground, compass, agent) };
        let mut choices = [0; 9];
        choices[0] = to;
        Turn { agent, choices, count: 1, tried: 0, partner: NONE, wishes: true }
    }

    /// What an agent would like, the best first.
    fn turn(&mut self, ground: &Ground, compass: &mut Compass, agent: u32) -> Turn {
        self.count();
        let from = self.at[agent as usize];
        let (mut cells, mut gains) = ([0; 9], [0; 9]);
        let mut count = 0;
        for cell in ground.beside(from) {
            cells[count] = cell;
            count += 1;
        }
        let told = compass.lanes().is_some_and(|lanes| lanes.tells(agent, from));
        if !told {
            compass.fan(ground, agent, from, &cells[..count], &mut gains[..count]);
        }
        cells[count] = from;
        count += 1;
        let led = compass.led(agent, from);
        let least = compass.lanes().filter(|_| told).map_or(0, |lanes| lanes.least(ground, agent, from));
        let mut hindered = [0u64; 9];
        if self.courteous {
            self.hindered(ground, compass, agent, &cells[..count], &mut hindered);
        }
        let mut order = [0u64; 9];
        for index in 0..count {
            let cell = cells[index];
            let loss = match compass.lanes().filter(|_| told) {
                _ if led == Some(cell) => 0,
                Some(lanes) => {
                    let dir = |cell| ground.cells.beside(from).iter().position(|&beside| beside == cell);
                    lanes.loss(agent, from, least, dir(cell).map(|dir| (dir, cell)))
                }
                None => (2 - i64::from(gains[index])) as u64,
            };
            // Among equals where nobody stands, then by lot.
            let taken = self.now[cell as usize] != NONE && cell != from;
            let behind = hindered[index] << 1 | u64::from(taken);
            let key = loss << 28 | behind << 23 | self.roll() << 4 | index as u64;
            let mut place = index;
            while place > 0 && order[place - 1] > key {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = key;
        }
        let mut choices = [0; 9];
        for (choice, order) in choices.iter_mut().zip(&order[..count]) {
            *choice = cells[(order & 15) as usize];
        }
        let partner = match agent == self.stubborn {
            true => NONE,
            false => swap::partner(self, ground, compass, agent, choices[0]),
        };
        if partner != NONE {
            choices[..count].reverse();
        }
        Turn { agent, choices, count: count as u8, tried: 0, partner, wishes: false }
    }

    /// For each cell, how many of those beside an agent would get nearer to their goals through it: whoever is there keeps them.
    fn hindered(
        &self,
        ground: &Ground,
        compass: &mut Compass,
        agent: u32,
        cells: &[u32],
        hindered: &mut [u64; 9],
    ) {
        let at = self.at[agent as usize];
        for beside in ground.beside(at) {
            let Some(other) = self.who(beside).filter(|&other| other != agent) else { continue };
            // From where the other stands over where this one does.
            let first = compass.gain(ground, other, beside, at);
            for (&cell, hindered) in cells.iter().zip(hindered.iter_mut()) {
                let gain = if cell == at { first } else { first + compass.gain(ground, other, at, cell) };
                *hindered += u64::from(cell != beside && gain > 0);
            }
        }
    }

    /// Nineteen bits.
    fn roll(&mut self) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice >> 45
    }
}
