//! The engine for C and whatever calls C. What there is, and what callers promise, stands in `include/throng.h`, which is made
//! from here.
//!
//! Nothing unwinds into the caller: every function runs inside `status::guard`. Worlds and units are numbers and no
//! addresses, so that the only thing which a caller can get wrong without being told are the buffers that it lends; those
//! are touched in `memory` alone.

#![expect(unsafe_code, reason = "a caller in C lends memory and finds functions by their plain names")]
#![expect(
    clippy::missing_safety_doc,
    reason = "what callers promise stands once for all at the top of the header"
)]

mod events;
mod make;
mod memory;
mod status;
mod tick;
mod units;
#[cfg(target_family = "wasm")]
mod web;
mod worlds;

pub use events::{Event, EventKind, throng_world_events};
pub use make::{
    throng_world_builtin, throng_world_free, throng_world_map, throng_world_resume, throng_world_save,
    throng_world_scenario,
};
pub use status::{Status, throng_last_error, throng_version};
pub use tick::{Info, throng_world_info, throng_world_terrain, throng_world_tick};
pub use units::{
    Cell, NewUnit, Task, TaskKind, UnitState, throng_unit_order, throng_unit_place, throng_unit_priority,
    throng_unit_remove, throng_world_add, throng_world_set_open, throng_world_units,
};
#[cfg(target_family = "wasm")]
pub use web::{throng_give_back, throng_lend};
