//! What a world has counted so far.

/// Sums over all steps and bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Steps in which a body came to a stop though it wanted to move.
    pub stops: u64,
    /// Steps in which a body went slower than it likes, stops aside.
    pub slowed: u64,
    /// Steps in which a body made way for another.
    pub made_way: u64,
    /// Bodies that had come no nearer to where they go for long, and were promoted.
    pub promoted: u64,
    /// Detours begun.
    pub detours: u64,
    /// Searches for a way around walls.
    pub searches: u64,
    /// Expansions of those, and places that were tried for detours.
    pub expanded: u64,
    /// The way of all bodies together.
    pub distance: f64,
}

/// What a world has taken to come so far. Unlike [`Counts`] it depends on how the world came there: one that was saved and taken
/// up again begins anew, and everybody looks around first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Bodies that decided in a step; all others went straight on, or rested, as they had found out before.
    pub decided: u64,
    /// Bodies that found out that they could go straight on for longer.
    pub renewed: u64,
    /// Others at whom bodies looked: whether they would meet them, or will before long.
    pub looked: u64,
    /// Bodies that went on otherwise than others had reckoned with.
    pub told: u64,
}
