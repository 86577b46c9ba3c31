//! How far a long run is, for people who watch it in a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, once it has been worth it.
#[derive(Debug)]
pub(crate) struct Progress {
    length: u64,
    begin: Instant,
    bar: Option<ProgressBar>,
    watched: bool,
}

impl Progress {
    /// Of `length` ticks at most.
    pub(crate) fn new(length: u64) -> Self {
        Self { length, begin: Instant::now(), bar: None, watched: std::io::stderr().is_terminal() }
    }

    /// `done` ticks are over; `message` says how it stands.
    pub(crate) fn at(&mut self, done: u64, message: impl Fn() -> String) {
        if !self.watched || self.begin.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(self.length), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {msg}, {eta} left at most");
            style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style))
        });
        // Most ticks are shorter than anybody can see.
        if done.is_multiple_of(16) {
            bar.set_message(message());
            bar.set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
