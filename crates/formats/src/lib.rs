//! Files that Throng reads and writes.
//!
//! | module | what |
//! |---|---|
//! | [`map`] | MovingAI `.map`: the terrain |
//! | [`maps`] | maps of any kind: that one, pictures (PNG), ROS `map_server`, Tiled |
//! | [`scen`] | MovingAI `.scen`: starts and goals on a map |
//! | [`plan`] | plan files: where everybody is at every tick |
//! | [`scenario`] | scenario TOML: world, rules, units and wishes in one file |
//! | [`directions`] | direction maps that were learned |
//! | [`trace`] | binary traces of runs, which can be replayed and seeked |
//! | [`league`] | problems and runs of the League of Robot Runners |
//! | [`space`] | scenario TOML and traces of continuous space |
//!
//! Every reader takes bytes or text and every writer returns them: there is no I/O here, nothing is
//! printed, and no input makes a reader panic or allocate much more than its own length (pictures and layers that are packed
//! grow row by row as they are unpacked, to what a map may have at most). What is wrong with a file is a [`FormatError`] that knows the line (or, in a trace, the byte).

pub mod directions;
mod document;
mod error;
pub mod league;
mod lines;
pub mod map;
pub mod maps;
pub mod plan;
pub mod scen;
pub mod scenario;
pub mod space;
pub mod trace;

pub use document::{line_of, plain};
pub use error::FormatError;
