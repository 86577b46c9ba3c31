//! True distances for many units: shared by goal, bounded in memory.

mod stale;

pub use stale::MOST_CHANGES;

use crate::{Graph, Past, TrueDistance, Workers};
use rustc_hash::FxHashMap;

/// What makes two units share a field: the same goal and the same way of moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldKey {
    /// The goal.
    pub goal: u32,
    /// Number of the kind of motion (period, body): different kinds have different distances.
    pub kind: u32,
}

/// A field as a snapshot stores it: enough to build it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct SavedField {
    pub key: FieldKey,
    pub past: Past,
    pub used: u64,
    /// How many of the latest changes it has not taken up yet.
    pub behind: u32,
}

impl SavedField {
    /// The field, built anew on the graph of its kind.
    #[must_use]
    pub fn rebuilt(&self, graph: &impl Graph) -> TrueDistance {
        TrueDistance::replay(graph, self.key.goal, &self.past)
    }
}

/// Backwards searches by goal. When they hold more than the cap, those unused for longest are given up;
/// a search given up is built anew when it is asked for.
#[derive(Debug)]
pub struct DistanceFields {
    places: FxHashMap<FieldKey, u32>,
    slots: Vec<Slot>,
    spare: Vec<u32>,
    /// The slot used last.
    latest: u32,
    /// Slots by their last use when this was made, the one unused for longest at the end: whoever has been used since
    /// is newer than all of them. Using a slot must not touch any other, which would not be at hand.
    oldest: Vec<(u64, u32)>,
    bytes: usize,
    cap: usize,
    clock: u64,
    expanded: u64,
    room: u64,
    work: Vec<(u32, u32, TrueDistance, u32)>,
    /// Places that have closed or opened since the oldest field that has not taken that up yet.
    changes: Vec<u32>,
}

#[derive(Debug)]
struct Slot {
    key: FieldKey,
    field: Option<TrueDistance>,
    /// Instead of that: one that has not taken up the latest changes, and how many before those it has.
    stale: Option<Box<(TrueDistance, u32)>>,
    bytes: usize,
    used: u64,
    /// Whether its field is being worked on.
    away: bool,
}

/// No slot.
const NONE: u32 = u32::MAX;

impl DistanceFields {
    /// Fields that together hold at most about `cap` bytes (at least those in use at the moment).
    #[must_use]
    pub fn new(cap: usize) -> Self {
        Self {
            places: FxHashMap::default(),
            slots: Vec::new(),
            spare: Vec::new(),
            latest: NONE,
            oldest: Vec::new(),
            bytes: 0,
            cap,
            clock: 0,
            expanded: 0,
            room: u64::MAX,
            work: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Number of fields held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether none is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Expansions of all searches, those given up included.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Sizes of all open and all closed lists together.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        let sizes = self.slots.iter().filter_map(Slot::held).map(|(field, _)| field.size());
        sizes.fold((0, 0), |(open, closed), (o, c)| (open + o as u64, closed + c))
    }

    /// Forgets everything, for a world that is no longer the same.
    pub fn clear(&mut self) {
        let cap = self.cap;
        *self = Self::new(cap);
    }

    /// Forgets the fields of some keys.
    pub fn drop_where(&mut self, unwanted: impl Fn(FieldKey) -> bool) {
        for place in 0..self.slots.len() {
            if self.slots[place].held().is_some() && unwanted(self.slots[place].key) {
                self.give_up(place as u32);
            }
        }
    }

    /// How many expansions all fields together may do from now on, [`Self::prepare`] aside.
    pub const fn allow(&mut self, room: u64) {
        self.room = room;
    }

    /// Uses the field of `key`, made if need be and then aimed at `origin`.
    pub fn with<G: Graph, T>(
        &mut self,
        graph: &G,
        key: FieldKey,
        origin: u32,
        body: impl FnOnce(&mut TrueDistance) -> T,
    ) -> T {
        self.with_near(graph, key, NONE, origin, body)
    }

    /// Like [`Self::with`]; `hint` is what [`Self::latest`] said when the field was last used.
    pub fn with_near<G: Graph, T>(
        &mut self,
        graph: &G,
        key: FieldKey,
        hint: u32,
        origin: u32,
        body: impl FnOnce(&mut TrueDistance) -> T,
    ) -> T {
        let place = self.place(key, hint);
        if self.slots[place as usize].field.is_none() {
            self.revive(graph, place);
        }
        let slot = &mut self.slots[place as usize];
        let field = slot.field.get_or_insert_with(|| TrueDistance::new(graph, key.goal, Some(origin)));
        let before = field.expanded();
        field.allow(self.room);
        let answer = body(field);
        let more = field.expanded() - before;
        if self.room != u64::MAX {
            self.room = self.room.saturating_sub(more);
        }
        if more > 0 || slot.bytes == 0 {
            self.expanded += more;
            self.weigh(place);
            self.shrink();
        }
        answer
    }

    /// The field of `key` as far as it has got, if it is held and true.
    #[must_use]
    pub fn peek(&self, key: FieldKey) -> Option<&TrueDistance> {
        self.places.get(&key).and_then(|&place| self.slots[place as usize].field.as_ref())
    }

    /// Gives away the field of `key`, if it is held and true.
    pub fn withdraw(&mut self, key: FieldKey) -> Option<TrueDistance> {
        let place = *self.places.get(&key)?;
        let field = self.slots[place as usize].field.take()?;
        self.give_up(place);
        Some(field)
    }

    /// Takes a field of `key`, as far as there is room for it.
    pub fn deposit(&mut self, key: FieldKey, field: TrueDistance) {
        let place = self.place(key, NONE);
        self.put(place, field);
        self.shrink();
    }

    /// Makes sure that each key's field knows the distance of the node beside it: the bulk of the work
    /// of a tick, done by all workers at once. Where keys repeat, the first node counts.
    pub fn prepare<G: Graph>(&mut self, graph: &G, wanted: &[(FieldKey, u32)], workers: &Workers) {
        let mut work = core::mem::take(&mut self.work);
        for &(key, node) in wanted {
            let place = self.place(key, NONE);
            let slot = &mut self.slots[place as usize];
            if !slot.away && slot.field.as_ref().is_none_or(|f| f.known(node).is_none()) {
                slot.away = true;
                let (field, seen) = self.take(graph, place, node);
                work.push((place, node, field, seen));
            }
        }
        let before: u64 = work.iter().map(|(.., field, _)| field.expanded()).sum();
        let changes = &self.changes;
        workers.for_each(&mut work, |(_, node, field, seen)| {
            stale::mend(graph, field, &changes[*seen as usize..], u64::MAX);
            field.allow(u64::MAX);
            field.settle(graph);
            field.distance(graph, *node);
        });
        let after: u64 = work.iter().map(|(.., field, _)| field.expanded()).sum();
        self.expanded += after - before;
        for (place, _, field, _) in work.drain(..) {
            self.put(place, field);
        }
        // Not before all are back: a slot must not be given up while its field is away.
        self.shrink();
        self.work = work;
    }

    /// What a snapshot needs, least recently used first.
    #[must_use]
    pub fn save(&self) -> Vec<SavedField> {
        let mut saved: Vec<_> = self
            .slots
            .iter()
            .filter_map(|slot| {
                let (field, seen) = slot.held()?;
                let behind = seen.map_or(0, |seen| self.changes.len() as u32 - seen);
                Some(SavedField { key: slot.key, past: field.past(), used: slot.used, behind })
            })
            .collect();
        saved.sort_unstable_by_key(|s| s.used);
        saved
    }

    /// Builds fields anew from a snapshot. Not charged to anybody: it was paid for when first done. Those that are
    /// behind changes have to be built as the world was before these; see [`Self::take_up_changes`].
    pub fn load(
        &mut self,
        rebuild: impl Fn(&SavedField) -> TrueDistance + Sync,
        saved: &[SavedField],
        workers: &Workers,
    ) {
        let mut work: Vec<_> = saved.iter().map(|s| (*s, None)).collect();
        workers.for_each(&mut work, |(s, field)| *field = Some(rebuild(s)));
        for (s, field) in work {
            let Some(field) = field else { continue };
            let place = self.place(s.key, NONE);
            self.put(place, field);
            let slot = &mut self.slots[place as usize];
            slot.used = s.used;
            if s.behind > 0 {
                slot.set_back((self.changes.len() as u32).saturating_sub(s.behind));
            }
            self.clock = self.clock.max(s.used);
        }
    }

    /// A number by which the field used last is found more quickly the next time.
    #[must_use]
    pub const fn latest(&self) -> u32 {
        self.latest
    }

    /// The slot of `key`, which is now the one used last.
    fn place(&mut self, key: FieldKey, hint: u32) -> u32 {
        self.clock += 1;
        // A unit asks several times in a row.
        if let Some(slot) = self.slots.get_mut(self.latest as usize)
            && slot.key == key
        {
            slot.used = self.clock;
            return self.latest;
        }
        let hinted =
            self.slots.get(hint as usize).is_some_and(|slot| slot.key == key && slot.field.is_some());
        let found = if hinted { Some(hint) } else { self.places.get(&key).copied() };
        let place = found.unwrap_or_else(|| {
            let place = self.spare.pop().unwrap_or(self.slots.len() as u32);
            if place as usize == self.slots.len() {
                self.slots.push(Slot { key, field: None, stale: None, bytes: 0, used: 0, away: false });
            }
            self.places.insert(key, place);
            place
        });
        self.latest = place;
        let slot = &mut self.slots[place as usize];
        (slot.used, slot.key) = (self.clock, key);
        place
    }

    /// The slot unused for longest.
    fn unused(&mut self) -> u32 {
        loop {
            let Some((used, place)) = self.oldest.pop() else {
                self.oldest
                    .extend(self.places.values().map(|&place| (self.slots[place as usize].used, place)));
                self.oldest.sort_unstable_by(|a, b| b.cmp(a));
                continue;
            };
            let slot = &self.slots[place as usize];
            if slot.held().is_some() && slot.used == used {
                return place;
            }
        }
    }

    /// A field to work on, and how many changes it has taken up.
    fn take<G: Graph>(&mut self, graph: &G, place: u32, origin: u32) -> (TrueDistance, u32) {
        let slot = &mut self.slots[place as usize];
        if let Some(stale) = slot.stale.take() {
            return *stale;
        }
        let new = || TrueDistance::new(graph, slot.key.goal, Some(origin));
        (slot.field.take().unwrap_or_else(new), self.changes.len() as u32)
    }

    fn put(&mut self, place: u32, field: TrueDistance) {
        let slot = &mut self.slots[place as usize];
        (slot.field, slot.away) = (Some(field), false);
        self.weigh(place);
    }

    /// Brings the count of bytes up to date.
    fn weigh(&mut self, place: u32) {
        let slot = &mut self.slots[place as usize];
        let bytes = slot.field.as_ref().map_or(0, TrueDistance::bytes);
        self.bytes = self.bytes - slot.bytes + bytes;
        slot.bytes = bytes;
    }

    /// Gives up what has been unused for longest until the rest fits, but never what was used last.
    fn shrink(&mut self) {
        while self.bytes > self.cap && self.places.len() > 1 {
            let place = self.unused();
            self.give_up(place);
        }
    }

    fn give_up(&mut self, place: u32) {
        let slot = &mut self.slots[place as usize];
        self.places.remove(&slot.key);
        self.bytes -= slot.bytes;
        slot.bytes = 0;
        (slot.field, slot.stale) = (None, None);
        if self.latest == place {
            self.latest = NONE;
        }
        self.spare.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridGraph;
    use throng_core::{Cell, Grid, Rules};

    #[test]
    fn units_with_one_goal_share_and_memory_is_bounded() {
        let grid = Grid::empty(64, 64).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(Cell::new(x, y)).unwrap().0;
        let mut fields = DistanceFields::new(60_000);
        let goal = FieldKey { goal: id(60, 60), kind: 0 };
        for x in 0..10 {
            let far = fields.with(&graph, goal, id(x, 0), |f| f.distance(&graph, id(x, 0)));
            assert_eq!(far, Some((60 - x) as u32 + 60));
        }
        assert_eq!(fields.len(), 1);
        for x in 0..40 {
            let key = FieldKey { goal: id(x, 63), kind: 0 };
            let far = fields.with(&graph, key, id(x, 0), |f| f.distance(&graph, id(x, 0)));
            assert_eq!(far, Some(63));
            assert!(fields.bytes() <= 60_000 || fields.len() == 1, "{}", fields.bytes());
        }
        assert!(fields.len() < 41);
        let again = fields.with(&graph, goal, id(0, 0), |f| f.distance(&graph, id(0, 0)));
        assert_eq!(again, Some(120));
    }

    /// More fields at once than there is memory for: each must come back to its own goal. Once, a slot was
    /// given up while its field was away, and the next goal that got the slot got that field with it.
    #[test]
    fn fields_that_are_worked_on_together_may_exceed_the_cap() {
        let grid = Grid::empty(64, 64).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(Cell::new(x, y)).unwrap().0;
        let mut fields = DistanceFields::new(9_000);
        for round in 0..4 {
            let goals = (0..20).map(|x| id(x + 10 * round, 63));
            let wanted: Vec<_> = goals.map(|goal| (FieldKey { goal, kind: 0 }, id(0, 0))).collect();
            fields.prepare(&graph, &wanted, &Workers::default());
            assert!(fields.bytes() <= 9_000 || fields.len() == 1, "{}", fields.bytes());
            for &(key, node) in &wanted {
                let (x, far) = (grid.cell(throng_core::CellId(key.goal)).x, |f: &mut TrueDistance| {
                    assert_eq!(f.goal(), key.goal);
                    f.distance(&graph, node)
                });
                assert_eq!(fields.with(&graph, key, node, far), Some(x as u32 + 63));
            }
        }
    }

    #[test]
    fn what_is_given_away_is_no_longer_held() {
        let grid = Grid::empty(16, 16).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let mut fields = DistanceFields::new(1 << 30);
        let key = FieldKey { goal: 40, kind: 0 };
        let far = fields.with(&graph, key, 90, |f| f.distance(&graph, 90));
        let field = fields.withdraw(key).unwrap();
        assert!(fields.is_empty() && fields.bytes() == 0 && fields.withdraw(key).is_none());
        assert_eq!(field.known(90), far);
        fields.deposit(key, field);
        assert_eq!((fields.len(), fields.peek(key).and_then(|f| f.known(90))), (1, far));
    }

    /// Those given up are those unused for longest, whatever was asked in between.
    #[test]
    fn the_least_recently_used_goes_first() {
        let grid = Grid::empty(64, 64).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let mut fields = DistanceFields::new(1 << 30);
        let key = |goal: u32| FieldKey { goal: 100 + goal, kind: 0 };
        for goal in [0, 1, 2, 3, 1, 0, 0, 4, 2] {
            fields.with(&graph, key(goal), 700, |f| f.distance(&graph, 700));
        }
        let left =
            |fields: &DistanceFields| fields.save().iter().map(|s| s.key.goal - 100).collect::<Vec<_>>();
        assert_eq!(left(&fields), [3, 1, 0, 4, 2]);
        for expected in [vec![1, 0, 4, 2], vec![0, 4, 2], vec![4, 2], vec![2], vec![2]] {
            fields.cap = fields.bytes() - 1;
            fields.shrink();
            assert_eq!(left(&fields), expected);
        }
        fields.with(&graph, key(9), 700, |f| f.distance(&graph, 700));
        assert_eq!(left(&fields), [9]);
    }

    #[test]
    fn workers_change_nothing_and_all_of_them_work() {
        let grid = Grid::empty(64, 64).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(Cell::new(x, y)).unwrap().0;
        let wanted: Vec<_> = (0..20).map(|x| (FieldKey { goal: id(x, 63), kind: 0 }, id(63, x))).collect();
        let run = |threads| {
            let workers = Workers::new(threads);
            let mut fields = DistanceFields::new(1 << 30);
            fields.prepare(&graph, &wanted, &workers);
            assert!(workers.done().iter().all(|&n| n > 0), "{:?}", workers.done());
            assert_eq!(workers.threads(), threads);
            (fields.save(), fields.expanded())
        };
        assert_eq!(run(1), run(2));
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn a_loaded_snapshot_knows_what_the_saved_one_knew() {
        let grid = Grid::empty(32, 32).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let mut fields = DistanceFields::new(1 << 30);
        let wanted: Vec<_> = (0..5).map(|k| (FieldKey { goal: 40 + k, kind: 0 }, 500 + k)).collect();
        fields.prepare(&graph, &wanted, &Workers::default());
        let mut loaded = DistanceFields::new(1 << 30);
        loaded.load(|saved| saved.rebuilt(&graph), &fields.save(), &Workers::default());
        assert_eq!(loaded.save(), fields.save());
        assert_eq!(loaded.size(), fields.size());
        assert_eq!(loaded.expanded(), 0);
    }
}
