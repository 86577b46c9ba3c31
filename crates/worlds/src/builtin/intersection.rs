//! Traffic from four sides.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Units that come from each side.
const STREAM: usize = 8;

/// Two roads four cells wide. The ends `n`, `e`, `s`, `w` are where the streams begin; each goes to the end
/// opposite.
const MAP: [&str; 24] = [
    "@@@@@@@@@@nnnn@@@@@@@@@@",
    "@@@@@@@@@@nnnn@@@@@@@@@@",
    "@@@@@@@@@@nnnn@@@@@@@@@@",
    "@@@@@@@@@@nnnn@@@@@@@@@@",
    "@@@@@@@@@@nnnn@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "wwwww..............eeeee",
    "wwwww..............eeeee",
    "wwwww..............eeeee",
    "wwwww..............eeeee",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@....@@@@@@@@@@",
    "@@@@@@@@@@ssss@@@@@@@@@@",
    "@@@@@@@@@@ssss@@@@@@@@@@",
    "@@@@@@@@@@ssss@@@@@@@@@@",
    "@@@@@@@@@@ssss@@@@@@@@@@",
    "@@@@@@@@@@ssss@@@@@@@@@@",
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
