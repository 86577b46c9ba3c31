//! Shunting: where a search does not come out of a jam, one unit after the other is brought home.
//!
//! In a maze without a second way anywhere hundreds of units stand in each other's way, and steps that all decide at once turn in circles. But two who
//! stand face to face can exchange places at a junction with two free arms. So the one whose turn it is goes along its way. Whoever is before it and not at
//! home is pushed on. With whoever is at home it exchanges places: all that is between them and a junction is pushed aside, they exchange there, and the
//! moves before that are taken back, by each of the two in the place of the other; then the other one goes home again. In the end, what turned
//! out to be in vain is struck out, and everybody moves as early as it can.
//!
//! Source: the ideas of Luna and Bekris, "Push and Swap" (2011), begun where a search has stopped. Costs are many times what a search would find, so it comes last.

use super::placements::Id;
use super::search::Search;
use crate::pibt::Ground;
use throng_core::{Budget, Rest};
use throng_search::NOWHERE;

/// How many junctions are tried for an exchange.
const JUNCTIONS: usize = 64;

/// It may look at so many times as many cells as the search has taken so far.
const SHARE: u64 = 4;

/// After how many of them the budget is asked.
const OFTEN: u64 = 1 << 12;

/// Where each of those who move is, tick by tick.
pub(super) type Moves = Vec<(usize, Vec<u32>)>;

/// One step of one unit.
#[derive(Clone, Copy, Debug)]
struct Move {
    unit: u32,
    from: u32,
    to: u32,
}

/// Units on a map, of which one moves at a time.
struct Yard<'a> {
    ground: &'a Ground,
    goals: &'a [u32],
    at: Vec<u32>,
    /// By cell.
    who: Vec<u32>,
    /// By unit: whether it is at its goal and not to be pushed from there; whether it may not move at all.
    home: Vec<bool>,
    held: Vec<bool>,
    moves: Vec<Move>,
    /// Those who were at home and have to get back, the last one last.
    displaced: Vec<u32>,
    ways: Ways,
}

/// Scratch of searches for ways.
struct Ways {
    before: Vec<u32>,
    met: Vec<u32>,
    round: u32,
    queue: Vec<u32>,
    looked: u64,
}

impl Search<'_> {
    /// Brings all who are not there to their goals from a placement on, one after the other. Whether it could.
    pub(super) fn shunt(&mut self, from: Id, budget: &dyn Budget) -> bool {
        let rest = Rest { whole: budget, before: self.total() };
        let most = (SHARE * self.total()).min(rest.limit());
        let mut yard = Yard::new(&self.ground, &self.goals, &self.placements[from].cells, &self.holds);
        let moves = yard.clear(|looked| looked <= most && !rest.should_stop(looked));
        self.spent += yard.ways.looked;
        let Some(moves) = moves else { return false };
        let ticks = moves.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
        if self.placements.bytes() + ticks * self.placements.each(from) > self.settings.memory {
            return false;
        }
        self.follow(from, &moves);
        true
    }
}

impl<'a> Yard<'a> {
    fn new(ground: &'a Ground, goals: &'a [u32], at: &[u32], holds: &[u32]) -> Self {
        let mut who = vec![NOWHERE; ground.len()];
        (0..).zip(at).for_each(|(unit, &cell)| who[cell as usize] = unit);
        let mut held = vec![false; at.len()];
        holds.iter().for_each(|&unit| held[unit as usize] = true);
        let cells = ground.len();
        Self {
            ground,
            goals,
            home: at.iter().zip(goals).map(|(at, goal)| at == goal).collect(),
            at: at.to_vec(),
            who,
            held,
            moves: Vec::new(),
            displaced: Vec::new(),
            ways: Ways {
                before: vec![NOWHERE; cells],
                met: vec![0; cells],
                round: 0,
                queue: Vec::new(),
                looked: 0,
            },
        }
    }

    /// Brings everybody home, the nearest first, as long as it may; how they move, if it could.
    fn clear(&mut self, may: impl Fn(u64) -> bool) -> Option<Moves> {
        let away: Vec<u32> = (0..self.at.len() as u32).filter(|&unit| !self.home[unit as usize]).collect();
        let mut order = Vec::with_capacity(away.len());
        for unit in away {
            order.push((self.way_home(unit)?.len(), unit));
        }
        order.sort_unstable();
        let mut asked = 0;
        for (_, unit) in order {
            self.displaced.push(unit);
            while let Some(unit) = self.displaced.pop() {
                while self.at[unit as usize] != self.goals[unit as usize] {
                    for next in self.way_home(unit)?.into_iter().skip(1) {
                        if self.ways.looked - asked > OFTEN {
                            asked = self.ways.looked;
                            may(asked).then_some(())?;
                        }
                        self.advance(unit, next)?;
                        self.go_back();
                    }
                }
                self.home[unit as usize] = true;
            }
        }
        self.strike_out();
        Some(self.together())
    }

    /// The shortest way of a unit to its goal past those who may not move, whoever else stands there.
    fn way_home(&mut self, unit: u32) -> Option<Vec<u32>> {
        let Self { ground, goals, at, who, held, ways, .. } = self;
        let goal = goals[unit as usize];
        let bars = |cell: u32| who[cell as usize] != NOWHERE && held[who[cell as usize] as usize];
        ways.find(ground, at[unit as usize], |cell| cell == goal, bars)
    }

    /// To the next cell, whoever is there.
    fn advance(&mut self, unit: u32, next: u32) -> Option<()> {
        let here = self.at[unit as usize];
        if self.vacate(next, &[here], false).is_some() {
            self.shift(unit, next);
            return Some(());
        }
        let other = self.who[next as usize];
        if self.held[other as usize] {
            return None;
        }
        self.exchange(unit, other)?;
        if core::mem::take(&mut self.home[other as usize]) {
            self.displaced.push(other);
        }
        Some(())
    }

    /// Those who were at home go back as soon as they can, the last first.
    fn go_back(&mut self) {
        while let Some(&unit) = self.displaced.last() {
            let (here, goal) = (self.at[unit as usize], self.goals[unit as usize]);
            let near = beside(self.ground, here).any(|cell| cell == goal);
            if here != goal && !(near && self.who[goal as usize] == NOWHERE) {
                return;
            }
            if here != goal {
                self.shift(unit, goal);
            }
            self.home[unit as usize] = true;
            self.displaced.pop();
        }
    }

    /// Pushes whoever is in a cell on to the next that is free, and with it all who stand between; those at home if `all` are.
    fn vacate(&mut self, cell: u32, barred: &[u32], all: bool) -> Option<()> {
        let Self { ground, who, home, held, ways, .. } = self;
        let stays = |cell: u32| {
            let unit = who[cell as usize];
            unit != NOWHERE && (held[unit as usize] || !all && home[unit as usize])
        };
        if stays(cell) {
            return None;
        }
        let is_free = |cell: u32| who[cell as usize] == NOWHERE;
        let way = ways.find(ground, cell, is_free, |cell| barred.contains(&cell) || stays(cell))?;
        for ends in way.windows(2).rev() {
            self.shift(self.who[ends[0] as usize], ends[1]);
        }
        Some(())
    }

    /// Two who stand side by side exchange places; all others are where they were before.
    fn exchange(&mut self, a: u32, b: u32) -> Option<()> {
        let Self { ground, at, who, held, ways, .. } = self;
        let bars = |cell: u32| who[cell as usize] != NOWHERE && held[who[cell as usize] as usize];
        let junctions = ways.junctions(ground, at[a as usize], bars);
        junctions.into_iter().find_map(|way| self.exchange_at(&way, a, b))
    }

    /// The same, at the junction where a way ends that begins with the first of them.
    fn exchange_at(&mut self, way: &[u32], a: u32, b: u32) -> Option<()> {
        let begin = self.moves.len();
        // Who is nearer to the junction leads.
        let leads = way.get(1) == Some(&self.at[b as usize]);
        let (first, second, ahead) = if leads { (b, a, &way[2..]) } else { (a, b, &way[1..]) };
        let mut come = || {
            for &next in ahead {
                let places = [self.at[first as usize], self.at[second as usize]];
                self.vacate(next, &places, true)?;
                self.shift(first, next);
                self.shift(second, places[0]);
            }
            self.arms(self.at[first as usize], self.at[second as usize])
        };
        let Some([left, right]) = come() else {
            self.undo(begin);
            return None;
        };
        let (junction, behind) = (self.at[first as usize], self.at[second as usize]);
        let end = self.moves.len();
        for (unit, to) in [(first, left), (second, junction), (second, right)] {
            self.shift(unit, to);
        }
        for (unit, to) in [(first, junction), (first, behind), (second, junction)] {
            self.shift(unit, to);
        }
        for place in (begin..end).rev() {
            let Move { unit, from, .. } = self.moves[place];
            let in_its_place = if unit == a { b } else { a };
            self.shift(if unit == a || unit == b { in_its_place } else { unit }, from);
        }
        Some(())
    }

    /// Two arms of a junction, free by now, without that behind it.
    fn arms(&mut self, junction: u32, behind: u32) -> Option<[u32; 2]> {
        let mut barred = vec![junction, behind];
        for arm in beside(self.ground, junction).filter(|&arm| arm != behind) {
            if self.vacate(arm, &barred, true).is_some() {
                barred.push(arm);
            }
            if let &[_, _, left, right] = barred.as_slice() {
                return Some([left, right]);
            }
        }
        None
    }

    fn shift(&mut self, unit: u32, to: u32) {
        debug_assert_eq!(self.who[to as usize], NOWHERE, "somebody is there");
        let from = core::mem::replace(&mut self.at[unit as usize], to);
        self.who[from as usize] = NOWHERE;
        self.who[to as usize] = unit;
        self.moves.push(Move { unit, from, to });
    }

    /// Takes moves back, so that they never were.
    fn undo(&mut self, begin: usize) {
        for Move { unit, from, to } in self.moves.drain(begin..).rev() {
            self.at[unit as usize] = from;
            self.who[to as usize] = NOWHERE;
            self.who[from as usize] = unit;
        }
    }

    /// Strikes out what was in vain: whoever comes back to a cell in which nobody has been since may as well have stayed.
    fn strike_out(&mut self) {
        loop {
            let before = self.moves.len();
            let mut kept = vec![true; before];
            // By cell: who left it last, and with which move. By unit: the moves that are left of it.
            let mut left = vec![(NOWHERE, 0); self.ground.len()];
            let mut own: Vec<Vec<usize>> = vec![Vec::new(); self.at.len()];
            for (place, &Move { unit, from, to }) in self.moves.iter().enumerate() {
                left[from as usize] = (unit, place);
                let own = &mut own[unit as usize];
                own.push(place);
                let (last, since) = left[to as usize];
                if last == unit
                    && let Ok(first) = own.binary_search(&since)
                {
                    own.drain(first..).for_each(|place| kept[place] = false);
                }
            }
            let mut kept = kept.into_iter();
            self.moves.retain(|_| kept.next().unwrap_or(true));
            if self.moves.len() == before {
                return;
            }
        }
    }

    /// Everybody moves as soon as whoever was there before has gone.
    fn together(&self) -> Moves {
        // By unit: its last tick. By cell: since when it has been free.
        let mut last = vec![0; self.at.len()];
        let mut free = vec![0; self.ground.len()];
        let mut ways: Vec<Vec<u32>> = vec![Vec::new(); self.at.len()];
        for &Move { unit, from, to } in &self.moves {
            let tick: usize = free[to as usize].max(last[unit as usize] + 1);
            let way = &mut ways[unit as usize];
            way.resize(tick, from);
            way.push(to);
            (last[unit as usize], free[from as usize]) = (tick, tick);
        }
        ways.into_iter().enumerate().filter(|(_, way)| !way.is_empty()).collect()
    }
}

impl Ways {
    /// The shortest way from a cell to one that is wanted, both of them included, past those that are barred.
    fn find(
        &mut self,
        ground: &Ground,
        from: u32,
        wanted: impl Fn(u32) -> bool,
        barred: impl Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        self.search(ground, from, 1, wanted, barred).pop()
    }

    /// The shortest ways to the nearest junctions.
    fn junctions(&mut self, ground: &Ground, from: u32, barred: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        self.search(ground, from, JUNCTIONS, |cell| beside(ground, cell).count() > 2, barred)
    }

    /// Shortest ways to as many of those that are wanted as there may be.
    fn search(
        &mut self,
        ground: &Ground,
        from: u32,
        most: usize,
        wanted: impl Fn(u32) -> bool,
        barred: impl Fn(u32) -> bool,
    ) -> Vec<Vec<u32>> {
        self.round += 1;
        self.queue.clear();
        self.meet(from, NOWHERE);
        let (mut next, mut found) = (0, Vec::new());
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            self.looked += 1;
            if wanted(at) {
                let back = |&cell: &u32| Some(self.before[cell as usize]).filter(|&cell| cell != NOWHERE);
                let mut way: Vec<u32> = core::iter::successors(Some(at), back).collect();
                way.reverse();
                found.push(way);
                if found.len() == most {
                    break;
                }
            }
            for cell in beside(ground, at) {
                if self.met[cell as usize] != self.round && !barred(cell) {
                    self.meet(cell, at);
                }
            }
        }
        found
    }

    fn meet(&mut self, cell: u32, before: u32) {
        self.met[cell as usize] = self.round;
        self.before[cell as usize] = before;
        self.queue.push(cell);
    }
}

/// The cells beside one along rows and columns: such moves never cross each other.
fn beside(ground: &Ground, cell: u32) -> impl Iterator<Item = u32> + use<> {
    let wall = ground.cells.wall();
    let mut around = [wall; 4];
    around.iter_mut().zip(ground.cells.beside(cell)).for_each(|(to, &from)| *to = from);
    around.into_iter().filter(move |&cell| cell != wall)
}

#[cfg(test)]
mod tests;
