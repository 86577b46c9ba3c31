//! Reservations that may overlap: who collides with whom.

use rustc_hash::FxHashMap;
use throng_core::Tick;
use throng_search::reservations::{FOR_EVER, NOBODY, Rule, Store, Table, Timelines};

/// Everybody's reservations. Of several who are at a cell at the same time one holds it in the table, and the others are kept beside
/// it: for whoever plans around them, one is as bad as several. Whoever rests there holds it only while it is alone, so that all who
/// come through are in the table.
#[derive(Debug)]
pub(super) struct Crowd {
    pub(super) table: Table<Timelines>,
    beside: FxHashMap<(u32, u32), Vec<u32>>,
    /// By cell: who rests there in the end.
    rests: FxHashMap<u32, u32>,
}

impl Crowd {
    /// Nobody is anywhere.
    pub(super) fn new(nodes: usize) -> Self {
        let table = Table::new(Rule::Swap, Timelines::new(nodes));
        Self { table, beside: FxHashMap::default(), rests: FxHashMap::default() }
    }

    fn claim(&mut self, cell: u32, tick: u32, unit: u32) {
        let before = self.table.store.claim(cell, Tick::from(tick), unit);
        if before != NOBODY && before != unit {
            self.beside.entry((cell, tick)).or_default().push(before);
        }
    }

    fn free(&mut self, cell: u32, tick: u32, unit: u32) {
        let key = (cell, tick);
        if self.table.store.owner(cell, Tick::from(tick)) != unit {
            if let Some(owners) = self.beside.get_mut(&key) {
                owners.retain(|&owner| owner != unit);
            }
        } else {
            self.table.store.release(cell, Tick::from(tick), unit);
            if let Some(owners) = self.beside.get_mut(&key) {
                let rests = self.rests.get(&cell);
                let next = owners.iter().position(|owner| Some(owner) != rests).unwrap_or(0);
                self.table.store.claim(cell, Tick::from(tick), owners.swap_remove(next));
            }
        }
        if self.beside.get(&key).is_some_and(Vec::is_empty) {
            self.beside.remove(&key);
        }
    }

    /// A unit goes this way and rests at the end of it, where nobody else rests.
    pub(super) fn add(&mut self, unit: u32, way: &[u32]) {
        for (tick, &cell) in (0..).zip(way) {
            self.claim(cell, tick, unit);
        }
        let (goal, last) = (way[way.len() - 1], way.len() as u32 - 1);
        // Others may come through later. That two rest in one place does not happen: goals differ.
        let end = self.table.store.runs(goal).last().map_or(0, |run| run.until);
        if end == FOR_EVER {
            return;
        }
        self.rests.insert(goal, unit);
        for tick in last + 1..end {
            if self.table.store.is_free(goal, Tick::from(tick)) {
                self.table.store.claim(goal, Tick::from(tick), unit);
            } else {
                self.beside.entry((goal, tick)).or_default().push(unit);
            }
        }
        self.table.store.rest(goal, Tick::from(end.max(last)), unit);
    }

    /// It does not.
    pub(super) fn remove(&mut self, unit: u32, way: &[u32]) {
        let (goal, last) = (way[way.len() - 1], way.len() as u32 - 1);
        let rest = self.table.store.runs(goal).last().filter(|run| run.until == FOR_EVER);
        let end = rest.map_or(last, |run| run.from.max(last));
        self.table.store.rise(goal, Tick::from(end), unit);
        for tick in (last + 1..=end).rev() {
            self.free(goal, tick, unit);
        }
        for (tick, &cell) in way.iter().enumerate().rev() {
            self.free(cell, tick as u32, unit);
        }
        self.rests.remove(&goal);
    }

    /// Everybody but `unit` who is at a cell then.
    fn others(&self, unit: u32, cell: u32, tick: u32) -> impl Iterator<Item = u32> + '_ {
        let beside = self.beside.get(&(cell, tick)).into_iter().flatten().copied();
        let owner = self.table.store.owner(cell, Tick::from(tick));
        core::iter::once(owner).chain(beside).filter(move |&owner| owner != NOBODY && owner != unit)
    }

    /// All whom a unit collides with if it goes this way, each once, by number. `crosses` gives the two cells that a
    /// diagonal passes between.
    pub(super) fn rivals(
        &self,
        unit: u32,
        way: &[u32],
        crosses: impl Fn(u32, u32) -> Option<(u32, u32)>,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        found.extend(self.others(unit, way[0], 0));
        for (tick, step) in (0..).zip(way.windows(2)) {
            let (from, to) = (step[0], step[1]);
            found.extend(self.others(unit, to, tick + 1));
            if from == to {
                continue;
            }
            let mut swap = |from: u32, to: u32| {
                let comes = |who: &u32| self.others(unit, to, tick).any(|other| other == *who);
                found.extend(self.others(unit, from, tick + 1).filter(comes));
            };
            swap(from, to);
            if let Some((a, b)) = crosses(from, to) {
                swap(a, b);
                swap(b, a);
            }
        }
        let (goal, last) = (way[way.len() - 1], way.len() as u32 - 1);
        // Those who come through where it rests.
        for run in self.table.store.runs(goal).iter().filter(|run| run.until > last && run.owner != unit) {
            let until = if run.until == FOR_EVER { run.from.max(last) + 1 } else { run.until };
            (run.from.max(last)..until).for_each(|tick| found.extend(self.others(unit, goal, tick)));
        }
        found.sort_unstable();
        found.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Who is where, tick by tick.
    fn collide(a: &[u32], b: &[u32]) -> bool {
        let at = |way: &[u32], tick: usize| way[tick.min(way.len() - 1)];
        (0..40).any(|t| {
            let swap = at(a, t) == at(b, t + 1) && at(a, t + 1) == at(b, t);
            at(a, t) == at(b, t) || swap
        })
    }

    proptest! {
        /// Whatever is added and removed, everybody collides with those with whom it does tick by tick, and they with it. Once those
        /// who came through where somebody rests were known to be there on one side only, and collisions were taken for none.
        #[test]
        fn rivals_are_those_who_collide(
            ways in prop::collection::vec(prop::collection::vec(0u32..3, 1..12), 2..7),
            order in prop::collection::vec(0usize..7, 0..24),
        ) {
            // On a line of cells; everybody rests somewhere else.
            let ways: Vec<Vec<u32>> = ways
                .iter()
                .enumerate()
                .map(|(unit, moves)| {
                    let mut at = 3 * unit as i64;
                    let mut way: Vec<u32> = moves.iter().map(|&m| { at = (at + i64::from(m) - 1).clamp(0, 19); at as u32 }).collect();
                    way.push(20 + unit as u32);
                    way
                })
                .collect();
            let ways: Vec<Vec<u32>> = ways
                .iter()
                .enumerate()
                .map(|(unit, way)| {
                    // The goal of one is on the way of the next.
                    let mut way = way.clone();
                    if unit + 1 < ways.len() && way.len() > 2 {
                        way.insert(1, 20 + unit as u32 + 1);
                    }
                    way
                })
                .collect();
            let mut crowd = Crowd::new(40);
            let mut there = vec![false; ways.len()];
            for unit in (0..ways.len()).chain(order.into_iter().filter(|&unit| unit < ways.len())) {
                if there[unit] { crowd.remove(unit as u32, &ways[unit]) } else { crowd.add(unit as u32, &ways[unit]) }
                there[unit] = !there[unit];
                let mut found = Vec::new();
                for one in 0..ways.len() {
                    crowd.rivals(one as u32, &ways[one], |_, _| None, &mut found);
                    let expected: Vec<u32> = (0..ways.len())
                        .filter(|&other| other != one && there[other] && collide(&ways[one], &ways[other]))
                        .map(|other| other as u32)
                        .collect();
                    prop_assert_eq!(&found, &expected, "{} of {:?}", one, &ways);
                }
            }
            for unit in (0..ways.len()).filter(|&unit| there[unit]) {
                crowd.remove(unit as u32, &ways[unit]);
            }
            prop_assert!(crowd.beside.is_empty() && (0..40).all(|cell| crowd.table.store.runs(cell).is_empty()));
        }
    }
}
