//! The engine as a whole: planners, executor, sessions and snapshots together, judged by `check`.

mod builtins;
mod determinism;
mod kit;
mod random;
mod silver;
mod snapshots;
