//! Everyone changes desks.

use super::{drawing::Drawing, stage::Stage};
use throng_core::Random;

/// Desks in four islands; `c` are the chairs, each between two desks and open to one aisle only. Whoever
/// arrives before the one who sits there has left must wait in the aisle.
const MAP: [&str; 14] = [
    "@@@@@@@@@@@@@@@@@@@@@@",
    "@....................@",
    "@....................@",
    "@..@c@c@c@..@c@c@c@..@",
    "@..@@@@@@@..@@@@@@@..@",
    "@..@c@c@c@..@c@c@c@..@",
    "@....................@",
    "@....................@",
    "@..@c@c@c@..@c@c@c@..@",
    "@..@@@@@@@..@@@@@@@..@",
    "@..@c@c@c@..@c@c@c@..@",
    "@....................@",
    "@....................@",
    "@@@@@@@@@@@@@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let chairs = drawing.marked('c');
    let mut stage = Stage::new(drawing.grid);
    stage.rotate(&chairs, dice);
    stage
}
