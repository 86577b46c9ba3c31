//! Where abstract nodes lie, and how far they are from each other.

use throng_core::{Connectivity, Rules, Timing};

/// A virtual location, in sixteenths of a place.
pub type Spot = [i32; 3];

/// Sixteenths.
pub(super) const FINE: i32 = 16;

/// What a straight line counts: its length as the units that are planned for would count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ruler {
    /// Its length in space.
    #[default]
    Straight,
    /// Steps along the axes: for units without diagonal moves.
    Axes,
    /// Steps of which a diagonal counts no more than a straight one.
    Steps,
}

impl Ruler {
    /// Units of cost in the width of a place.
    pub const SCALE: u32 = 8;

    /// That of units under these rules.
    #[must_use]
    pub fn of(rules: Rules) -> Self {
        match (rules.connectivity, rules.timing) {
            (Connectivity::Four, _) => Self::Axes,
            (Connectivity::Eight, Timing::Uniform) => Self::Steps,
            (Connectivity::Eight, Timing::Metric) => Self::Straight,
        }
    }

    /// The length of the line between two spots, rounded up or down.
    fn measure(self, a: Spot, b: Spot, up: bool) -> u32 {
        let d = [0, 1, 2].map(|k| u64::from(a[k].abs_diff(b[k])));
        let fine = match self {
            Self::Straight => {
                let square = d.iter().map(|d| d * d).sum::<u64>();
                let root = root(square);
                root + u64::from(up && root * root < square)
            }
            Self::Axes => d.iter().sum(),
            Self::Steps => d.into_iter().max().unwrap_or(0),
        };
        let ratio = FINE as u64 / u64::from(Self::SCALE);
        (if up { fine.div_ceil(ratio) } else { fine / ratio }).min(u64::from(u32::MAX >> 4)) as u32
    }

    /// What an edge between neighbours costs: rounded up, so that [`Self::estimate`] is consistent with it.
    #[must_use]
    pub fn cost(self, a: Spot, b: Spot) -> u32 {
        self.measure(a, b, true).max(1)
    }

    /// How far two spots are apart at least.
    #[must_use]
    #[inline]
    pub fn estimate(self, a: Spot, b: Spot) -> u32 {
        self.measure(a, b, false)
    }
}

/// The square root, rounded down. Floating point only guesses; what comes out is exact, and so the same everywhere.
fn root(square: u64) -> u64 {
    let mut root = (square as f64).sqrt() as u64;
    while root * root > square {
        root -= 1;
    }
    while (root + 1) * (root + 1) <= square {
        root += 1;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The triangle holds in spite of rounding: no edge lets an estimate fall by more than it costs.
        #[test]
        fn estimates_are_consistent(spots in prop::collection::vec(prop::array::uniform3(0i32..9000), 3)) {
            for ruler in [Ruler::Straight, Ruler::Axes, Ruler::Steps] {
                let [a, b, c] = [spots[0], spots[1], spots[2]];
                prop_assert!(ruler.estimate(a, c) <= ruler.cost(a, b) + ruler.estimate(b, c));
                prop_assert!(ruler.estimate(a, b) <= ruler.cost(a, b));
            }
        }
    }

    #[test]
    fn roots_are_exact() {
        let near = |n: u64| [n * n - 1, n * n, n * n + 1, n * n + n];
        for square in (1..2000).chain([1 << 20, (1 << 31) - 1, 1 << 31]).flat_map(near) {
            assert_eq!(root(square), square.isqrt(), "{square}");
        }
    }

    #[test]
    fn a_place_is_eight_wide() {
        let [a, b] = [[0, 0, 0], [3 * FINE, 4 * FINE, 0]];
        assert_eq!(Ruler::Straight.cost(a, b), 40);
        assert_eq!(Ruler::Axes.cost(a, b), 56);
        assert_eq!(Ruler::Steps.cost(a, b), 32);
    }
}
