//! Two units that push each other off their goals unless they look far enough ahead together.

use super::{drawing::Drawing, stage::Stage};
use throng_core::{Draw, Random, Task};

/// A corridor with one side bay. Unit `a` wants to `y`, unit `b` wants to `x`: they meet at the bay, and each
/// one's goal lies two cells beyond it, where the other comes from.
///
/// Why a short window goes round in circles: say `a` comes first, reaches `y` and stops there, with `b` before
/// it at its start. For `b` to pass, `a` has to go back three steps into the bay and wait until `b` is beyond
/// it. It only does so if, when it plans, `b` has reserved a way that leads past the bay: from its start four
/// steps and one more to be out of the way. But `b` can reserve only the part of its window that `a`'s
/// own reservations do not cover, about half of it if units plan anew halfway. With less than five or six free
/// ticks, `b`'s reservations end at or before the bay. Then `a` merely backs off before them, and as soon as
/// they end it is nearer to its goal by walking straight at `b` again, who in turn has to back off before `a`'s
/// reservations. So they walk to and fro between the two goals and never pass. With twice that window, twelve
/// or more, `a` sees `b` walk past the bay; stepping aside is then the only way left, and both arrive.
const MAP: [&str; 4] = ["@@@@@@@@@@@@@", "@@@@@@.@@@@@@", "@..ax...yb..@", "@@@@@@@@@@@@@"];

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
