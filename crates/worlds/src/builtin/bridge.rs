//! Forty units, one narrow bridge.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Units a side.
const CROWD: usize = 20;

/// `l` and `r` are where the two crowds stand and go. The columns next to the water stay free of both: there
/// is room to queue, and nobody's goal is the mouth of the bridge.
const MAP: [&str; 20] = [
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll....................................................rrrrrrrrrrrrrr",
    "llllllllllllll....................................................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
    "llllllllllllll........................WWWW........................rrrrrrrrrrrrrr",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (left, right) = (drawing.marked('l'), drawing.marked('r'));
    let mut stage = Stage::new(drawing.grid);
    stage.send(CROWD, &left, &right, dice);
    stage.send(CROWD, &right, &left, dice);
    stage
}
