//! Map generators. Each is a struct of parameters with defaults and ranges; `generate(seed)` makes the map.
//!
//! ```
//! use throng_worlds::generate::{GenerateError, MazeMap, RandomMap};
//!
//! let maze = MazeMap { width: 33, height: 33, corridor: 1 };
//! assert_eq!(maze.generate(1)?, maze.generate(1)?);
//!
//! let error = RandomMap { percent: 120, ..RandomMap::default() }.generate(0).unwrap_err();
//! assert_eq!(error.to_string(), "percent is 120, expected 0 to 99");
//! # Ok::<(), GenerateError>(())
//! ```

mod canvas;
mod cave;
mod crossing;
mod empty;
mod kinds;
mod maze;
mod parameter;
mod random;
mod roads;
mod room;
mod tunnels;
mod warehouse;

pub use cave::CaveMap;
pub use crossing::{CrossingMap, Scene};
pub use empty::EmptyMap;
pub use kinds::{KINDS, Kind};
pub use maze::MazeMap;
pub use parameter::{GenerateError, Parameter};
pub use random::RandomMap;
pub use roads::RoadMap;
pub use room::RoomMap;
pub use tunnels::TunnelMap;
pub use warehouse::WarehouseMap;
