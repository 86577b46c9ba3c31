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
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(low, high) => write!(f, "{low} to {high}"),
            Self::Words(words) => write!(f, "{}", words.join(" or ")),
            Self::WordsOrWhole(words, low, high) => write!(f, "{} or {low} to {high}", words.join(" or ")),
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
        }
    }
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
}
