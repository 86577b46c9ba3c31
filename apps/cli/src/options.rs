//! Options that several commands share.

use clap::builder::{PossibleValue, TypedValueParser};
use throng::core::{Connectivity, Rules};
use throng::formats::plan::Dialect;

/// Four or eight moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    Four,
    Eight,
}

impl clap::ValueEnum for Moves {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Four, Self::Eight]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::Four => "4",
            Self::Eight => "8",
        }))
    }
}

impl Moves {
    /// The benchmark's rules with these moves: every move takes one tick.
    pub(crate) fn rules(self) -> Rules {
        let connectivity = match self {
            Self::Four => Connectivity::Four,
            Self::Eight => Connectivity::Eight,
        };
        Rules { connectivity, ..Rules::default() }
    }
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PlanFormat {
    /// Where everybody is, tick by tick, as LaCAM has it
    Positions,
    /// The cells of each agent by row and column, as EECBS has it
    Arrows,
    /// The moves of each agent as u, d, l, r and w, as the MAPF tracker has it
    Moves,
}

impl From<PlanFormat> for Dialect {
    fn from(format: PlanFormat) -> Self {
        match format {
            PlanFormat::Positions => Self::Positions,
            PlanFormat::Arrows => Self::Arrows,
            PlanFormat::Moves => Self::Moves,
        }
    }
}

/// A whole number of at least one.
pub(crate) fn at_least_one() -> impl TypedValueParser<Value = u64> {
    |text: &str| whole(text, 1, u64::MAX)
}

/// A number of threads.
pub(crate) fn threads() -> impl TypedValueParser<Value = usize> {
    |text: &str| whole(text, 1, 256).map(|threads| threads as usize)
}

/// A number of shards.
pub(crate) fn shards() -> impl TypedValueParser<Value = usize> {
    |text: &str| whole(text, 1, 100_000).map(|shards| shards as usize)
}

/// A number of agents: as many as ids can tell apart.
pub(crate) fn agents() -> impl TypedValueParser<Value = usize> {
    |text: &str| whole(text, 1, u64::from(u32::MAX)).map(|agents| agents as usize)
}

/// A whole number within bounds.
fn whole(text: &str, low: u64, high: u64) -> Result<u64, String> {
    text.parse().ok().filter(|number| (low..=high).contains(number)).ok_or_else(|| match high {
        u64::MAX => format!("expected a whole number from {low}"),
        high => format!("expected a whole number from {low} to {high}"),
    })
}

/// The number of a unit.
pub(crate) fn unit(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected the number of a unit; the first is 0".to_owned())
}

/// A time in seconds, whole or not.
pub(crate) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds from 0, as 30 or 0.5".to_owned())
}
