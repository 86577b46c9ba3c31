//! What is wrong, as exceptions with the words of the engine.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;
use throng::OrderError;

create_exception!(throng, ThrongError, PyValueError, "A map, a scenario, a planner or a number is wrong.");
create_exception!(throng, Refused, ThrongError, "The world does not allow what was asked; it is as it was.");

/// Something that was handed in is wrong.
pub(crate) fn wrong(why: &dyn Display) -> PyErr {
    ThrongError::new_err(why.to_string())
}

/// An order was refused.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn refused(why: OrderError) -> PyErr {
    Refused::new_err(why.to_string())
}
