//! Parked units step aside and return.

use super::{drawing::Drawing, stage::Stage};
use throng_core::{Draw, Random, Task};

/// A corridor with two side bays. Two walkers stand at one end (`a` or `z`) and go to the other. Among the
/// cells `p` and among the cells `q` somebody is parked: beside the bay or one step before it, seen by the
/// walkers. They have to back into the bay until both walkers have passed. (One who stood behind the bay
/// would have to come towards the walkers first, which needs more foresight than a reservation gives.)
const MAP: [&str; 5] = [
    "@@@@@@@@@@@@@@@@@@@@@@@@",
    "@@@@@@@@.@@@@@@@@@@@@@@@",
    "aa.....ppp....qqq.....zz",
    "@@@@@@@@@@@@@@@.@@@@@@@@",
    "@@@@@@@@@@@@@@@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (left, right) = (drawing.marked('a'), drawing.marked('z'));
    let eastwards = dice.below(2) == 0;
    let (starts, goals) = if eastwards { (left, right) } else { (right, left) };
    let posts = ['p', 'q'].map(|mark| {
        let cells = drawing.marked(mark);
        cells[dice.below(2) as usize + usize::from(!eastwards)]
    });
    let mut stage = Stage::new(drawing.grid);
    // Nobody can overtake here: who stands further to the right also ends further to the right.
    for (start, goal) in starts.into_iter().zip(goals) {
        stage.add(start, Task::Goal(goal));
    }
    for post in posts {
        stage.park(post);
    }
    stage
}
