//! Maps as arrays: terrain letters (`uint8`), or what is passable (`bool`).

use crate::error::wrong;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use throng::core::{Cell, Connectivity, Grid, Rules, TerrainPolicy};
use throng::formats::maps::{self, Kind};
use throng::search::{GridGraph, TrueDistance};

/// Loads what a file names, from beside it.
pub(crate) fn beside(path: &Path) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    move |name| std::fs::read(folder.join(name)).map_err(|why| why.to_string())
}

pub(crate) fn read(path: &Path) -> PyResult<Vec<u8>> {
    std::fs::read(path).map_err(|why| PyOSError::new_err(format!("{}: {why}", path.display())))
}

pub(crate) fn rules(moves: u8) -> PyResult<Rules> {
    let connectivity = match moves {
        4 => Connectivity::Four,
        8 => Connectivity::Eight,
        _ => return Err(wrong(&format!("moves is {moves}: expected 4 or 8"))),
    };
    Ok(Rules { connectivity, ..Rules::default() })
}

/// A grid of an array with a row for each row of the map: `bool`, where true is open, or `uint8`, letters of terrain.
pub(crate) fn of_array(array: &Bound<'_, PyAny>) -> PyResult<Grid> {
    let told = || {
        let found = match array.cast::<PyUntypedArray>() {
            Ok(array) => format!("an array of {} with shape {:?}", array.dtype(), array.shape()),
            Err(_) => array.get_type().to_string(),
        };
        let expected =
            "expected an array of two dimensions, of bool (true is open) or uint8 (letters of terrain)";
        PyTypeError::new_err(format!("the map is {found}: {expected}"))
    };
    let (letters, [height, width]) = if let Ok(open) = array.extract::<PyReadonlyArray2<'_, bool>>() {
        let open = open.as_array();
        let letters: Vec<u8> = open.iter().map(|&open| if open { b'.' } else { b'@' }).collect();
        (letters, [open.nrows(), open.ncols()])
    } else if let Ok(given) = array.extract::<PyReadonlyArray2<'_, u8>>() {
        let given = given.as_array();
        (given.iter().copied().collect(), [given.nrows(), given.ncols()])
    } else {
        return Err(told());
    };
    Grid::new(width, height, &letters, TerrainPolicy::default()).map_err(|why| wrong(&why))
}

/// The letters of a grid.
pub(crate) fn letters<'py>(py: Python<'py>, grid: &Grid) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let all = (0..grid.height()).flat_map(|y| grid.row(y)).copied().collect();
    shaped(py, grid, all)
}

/// Which cells are open.
pub(crate) fn open<'py>(py: Python<'py>, grid: &Grid) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let policy = grid.policy();
    let row = |y| grid.row(y).iter().map(move |&letter| policy.passable(letter) == Some(true));
    shaped(py, grid, (0..grid.height()).flat_map(row).collect())
}

fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    grid: &Grid,
    all: Vec<T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let array = Array2::from_shape_vec((grid.height(), grid.width()), all).map_err(|why| wrong(&why))?;
    Ok(array.into_pyarray(py))
}

/// The distance of every cell from a goal, in ticks; the largest number is a cell from which nobody gets there.
pub(crate) fn field<'py>(
    py: Python<'py>,
    grid: &Grid,
    rules: Rules,
    (x, y): (i32, i32),
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let goal = Cell::new(x, y);
    let open = grid.id(goal).filter(|&id| grid.is_open_id(id));
    let id = open.ok_or_else(|| wrong(&format!("the goal {goal} is not an open cell of the map")))?;
    let all = py.detach(|| {
        let graph = GridGraph::new(grid, rules, 1);
        let mut known = TrueDistance::new(&graph, id.0, None);
        let cells = (0..grid.height() as i32).flat_map(|y| (0..grid.width() as i32).map(move |x| (x, y)));
        let ids = cells.map(|(x, y)| grid.id(Cell::new(x, y)).filter(|&id| grid.is_open_id(id)));
        ids.map(|id| id.and_then(|id| known.distance(&graph, id.0)).unwrap_or(u32::MAX)).collect()
    });
    shaped(py, grid, all)
}

/// The distance of every cell of a map from a goal (x, y).
#[pyfunction]
#[pyo3(signature = (map, goal, moves = 4))]
pub(crate) fn distances<'py>(
    py: Python<'py>,
    map: &Bound<'py, PyAny>,
    goal: (i32, i32),
    moves: u8,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    field(py, &of_array(map)?, rules(moves)?, goal)
}

/// The letters of a map file of any kind: MovingAI, PNG, ROS, Tiled.
#[pyfunction]
pub(crate) fn read_map(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyArray2<u8>>> {
    let grid = py.detach(|| {
        let bytes = read(&path)?;
        let grid = maps::parse(&bytes, TerrainPolicy::default(), &mut beside(&path));
        grid.map_err(|why| wrong(&format!("{}: {why}", path.display())))
    })?;
    letters(py, &grid)
}

/// Writes a map as the kind that its name ends in, and tells the names of the files.
#[pyfunction]
pub(crate) fn write_map(map: &Bound<'_, PyAny>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
    let grid = of_array(map)?;
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let kind = Kind::of_ending(&ending).filter(|kind| kind.endings()[0] == ending || *kind == Kind::Ros);
    let expected = || wrong(&format!("{}: expected .map, .png, .yaml or .tmx", path.display()));
    let kind = kind.ok_or_else(expected)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut names = Vec::new();
    for (place, (name, bytes)) in maps::write(&grid, kind, &stem).into_iter().enumerate() {
        let name = if place == 0 { path.clone() } else { path.with_file_name(name) };
        std::fs::write(&name, bytes)
            .map_err(|why| PyOSError::new_err(format!("{}: {why}", name.display())))?;
        names.push(name);
    }
    Ok(names)
}
