//! Units and what they are to do.

use crate::error::wrong;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use throng::UnitId;
use throng::core::{Cell, Task};

/// A unit of one world. It stays what it is when its place among the others is given to a new one.
#[pyclass(frozen, eq, hash, from_py_object, module = "throng")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    pub(crate) id: UnitId,
    /// Which world it belongs to.
    pub(crate) world: u64,
}

#[pymethods]
impl Unit {
    /// Its place in arrays.
    #[getter]
    const fn index(&self) -> usize {
        self.id.agent.index()
    }

    fn __repr__(&self) -> String {
        format!("Unit({})", self.id.agent)
    }
}

/// What a unit is to do, by keyword: at most one of them.
pub(crate) fn task(
    goal: Option<(i32, i32)>,
    goals: Option<Vec<(i32, i32)>>,
    patrol: Option<(i32, i32)>,
    rounds: Option<u32>,
    explore: bool,
    errands: bool,
) -> PyResult<Task> {
    let cell = |(x, y)| Cell::new(x, y);
    if rounds.is_some() && patrol.is_none() {
        return Err(PyTypeError::new_err("rounds is only for patrol"));
    }
    let rounds = rounds.unwrap_or(Task::DEFAULT_ROUNDS);
    let given = [
        goal.map(|goal| Task::Goal(cell(goal))),
        goals.map(|goals| Task::Goals(goals.into_iter().map(cell).collect())),
        patrol.map(|goal| Task::Patrol { goal: cell(goal), rounds }),
        explore.then_some(Task::Explore),
        errands.then(|| Task::Errands(Vec::new())),
    ];
    let mut given = given.into_iter().flatten();
    let task = given.next().unwrap_or(Task::Hold);
    match given.next() {
        None => Ok(task),
        Some(_) => {
            Err(PyTypeError::new_err("expected at most one of goal, goals, patrol, explore and errands"))
        }
    }
}

/// A number that fits into a byte.
pub(crate) fn byte(name: &str, number: u32) -> PyResult<u8> {
    u8::try_from(number).map_err(|_| wrong(&format!("{name} is {number}: expected at most 255")))
}
