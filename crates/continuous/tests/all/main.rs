//! Worlds in continuous space, judged at every step.

mod budgets;
mod calm;
mod closing;
mod corridors;
mod crowds;
mod determinism;
mod doors;
mod exploring;
mod kit;
mod orders;
mod parked;
mod refusals;
mod rooms;
mod scenes;
mod strangers;
mod walls;
