//! Where everybody wants to go: which steps lead nearer to goals, shared and bounded.

use super::ground::Ground;
use super::lanes::Lanes;
use crate::portions::portion;
use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Budget, Cell, Tick, View};
use throng_search::{Allowance, NOWHERE, Nearness, NearnessPast, OpenCells, Workers};

/// A search as a snapshot stores it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedNearness {
    goal: u32,
    past: NearnessPast,
    used: u64,
}

/// A goal that somebody asked about.
#[derive(Debug)]
struct Slot {
    /// `None` while somebody works on it, or if it was given up.
    nearness: Option<Nearness>,
    bytes: usize,
    /// When it was last asked.
    used: u64,
}

/// Searches from everybody's goal. When they hold more than the cap, those unused for longest are given up; a search given up is
/// begun anew when it is asked for.
#[derive(Debug)]
pub(crate) struct Compass {
    /// By agent.
    goals: Vec<u32>,
    /// By cell: the slot of the search from there, if there is one.
    places: Vec<u32>,
    slots: Vec<Slot>,
    spare: Vec<u32>,
    /// Slots by their last use when this was made, the one unused for longest at the end.
    oldest: Vec<(u64, u32)>,
    bytes: usize,
    cap: usize,
    clock: u64,
    allowance: Allowance,
    /// By agent, if they are led: cells of a way, by number, and the next cell each.
    guides: Vec<Box<[(u32, u32)]>>,
    /// If they keep to lanes.
    lanes: Option<Lanes>,
}

impl Compass {
    /// Nobody has a goal yet; searches take at most about `cap` bytes.
    pub(crate) const fn new(cap: usize) -> Self {
        Self {
            goals: Vec::new(),
            places: Vec::new(),
            slots: Vec::new(),
            spare: Vec::new(),
            oldest: Vec::new(),
            bytes: 0,
            cap,
            clock: 0,
            allowance: Allowance::UNLIMITED,
            guides: Vec::new(),
            lanes: None,
        }
    }

    /// Forgets everything, for a world that is no longer the same.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.cap);
    }

    /// Gives everybody a goal.
    pub(crate) fn aim(&mut self, ground: &Ground, goals: impl IntoIterator<Item = u32>) {
        self.goals.clear();
        self.goals.extend(goals);
        self.places.resize(ground.len(), NOWHERE);
    }

    /// Looks up where those who decide soon stand in the searches from their goals, all of them at once. It changes nothing, but what each
    /// of thousands knows lies somewhere else in memory, and waiting for all of it together takes hardly longer than for one.
    #[inline]
    pub(crate) fn look_up(&self, agents: impl Iterator<Item = (u32, u32)>) {
        let mut known = false;
        for (agent, at) in agents {
            let place = self.goals.get(agent as usize).and_then(|&goal| self.places.get(goal as usize));
            let slot = place.and_then(|&place| self.slots.get(place as usize));
            known ^= slot.and_then(|slot| slot.nearness.as_ref()).is_some_and(|nearness| nearness.knows(at));
        }
        core::hint::black_box(known);
    }

    /// A step begins: what it asks about is not given up before it ends.
    pub(crate) const fn begin(&mut self) {
        self.clock = self.clock.saturating_add(1);
    }

    pub(crate) fn goal(&self, agent: u32) -> u32 {
        self.goals[agent as usize]
    }

    /// Whether an agent that is here wants to stay.
    #[inline]
    pub(crate) fn rests(&self, agent: u32, at: u32) -> bool {
        self.goals[agent as usize] == at && self.led(agent, at).is_none()
    }

    /// Expansions of all searches, those given up included.
    pub(crate) const fn expanded(&self) -> u64 {
        self.allowance.spent
    }

    /// Counts expansions of whoever found out distances beside these searches.
    pub(super) const fn count(&mut self, expanded: u64) {
        self.allowance.spent += expanded;
    }

    /// Bytes held.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// From now on searches take at most about `cap` bytes.
    pub(crate) fn keep_within(&mut self, cap: usize) {
        self.cap = cap;
        self.shrink();
    }

    /// How many expansions all searches together may do from now on, [`Self::prepare`] aside.
    pub(crate) const fn allow(&mut self, room: u64) {
        self.allowance.room = room;
    }

    /// Searches from these goals to the places beside them, on all threads at once. Answers how far those are whose goals nobody asked about
    /// before; `None` if the budget ended first.
    pub(crate) fn prepare(
        &mut self,
        ground: &Ground,
        wanted: &[(u32, u32)],
        budget: &dyn Budget,
        workers: &Workers,
    ) -> Option<Vec<Option<u32>>> {
        let mut work = Vec::with_capacity(wanted.len());
        let mut far = vec![None; wanted.len()];
        for (index, &(goal, from)) in wanted.iter().enumerate() {
            if goal != NOWHERE && from != NOWHERE && self.places[goal as usize] == NOWHERE {
                let place = self.slot(goal);
                work.push((index, place, goal, from, None));
            }
        }
        let before = self.expanded();
        for work in work.chunks_mut(portion(ground.len())) {
            let spent = self.expanded() - before;
            if budget.should_stop(spent) || spent >= budget.limit() {
                return None;
            }
            workers.for_each(work, |(.., goal, from, nearness)| {
                let mut search = Nearness::new(&ground.cells, *goal, *from);
                search.reach(&ground.cells, *from, &mut Allowance::UNLIMITED.clone());
                *nearness = Some(search);
            });
            for (index, place, _, _, nearness) in work {
                let Some(nearness) = nearness.take() else { continue };
                self.allowance.spent += nearness.expanded();
                far[*index] = nearness.far();
                self.put(*place, nearness);
            }
            // Not even at first is more kept than there is room for.
            self.begin();
            self.shrink();
        }
        Some(far)
    }

    /// From a cell on, the next one nearer to a goal each, as far as that is known.
    pub(crate) fn descent(&self, ground: &Ground, goal: u32, from: u32) -> impl Iterator<Item = u32> {
        let place = self.places.get(goal as usize).copied().unwrap_or(NOWHERE);
        let nearness = self.slots.get(place as usize).and_then(|slot| slot.nearness.as_ref());
        core::iter::successors(Some(from), move |&at| {
            let nearness = nearness.filter(|nearness| at != goal && nearness.knows(at))?;
            ground.beside(at).find(|&cell| nearness.knows(cell) && nearness.compare(at, cell) > 0)
        })
    }

    /// Where a unit gets, and when, if nobody is in its way.
    pub(crate) fn ahead(&self, ground: &Ground, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let unit = view.unit(agent);
        let [at, goal] = [unit.at, view.target(agent)].map(|id| ground.number(id));
        let way = self.descent(ground, goal, at);
        (unit.until.max(view.tick())..).zip(way).map(|(tick, cell)| (tick, ground.place(cell))).collect()
    }

    /// Leads everybody along these ways: whoever is on its own prefers to go on along it. Where a way comes through a cell more
    /// than once the last time counts, so that nobody is led in a circle.
    pub(crate) fn lead(&mut self, ways: impl Iterator<Item = Vec<u32>>) {
        let guide = |way: Vec<u32>| {
            let mut cells: Vec<(u32, u32)> = Vec::with_capacity(way.len());
            cells.extend(
                way.windows(2).rev().filter(|step| step[0] != step[1]).map(|step| (step[0], step[1])),
            );
            // The last time comes first, and stays.
            cells.sort_by_key(|&(cell, _)| cell);
            cells.dedup_by_key(|&mut (cell, _)| cell);
            cells.into_boxed_slice()
        };
        self.guides = ways.map(guide).collect();
    }

    /// Where an agent is led from a cell, if it is.
    #[inline]
    pub(crate) fn led(&self, agent: u32, at: u32) -> Option<u32> {
        let guide = self.guides.get(agent as usize)?;
        let place = guide.binary_search_by_key(&at, |&(cell, _)| cell).ok()?;
        Some(guide[place].1)
    }

    /// From now on everybody keeps to these lanes, or to none.
    pub(crate) fn keep_to(&mut self, lanes: Option<Lanes>) {
        self.lanes = lanes;
    }

    /// Lanes that are to be laid anew.
    pub(super) const fn take_lanes(&mut self) -> Option<Lanes> {
        self.lanes.take()
    }

    /// The lanes that everybody keeps to.
    #[inline]
    pub(super) const fn lanes(&self) -> Option<&Lanes> {
        self.lanes.as_ref()
    }

    pub(crate) fn save(&self) -> Vec<SavedNearness> {
        let saved = |slot: &Slot| {
            let nearness = slot.nearness.as_ref()?;
            Some(SavedNearness { goal: nearness.goal(), past: nearness.past(), used: slot.used })
        };
        let mut saved: Vec<_> = self.slots.iter().filter_map(saved).collect();
        saved.sort_unstable_by_key(|saved| (saved.used, saved.goal));
        saved
    }

    /// Takes up what [`Self::save`] gave, as far as it is about this map.
    pub(crate) fn load(&mut self, ground: &Ground, saved: &[SavedNearness], workers: &Workers) {
        self.places.resize(ground.len(), NOWHERE);
        let on_map = |cell: u32| ground.cells.is_cell(cell);
        let saved = saved.iter().filter(|saved| on_map(saved.goal) && on_map(saved.past.origin));
        let mut work: Vec<_> = saved.map(|saved| (*saved, None)).collect();
        workers.for_each(&mut work, |(saved, nearness)| {
            *nearness = Some(Nearness::replay(&ground.cells, saved.goal, &saved.past));
        });
        for (saved, nearness) in work {
            let Some(nearness) = nearness else { continue };
            if self.places[saved.goal as usize] == NOWHERE {
                let place = self.slot(saved.goal);
                self.put(place, nearness);
                self.slots[place as usize].used = saved.used;
                self.clock = self.clock.max(saved.used);
            }
        }
    }

    /// What each step to a cell beside `at` gains an agent on its way to its goal: 1, 0 or −1. Where no way leads or the budget
    /// does not reach, the straight line must do.
    #[inline]
    pub(crate) fn fan(&mut self, ground: &Ground, agent: u32, at: u32, beside: &[u32], gains: &mut [i8]) {
        let goal = self.goals[agent as usize];
        // Without a goal no step is worth taking, and from the goal each leads away.
        if goal == NOWHERE || goal == at {
            return gains.fill(-1);
        }
        self.with(ground, goal, at, |cells, nearness, allowance| {
            let known = nearness.reach(cells, at, allowance);
            // Who knows of no way stays where it is, unless somebody needs its place.
            let lost = !known && allowance.room > 0;
            for (gain, &cell) in gains.iter_mut().zip(beside) {
                let true_gain = if known { nearness.gain(cells, at, cell, allowance) } else { None };
                *gain = true_gain.unwrap_or_else(|| if lost { -1 } else { straight(cells, at, cell, goal) });
            }
        });
    }

    /// What the step from `from` to the cell `to` beside it gains an agent.
    #[inline]
    pub(crate) fn gain(&mut self, ground: &Ground, agent: u32, from: u32, to: u32) -> i8 {
        let mut gain = [0];
        self.fan(ground, agent, from, &[to], &mut gain);
        gain[0]
    }

    #[inline]
    fn with(
        &mut self,
        ground: &Ground,
        goal: u32,
        from: u32,
        body: impl FnOnce(&OpenCells, &mut Nearness, &mut Allowance),
    ) {
        let mut place = self.places[goal as usize];
        if place == NOWHERE {
            place = self.slot(goal);
        }
        let slot = &mut self.slots[place as usize];
        slot.used = self.clock;
        let nearness = slot.nearness.get_or_insert_with(|| Nearness::new(&ground.cells, goal, from));
        let before = self.allowance.spent;
        body(&ground.cells, nearness, &mut self.allowance);
        if self.allowance.spent != before || slot.bytes == 0 {
            self.weigh(place);
            self.shrink();
        }
    }

    /// A slot for the search from a goal.
    #[cold]
    fn slot(&mut self, goal: u32) -> u32 {
        let place = self.spare.pop().unwrap_or(self.slots.len() as u32);
        if place as usize == self.slots.len() {
            self.slots.push(Slot { nearness: None, bytes: 0, used: 0 });
        }
        self.places[goal as usize] = place;
        self.slots[place as usize].used = self.clock;
        place
    }

    fn put(&mut self, place: u32, nearness: Nearness) {
        self.slots[place as usize].nearness = Some(nearness);
        self.weigh(place);
    }

    /// Brings the count of bytes up to date.
    fn weigh(&mut self, place: u32) {
        let slot = &mut self.slots[place as usize];
        let bytes = slot.nearness.as_ref().map_or(0, Nearness::bytes);
        self.bytes = self.bytes - slot.bytes + bytes;
        slot.bytes = bytes;
    }

    /// Gives up what has been unused for longest until the rest fits, but never what is being used.
    fn shrink(&mut self) {
        while self.bytes > self.cap {
            let Some((used, place)) = self.oldest.pop() else {
                let slots = (0..).zip(&self.slots).filter(|(_, slot)| slot.used < self.clock);
                let slots = slots
                    .filter_map(|(place, slot)| Some((slot.used, slot.nearness.as_ref()?.goal(), place)));
                let mut oldest: Vec<(u64, u32, u32)> = slots.collect();
                if oldest.is_empty() {
                    return;
                }
                oldest.sort_unstable_by(|a, b| b.cmp(a));
                self.oldest.extend(oldest.into_iter().map(|(used, _, place)| (used, place)));
                continue;
            };
            let slot = &mut self.slots[place as usize];
            if slot.used != used {
                continue;
            }
            if let Some(nearness) = slot.nearness.take() {
                self.bytes -= slot.bytes;
                slot.bytes = 0;
                self.places[nearness.goal() as usize] = NOWHERE;
                self.spare.push(place);
            }
        }
    }
}

/// What a step gains if there were no walls.
fn straight(cells: &OpenCells, from: u32, to: u32, goal: u32) -> i8 {
    let far = |cell: u32| cells.estimate(cells.place(cell), cells.place(goal)) as i32;
    (far(from) - far(to)) as i8
}
