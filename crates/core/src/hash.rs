//! A fixed hash, so that fingerprints agree across versions and platforms.

/// Folds numbers into a fingerprint. The order counts.
#[derive(Clone, Copy, Debug)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        Self::new()
    }
}

impl StateHash {
    /// An empty fingerprint.
    #[must_use]
    pub const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Folds in one number.
    #[inline]
    pub const fn add(&mut self, value: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ value);
    }

    /// The fingerprint so far.
    #[must_use]
    pub const fn finish(self) -> u64 {
        mix(self.0)
    }
}

/// A bijection that spreads every input bit over the output (the finaliser of SplitMix64).
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_and_the_value_is_fixed() {
        let of = |values: &[u64]| {
            let mut hash = StateHash::new();
            values.iter().for_each(|&v| hash.add(v));
            hash.finish()
        };
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[]), of(&[0]));
        assert_eq!(of(&[1, 2, 3]), of(&[1, 2, 3]));
    }
}
