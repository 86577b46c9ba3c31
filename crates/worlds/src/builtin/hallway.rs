//! Parked units step aside and return.

use super::{drawing::Drawing, stage::Stage};
use throng_core::{Draw, Random, Task};

/// A corridor with two side bays. Two walkers stand at one end (`a` or `z`) and go to the other. On one of
/// the cells `p` and on one of the cells `q` somebody is parked, who has to back into the bay (ahead of the
/// walkers, or towards them) until both have passed.
const MAP: [&str; 5] = [
    "@@@@@@@@@@@@@@@@@@@@@@@@",
    "@@@@@@@@.@@@@@@@@@@@@@@@",
    "aa.....ppp....qqq.....zz",
    "@@@@@@@@@@@@@@@.@@@@@@@@",
    "@@@@@@@@@@@@@@@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (mut near, mut far) = (drawing.marked('a'), drawing.marked('z'));
    let parked = [drawing.marked('p'), drawing.marked('q')];
    let mut stage = Stage::new(drawing.grid);
    if dice.below(2) == 1 {
        core::mem::swap(&mut near, &mut far);
    }
    // Nobody can overtake here: who stands further to the right also ends further to the right.
    for (start, goal) in near.into_iter().zip(far) {
        stage.add(start, Task::Goal(goal));
    }
    for cells in parked {
        stage.park(cells[dice.below(cells.len() as u32) as usize]);
    }
    stage
}
