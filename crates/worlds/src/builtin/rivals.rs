//! A wall with two gates, and two who try to keep a crowd on its side of it.

use super::{drawing::Drawing, stage::Stage};
use throng_core::{AgentId, Random, Task};

/// Units that want to get to the other side.
const CROWD: usize = 10;

/// How long a blocker bars somebody before it lets it go.
const BLOCKER: &str = "blocker(patience=24)";

/// `l` and `r` are where the crowd stands and goes; `1` and `2` where those who are against it set out, and `x` and `y` where
/// they go in the end.
const MAP: [&str; 13] = [
    "@@@@@@@@@@@@@@@@@@@@@@@",
    "@llll......@..........@",
    "@llll......@.......rrr@",
    "@llll.................@",
    "@llll......@1......rrr@",
    "@llll......@........x.@",
    "@llll......@.......rrr@",
    "@llll......@........y.@",
    "@llll......@2......rrr@",
    "@llll.................@",
    "@llll......@.......rrr@",
    "@llll......@..........@",
    "@@@@@@@@@@@@@@@@@@@@@@@",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let (left, right) = (drawing.marked('l'), drawing.marked('r'));
    let ends: Vec<_> =
        [('1', 'x'), ('2', 'y')].map(|(from, to)| (drawing.marked(from), drawing.marked(to))).into();
    let mut stage = Stage::new(drawing.grid);
    stage.send(CROWD, &left, &right, dice);
    for (from, to) in ends {
        let id = AgentId(stage.agents.len() as u32);
        stage.add(from[0], Task::Goal(to[0]));
        stage.agents[id.index()].team = 1;
        stage.planners.push((id, BLOCKER.to_owned()));
    }
    stage
}
