//! The engine as a whole: planners, executor, sessions and snapshots together, judged by `check`.

mod builtins;
mod changing;
mod congestion;
mod corpus;
mod corridors;
mod crowds;
mod determinism;
mod directions;
mod examples;
mod exchanges;
mod holders;
mod kit;
mod mixed;
mod mixed_corpus;
mod motions;
mod newcomers;
mod orders;
mod random;
mod random_orders;
mod regressions;
mod serde;
mod silver;
mod snapshots;
mod sturtevant;
mod why;
