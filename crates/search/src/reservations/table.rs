//! The table: entries, and the rule by which moves use them.

use super::{NOBODY, Store};
use crate::{Graph, Step};
use core::ops::Range;
use throng_core::{Action, Rules, Tick};

/// How head-to-head moves are forbidden, and what a move holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A move holds its target from its arrival on. Swaps and crossing diagonals are looked for
    /// explicitly; following and rotating are free.
    Swap,
    /// A move holds every node that it covers while it lasts, and where it ends those that the body stands on.
    Hold,
}

impl Rule {
    /// The rule that keeps units apart under these rules, the largest of which has such a body.
    #[must_use]
    pub const fn of(rules: &Rules, largest_body: u8) -> Self {
        if rules.graph_rules() && largest_body == 1 { Self::Swap } else { Self::Hold }
    }

    /// Calls `visit` for the steps of a path, where waiting in one place is one step if that holds the same: claiming
    /// and freeing it at once takes far less time than tick by tick.
    #[inline(always)]
    pub fn each_stretch(self, path: &[Step], mut visit: impl FnMut(&Step)) {
        let mut rest = path;
        // One loop for both rules, so that `visit` is inlined.
        while let Some(first) = rest.first() {
            let mut count = 1;
            if self == Self::Hold && first.action == Action::Wait {
                count += rest[1..].iter().take_while(|step| step.action == Action::Wait).count();
            }
            let (stretch, later) = rest.split_at(count);
            let whole;
            let step = if count == 1 {
                first
            } else {
                whole = Step { duration: stretch.iter().map(|step| step.duration).sum(), ..*first };
                &whole
            };
            visit(step);
            rest = later;
        }
    }
}

/// Entries with their rule. Owners may have ranks: who plans sees only reservations of its own rank and
/// above as obstacles, and may override those below.
#[derive(Clone, Debug)]
pub struct Table<S> {
    rule: Rule,
    /// Ticks per entry.
    grain: Tick,
    /// The entries.
    pub store: S,
    /// By owner; empty while all are equal.
    ranks: Vec<u32>,
    fixed: Vec<Tick>,
}

impl<S: Store> Table<S> {
    /// A table over `store`.
    #[must_use]
    pub const fn new(rule: Rule, store: S) -> Self {
        Self { rule, grain: 1, store, ranks: Vec::new(), fixed: Vec::new() }
    }

    /// The same with entries of so many ticks. Who holds an entry holds all of its ticks, so it needs fewer of them
    /// and others keep farther away. A matter of [`Rule::Hold`] alone: with [`Rule::Swap`] every tick counts.
    #[must_use]
    pub fn coarse(mut self, grain: u32) -> Self {
        if self.rule == Rule::Hold {
            self.grain = Tick::from(grain.max(1));
        }
        self
    }

    /// Ticks per entry.
    #[must_use]
    #[inline]
    pub const fn grain(&self) -> Tick {
        self.grain
    }

    /// The rule in force.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// From now on moves hold all that they cover, in entries of so many ticks. Only before anything is reserved.
    pub fn hold(&mut self, grain: u32) {
        (self.rule, self.grain) = (Rule::Hold, Tick::from(grain.max(1)));
    }

    /// The rank of `owner`; 0 unless it was raised.
    #[must_use]
    #[inline]
    pub fn rank(&self, owner: u32) -> u32 {
        self.ranks.get(owner as usize).copied().unwrap_or(0)
    }

    /// Whether anybody's rank has ever been set.
    #[must_use]
    #[inline]
    pub const fn is_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// Until when what `owner` holds cannot be overridden, whoever wants it: it is there.
    pub fn set_fixed(&mut self, owner: u32, until: Tick) {
        if self.fixed.len() <= owner as usize {
            self.fixed.resize(owner as usize + 1, 0);
        }
        self.fixed[owner as usize] = until;
    }

    /// Sets the rank of `owner`.
    pub fn set_rank(&mut self, owner: u32, rank: u32) {
        if self.ranks.len() <= owner as usize {
            self.ranks.resize(owner as usize + 1, 0);
        }
        self.ranks[owner as usize] = rank;
    }

    /// How a reservation of `holder` bears on `owner`: `None` an obstacle, otherwise 1 if it would be
    /// overridden and 0 if there is none.
    #[inline]
    pub(crate) fn weigh(&self, holder: u32, owner: u32, tick: Tick) -> Option<u32> {
        if holder == NOBODY || holder == owner {
            Some(0)
        } else if self.ranks.is_empty() {
            None
        } else {
            let fixed = self.fixed.get(holder as usize).is_some_and(|&until| tick <= until);
            (!fixed && self.rank(holder) < self.rank(owner)).then_some(1)
        }
    }

    /// Whether `owner` may go from `from` to its neighbour `to` (or stay, if they are equal) from
    /// `tick` on, taking `duration` ticks. If so, whether entries of lower rank are in the way: how many under
    /// [`Rule::Swap`], else 1 for any number, or large bodies would rather wait for ever than push each other.
    #[inline]
    pub fn admits(
        &self,
        graph: &impl Graph,
        owner: u32,
        from: u32,
        to: u32,
        tick: Tick,
        duration: u32,
    ) -> Option<u32> {
        self.admits_past(graph, owner, self.comer(from, tick), (from, to), tick, duration)
    }

    /// Who comes to `node` with a move of one tick that begins at `tick`: the only one that whoever leaves it
    /// then can swap with. Several moves from one node share the answer.
    #[must_use]
    #[inline]
    pub fn comer(&self, node: u32, tick: Tick) -> u32 {
        match self.rule {
            Rule::Swap => self.store.owner(node, tick + 1),
            Rule::Hold => NOBODY,
        }
    }

    /// [`Self::admits`] where [`Self::comer`] is known. Mostly nobody is near, and that is seen at a glance.
    #[inline(always)]
    pub fn admits_past(
        &self,
        graph: &impl Graph,
        owner: u32,
        comer: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) -> Option<u32> {
        let alone = comer == NOBODY
            && self.rule == Rule::Swap
            && self.store.is_free(graph.place(to), tick + Tick::from(duration))
            && graph.crossing(from, to).is_none();
        if alone { Some(0) } else { self.admits_among(graph, owner, comer, (from, to), tick, duration) }
    }

    /// [`Self::admits_past`] where somebody may be near.
    fn admits_among(
        &self,
        graph: &impl Graph,
        owner: u32,
        comer: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) -> Option<u32> {
        let arrival = tick + Tick::from(duration);
        match self.rule {
            Rule::Swap => {
                let mut weight = self.weigh(self.store.owner(to, arrival), owner, arrival)?;
                if from != to {
                    if comer != NOBODY && self.store.owner(to, tick) == comer {
                        weight += self.weigh(comer, owner, arrival)?;
                    }
                    if let Some((a, b)) = graph.crossing(from, to) {
                        weight += self.weigh(self.swapper(a, b, tick, arrival), owner, arrival)?;
                        weight += self.weigh(self.swapper(b, a, tick, arrival), owner, arrival)?;
                    }
                }
                Some(weight)
            }
            Rule::Hold => {
                let (entries, end) = (entries(self.grain, tick..arrival), entry(self.grain, arrival));
                // Mostly nobody is near at all.
                let clear = |node| self.store.is_free_throughout(node, entries.start..end + 1);
                if graph.covers_only(from, to, clear) {
                    return Some(0);
                }
                let mut total = 0;
                let mut add = |node, entry| match self.weigh_entry(node, entry, owner) {
                    Some(weight) => {
                        total = total.max(weight);
                        true
                    }
                    None => false,
                };
                let admitted = graph.covers_only(to, to, |node| add(node, end))
                    && graph.covers_only(from, to, |node| {
                        self.store.is_free_throughout(node, entries.clone())
                            || entries.clone().all(|entry| add(node, entry))
                    });
                admitted.then_some(total)
            }
        }
    }

    /// [`Self::weigh`] for whoever holds an entry. As a whole it is as old as its first tick.
    #[inline]
    fn weigh_entry(&self, node: u32, entry: Tick, owner: u32) -> Option<u32> {
        self.weigh(self.store.owner(node, entry), owner, entry * self.grain)
    }

    /// Who goes from `to` to `from` between the two ticks.
    #[inline]
    fn swapper(&self, from: u32, to: u32, tick: Tick, arrival: Tick) -> u32 {
        // Hardly ever does anybody come here, so that is asked first.
        let comer = self.store.owner(from, arrival);
        if comer != NOBODY && self.store.owner(to, tick) == comer { comer } else { NOBODY }
    }

    /// Calls `found` for every other owner whose reservations such a move runs into.
    pub fn rivals(
        &self,
        graph: &impl Graph,
        owner: u32,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
        mut found: impl FnMut(u32),
    ) {
        let arrival = tick + Tick::from(duration);
        let mut report = |holder| {
            if holder != NOBODY && holder != owner {
                found(holder);
            }
        };
        match self.rule {
            Rule::Swap if from == to => report(self.store.owner(to, arrival)),
            Rule::Swap => {
                report(self.store.owner(to, arrival));
                report(self.swapper(from, to, tick, arrival));
                if let Some((a, b)) = graph.crossing(from, to) {
                    report(self.swapper(a, b, tick, arrival));
                    report(self.swapper(b, a, tick, arrival));
                }
            }
            Rule::Hold => {
                let (end, entries) = (entry(self.grain, arrival), entries(self.grain, tick..arrival));
                graph.covered(to, to, |node| report(self.store.owner(node, end)));
                graph.covered(from, to, |node| {
                    entries.clone().for_each(|entry| report(self.store.owner(node, entry)));
                });
            }
        }
    }

    /// Reserves such a move. `taken` hears of every other owner that loses an entry by it.
    #[inline]
    pub fn reserve(
        &mut self,
        graph: &impl Graph,
        owner: u32,
        ends: (u32, u32),
        tick: Tick,
        duration: u32,
        mut taken: impl FnMut(u32),
    ) {
        let mut lost = |before| {
            if before != owner && before != NOBODY {
                taken(before);
            }
        };
        match self.rule {
            // Only what is held from the arrival on; where a path starts is claimed by whoever reserves it.
            Rule::Swap => lost(self.store.claim(ends.1, tick + Tick::from(duration), owner)),
            Rule::Hold => Holds::of(self.grain, ends, tick, duration).each_run(graph, |node, entries| {
                self.store.claim_throughout(node, entries, owner, &mut lost);
            }),
        }
    }

    /// Calls `visit` for every entry that such a move holds.
    pub fn entries(
        &self,
        graph: &impl Graph,
        ends: (u32, u32),
        tick: Tick,
        duration: u32,
        mut visit: impl FnMut(u32, Tick),
    ) {
        match self.rule {
            Rule::Swap => visit(ends.1, tick + Tick::from(duration)),
            Rule::Hold => Holds::of(self.grain, ends, tick, duration).each(graph, visit),
        }
    }

    /// The entry that a tick belongs to.
    #[must_use]
    pub const fn entry(&self, tick: Tick) -> Tick {
        entry(self.grain, tick)
    }

    /// Frees what [`Self::reserve`] gave to `owner`.
    #[inline]
    pub fn release(&mut self, graph: &impl Graph, owner: u32, ends: (u32, u32), tick: Tick, duration: u32) {
        match self.rule {
            Rule::Swap => self.store.release(ends.1, tick + Tick::from(duration), owner),
            Rule::Hold => Holds::of(self.grain, ends, tick, duration)
                .each_run(graph, |node, entries| self.store.release_throughout(node, entries, owner)),
        }
    }

    /// Gives `node` at `tick` to `owner` and answers who held it before: where a path begins.
    #[inline]
    pub fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        self.store.claim(node, entry(self.grain, tick), owner)
    }

    /// Frees what [`Self::reserve`] gave to `owner` for `gone`, but for what it holds for `kept` as well: a coarse
    /// entry may serve several steps of a path. With `ends` also where steps end, from their arrival on.
    pub fn release_but(&mut self, graph: &impl Graph, owner: u32, gone: &[Step], kept: &[Step], ends: bool) {
        for step in gone {
            let holds = Holds::of_step(self.grain, step);
            holds.each(graph, |node, entry| {
                let meant = ends || holds.meanwhile.contains(&entry);
                let needed = |other: &Step| Holds::of_step(self.grain, other).has(graph, node, entry);
                if meant && !kept.iter().any(needed) {
                    self.store.release(node, entry, owner);
                }
            });
        }
    }
}

/// The entry of so many ticks that a tick belongs to.
#[inline]
const fn entry(grain: Tick, tick: Tick) -> Tick {
    if grain == 1 { tick } else { tick / grain }
}

/// The entries that some ticks belong to.
#[inline]
const fn entries(grain: Tick, ticks: Range<Tick>) -> Range<Tick> {
    entry(grain, ticks.start)..entry(grain, ticks.end - 1) + 1
}

/// The entries that a move holds by [`Rule::Hold`].
struct Holds {
    ends: (u32, u32),
    /// While it lasts.
    meanwhile: Range<Tick>,
    /// From its arrival on.
    end: Tick,
}

impl Holds {
    #[inline]
    const fn of(grain: Tick, ends: (u32, u32), tick: Tick, duration: u32) -> Self {
        let arrival = tick + duration as Tick;
        Self { ends, meanwhile: entries(grain, tick..arrival), end: entry(grain, arrival) }
    }

    const fn of_step(grain: Tick, step: &Step) -> Self {
        Self::of(grain, (step.from, step.to), step.tick, step.duration)
    }

    /// Calls `visit` for every one of them.
    #[inline]
    fn each(&self, graph: &impl Graph, mut visit: impl FnMut(u32, Tick)) {
        self.each_run(graph, |node, entries| entries.for_each(|entry| visit(node, entry)));
    }

    /// The same in runs, which stores take at once.
    #[inline]
    fn each_run(&self, graph: &impl Graph, mut visit: impl FnMut(u32, Range<Tick>)) {
        let (from, to) = self.ends;
        graph.covered(to, to, |node| visit(node, self.end..self.end + 1));
        graph.covered(from, to, |node| visit(node, self.meanwhile.clone()));
    }

    /// Whether an entry is one of them.
    fn has(&self, graph: &impl Graph, node: u32, entry: Tick) -> bool {
        let mut found = false;
        if entry == self.end || self.meanwhile.contains(&entry) {
            self.each(graph, |n, e| found |= n == node && e == entry);
        }
        found
    }
}

#[cfg(test)]
mod tests;
