//! Sums over rows.

/// The mean; nothing of nothing.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The largest; nothing of nothing.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.into_iter().reduce(f64::max)
}

/// `over` as a multiple of `under`, where both are known and that makes sense.
pub(crate) fn ratio(over: Option<f64>, under: Option<f64>) -> Option<f64> {
    Some(over? / under.filter(|&under| under > 0.0)?)
}
