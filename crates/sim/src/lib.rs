//! The simulation: what becomes of the moves that controllers ask for.
//!
//! The [`Executor`] carries out the moves of one tick, all at once, and cancels those that would
//! collide. It trusts nobody: a planner that is wrong costs its units time, never a collision.
//! What units know of the world where they have to see it first is their [`Knowledge`]. [`Metrics`] with [`Service`], [`Recorder`] and [`Flow`] are observers of what happens.

mod executor;
mod flow;
mod knowledge;
mod metrics;
mod recorder;
mod service;

pub use executor::Executor;
pub use flow::Flow;
pub use knowledge::{Explored, Knowledge, Memory};
pub use metrics::{AgentMetrics, LegMetrics, Metrics};
pub use recorder::Recorder;
pub use service::{Service, Spread};
