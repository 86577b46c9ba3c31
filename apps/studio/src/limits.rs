//! How much the studio takes on. What is beyond is refused with the bound and what was asked for.

use crate::Refusal;
use serde::Serialize;

/// Cells of a map.
pub(crate) const CELLS: usize = 1 << 22;
/// Columns or rows of a map: frames have 16 bits for a place.
pub(crate) const SIDE: usize = 1 << 14;
/// Units of a document.
pub(crate) const UNITS: usize = 10_000;
/// Rooms at once.
pub(crate) const ROOMS: usize = 8;
/// Viewers at once, of all rooms together.
pub(crate) const VIEWERS: usize = 64;
/// Bytes of a message.
pub(crate) const MESSAGE: usize = 8 << 20;
/// Bytes of a file that is uploaded, and how many are read at once; the rest wait.
pub(crate) const UPLOAD: usize = 64 << 20;
/// See [`UPLOAD`].
pub(crate) const UPLOADS: usize = 2;
/// Cells that one command paints, closes or opens.
pub(crate) const PAINTED: usize = 1 << 16;
/// Ticks of a run.
pub(crate) const TICKS: u64 = 100_000;
/// How many ticks ahead a layer may look.
pub(crate) const AHEAD: i64 = 1000;
/// Things done by hand to a run.
///
/// What they hold is bounded by that and by [`PAINTED`].
pub(crate) const ACTS: usize = 10_000;
/// Bytes of a link: what browsers and those who pass it on can be trusted with.
pub(crate) const LINK: usize = 1 << 16;
/// Bytes of keyframes of a run.
pub(crate) const KEYFRAMES: usize = 512 << 20;
/// Exports that are made at once; the rest wait.
pub(crate) const EXPORTS: usize = 2;
/// Moves of a run that are kept, to show and to write them.
pub(crate) const MOVES: u64 = 1 << 25;
/// Points of a chart.
pub(crate) const POINTS: usize = 2000;
/// Steps that can be undone, and bytes that they hold at most.
pub(crate) const UNDO: usize = 200;
/// See [`UNDO`].
pub(crate) const UNDO_BYTES: usize = 128 << 20;
/// Bytes of a file that is read.
pub(crate) const FILE: u64 = 1 << 28;

/// What pages are told.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Limits {
    cells: usize,
    side: usize,
    units: usize,
    rooms: usize,
    message: usize,
    upload: usize,
    viewers: usize,
    painted: usize,
    ticks: u64,
}

pub(crate) const ALL: Limits = Limits {
    cells: CELLS,
    side: SIDE,
    units: UNITS,
    rooms: ROOMS,
    message: MESSAGE,
    upload: UPLOAD,
    viewers: VIEWERS,
    painted: PAINTED,
    ticks: TICKS,
};

/// Whether `asked` is no more than `most`.
pub(crate) fn at_most(what: &str, asked: usize, most: usize) -> Result<(), Refusal> {
    if asked <= most { Ok(()) } else { Err(Refusal::new(format!("{asked} {what}, at most {most}"))) }
}

/// Whether a map may be so large.
pub(crate) fn size(width: usize, height: usize) -> Result<(), Refusal> {
    if width == 0 || height == 0 {
        return Err(Refusal::new(format!("a map of {width}×{height}, expected at least 1×1")));
    }
    at_most("columns", width, SIDE)?;
    at_most("rows", height, SIDE)?;
    at_most("cells", width * height, CELLS)
}
