//! A budget by the clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use throng::core::Budget;

/// The clock is not looked at again before so much more work was done: looking at it takes as long as a step of a unit does.
const OFTEN: u64 = 32;

/// Stops when its time has come, however much work was done.
#[derive(Debug)]
pub struct Deadline {
    end: Option<Instant>,
    /// How much work had been done when the clock was looked at last.
    asked: AtomicU64,
}

impl Deadline {
    /// Ends `limit` after `start`. A limit beyond what the clock can tell is none.
    #[must_use]
    pub fn new(start: Instant, limit: Duration) -> Self {
        Self { end: start.checked_add(limit), asked: AtomicU64::new(0) }
    }
}

impl Budget for Deadline {
    fn should_stop(&self, spent: u64) -> bool {
        let Some(end) = self.end else { return false };
        // Who has done nothing since may be somebody else, or wait.
        let more = spent.wrapping_sub(self.asked.load(Ordering::Relaxed));
        if (1..OFTEN).contains(&more) {
            return false;
        }
        self.asked.store(spent, Ordering::Relaxed);
        Instant::now() >= end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_often_enough() {
        let past = Deadline::new(Instant::now(), Duration::ZERO);
        assert!(past.should_stop(0) && past.should_stop(0) && past.should_stop(1000));
        assert!((1001..=1000 + OFTEN).any(|spent| past.should_stop(spent)));
        let never = Deadline::new(Instant::now(), Duration::MAX);
        assert!((0..100).all(|spent| !never.should_stop(spent)));
    }
}
