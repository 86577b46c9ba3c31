//! What a planner can be told.

use super::spec::{Spec, SpecError};

/// A parameter of a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its key.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Its value unless told otherwise.
    pub default: &'static str,
    /// What it may be.
    pub range: Range,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// A whole number in this range, ends included.
    Whole(u64, u64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these words, or a whole number in this range.
    WordsOrWhole(&'static [&'static str], u64, u64),
    /// A number from 0 to this one, with up to four digits after the point.
    Decimal(u32),
    /// One of these words, or such a number.
    WordsOrDecimal(&'static [&'static str], u32),
    /// One of these words, or another planner.
    WordsOrPlanner(&'static [&'static str]),
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(low, high) => write!(f, "{low} to {high}"),
            Self::Words(words) => write!(f, "{}", words.join(" or ")),
            Self::WordsOrWhole(words, low, high) => write!(f, "{} or {low} to {high}", words.join(" or ")),
            Self::Decimal(high) => write!(f, "0 to {high}, with up to four digits after the point"),
            Self::WordsOrDecimal(words, high) => {
                write!(f, "{} or {}", words.join(" or "), Self::Decimal(*high))
            }
            Self::WordsOrPlanner(words) => write!(f, "{} or another planner", words.join(" or ")),
        }
    }
}

impl Range {
    fn allows(&self, value: &str) -> bool {
        let within = |low, high| value.parse().is_ok_and(|n: u64| (low..=high).contains(&n));
        match *self {
            Self::Whole(low, high) => within(low, high),
            Self::Words(words) => words.contains(&value),
            Self::WordsOrWhole(words, low, high) => words.contains(&value) || within(low, high),
            Self::Decimal(high) => decimal(value).is_some_and(|n| n <= high * 10_000),
            Self::WordsOrDecimal(words, high) => words.contains(&value) || Self::Decimal(high).allows(value),
            Self::WordsOrPlanner(words) => words.contains(&value) || super::find(value).is_ok(),
        }
    }
}

/// A number in ten thousandths, as it is written: `12`, `0.4`, `.25`.
fn decimal(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 4 || whole.len() > 5 || whole.len() + part.len() == 0 {
        return None;
    }
    format!("{whole:0>1}{part:0<4}").parse().ok()
}

/// The values of all parameters of a planner, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    parameters: &'static [Parameter],
    values: Vec<String>,
}

impl Values {
    /// Fills in defaults and checks what was given.
    pub(super) fn of(
        planner: &'static str,
        parameters: &'static [Parameter],
        spec: &Spec,
    ) -> Result<Self, SpecError> {
        let mut given: Vec<Option<String>> = vec![None; parameters.len()];
        for (key, value) in &spec.parameters {
            let Some(place) = parameters.iter().position(|p| p.name == key) else {
                let known =
                    parameters.iter().map(|p| format!("{} ({})", p.name, p.range)).collect::<Vec<_>>();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(SpecError::UnknownParameter { planner, key: key.clone(), known });
            };
            if let Range::WordsOrPlanner(words) = parameters[place].range
                && !words.contains(&value.as_str())
            {
                // What is wrong with that planner says more than that something is.
                super::find(value)?;
            }
            if !parameters[place].range.allows(value) {
                let expected = parameters[place].range.to_string();
                return Err(SpecError::BadValue {
                    planner,
                    key: key.clone(),
                    value: value.clone(),
                    expected,
                });
            }
            if given[place].replace(value.clone()).is_some() {
                return Err(SpecError::Twice { planner, key: key.clone() });
            }
        }
        let values =
            given.into_iter().zip(parameters).map(|(g, p)| g.unwrap_or_else(|| p.default.to_owned()));
        Ok(Self { parameters, values: values.collect() })
    }

    /// The value of `name` as a word.
    #[must_use]
    pub fn word(&self, name: &str) -> &str {
        let place = self.parameters.iter().position(|p| p.name == name);
        place.map_or("", |place| &self.values[place])
    }

    /// The value of `name` as a number, if it is one.
    #[must_use]
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.word(name).parse().ok()
    }

    /// The value of `name` in ten thousandths, if it is a number.
    #[must_use]
    pub fn decimal(&self, name: &str) -> Option<u32> {
        decimal(self.word(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_in_ten_thousandths() {
        let read = [("0", 0), ("1", 10_000), ("0.4", 4000), (".25", 2500), ("12.", 120_000), ("0.0001", 1)];
        for (text, value) in read {
            assert_eq!(decimal(text), Some(value), "{text}");
        }
        for text in ["", ".", "-1", "1e3", "0.00001", "1.2.3", "123456", "x", "0,5", "+1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
        assert!(Range::Decimal(1).allows("1.0") && !Range::Decimal(1).allows("1.0001"));
        assert!(Range::WordsOrDecimal(&["auto"], 1).allows("auto"));
    }
}
