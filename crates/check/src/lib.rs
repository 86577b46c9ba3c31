//! The independent judge: a plan or a trace and its scenario in, violations out.
//!
//! Nothing is called solved before this crate has seen it. It depends on `throng-core` alone, shares no
//! code with planners or executor, and is obvious on purpose: [`Judge`] replays what everybody does,
//! tick by tick, and holds each tick against the rules as written. Work is linear in agents × ticks
//! (× cells of a body): who is in whose way is read from a board with one slot per cell.
//!
//! - [`check_plan`] and [`check_prefix`] judge a [`Plan`](throng_core::Plan),
//! - [`check_positions`] judges what a plan file holds,
//! - [`check_trace`] judges a [`Trace`](throng_core::Trace), [`check_trace_alone`] one that nobody interfered with,
//! - [`Judge`] watches a running world,
//! - [`space::SpaceJudge`] watches bodies in continuous space.
//!
//! ```
//! use throng_check::check_plan;
//! use throng_core::{Action, Agent, Cell, Dir, Grid, Path, Plan, Rules, Scenario, Task};
//!
//! let (west, east) = (Cell::new(0, 0), Cell::new(1, 0));
//! let agents = vec![Agent::new(0, west, Task::Goal(east)), Agent::new(1, east, Task::Goal(west))];
//! let scenario = Scenario::new("swap", Grid::empty(2, 1)?, Rules::default(), agents)?;
//! let go = |start, dir| Path { start, actions: vec![Action::Go(dir)] };
//! let report = check_plan(&scenario, &Plan { paths: vec![go(west, Dir::E), go(east, Dir::W)] });
//! assert!(!report.is_valid());
//! assert_eq!(report.violations[0].to_string(), "tick 0: agents 0 and 1 swap (0,0) and (1,0)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod conflicts;
mod errands;
mod eyes;
mod input;
mod judge;
mod lateness;
mod manner;
mod mover;
mod report;
pub mod space;
mod step;
mod store;
mod supply;
mod violation;

pub use input::{check_plan, check_positions, check_prefix, check_trace, check_trace_alone};
pub use judge::{Expect, Judge};
pub use report::Report;
pub use step::check_step;
pub use violation::Violation;
