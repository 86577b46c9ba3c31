//! Forty units, one narrow bridge.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Units a side.
const CROWD: usize = 20;

/// `l` and `r` are where the two crowds stand and go. The columns next to the water stay free of both: there
/// is room to queue, and nobody's goal is the mouth of the bridge.
///
/// From the outermost cells it is up to 39 steps to the far end of the bridge. Units whose window reaches that
/// far agree before they set out on who crosses when; with a window of 16 two columns meet on the bridge and
/// neither can back out against those who follow. That is why the scenario asks for a window of 48.
const MAP: [&str; 20] = [
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll......................................rrrrrrrr",
    "llllllll......................................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
    "llllllll................WWWWWW................rrrrrrrr",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (left, right) = (drawing.marked('l'), drawing.marked('r'));
    let mut stage = Stage::new(drawing.grid);
    stage.send(CROWD, &left, &right, dice);
    stage.send(CROWD, &right, &left, dice);
    stage
}
