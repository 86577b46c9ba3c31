//! Traffic of several shapes from four sides.

use super::Made;
use crate::NewBody;
use throng_core::space::{Convex, Point, Pose, Shape};

const SIDE: f64 = 64.0;
/// Half the width of a road.
const HALF: f64 = 7.0;
/// Lanes from the middle of a road, and what comes on each, the first in front.
const LANES: [(f64, [Kind; 3]); 4] = [
    (-5.0, [Kind::Disc, Kind::Disc, Kind::Hexagon]),
    (-1.8, [Kind::Car, Kind::Disc, Kind::Disc]),
    (1.8, [Kind::Disc, Kind::Car, Kind::Disc]),
    (5.0, [Kind::Hexagon, Kind::Disc, Kind::Disc]),
];

#[derive(Clone, Copy)]
enum Kind {
    Disc,
    Hexagon,
    Car,
}

impl Kind {
    fn shape(self) -> Shape {
        let made = match self {
            Self::Disc => Shape::disc(0.5),
            Self::Car => Shape::rectangle(2.4, 1.2),
            Self::Hexagon => {
                let corners = [(0.8, 0.0), (0.4, 0.7), (-0.4, 0.7), (-0.8, 0.0), (-0.4, -0.7), (0.4, -0.7)];
                let corners = corners.iter().map(|&(x, y)| Point::new(x, y)).collect();
                Convex::new(corners).and_then(Shape::polygon)
            }
        };
        made.expect("shapes of ours are convex")
    }
}

pub(super) fn make() -> Made {
    let (low, high) = (SIDE / 2.0 - HALF, SIDE / 2.0 + HALF);
    let block = |x: (f64, f64), y: (f64, f64)| {
        Convex::rectangle(Point::new(x.0, y.0), Point::new(x.1, y.1)).expect("a block")
    };
    let ends = [(0.0, low), (high, SIDE)];
    let walls = ends.iter().flat_map(|&x| ends.iter().map(move |&y| block(x, y))).collect();
    let middle = Point::new(SIDE / 2.0, SIDE / 2.0);
    let headings = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let mut bodies = Vec::new();
    for (team, heading) in headings.into_iter().enumerate() {
        let heading = Point::new(heading.0, heading.1);
        for (aside, kinds) in LANES {
            for (row, kind) in kinds.into_iter().enumerate() {
                // Those in front go farthest, so that nobody rests in anybody's way.
                let back = 18.0 + 4.0 * row as f64;
                let place = |along: f64| middle + Point::new(along, aside).turned(heading);
                let body = NewBody::new(kind.shape(), place(-back), place(44.0 - back));
                let pose = Pose { at: body.pose.at, heading };
                bodies.push(NewBody { pose, team: team as u16, speed: 1.4, ..body });
            }
        }
    }
    (Point::new(SIDE, SIDE), walls, bodies)
}
