//! placeholder
use super::{drawing::Drawing, stage::Stage};
use throng_core::{Random, Task};

const MAP: [&str; 3] = ["@@@@@@@@", "a..b...c", "@@@.@@@@"];

pub(super) fn make(_dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (a, b, c) = (drawing.marked('a'), drawing.marked('b'), drawing.marked('c'));
    let mut stage = Stage::new(drawing.grid);
    stage.add(a[0], Task::Goal(c[0]));
    stage.park(b[0]);
    stage
}
