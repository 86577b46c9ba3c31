//! The one motion model: what an action of a unit covers, and for how long.

use crate::{Action, Cell, Dir, Grid, Rules, Timing};

/// What one unit can do under the rules: durations, legality and footprints of its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions {
    rules: Rules,
    body: u8,
    period: u8,
}

/// The cells that an action covers from its first tick until it is over: a rectangle, since the sweep
/// of a square body over one step is the bounding box of where it starts and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Smallest corner.
    pub anchor: Cell,
    /// Columns covered.
    pub width: u8,
    /// Rows covered.
    pub height: u8,
    /// Ticks.
    pub duration: u32,
}

impl Footprint {
    /// The covered cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { anchor, width, height, .. } = self;
        (0..i32::from(height))
            .flat_map(move |y| (0..i32::from(width)).map(move |x| Cell::new(anchor.x + x, anchor.y + y)))
    }

    /// Whether `cell` is covered.
    #[must_use]
    pub fn covers(self, cell: Cell) -> bool {
        let (dx, dy) = (cell.x - self.anchor.x, cell.y - self.anchor.y);
        dx >= 0 && dy >= 0 && dx < i32::from(self.width) && dy < i32::from(self.height)
    }
}

impl Actions {
    /// The actions of an n×n body that takes `period` ticks per straight step.
    #[must_use]
    pub const fn new(rules: Rules, body: u8, period: u8) -> Self {
        Self { rules, body, period }
    }

    /// Side of the body in cells.
    #[must_use]
    pub const fn body(&self) -> u8 {
        self.body
    }

    /// How many ticks `action` takes.
    #[must_use]
    #[inline]
    pub const fn duration(&self, action: Action) -> u32 {
        match (self.rules.timing, action) {
            (Timing::Uniform, _) | (_, Action::Wait) => 1,
            (Timing::Metric, Action::Go(dir)) if !dir.is_diagonal() => self.period as u32,
            (Timing::Metric, Action::Go(_)) => diagonal(self.period as u32),
        }
    }

    /// The longest that any action of this unit takes.
    #[must_use]
    pub const fn longest(&self) -> u32 {
        let dir = match self.rules.connectivity {
            crate::Connectivity::Four => Dir::N,
            crate::Connectivity::Eight => Dir::NE,
        };
        self.duration(Action::Go(dir))
    }

    /// Whether terrain and connectivity allow `action` from `from`.
    #[must_use]
    pub fn legal(&self, grid: &Grid, from: Cell, action: Action) -> bool {
        match action {
            Action::Wait => grid.fits(from, self.body),
            Action::Go(dir) => {
                self.rules.connectivity.mask() & (1 << dir as u8) != 0
                    && self.footprint(from, action).cells().all(|c| grid.is_open(c))
            }
        }
    }

    /// What `action` covers when begun at `from`.
    #[must_use]
    pub const fn footprint(&self, from: Cell, action: Action) -> Footprint {
        let (dx, dy) = match action {
            Action::Wait => (0, 0),
            Action::Go(dir) => dir.delta(),
        };
        Footprint {
            anchor: Cell::new(
                if dx < 0 { from.x - 1 } else { from.x },
                if dy < 0 { from.y - 1 } else { from.y },
            ),
            width: self.body + (dx != 0) as u8,
            height: self.body + (dy != 0) as u8,
            duration: self.duration(action),
        }
    }
}

/// round(period·√2), without floating point.
const fn diagonal(period: u32) -> u32 {
    (8 * period * period).isqrt().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Connectivity;

    #[test]
    fn diagonals_are_rounded() {
        for period in 1..=255u32 {
            assert_eq!(diagonal(period), (f64::from(period) * 2f64.sqrt()).round() as u32, "{period}");
        }
        assert_eq!(diagonal(5), 7);
    }

    #[test]
    fn a_diagonal_of_a_large_body_needs_the_whole_block() {
        let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
        let grid = Grid::from_rows(&["...", "...", "..@"]).unwrap();
        let small = Actions::new(rules, 1, 1);
        let large = Actions::new(rules, 2, 1);
        assert!(small.legal(&grid, Cell::new(0, 0), Action::Go(Dir::SE)));
        assert!(large.legal(&grid, Cell::new(0, 0), Action::Go(Dir::E)));
        assert!(!large.legal(&grid, Cell::new(0, 0), Action::Go(Dir::SE)));
        let print = large.footprint(Cell::new(1, 1), Action::Go(Dir::NW));
        assert_eq!((print.anchor, print.width, print.height), (Cell::new(0, 0), 3, 3));
        assert_eq!(print.cells().count(), 9);
        assert!(print.covers(Cell::new(2, 2)) && !print.covers(Cell::new(3, 2)));
    }
}
