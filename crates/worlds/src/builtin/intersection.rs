//! Traffic from four sides.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Units that come from each side.
const STREAM: usize = 8;

/// Two roads four cells wide. The outer lanes of their ends `n`, `e`, `s`, `w` are where the streams begin;
/// each goes to the end opposite. The inner lanes stay free, so that those who have arrived wall nobody in.
const MAP: [&str; 24] = [
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@n..n@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "wwwwww............eeeeee",
    "........................",
    "........................",
    "wwwwww............eeeeee",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
    "@@@@@@@@@@s..s@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let ends = ['n', 'e', 's', 'w'].map(|side| drawing.marked(side));
    let mut stage = Stage::new(drawing.grid);
    for side in 0..4 {
        stage.send(STREAM, &ends[side], &ends[(side + 2) % 4], dice);
    }
    stage
}
