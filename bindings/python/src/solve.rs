//! One-shot problems: plans as arrays, and what the judge says of them.

use crate::error::wrong;
use crate::{grid, make};
use numpy::ndarray::Array3;
use numpy::{
    IntoPyArray, PyArray3, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use throng::check::check_positions;
use throng::core::{Agent, Budget, Cell, Expansions, Outcome, Scenario, Task, Unlimited, Unobserved};
use throng::formats::plan::PlanFile;

/// The answer to a one-shot problem.
#[pyclass(frozen, get_all, module = "throng")]
pub(crate) struct Solution {
    /// `solved`, `partial`, `infeasible` or `out-of-budget`.
    outcome: &'static str,
    /// Whether everybody gets there, as the judge found.
    solved: bool,
    /// Why not.
    why: Option<String>,
    /// By tick, agent, and x and y.
    plan: Option<Py<PyArray3<i32>>>,
    /// Sum of costs and the last arrival.
    soc: Option<u64>,
    makespan: Option<u64>,
    /// What no plan can beat.
    soc_lb: Option<u64>,
    makespan_lb: Option<u64>,
    expanded: u64,
}

/// What the judge says of a plan.
#[pyclass(frozen, get_all, module = "throng")]
pub(crate) struct Report {
    valid: bool,
    /// The first that are wrong, in words.
    violations: Vec<String>,
    /// How many are wrong in all.
    total: u64,
    collisions: u64,
    finished: usize,
    soc: u64,
    makespan: u64,
}

/// Cells of an array with a row for each agent.
fn cells(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Vec<Cell>> {
    let wrong_array = || {
        let found = match array.cast::<PyUntypedArray>() {
            Ok(array) => format!("an array of {} with shape {:?}", array.dtype(), array.shape()),
            Err(_) => array.get_type().to_string(),
        };
        PyTypeError::new_err(format!("{name} is {found}: expected whole numbers with shape (agents, 2)"))
    };
    let narrow =
        |number: i64| i32::try_from(number).map_err(|_| wrong(&format!("{name}: {number} is no cell")));
    if let Ok(pairs) = array.extract::<Vec<(i32, i32)>>() {
        return Ok(pairs.into_iter().map(|(x, y)| Cell::new(x, y)).collect());
    }
    if let Ok(rows) = array.extract::<PyReadonlyArray2<'_, i32>>() {
        let rows = rows.as_array();
        return (rows.ncols() == 2)
            .then(|| rows.rows().into_iter().map(|row| Cell::new(row[0], row[1])).collect())
            .ok_or_else(wrong_array);
    }
    let rows = array.extract::<PyReadonlyArray2<'_, i64>>().map_err(|_| wrong_array())?;
    let rows = rows.as_array();
    if rows.ncols() != 2 {
        return Err(wrong_array());
    }
    rows.rows().into_iter().map(|row| Ok(Cell::new(narrow(row[0])?, narrow(row[1])?))).collect()
}

fn problem(
    map: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
    goals: &Bound<'_, PyAny>,
    moves: u8,
) -> PyResult<Scenario> {
    let (starts, goals) = (cells("starts", starts)?, cells("goals", goals)?);
    if starts.len() != goals.len() {
        let message = format!("{} starts and {} goals: expected as many", starts.len(), goals.len());
        return Err(wrong(&message));
    }
    let pairs = starts.into_iter().zip(goals).enumerate();
    let agents = pairs.map(|(id, (start, goal))| Agent::new(id as u32, start, Task::Goal(goal))).collect();
    let made = Scenario::new("", grid::of_array(map)?, grid::rules(moves)?, agents);
    made.map_err(|why| wrong(&why))
}

/// Solves a one-shot problem: everybody rests at its goal at the same time.
#[pyfunction]
#[pyo3(signature = (map, starts, goals, planner = "lacam", moves = 4, seed = 0, budget = None, threads = 1))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn solve(
    py: Python<'_>,
    map: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
    goals: &Bound<'_, PyAny>,
    planner: &str,
    moves: u8,
    seed: u64,
    budget: Option<u64>,
    threads: usize,
) -> PyResult<Solution> {
    let scenario = problem(map, starts, goals, moves)?;
    let options = make::options(Some(planner.to_owned()), seed, threads)?;
    let (solution, steps) = py.detach(|| {
        let limit: Box<dyn Budget> = match budget {
            Some(expansions) => Box::new(Expansions(expansions)),
            None => Box::new(Unlimited),
        };
        let solution = throng::solve(&scenario, &options, &*limit, &mut Unobserved);
        let solution = solution.map_err(|why| wrong(&why))?;
        let file = solution.plan().map(|plan| PlanFile::from_plan(&scenario, plan, Vec::new()));
        let file = file.transpose().map_err(|why| wrong(&why))?;
        Ok::<_, PyErr>((solution, file.map(|file| file.steps)))
    })?;
    let plan = steps.map(|steps| {
        let (ticks, agents) = (steps.len(), scenario.agents().len());
        let all = steps.into_iter().flatten().flat_map(|cell| [cell.x, cell.y]).collect();
        let array = Array3::from_shape_vec((ticks, agents, 2), all).map_err(|why| wrong(&why))?;
        Ok::<_, PyErr>(array.into_pyarray(py).unbind())
    });
    let (outcome, why) = match &solution.outcome {
        Outcome::Solved(_) => ("solved", None),
        Outcome::Partial { why, .. } => ("partial", Some(why)),
        Outcome::Infeasible { why } => ("infeasible", Some(why)),
        Outcome::OutOfBudget { why, .. } => ("out-of-budget", Some(why)),
    };
    let report = solution.plan().and(solution.report.as_ref());
    Ok(Solution {
        outcome,
        solved: solution.is_solved(),
        why: why.map(ToString::to_string),
        plan: plan.transpose()?,
        soc: report.map(|report| report.soc),
        makespan: report.map(|report| report.makespan),
        soc_lb: solution.bounds.map(|bounds| bounds.soc),
        makespan_lb: solution.bounds.map(|bounds| bounds.makespan),
        expanded: solution.expanded,
    })
}

/// What the judge says of a plan: an array by tick, agent, and x and y.
#[pyfunction]
#[pyo3(signature = (map, starts, goals, plan, moves = 4))]
pub(crate) fn check(
    py: Python<'_>,
    map: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
    goals: &Bound<'_, PyAny>,
    plan: &Bound<'_, PyAny>,
    moves: u8,
) -> PyResult<Report> {
    let scenario = problem(map, starts, goals, moves)?;
    let agents = scenario.agents().len();
    let given = plan.extract::<PyReadonlyArray3<'_, i32>>().ok();
    let given = given.filter(|plan| plan.shape()[1..] == [agents, 2]).ok_or_else(|| {
        let found = match plan.cast::<PyUntypedArray>() {
            Ok(plan) => format!("an array of {} with shape {:?}", plan.dtype(), plan.shape()),
            Err(_) => plan.get_type().to_string(),
        };
        PyTypeError::new_err(format!("the plan is {found}: expected int32 with shape (ticks, {agents}, 2)"))
    })?;
    let given = given.as_array();
    let row = |tick| (0..agents).map(|k| Cell::new(given[[tick, k, 0]], given[[tick, k, 1]])).collect();
    let steps: Vec<Vec<Cell>> = (0..given.dim().0).map(row).collect();
    let report = py.detach(|| check_positions(&scenario, &steps));
    Ok(Report {
        valid: report.is_valid(),
        violations: report.violations.iter().map(ToString::to_string).collect(),
        total: report.total,
        collisions: report.collisions,
        finished: report.finished,
        soc: report.soc,
        makespan: report.makespan,
    })
}
