//! A budget by the clock.

use std::time::{Duration, Instant};
use throng::core::Budget;

/// Stops when its time has come, however much work was done.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Ends `limit` after `start`. A limit beyond what the clock can tell is none.
    #[must_use]
    pub fn new(start: Instant, limit: Duration) -> Self {
        Self(start.checked_add(limit))
    }
}

impl Budget for Deadline {
    fn should_stop(&self, _spent: u64) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
