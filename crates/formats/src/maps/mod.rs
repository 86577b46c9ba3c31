//! Maps of every kind that is read: MovingAI, pictures, ROS `map_server`, Tiled.
//!
//! | kind | what | begins with |
//! |---|---|---|
//! | [`Kind::MovingAi`] | `.map`, see [`map`] | `type octile` |
//! | [`Kind::Picture`] | PNG, or TOML that names one with its legend: colours are terrain | PNG's own bytes; a key `image =` |
//! | [`Kind::Ros`] | YAML of `map_server`, which names a PGM or PNG | a key `image:` |
//! | [`Kind::Tiled`] | `.tmx` or JSON: layers and properties are terrain, objects are units | `<` or `{` |
//!
//! The kind is told by what a file holds, not by its name, so that whoever takes a map takes all of them.
//!
//! ```
//! use throng_core::{Cell, TerrainPolicy};
//! use throng_formats::{maps, scenario::no_files};
//!
//! let policy = TerrainPolicy::default();
//! let grid = maps::parse(b"type octile\nheight 1\nwidth 3\nmap\n.@W\n", policy, &mut no_files)?;
//! let files = maps::write(&grid, maps::Kind::Picture, "hall");
//! assert_eq!(files[0].0, "hall.png");
//! assert_eq!(maps::parse(&files[0].1, policy, &mut no_files)?, grid);
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod colours;
mod legend;
mod pixels;
mod ros;
mod tiled;

pub use ros::Place;

use crate::{FormatError, map};
use throng_core::{Cell, Grid, Setup, TerrainPolicy};

/// Loads a file that a map names; the error is a sentence for people.
pub(crate) type Resolve<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// What a map is kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// MovingAI `.map`.
    MovingAi,
    /// A picture whose colours are terrain.
    Picture,
    /// What `map_server` of ROS reads.
    Ros,
    /// Tiled, as XML or as JSON.
    Tiled,
}

impl Kind {
    /// How names of such files end, the usual one first.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::MovingAi => &["map"],
            Self::Picture => &["png"],
            Self::Ros => &["yaml", "yml"],
            Self::Tiled => &["tmx", "tmj", "json"],
        }
    }

    /// The kind that files with such a name are of.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        let all = [Self::MovingAi, Self::Picture, Self::Ros, Self::Tiled];
        all.into_iter().find(|kind| kind.endings().iter().any(|own| own.eq_ignore_ascii_case(ending)))
    }

    /// The kind that a file is of. Whatever is like nothing else is taken for a MovingAI map, whose reader says what is wrong.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        match bytes.trim_ascii_start().first() {
            _ if pixels::is_png(bytes) => Self::Picture,
            Some(b'<') => Self::Tiled,
            Some(b'{') if tiled::is_json(bytes) => Self::Tiled,
            _ if key(bytes, b':') => Self::Ros,
            _ if key(bytes, b'=') => Self::Picture,
            _ => Self::MovingAi,
        }
    }
}

/// Whether one of the first lines is a key `image` with this behind it.
fn key(bytes: &[u8], sign: u8) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').take(100);
    lines.any(|line| {
        let rest = line.trim_ascii_start().strip_prefix(b"image");
        rest.is_some_and(|rest| rest.trim_ascii_start().first() == Some(&sign))
    })
}

/// Reads the terrain of a map of any kind. `policy` says which letters are passable, `resolve` loads what the map names.
pub fn parse(bytes: &[u8], policy: TerrainPolicy, resolve: Resolve<'_>) -> Result<Grid, FormatError> {
    match Kind::of(bytes) {
        Kind::MovingAi => map::parse(bytes, policy),
        Kind::Picture => legend::parse(bytes, policy, resolve),
        Kind::Ros => ros::parse(bytes, policy, resolve).map(|(grid, _)| grid),
        Kind::Tiled => tiled::terrain(bytes, policy, resolve),
    }
}

/// Reads a map that has units and wishes of its own. Only Tiled's do.
pub fn scenario(bytes: &[u8], resolve: Resolve<'_>) -> Result<Setup, FormatError> {
    match Kind::of(bytes) {
        Kind::Tiled => tiled::scenario(bytes, resolve),
        _ => Err(FormatError::in_map(
            "this map",
            "it has terrain alone: expected units beside it, or a map of Tiled with objects of class `spawn`",
        )),
    }
}

/// Where a map of ROS lies in the world, and how large its cells are; `None` for other kinds.
pub fn place(bytes: &[u8], resolve: Resolve<'_>) -> Result<Option<Place>, FormatError> {
    match Kind::of(bytes) {
        Kind::Ros => ros::parse(bytes, TerrainPolicy::default(), resolve).map(|(_, place)| Some(place)),
        _ => Ok(None),
    }
}

/// The files of a map, that which names the others first, as `stem` with their endings. All but those of ROS, which knows free,
/// occupied and unknown alone, give the same grid again under its policy.
#[must_use]
pub fn write(grid: &Grid, kind: Kind, stem: &str) -> Vec<(String, Vec<u8>)> {
    match kind {
        Kind::MovingAi => vec![(format!("{stem}.map"), map::write(grid).into_bytes())],
        Kind::Picture => vec![(format!("{stem}.png"), legend::write(grid))],
        Kind::Ros => ros::write(grid, stem),
        Kind::Tiled => tiled::write(grid, stem),
    }
}

/// A map of larger cells, each of `by` × `by` of these: as blocked as the most blocked of them, so that whoever fits in it fits
/// in all. Cells at the right and at the bottom that are cut off by the edge of the map count as they are.
pub fn coarser(grid: &Grid, by: usize) -> Result<Grid, FormatError> {
    let by = by.max(1);
    let (width, height) = (grid.width().div_ceil(by), grid.height().div_ceil(by));
    let open = |letter: &u8| grid.policy().passable(*letter) == Some(true);
    // The worst first: what blocks, then what is not plain ground.
    let worse = |letter: &u8| (open(letter), *letter == b'O', *letter == b'.', *letter);
    let mut letters = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let rows = y * by..((y + 1) * by).min(grid.height());
            let columns = x * by..((x + 1) * by).min(grid.width());
            let parts = rows.flat_map(|row| &grid.row(row)[columns.clone()]);
            letters.extend(parts.min_by_key(|letter| worse(letter)));
        }
    }
    grid_of(width, height, &letters, grid.policy())
}

/// A grid of letters that are known to be terrain; only its size may be wrong.
fn grid_of(width: usize, height: usize, letters: &[u8], policy: TerrainPolicy) -> Result<Grid, FormatError> {
    Grid::new(width, height, letters, policy).map_err(|why| FormatError::in_map("this map", why.to_string()))
}

/// Reads a file that a map names.
fn named(resolve: Resolve<'_>, place: &str, name: &str) -> Result<Vec<u8>, FormatError> {
    resolve(name).map_err(|why| FormatError::in_map(format!("{place} {name:?}"), why))
}

/// Says which file something is wrong with.
fn of_file(place: &str, name: &str) -> impl FnOnce(FormatError) -> FormatError {
    let place = format!("{place} {name:?}");
    move |why| FormatError::InMap { place, message: why.to_string() }
}

/// A pixel or cell, for people.
fn spot(what: &str, x: usize, y: usize) -> String {
    format!("{what} {}", Cell::new(x as i32, y as i32))
}
