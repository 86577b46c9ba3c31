//! Worlds that run.

use crate::error::{Refused, refused, wrong};
use crate::units::{Unit, byte, task};
use crate::{grid, make};
use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use throng::core::{Budget, Cell, Expansions, Scenario, Unlimited, Unobserved};
use throng::formats::scenario::no_files;
use throng::{NewUnit, Session, Setup};

/// A world that runs tick by tick.
#[pyclass(frozen, module = "throng")]
pub(crate) struct World {
    session: Mutex<Session>,
    /// No two worlds have the same.
    own: u64,
}

fn budget(expansions: Option<u64>) -> PyResult<Box<dyn Budget + Send + Sync>> {
    match expansions {
        None => Ok(Box::new(Unlimited)),
        Some(0) => Err(wrong(&"budget is 0: expected at least 1 expansion, or None for no limit")),
        Some(expansions) => Ok(Box::new(Expansions(expansions))),
    }
}

fn places(session: &Session) -> impl Iterator<Item = i32> + '_ {
    let grid = session.scenario().grid();
    session.state().units.iter().flat_map(move |unit| {
        let at = if unit.gone { Cell::new(-1, -1) } else { grid.cell(unit.at) };
        [at.x, at.y]
    })
}

impl World {
    pub(crate) fn of(session: Session) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { session: Mutex::new(session), own: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Does something with the session while others may run.
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut Session) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let broken = |_| wrong(&"this world broke in an earlier call");
            Ok(act(&mut *self.session.lock().map_err(broken)?))
        })
    }

    fn unit(&self, unit: Unit) -> PyResult<throng::UnitId> {
        if unit.world == self.own {
            return Ok(unit.id);
        }
        Err(Refused::new_err(format!("unit {} is of another world", unit.id.agent)))
    }
}

#[pymethods]
impl World {
    /// A world that comes with the library.
    #[staticmethod]
    #[pyo3(signature = (name, planner = None, seed = 0, threads = 1))]
    fn builtin(
        py: Python<'_>,
        name: &str,
        planner: Option<String>,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let options = make::options(planner, seed, threads)?;
        py.detach(|| {
            let setup = throng::worlds::builtin(name, seed).map_err(|why| wrong(&why))?;
            make::session(setup, &options).map(Self::of)
        })
    }

    /// A world from the text of a scenario file.
    #[staticmethod]
    #[pyo3(signature = (text, planner = None, seed = None, threads = 1))]
    fn scenario(
        py: Python<'_>,
        text: &str,
        planner: Option<String>,
        seed: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        py.detach(|| {
            let setup = make::setup_of(text.as_bytes(), &mut no_files).map_err(|why| wrong(&why))?;
            let options = make::options(planner, seed.or(setup.seed).unwrap_or(0), threads)?;
            make::session(setup, &options).map(Self::of)
        })
    }

    /// A world from a scenario file or a map of Tiled.
    #[staticmethod]
    #[pyo3(signature = (path, planner = None, seed = None, threads = 1))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        planner: Option<String>,
        seed: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        py.detach(|| {
            let setup = make::setup_at(&path)?;
            let options = make::options(planner, seed.or(setup.seed).unwrap_or(0), threads)?;
            make::session(setup, &options).map(Self::of)
        })
    }

    /// A world without units, of an array.
    #[staticmethod]
    #[pyo3(signature = (map, planner, moves = 4, seed = 0, threads = 1))]
    fn empty(
        map: &Bound<'_, PyAny>,
        planner: String,
        moves: u8,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let scenario = Scenario::new("", grid::of_array(map)?, grid::rules(moves)?, Vec::new());
        let setup = Setup::new(scenario.map_err(|why| wrong(&why))?);
        let setup = Setup { planner: Some(planner.clone()), ..setup };
        make::session(setup, &make::options(Some(planner), seed, threads)?).map(Self::of)
    }

    /// A world that goes on from what `save` gave.
    #[staticmethod]
    #[pyo3(signature = (saved, threads = 1))]
    fn resume(py: Python<'_>, saved: &[u8], threads: usize) -> PyResult<Self> {
        make::options(None, 0, threads)?;
        py.detach(|| Session::resume(saved, threads).map(Self::of).map_err(|why| wrong(&why)))
    }

    /// Everything that the future depends on.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, |session| session.save())?))
    }

    /// Runs for so many ticks, or fewer if nothing is left to do; tells how many.
    #[pyo3(signature = (ticks = 1, budget = None))]
    fn step(&self, py: Python<'_>, ticks: u64, budget: Option<u64>) -> PyResult<u64> {
        let budget = self::budget(budget)?;
        self.with(py, |session| {
            let begin = session.state().tick;
            while session.state().tick - begin < ticks && !session.is_done() {
                session.tick(&*budget, &mut Unobserved);
            }
            session.state().tick - begin
        })
    }

    /// Runs as `step` does and tells where everybody was: by tick, unit, and x and y; (-1, -1) is nowhere.
    #[pyo3(signature = (ticks, budget = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        ticks: u64,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let budget = self::budget(budget)?;
        let (all, units) = self.with(py, |session| {
            let units = session.state().units.len();
            let mut all: Vec<i32> = places(session).collect();
            let end = session.state().tick.saturating_add(ticks);
            while session.state().tick < end && !session.is_done() {
                session.tick(&*budget, &mut Unobserved);
                all.extend(places(session));
            }
            (all, units)
        })?;
        let rows = if units == 0 { 0 } else { all.len() / (2 * units) };
        let array = Array3::from_shape_vec((rows, units, 2), all).map_err(|why| wrong(&why))?;
        Ok(array.into_pyarray(py))
    }

    /// What happened in the last tick, as JSON.
    fn events_json(&self, py: Python<'_>) -> PyResult<String> {
        let told = self.with(py, |session| serde_json::to_string(session.events()))?;
        told.map_err(|why| wrong(&why))
    }

    /// Where everybody is: by unit, x and y; (-1, -1) has left.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let all = self.with(py, |session| places(session).collect::<Vec<_>>())?;
        let array = Array2::from_shape_vec((all.len() / 2, 2), all).map_err(|why| wrong(&why))?;
        Ok(array.into_pyarray(py))
    }

    /// By unit: whether it has done what it was to do.
    #[getter]
    fn arrived<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let all = self.with(py, |session| {
            let agents = session.scenario().agents().iter();
            agents.map(|agent| session.has_arrived(agent.id)).collect::<Vec<_>>()
        })?;
        Ok(all.into_pyarray(py))
    }

    /// Units in the world.
    #[getter]
    fn units(&self, py: Python<'_>) -> PyResult<Vec<Unit>> {
        let world = self.own;
        self.with(py, |session| session.units().map(|id| Unit { id, world }).collect())
    }

    /// Letters of terrain as they are now.
    #[getter]
    fn terrain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let grid = self.with(py, |session| session.scenario().grid().clone())?;
        grid::letters(py, &grid)
    }

    /// Which cells are open now.
    #[getter]
    fn passable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let grid = self.with(py, |session| session.scenario().grid().clone())?;
        grid::open(py, &grid)
    }

    /// The distance of every cell from a goal, for a unit of one cell.
    fn distances<'py>(&self, py: Python<'py>, goal: (i32, i32)) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let (grid, rules) =
            self.with(py, |session| (session.scenario().grid().clone(), session.scenario().rules()))?;
        grid::field(py, &grid, rules, goal)
    }

    #[getter]
    fn tick(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.state().tick)
    }

    /// A fingerprint of who is where, the same on every machine.
    #[getter]
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.state().hash())
    }

    /// Whether everybody has finished.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| session.is_done())
    }

    /// Lets a unit in; without a task it holds its place.
    #[pyo3(signature = (at, *, goal = None, goals = None, patrol = None, rounds = None, explore = false,
                        errands = false, body = 1, period = 1, priority = 0, team = 0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn add(
        &self,
        py: Python<'_>,
        at: (i32, i32),
        goal: Option<(i32, i32)>,
        goals: Option<Vec<(i32, i32)>>,
        patrol: Option<(i32, i32)>,
        rounds: Option<u32>,
        explore: bool,
        errands: bool,
        body: u32,
        period: u32,
        priority: i32,
        team: u16,
    ) -> PyResult<Unit> {
        let task = task(goal, goals, patrol, rounds, explore, errands)?;
        let new = NewUnit::new(Cell::new(at.0, at.1), task);
        let (body, period) = (byte("body", body)?, byte("period", period)?);
        let new = NewUnit { body, period, priority, team, ..new };
        let id = self.with(py, |session| session.add(new))?.map_err(refused)?;
        Ok(Unit { id, world: self.own })
    }

    /// Gives a unit another task, from where it is; without one it holds its place.
    #[pyo3(signature = (unit, *, goal = None, goals = None, patrol = None, rounds = None, explore = false,
                        errands = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn order(
        &self,
        py: Python<'_>,
        unit: Unit,
        goal: Option<(i32, i32)>,
        goals: Option<Vec<(i32, i32)>>,
        patrol: Option<(i32, i32)>,
        rounds: Option<u32>,
        explore: bool,
        errands: bool,
    ) -> PyResult<()> {
        let (id, task) = (self.unit(unit)?, task(goal, goals, patrol, rounds, explore, errands)?);
        self.with(py, |session| session.order(id, task))?.map_err(refused)
    }

    /// Takes a unit out of the world.
    fn remove(&self, py: Python<'_>, unit: Unit) -> PyResult<()> {
        let id = self.unit(unit)?;
        self.with(py, |session| session.remove(id))?.map_err(refused)
    }

    /// Tells that a unit is elsewhere now.
    fn place(&self, py: Python<'_>, unit: Unit, at: (i32, i32)) -> PyResult<()> {
        let (id, at) = (self.unit(unit)?, Cell::new(at.0, at.1));
        self.with(py, |session| session.place(id, at))?.map_err(refused)
    }

    /// Opens or closes a cell; tells whether that changed anything.
    fn set_open(&self, py: Python<'_>, at: (i32, i32), open: bool) -> PyResult<bool> {
        let at = Cell::new(at.0, at.1);
        let done = self.with(py, |session| if open { session.open(at) } else { session.close(at) })?;
        done.map_err(refused)
    }
}
