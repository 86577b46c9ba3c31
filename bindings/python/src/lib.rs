//! The engine as a module of Python, `throng._throng`; what people import is `throng`, in `bindings/python/python`.
//!
//! Work is done without the interpreter's lock, arrays are handed over and not copied, and what is wrong is an exception with
//! the words of the engine.

mod error;
mod grid;
mod make;
mod solve;
mod units;
mod world;

use pyo3::prelude::*;

/// What `import throng` brings.
#[pymodule]
mod _throng {
    #[pymodule_export]
    use super::error::{Refused, ThrongError};
    #[pymodule_export]
    use super::grid::{distances, read_map, write_map};
    #[pymodule_export]
    use super::solve::{Report, Solution, check, solve};
    #[pymodule_export]
    use super::units::Unit;
    #[pymodule_export]
    use super::world::World;
    #[pymodule_export]
    use super::{builtins, planners};
}

/// All planners with their parameters, as JSON.
#[pyfunction]
fn planners() -> PyResult<String> {
    serde_json::to_string(&throng::catalogue()).map_err(|why| error::wrong(&why))
}

/// Names of the worlds that come with the library.
#[pyfunction]
fn builtins() -> Vec<String> {
    throng::worlds::BUILTINS.iter().map(|(name, _)| (*name).to_owned()).collect()
}
