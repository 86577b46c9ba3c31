//! Worlds from whatever they come as.

use crate::error::{refused, wrong};
use crate::grid::{beside, read};
use pyo3::prelude::*;
use std::path::Path;
use throng::formats::{maps, scenario};
use throng::{Options, Session, Setup};

/// A text of a scenario file, or a map of Tiled.
pub(crate) fn setup_of(
    bytes: &[u8],
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Setup, String> {
    if maps::Kind::of(bytes) == maps::Kind::Tiled {
        return maps::scenario(bytes, resolve).map_err(|why| why.to_string());
    }
    let text = str::from_utf8(bytes).map_err(|why| why.to_string())?;
    scenario::parse(text, resolve).map_err(|why| why.to_string())
}

/// A scenario file or a map of Tiled; what it names is looked for beside it.
pub(crate) fn setup_at(path: &Path) -> PyResult<Setup> {
    let bytes = read(path)?;
    setup_of(&bytes, &mut beside(path)).map_err(|why| wrong(&format!("{}: {why}", path.display())))
}

/// What belongs to a session besides its world.
pub(crate) fn options(planner: Option<String>, seed: u64, threads: usize) -> PyResult<Options> {
    if !(1..=256).contains(&threads) {
        return Err(wrong(&format!("threads is {threads}: expected 1 to 256")));
    }
    Ok(Options { planner, seed, threads, ..Options::default() })
}

pub(crate) fn session(setup: Setup, options: &Options) -> PyResult<Session> {
    Session::new(setup, options).map_err(|why| match why {
        throng::Error::Order(why) => refused(why),
        why => wrong(&why),
    })
}
