//! Two rooms exchange their people through one door.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Units a room.
const CROWD: usize = 6;

/// `l` and `r` are where the two groups stand and go; the cells around the door stay free.
const MAP: [&str; 11] = [
    "@@@@@@@@@@@@@@@@@@@",
    "@llllllll@rrrrrrrr@",
    "@llllllll@rrrrrrrr@",
    "@llllll..@..rrrrrr@",
    "@llllll..@..rrrrrr@",
    "@llllll.....rrrrrr@",
    "@llllll..@..rrrrrr@",
    "@llllll..@..rrrrrr@",
    "@llllllll@rrrrrrrr@",
    "@llllllll@rrrrrrrr@",
    "@@@@@@@@@@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (left, right) = (drawing.marked('l'), drawing.marked('r'));
    let mut stage = Stage::new(drawing.grid);
    stage.send(CROWD, &left, &right, dice);
    stage.send(CROWD, &right, &left, dice);
    stage
}
