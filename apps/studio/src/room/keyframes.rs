//! Sessions that were saved on the way, so that seeking back need not begin at the beginning.

use std::collections::BTreeMap;
use throng::core::Tick;

/// Ticks from one keyframe to the next, at first.
const EVERY: Tick = 32;

/// Saved sessions by tick, within a bound on their bytes.
#[derive(Debug)]
pub(crate) struct Keyframes {
    saved: BTreeMap<Tick, Vec<u8>>,
    bytes: usize,
    most: usize,
    every: Tick,
}

impl Keyframes {
    /// With the beginning, which is never forgotten.
    pub(crate) fn new(first: Vec<u8>, most: usize) -> Self {
        let bytes = first.len();
        Self { saved: BTreeMap::from([(0, first)]), bytes, most, every: EVERY }
    }

    /// Keeps what `save` gives if this is a tick to keep. Where they become too many, every other one goes.
    pub(crate) fn offer(&mut self, tick: Tick, save: impl FnOnce() -> Vec<u8>) {
        if !tick.is_multiple_of(self.every) || self.saved.contains_key(&tick) {
            return;
        }
        let saved = save();
        self.bytes += saved.len();
        self.saved.insert(tick, saved);
        while self.bytes > self.most && self.saved.len() > 1 {
            self.every *= 2;
            let every = self.every;
            self.saved.retain(|tick, _| tick.is_multiple_of(every));
            self.bytes = self.saved.values().map(Vec::len).sum();
        }
    }

    /// The latest at or before `tick`.
    pub(crate) fn before(&self, tick: Tick) -> (Tick, &[u8]) {
        let latest = self.saved.range(..=tick).next_back();
        latest.map_or((0, &[]), |(&tick, saved)| (tick, saved))
    }

    /// Forgets all after `tick`.
    pub(crate) fn cut(&mut self, tick: Tick) {
        self.saved.retain(|&saved, _| saved <= tick);
        self.bytes = self.saved.values().map(Vec::len).sum();
    }

    /// How many there are.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.saved.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound is kept by forgetting every other one; the beginning stays.
    #[test]
    fn they_get_sparser_where_they_are_too_large() {
        let mut keyframes = Keyframes::new(vec![0; 10], 100);
        for tick in 1..=10_000 {
            keyframes.offer(tick, || vec![1; 10]);
            assert!(keyframes.bytes <= 100);
        }
        assert!(keyframes.len() >= 5, "{}", keyframes.len());
        assert_eq!(keyframes.before(5).0, 0);
        let (tick, saved) = keyframes.before(10_000);
        assert!(tick > 5_000 && saved.len() == 10);
        keyframes.cut(20);
        assert_eq!(keyframes.before(10_000), (0, &[0; 10][..]));
    }
}
