//! Two units that push each other off their goals unless they look far enough ahead together.

use super::{drawing::Drawing, stage::Stage};
use throng_core::{Draw, Random, Task};

/// A corridor with a bay near each end. Unit `a` wants to `y` and unit `b` to `x`: their goals lie in the
/// middle, in the wrong order, so one of them has to walk past its goal, wait until the other has come out
/// of a bay, and come back.
///
/// Why a short window goes round in circles: whoever comes first parks at its goal. The other stands before
/// it, is stuck, and is promoted; then it pushes the first one back just far enough to reach its own goal,
/// beyond which lies the first one's. Now the first one is stuck, is promoted in turn, and pushes back. Each
/// of them arrives again and again, never both at once. A bay helps only if both plan as far as the bay, past
/// each other and back again, about a dozen steps; with that many in sight they do.
const MAP: [&str; 4] = ["@@@@@@@@@@@@@", "@@@.@@@@@.@@@", "@a...x.y...b@", "@@@@@@@@@@@@@"];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let cell = |mark| drawing.marked(mark)[0];
    let mut pair = [(cell('a'), cell('y')), (cell('b'), cell('x'))];
    // Who is the first to plan.
    if dice.below(2) == 1 {
        pair.reverse();
    }
    let mut stage = Stage::new(drawing.grid);
    for (start, goal) in pair {
        stage.add(start, Task::Goal(goal));
    }
    stage
}
