//! Fields of a world that has changed since: mended when somebody next asks for them.
//!
//! They are put aside when a place closes or opens, so that fields at hand need not be asked whether they are still true.

use super::{DistanceFields, FieldKey, SavedField, Slot};
use crate::{Graph, GridGraph, TrueDistance, Workers};
use throng_core::{CellId, Grid, Rules};

/// So many changes are kept for fields that nobody asks for; those that are farther behind are given up.
pub const MOST_CHANGES: usize = 256;

/// To mend a field may take so many expansions for every node it has closed, in halves; beyond that it is begun anew.
const WORTH: u64 = 1;

/// And so many more, whatever it has closed.
const LITTLE: u64 = 64;

impl Slot {
    /// Its field; if that is behind, with how many changes it has taken up.
    pub(super) fn held(&self) -> Option<(&TrueDistance, Option<u32>)> {
        let stale = || self.stale.as_deref().map(|(field, seen)| (field, Some(*seen)));
        self.field.as_ref().map(|field| (field, None)).or_else(stale)
    }

    /// Puts its field aside, since it has taken up so many changes only.
    pub(super) fn set_back(&mut self, seen: u32) {
        if let Some(field) = self.field.take() {
            self.stale = Some(Box::new((field, seen)));
        }
    }
}

impl DistanceFields {
    /// A place has closed or opened. Fields of the keys that `keeps` names are mended when they are next asked for; the
    /// others are given up.
    pub fn changed(&mut self, place: u32, keeps: impl Fn(FieldKey) -> bool) {
        self.drop_where(|key| !keeps(key));
        let now = self.changes.len() as u32;
        self.slots.iter_mut().for_each(|slot| slot.set_back(now));
        self.changes.push(place);
        if self.changes.len() > MOST_CHANGES {
            let gone = MOST_CHANGES / 2;
            for place in 0..self.slots.len() {
                match &mut self.slots[place].stale {
                    Some(stale) if stale.1 < gone as u32 => self.give_up(place as u32),
                    Some(stale) => stale.1 -= gone as u32,
                    None => {}
                }
            }
            self.changes.drain(..gone);
        }
        if self.slots.iter().all(|slot| slot.stale.is_none()) {
            self.changes.clear();
        }
    }

    /// The changes that some field may not have taken up yet, for a snapshot.
    #[must_use]
    pub fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Forgets everything and takes these changes for those that fields of a snapshot may be behind.
    pub fn take_up_changes(&mut self, changes: Vec<u32>) {
        self.clear();
        self.changes = changes;
    }

    /// Builds fields of units that move in steps anew from a snapshot, after [`Self::take_up_changes`]: those that are behind
    /// changes on the map as it was before these.
    pub fn load_on(&mut self, grid: &Grid, rules: Rules, saved: &[SavedField], workers: &Workers) {
        let mut before = grid.clone();
        for behind in 0..=self.changes.len() {
            if let Some(place) = behind.checked_sub(1) {
                let cell = CellId(self.changes[self.changes.len() - 1 - place]);
                // These letters mean the same everywhere.
                let _ = before.set_letter(cell, if before.is_open_id(cell) { b'@' } else { b'.' });
            }
            let these: Vec<_> = saved.iter().copied().filter(|f| f.behind as usize == behind).collect();
            if !these.is_empty() {
                let graph = |kind| GridGraph::of_kind(&before, rules, kind);
                self.load(|saved| saved.rebuilt(&graph(saved.key.kind)), &these, workers);
            }
        }
    }

    /// Mends the field of a slot that has none at hand, if it has one at all.
    #[cold]
    #[inline(never)]
    pub(super) fn revive(&mut self, graph: &impl Graph, place: u32) {
        let Some(stale) = self.slots[place as usize].stale.take() else { return };
        let (mut field, seen) = *stale;
        let before = field.expanded();
        mend(graph, &mut field, &self.changes[seen as usize..], self.room);
        let more = field.expanded() - before;
        self.expanded += more;
        if self.room != u64::MAX {
            self.room = self.room.saturating_sub(more);
        }
        self.put(place, field);
    }
}

/// Mends a field, or begins it anew where that takes longer than it is worth or than there is room for.
pub(super) fn mend(graph: &impl Graph, field: &mut TrueDistance, changes: &[u32], room: u64) {
    if !changes.is_empty() {
        let (_, closed) = field.size();
        field.mend(graph, changes, room.min(closed * WORTH / 2 + LITTLE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GridGraph, SavedField, Workers};
    use proptest::prelude::*;
    use throng_core::{Cell, CellId, Connectivity, Grid, Rules, Timing};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Fields that are mended answer as new ones do, within what they are allowed; saved in between they go on at the
        /// same cost; and they cost less.
        #[test]
        fn mended_fields_answer_as_new_ones(
            rounds in prop::collection::vec((any::<u16>(), 0..3u8, prop::collection::vec(any::<u16>(), 1..6)), 10..60),
            (limited, eight, metric) in any::<(bool, bool, bool)>(),
            save in 0..60usize,
        ) {
            let rules = Rules {
                connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
                timing: if metric { Timing::Metric } else { Timing::Uniform },
                ..Rules::default()
            };
            let period = if metric { 5 } else { 1 };
            let mut grid = Grid::empty(40, 30).unwrap();
            let cell = |k: u16| Cell::new(i32::from(k) % 40, i32::from(k) / 40 % 30);
            let goals = [(3, 3), (36, 25), (20, 0)].map(|(x, y)| grid.id(Cell::new(x, y)).unwrap().0);
            let (mut fields, mut twin) = (DistanceFields::new(1 << 20), None::<DistanceFields>);
            for (round, (toggled, goal, asked)) in rounds.into_iter().enumerate() {
                let id = grid.id(cell(toggled)).unwrap();
                let letter = if grid.is_open_id(id) { b'@' } else { b'.' };
                prop_assert_eq!(grid.set_letter(id, letter), Ok(true));
                for fields in [Some(&mut fields), twin.as_mut()].into_iter().flatten() {
                    fields.changed(id.0, |key| key.kind == 0);
                }
                if round == save {
                    twin = Some(reloaded(&fields, &grid, (rules, period)));
                }
                let graph = GridGraph::new(&grid, rules, period);
                let key = FieldKey { goal: goals[usize::from(goal)], kind: 0 };
                for k in asked {
                    let node = grid.id(cell(k)).unwrap().0;
                    let right = TrueDistance::new(&graph, key.goal, None).distance(&graph, node);
                    let mut work = Vec::new();
                    for fields in [Some(&mut fields), twin.as_mut()].into_iter().flatten() {
                        let before = fields.expanded();
                        fields.allow(if limited { 200 } else { u64::MAX });
                        let (answer, starved) = fields.with(&graph, key, node, |field| {
                            let far = if field.settle(&graph) { field.distance(&graph, node) } else { None };
                            (far, field.is_starved())
                        });
                        prop_assert!(starved || answer == right, "{answer:?} {right:?}");
                        prop_assert!(!starved || limited);
                        work.push((fields.expanded() - before, starved, fields.bytes()));
                        prop_assert!(!limited || work[0].0 <= 200);
                    }
                    prop_assert!(work.windows(2).all(|pair| pair[0] == pair[1]), "{work:?}");
                }
            }
        }
    }

    /// As whoever takes up a snapshot does it.
    fn reloaded(fields: &DistanceFields, grid: &Grid, (rules, period): (Rules, u8)) -> DistanceFields {
        let (saved, changes) = (fields.save(), fields.changes().to_vec());
        let (mut before, mut loaded) = (grid.clone(), DistanceFields::new(1 << 20));
        loaded.take_up_changes(changes.clone());
        for behind in 0..=changes.len() as u32 {
            if let Some(&place) = changes.len().checked_sub(behind as usize).and_then(|at| changes.get(at)) {
                let letter = if before.is_open_id(CellId(place)) { b'@' } else { b'.' };
                assert_eq!(before.set_letter(CellId(place), letter), Ok(true));
            }
            let graph = GridGraph::new(&before, rules, period);
            let these: Vec<SavedField> = saved.iter().copied().filter(|s| s.behind == behind).collect();
            loaded.load(|saved| saved.rebuilt(&graph), &these, &Workers::default());
        }
        assert_eq!(loaded.save(), saved);
        loaded
    }

    /// A door that opens and closes all the time, and a field that nobody asks for.
    #[test]
    fn what_is_too_far_behind_is_given_up() {
        let mut grid = Grid::empty(9, 9).unwrap();
        let door = grid.id(Cell::new(4, 4)).unwrap();
        let mut fields = DistanceFields::new(1 << 20);
        let [used, unused] = [0, 1].map(|kind| FieldKey { goal: 25, kind });
        for key in [used, unused] {
            fields.with(&GridGraph::new(&grid, Rules::default(), 1), key, 60, |field| field.goal());
        }
        for round in 0..2 * MOST_CHANGES {
            let letter = if grid.is_open_id(door) { b'@' } else { b'.' };
            grid.set_letter(door, letter).unwrap();
            fields.changed(door.0, |_| true);
            assert_eq!(fields.len(), if round < MOST_CHANGES { 2 } else { 1 }, "{round}");
            let graph = GridGraph::new(&grid, Rules::default(), 1);
            fields.with(&graph, used, 60, |field| field.distance(&graph, 60));
        }
        assert!(fields.changes().len() <= MOST_CHANGES);
        fields.changed(door.0, |_| false);
        assert!(fields.is_empty() && fields.changes().is_empty());
    }
}
