//! Whether bodies can look ahead like that.

use crate::SpaceError;
use throng_core::space::{Sampling, Settings};

pub(crate) fn check(settings: &Settings) -> Result<(), SpaceError> {
    let within = |value: f64, least: f64, most: f64| (least..=most).contains(&value);
    let Settings { step, forecast, bound, nearest, quantum, patience, sampling } = *settings;
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
