//! How errands were done: how many, how fast, and how fairly.

use throng_core::{Event, State, Tick};

/// Times up to this are counted exactly.
const EXACT: Tick = 256;

/// How often each time came up. It takes the same memory however long a run is: what is longer than `EXACT` is counted to
/// the 128th part.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    counts: Vec<u64>,
    number: u64,
    sum: u128,
    max: Tick,
}

impl Spread {
    /// Counts a time.
    pub fn add(&mut self, time: Tick) {
        let slot = slot(time);
        if self.counts.len() <= slot {
            self.counts.resize(slot + 1, 0);
        }
        self.counts[slot] += 1;
        self.number += 1;
        self.sum += u128::from(time);
        self.max = self.max.max(time);
    }

    /// How many times were counted.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// On average; nothing if none were counted.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.number > 0).then(|| self.sum as f64 / self.number as f64)
    }

    /// The longest.
    #[must_use]
    pub fn max(&self) -> Option<Tick> {
        (self.number > 0).then_some(self.max)
    }

    /// The shortest that at least `percent` of 100 do not exceed.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> Option<Tick> {
        let mut left = (u128::from(self.number) * u128::from(percent)).div_ceil(100);
        for (slot, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            left = left.saturating_sub(u128::from(count));
            if left == 0 {
                return Some(longest(slot).min(self.max));
            }
        }
        None
    }
}

/// Where a time is counted: the first [`EXACT`] have one slot each, and each doubling has half as many from then on.
const fn slot(time: Tick) -> usize {
    if time < EXACT {
        return time as usize;
    }
    let doublings = time.ilog2() - EXACT.ilog2();
    let half = (EXACT / 2) as usize;
    EXACT as usize + doublings as usize * half + (time >> (doublings + 1)) as usize - half
}

/// The longest time that is counted in a slot.
const fn longest(slot: usize) -> Tick {
    if slot < EXACT as usize {
        return slot as Tick;
    }
    let half = EXACT / 2;
    let above = slot as Tick - EXACT;
    let (doublings, place) = (above / half, above % half + half);
    // The last doubling ends where numbers do.
    ((place as u128 + 1) << (doublings + 1)).saturating_sub(1) as Tick
}

/// How errands were done.
#[derive(Clone, Debug, Default)]
pub struct Service {
    from: Tick,
    now: Tick,
    appeared: u64,
    done: u64,
    refused: u64,
    open: u64,
    times: Spread,
    waits: Spread,
    /// How long the one has waited that nobody does for longest, as of now.
    oldest: Tick,
}

impl Service {
    pub(crate) fn begin(&mut self, state: &State) {
        (self.from, self.now) = (state.tick, state.tick);
        self.open = state.errands.open() as u64;
    }

    pub(crate) fn event(&mut self, tick: Tick, event: &Event) {
        match *event {
            Event::Appeared { .. } => {
                self.appeared += 1;
                self.open += 1;
            }
            Event::Assigned { since, .. } => self.waits.add(tick.saturating_sub(since)),
            // It is done when the tick is over.
            Event::Done { since, .. } => {
                self.done += 1;
                self.open = self.open.saturating_sub(1);
                self.times.add((tick + 1).saturating_sub(since));
            }
            Event::Refused { .. } => {
                self.refused += 1;
                self.open = self.open.saturating_sub(1);
            }
            _ => {}
        }
    }

    pub(crate) fn tick(&mut self, state: &State) {
        self.now = state.tick;
        self.oldest = state.errands.waiting().next().map_or(0, |job| state.tick.saturating_sub(job.since));
    }

    /// Whether there were any.
    #[must_use]
    pub const fn is_used(&self) -> bool {
        self.appeared > 0 || self.open > 0
    }

    /// How many appeared.
    #[must_use]
    pub const fn appeared(&self) -> u64 {
        self.appeared
    }

    /// How many were done.
    #[must_use]
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// How many were refused.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// How many are open.
    #[must_use]
    pub const fn open(&self) -> u64 {
        self.open
    }

    /// Errands done in a tick, on average.
    #[must_use]
    pub fn throughput(&self) -> f64 {
        self.done as f64 / (self.now - self.from).max(1) as f64
    }

    /// Ticks from when an errand appeared to when it was done.
    #[must_use]
    pub const fn times(&self) -> &Spread {
        &self.times
    }

    /// Ticks from when an errand appeared to when somebody set out to do it.
    #[must_use]
    pub const fn waits(&self) -> &Spread {
        &self.waits
    }

    /// The longest that an errand had to wait for somebody to do it, those included for which nobody has come yet.
    #[must_use]
    pub fn worst_wait(&self) -> Tick {
        self.oldest.max(self.waits.max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A slot is as wide as it says, and no time falls between two.
        #[test]
        fn times_are_counted_to_the_128th_part(time in prop_oneof![0..1000u64, 0..Tick::MAX]) {
            let end = longest(slot(time));
            prop_assert!(end >= time && end - time <= time / 128, "{} in {}", time, end);
            prop_assert_eq!(slot(end), slot(time));
            prop_assert!(end == Tick::MAX || slot(end + 1) == slot(end) + 1);
        }

        #[test]
        fn a_percentile_leaves_as_many_out(mut times in prop::collection::vec(0..EXACT, 1..300), percent in 1..=100u64) {
            let mut spread = Spread::default();
            times.iter().for_each(|&time| spread.add(time));
            times.sort_unstable();
            let place = (times.len() * percent as usize).div_ceil(100) - 1;
            prop_assert_eq!(spread.percentile(percent), Some(times[place]));
            prop_assert_eq!(spread.max(), times.last().copied());
        }
    }
}
