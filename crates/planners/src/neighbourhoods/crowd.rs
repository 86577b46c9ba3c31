//! Reservations that may overlap: who collides with whom.

use rustc_hash::FxHashMap;
use throng_core::Tick;
use throng_search::reservations::{FOR_EVER, NOBODY, Rule, Store, Table, Timelines};

/// Everybody's reservations. Of several who are at a cell at the same time one holds it in the table, and the others are kept beside
/// it: for whoever plans around them, one is as bad as several.
#[derive(Debug)]
pub(super) struct Crowd {
    pub(super) table: Table<Timelines>,
    beside: FxHashMap<(u32, u32), Vec<u32>>,
}

impl Crowd {
    /// Nobody is anywhere.
    pub(super) fn new(nodes: usize) -> Self {
        Self { table: Table::new(Rule::Swap, Timelines::new(nodes)), beside: FxHashMap::default() }
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
            if let Some(next) = self.beside.get_mut(&key).and_then(Vec::pop) {
                self.table.store.claim(cell, Tick::from(tick), next);
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
        // Others may come through later.
        let end = self.table.store.runs(goal).last().map_or(0, |run| run.until);
        for tick in last + 1..end {
            self.claim(goal, tick, unit);
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
        for run in self.table.store.runs(goal).iter().filter(|run| run.until > last) {
            if run.owner != unit {
                found.push(run.owner);
            }
            // Where several are, they are there for a tick each.
            if run.until != FOR_EVER {
                (run.from.max(last)..run.until).for_each(|tick| found.extend(self.others(unit, goal, tick)));
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}
