//! How bodies look ahead.

use crate::SpaceError;

/// Where ways around walls come from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sampling {
    /// A waypoint graph: points of a lattice so far apart, each joined with up to eight around it.
    Lattice {
        /// From one point to the next.
        spacing: f64,
    },
    /// Points drawn at random, each joined with those nearest to it that it sees.
    Random {
        /// So many to a square of one by one.
        density: f64,
        /// Where the draws come from.
        seed: u64,
    },
}

/// How bodies look ahead and decide. Times are in seconds, lengths in metres, or whatever the world is measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The time of a step.
    pub step: f64,
    /// The forecasting index: how far ahead a body predicts where others will be.
    pub forecast: f64,
    /// Who would have to slow down below this part of its speed looks for another way.
    pub bound: f64,
    /// About so many others are looked at, the nearest ones: in a crowd a body looks less far.
    pub nearest: usize,
    /// Who is late by as many of these as another goes before it. Finer steps would have two that meet change places
    /// again and again.
    pub quantum: f64,
    /// How long a body that cannot go on waits before it looks for a way around those who stand in it.
    pub patience: f64,
    /// Where ways around walls come from.
    pub sampling: Sampling,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.1,
            forecast: 4.0,
            bound: 0.5,
            nearest: 10,
            quantum: 2.0,
            patience: 4.0,
            sampling: Sampling::Lattice { spacing: 1.0 },
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), SpaceError> {
        let within = |value: f64, least: f64, most: f64| (least..=most).contains(&value);
        let Self { step, forecast, bound, nearest, quantum, patience, sampling } = *self;
        let (spacing, density) = match sampling {
            Sampling::Lattice { spacing } => (spacing, 1.0),
            Sampling::Random { density, .. } => (1.0, density),
        };
        let all = [
            ("step", step, within(step, 1e-4, 100.0), "0.0001 to 100"),
            ("forecast", forecast, within(forecast, step, 1e4), "at least a step and at most 10000"),
            ("bound", bound, within(bound, 0.0, 1.0), "0 to 1"),
            ("nearest", nearest as f64, (1..=64).contains(&nearest), "1 to 64"),
            ("quantum", quantum, within(quantum, 1e-3, 1e6), "0.001 to 1000000"),
            ("patience", patience, within(patience, 0.0, 1e6), "0 to 1000000"),
            ("spacing", spacing, within(spacing, 1e-2, 1e4), "0.01 to 10000"),
            ("density", density, within(density, 1e-6, 1e4), "0.000001 to 10000"),
        ];
        match all.into_iter().find(|(.., fits, _)| !fits) {
            Some((setting, value, _, expected)) => Err(SpaceError::BadSetting { setting, value, expected }),
            None => Ok(()),
        }
    }
}
