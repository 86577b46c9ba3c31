//! Where the members of a group rest, and who goes where.
//!
//! Everything here computes and keeps nothing: no state of a run depends on it. An order to a group is two steps:
//! [`slots`] chooses a resting place for each member around the goal, [`assign`] says who goes to which.
//!
//! ```
//! use throng::core::{Cell, Grid, Rules};
//! use throng::group::{Place, Shape, assign, slots};
//!
//! let grid = Grid::from_rows(&["........", "........", "...@@@..", "........"])?;
//! let members = [Place::new(Cell::new(0, 0), 1), Place::new(Cell::new(0, 1), 1), Place::new(Cell::new(0, 2), 2)];
//! let slots = slots(&grid, Rules::default(), Cell::new(6, 1), &members, Shape::Block, |_| false)?;
//! // The largest body gets the best place.
//! assert_eq!(slots[2], Place::new(Cell::new(6, 1), 2));
//! let order = assign(&grid, Rules::default(), &members, &slots)?;
//! assert_eq!(order.slot_of.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Travel is measured as a unit alone would travel, walls and the size of its body counted and other units not:
//! in steps under uniform timing, and under metric timing in ticks of a unit that takes five for a straight step
//! and seven for a diagonal, whatever its own period is. Everything is in integers, and ties break by cell.

mod assign;
mod matching;
mod parties;
mod room;
mod shapes;
mod slots;
mod spread;
mod travel;
mod walk;

pub use assign::{AssignError, Assignment, assign};
pub use shapes::Shape;
pub use slots::{SlotsError, slots};
pub(crate) use walk::Walk;

use throng_core::{Cell, Grid, Rules, Scenario, Timing};
use throng_search::GridGraph;

/// What a straight step costs under metric timing; a diagonal then costs 7, which is close to √2 times as much.
const PERIOD: u8 = 5;

/// A square body somewhere: a member where it stands, or a slot that it may rest in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Place {
    /// The smallest corner of the body.
    pub at: Cell,
    /// Side of the body in cells.
    pub body: u8,
}

impl Place {
    /// A body of this side with its smallest corner at `at`.
    #[must_use]
    pub const fn new(at: Cell, body: u8) -> Self {
        Self { at, body }
    }

    /// The cells that it covers; some may lie off the map.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let (Cell { x, y }, n) = (self.at, i32::from(self.body));
        (0..n).flat_map(move |dy| (0..n).map(move |dx| Cell::new(x + dx, y + dy)))
    }

    /// The cells that touch its sides from outside; some may lie off the map.
    pub fn around(self) -> impl Iterator<Item = Cell> {
        let (Cell { x, y }, n) = (self.at, i32::from(self.body));
        (0..n).flat_map(move |k| {
            [
                Cell::new(x + k, y - 1),
                Cell::new(x + k, y + n),
                Cell::new(x - 1, y + k),
                Cell::new(x + n, y + k),
            ]
        })
    }

    /// What places are sorted by.
    pub(crate) const fn key(self) -> (Cell, u8) {
        (self.at, self.body)
    }

    /// The node of its smallest corner, if it is a body that exists at a place where it fits.
    fn node(self, grid: &Grid) -> Option<u32> {
        let fits = (1..=Scenario::MAX_BODY).contains(&self.body) && grid.fits(self.at, self.body);
        grid.id(self.at).filter(|_| fits).map(|id| id.0)
    }
}

/// What a straight step of travel costs.
pub(crate) const fn step(rules: Rules) -> u32 {
    match rules.timing {
        Timing::Uniform => 1,
        Timing::Metric => PERIOD as u32,
    }
}

/// The map as bodies of this side travel it.
pub(crate) fn ground(grid: &Grid, rules: Rules, body: u8) -> GridGraph<'_> {
    GridGraph::with_body(grid, rules, body, PERIOD)
}
