//! Randomness by purpose: every generator has a stream of its own, so that using one seed for a map and
//! for the units on it does not tie them together.

use throng_core::{AgentId, Draw, Random, stream};

/// What a stream is for. The numbers are part of what a seed means: never reuse or renumber.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    RandomMap = 1,
    MazeMap = 2,
    RoomMap = 3,
    Units = 4,
    Builtin = 5,
    RoadMap = 6,
    TunnelMap = 7,
    CaveMap = 8,
}

/// The stream of `seed` for `purpose`.
pub(crate) fn dice(seed: u64, purpose: Purpose) -> Random {
    stream(seed, AgentId(purpose as u32), 0)
}

/// Brings `items` into a random order, every order equally likely.
pub(crate) fn shuffle<T>(items: &mut [T], dice: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last as u32 + 1) as usize);
    }
}

/// `count` of `items` (or all, if there are fewer) in random order.
pub(crate) fn pick<T: Copy>(items: &[T], count: usize, dice: &mut Random) -> Vec<T> {
    let mut all = items.to_vec();
    shuffle(&mut all, dice);
    all.truncate(count);
    all
}

/// Whether something happens that should in `percent` of all cases.
pub(crate) fn chance(percent: u32, dice: &mut Random) -> bool {
    dice.below(100) < percent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, &mut dice(3, Purpose::Units));
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn purposes_do_not_share_a_stream() {
        let mut a = dice(1, Purpose::RandomMap);
        let mut b = dice(1, Purpose::MazeMap);
        assert_ne!([a.below(1 << 30), a.below(1 << 30)], [b.below(1 << 30), b.below(1 << 30)]);
    }
}
