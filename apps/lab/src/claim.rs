//! What a source says, and whether the rows bear it out.

use serde::Serialize;

/// A claim with its verdict. The verdict is worked out from the rows, never written down.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// The claim in our words.
    pub text: String,
    /// Whether the rows bear it out.
    pub holds: bool,
    /// The number that decides; absent if there are no rows to tell it.
    pub figure: Option<f64>,
    /// What the number is, and what it is held against.
    pub measure: String,
    /// What the source says, in its numbers where it has any.
    pub document: String,
}

impl Claim {
    /// A claim that holds if `holds` does of the figure. Without a figure nothing is borne out.
    pub fn new(
        text: impl Into<String>,
        document: impl Into<String>,
        measure: impl Into<String>,
        figure: Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Self {
        let figure = figure.filter(|figure| figure.is_finite());
        Self {
            text: text.into(),
            holds: figure.is_some_and(holds),
            figure: figure.map(rounded),
            measure: measure.into(),
            document: document.into(),
        }
    }
}

/// Four digits are more than any claim here needs, and the rest differs between platforms.
fn rounded(figure: f64) -> f64 {
    (figure * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_borne_out_without_a_figure() {
        assert!(Claim::new("", "", "", Some(2.0), |figure| figure > 1.0).holds);
        assert!(!Claim::new("", "", "", None, |_| true).holds);
        let claim = Claim::new("", "", "", Some(f64::NAN), |_| true);
        assert_eq!((claim.holds, claim.figure), (false, None));
    }
}
