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
    #[inline]
    fn measure(self, a: Spot, b: Spot, up: bool) -> u32 {
        let d = [0, 1, 2].map(|k| a[k].abs_diff(b[k]));
        let fine = match self {
            Self::Straight => {
                let (square, root) = square_and_root(d);
                root + u64::from(up && root * root < square)
            }
            Self::Axes => d.iter().map(|&d| u64::from(d)).sum(),
            Self::Steps => u64::from(d[0].max(d[1]).max(d[2])),
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

/// The square of a length, and the length rounded down. Up to 2⁵² floating point holds the square exactly, and its root so exactly
/// that nothing below a whole number becomes one: what comes out is the same everywhere.
#[inline]
fn square_and_root(d: [u32; 3]) -> (u64, u64) {
    if d[0] | d[1] | d[2] >= 1 << 25 {
        return far(d);
    }
    let d = d.map(i64::from);
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    (square as u64, (square as f64).sqrt() as i64 as u64)
}

/// The same beyond what floating point can hold.
#[cold]
fn far(d: [u32; 3]) -> (u64, u64) {
    let square = d.into_iter().fold(0u64, |sum, d| sum.saturating_add(u64::from(d).pow(2)));
    (square, square.isqrt())
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
        // One and nothing beside a number: its square and the one after it. 2²⁵ is where floating point ends.
        let large = [1 << 20, (1 << 24) + 1, (1 << 25) - 1, 1 << 25, u32::MAX];
        for long in (1..2000).chain(large) {
            for d in [[long, 0, 0], [0, long, 1], [long, long, 0], [long, long, long - 1]] {
                let square = d.into_iter().fold(0u64, |sum, d| sum.saturating_add(u64::from(d).pow(2)));
                assert_eq!(square_and_root(d), (square, square.isqrt()), "{d:?}");
            }
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
