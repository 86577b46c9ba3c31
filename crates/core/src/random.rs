//! Random numbers are a parameter: one stream per seed, agent and tick.

use crate::{AgentId, Tick, hash::mix};
use rand_core::{Rng, SeedableRng};

/// The generator, fixed across versions and platforms.
pub type Random = rand_pcg::Pcg32;

/// The stream of `agent` at `tick`. Streams are independent of each other, so the order in which
/// agents draw never matters.
#[must_use]
pub fn stream(seed: u64, agent: AgentId, tick: Tick) -> Random {
    let a = mix(seed ^ 0x5851_f42d_4c95_7f2d);
    let b = mix(a ^ (u64::from(agent.0) << 1 | 1));
    Random::seed_from_u64(mix(b ^ tick))
}

/// Draws that the engine needs, without floating point.
pub trait Draw {
    /// A number below `bound` (0 if `bound` is 0).
    fn below(&mut self, bound: u32) -> u32;
}

impl Draw for Random {
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}
