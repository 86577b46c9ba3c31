//! Wall clocks, which exist in applications only.

use std::time::{Duration, Instant};
use throng_lab::Deadline;

/// Runs from the moment the program begins to work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since the start, to the microsecond.
    pub(crate) fn ms(&self) -> f64 {
        self.0.elapsed().as_micros() as f64 / 1000.0
    }

    /// A budget that ends `limit` after the start.
    pub(crate) fn deadline(&self, limit: Duration) -> Deadline {
        Deadline::new(self.0, limit)
    }
}

/// The most memory that this process has used so far, in KiB, where the system tells.
pub(crate) fn peak_rss_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}
