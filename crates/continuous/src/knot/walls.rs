//! Those who stand in the way of a knot for good, by where they stand.
//!
//! Most of them are far from any one move, so that a move is held against those around it alone.

use crate::MARGIN;
use crate::geometry::{Solid, touches};
use crate::squares::Squares;
use throng_core::space::Point;

/// Bodies that stay where they are, whatever the knot does.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    bodies: Vec<(Solid, Point)>,
    squares: Squares,
    /// The greatest reach of them.
    widest: f64,
}

impl Walls {
    /// Bodies and where they stand, for moves about as long as `side` or shorter.
    pub(super) fn new(bodies: Vec<(Solid, Point)>, side: f64) -> Self {
        let widest = bodies.iter().map(|(solid, _)| solid.reach).fold(0.0, f64::max);
        let mut squares = Squares::new(side.max(2.0 * widest), bodies.len(), true);
        for (place, (_, at)) in bodies.iter().enumerate() {
            squares.put(place, *at);
        }
        Self { bodies, squares, widest }
    }

    /// Whether one of them is in the way of a body that goes from `at` by `by`.
    pub(super) fn bar(&self, solid: &Solid, at: Point, by: Point) -> bool {
        if self.bodies.is_empty() {
            return false;
        }
        let (to, room) = (at + by, solid.reach + self.widest + 2.0 * MARGIN);
        let corner = Point::new(room, room);
        let least = Point::new(at.x.min(to.x), at.y.min(to.y)) - corner;
        let most = Point::new(at.x.max(to.x), at.y.max(to.y)) + corner;
        self.squares.within(least, most).any(|place| {
            let (wall, there) = &self.bodies[place as usize];
            touches(solid, wall, at - *there, by, 2.0 * MARGIN)
        })
    }
}
