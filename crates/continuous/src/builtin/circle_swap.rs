//! All want to pass through the middle at once.

use super::Made;
use crate::NewBody;
use throng_core::space::{Point, Shape};

const SIDE: f64 = 32.0;
const RADIUS: f64 = 13.0;
/// Cosine and sine of 15 degrees.
const TURN: Point = Point::new(0.965_925_826_289_068_3, 0.258_819_045_102_520_74);
const COUNT: usize = 24;

pub(super) fn make() -> Made {
    let disc = Shape::disc(0.5).expect("a disc of half a metre");
    let middle = Point::new(SIDE / 2.0, SIDE / 2.0);
    let mut arm = Point::EAST;
    let mut bodies = Vec::new();
    for number in 0..COUNT {
        let by = arm * RADIUS;
        let team = (number * 4 / COUNT) as u16;
        bodies.push(NewBody { team, ..NewBody::new(disc.clone(), middle + by, middle - by) });
        arm = arm.turned(TURN);
    }
    (Point::new(SIDE, SIDE), Vec::new(), bodies)
}
