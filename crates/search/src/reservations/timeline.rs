//! A timeline per node: for reservations without a horizon that are searched interval by interval.

use super::{NOBODY, Store};
use throng_core::Tick;

/// No end: whoever holds a run until then rests there.
pub const FOR_EVER: u32 = u32::MAX;

/// Ticks during which one owner holds a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first tick.
    pub from: u32,
    /// One past the last tick; [`FOR_EVER`] if there is none.
    pub until: u32,
    /// Who holds it.
    pub owner: u32,
}

/// Per node its runs, in order of time and without overlap. A unit that waits is one run, so a timeline is as
/// long as the number of those who come through, not as the time they take.
#[derive(Clone, Debug, Default)]
pub struct Timelines {
    lines: Vec<Vec<Run>>,
}

impl Timelines {
    /// Empty timelines for `nodes` nodes.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { lines: vec![Vec::new(); nodes] }
    }

    /// The runs of `node`.
    #[must_use]
    #[inline]
    pub fn runs(&self, node: u32) -> &[Run] {
        &self.lines[node as usize]
    }

    /// The first tick from which on nobody whom `counts` names has reserved `node`, or `None` if one of
    /// them rests there.
    #[must_use]
    pub fn free_from(&self, node: u32, counts: impl Fn(u32) -> bool) -> Option<Tick> {
        match self.runs(node).iter().rev().find(|run| counts(run.owner)) {
            Some(run) if run.until == FOR_EVER => None,
            Some(run) => Some(Tick::from(run.until)),
            None => Some(0),
        }
    }

    /// Lets `owner` rest at `node` from `tick` on, where nobody else has a reservation then.
    pub fn rest(&mut self, node: u32, tick: Tick, owner: u32) {
        self.claim(node, tick, owner);
        if let Some(last) = self.lines[node as usize].last_mut().filter(|run| run.owner == owner) {
            last.until = FOR_EVER;
        }
    }

    /// Ends the rest of `owner` at `node`, of which `tick` remains reserved.
    pub fn rise(&mut self, node: u32, tick: Tick, owner: u32) {
        let last = self.lines[node as usize].last_mut();
        if let Some(last) = last.filter(|run| run.owner == owner && run.until == FOR_EVER) {
            last.until = tick as u32 + 1;
        }
    }

    /// Every owner of a reservation at `node` at or after `tick`, into `owners` (in order of time).
    pub fn owners_from(&self, node: u32, tick: Tick, owners: &mut Vec<u32>) {
        owners.extend(self.runs(node).iter().filter(|run| Tick::from(run.until) > tick).map(|run| run.owner));
    }
}

/// The place of the first run that ends after `tick`.
#[inline]
pub(crate) fn place(line: &[Run], tick: u32) -> usize {
    // Most nodes have few runs or none.
    if line.len() < 8 {
        line.iter().position(|run| run.until > tick).unwrap_or(line.len())
    } else {
        line.partition_point(|run| run.until <= tick)
    }
}

impl Store for Timelines {
    #[inline]
    fn owner(&self, node: u32, tick: Tick) -> u32 {
        let (line, tick) = (self.runs(node), tick as u32);
        match line.get(place(line, tick)) {
            Some(run) if run.from <= tick => run.owner,
            _ => NOBODY,
        }
    }

    fn claim(&mut self, node: u32, tick: Tick, owner: u32) -> u32 {
        let before = self.owner(node, tick);
        if before == owner {
            return owner;
        }
        if before != NOBODY {
            self.release(node, tick, before);
        }
        let (line, tick) = (&mut self.lines[node as usize], tick as u32);
        let at = place(line, tick);
        let joins = at > 0 && line[at - 1].until == tick && line[at - 1].owner == owner;
        let meets = line.get(at).is_some_and(|next| next.from == tick + 1 && next.owner == owner);
        match (joins, meets) {
            (true, true) => line[at - 1].until = line.remove(at).until,
            (true, false) => line[at - 1].until = tick + 1,
            (false, true) => line[at].from = tick,
            (false, false) => line.insert(at, Run { from: tick, until: tick + 1, owner }),
        }
        before
    }

    fn release(&mut self, node: u32, tick: Tick, owner: u32) {
        let (line, tick) = (&mut self.lines[node as usize], tick as u32);
        let at = place(line, tick);
        let Some(run) = line.get_mut(at).filter(|run| run.owner == owner && run.from <= tick) else { return };
        let Run { from, until, .. } = *run;
        match (from == tick, until == tick + 1) {
            (true, true) => {
                line.remove(at);
            }
            (true, false) => run.from = tick + 1,
            (false, true) => run.until = tick,
            (false, false) => {
                run.until = tick;
                line.insert(at + 1, Run { from: tick + 1, until, owner });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sparse;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the hash: the same owners at every tick, whatever is claimed and released.
        #[test]
        fn it_answers_as_the_hash_does(steps in prop::collection::vec((any::<bool>(), 0u64..12, 0u32..3), 1..80)) {
            let (mut lines, mut hash) = (Timelines::new(1), Sparse::new(1));
            for (claim, tick, owner) in steps {
                if claim {
                    prop_assert_eq!(lines.claim(0, tick, owner), hash.claim(0, tick, owner));
                } else {
                    lines.release(0, tick, owner);
                    hash.release(0, tick, owner);
                }
                for t in 0..14 {
                    prop_assert_eq!(lines.owner(0, t), hash.owner(0, t));
                }
                for pair in lines.runs(0).windows(2) {
                    prop_assert!(pair[0].until <= pair[1].from && pair[0].from < pair[0].until);
                    prop_assert!(pair[0].until < pair[1].from || pair[0].owner != pair[1].owner, "merged");
                }
                let counts = |o: u32| o != 0;
                let taken = |&t: &Tick| hash.owner(0, t) != NOBODY && counts(hash.owner(0, t));
                let free = (0..14).rfind(taken).map_or(0, |last| last + 1);
                prop_assert_eq!(lines.free_from(0, counts), Some(free));
            }
        }
    }

    #[test]
    fn rest_has_no_end_until_it_is_given_up() {
        let mut lines = Timelines::new(1);
        lines.claim(0, 4, 7);
        lines.rest(0, 5, 7);
        assert_eq!(lines.runs(0), [Run { from: 4, until: FOR_EVER, owner: 7 }]);
        assert_eq!(lines.free_from(0, |_| true), None);
        assert_eq!(lines.owner(0, 1 << 20), 7);
        lines.rise(0, 5, 7);
        assert_eq!(lines.free_from(0, |_| true), Some(6));
    }
}
