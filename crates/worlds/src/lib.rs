//! Worlds to try planners on: map generators, random units, and the built-in scenarios.
//!
//! Everything here is drawn by hand or made from a seed by integer arithmetic alone, so the same
//! parameters and the same seed give the same world on every platform.
//!
//! ```
//! use throng_core::{Rules, Scenario};
//! use throng_worlds::{UnitOptions, builtin, generate::RoomMap, units};
//!
//! // A generated world …
//! let grid = RoomMap::default().generate(7)?;
//! let agents = units(&grid, Rules::default(), 50, 7, &UnitOptions::default())?;
//! let scenario = Scenario::new("rooms", grid, Rules::default(), agents)?;
//! assert_eq!(scenario.agents().len(), 50);
//!
//! // … and one that comes with the library.
//! let bridge = builtin("bridge", 0)?;
//! assert_eq!(bridge.scenario.agents().len(), 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builtin;
mod dice;
pub mod generate;
mod units;

pub use builtin::{BUILTINS, UnknownBuiltin, builtin};
pub use units::{UnitOptions, UnitsError, units};
