//! Generators, random units and built-in scenarios, judged by a search that shares no code with them.

mod builtins;
mod generators;
mod reach;
mod units;
