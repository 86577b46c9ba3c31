//! `name(key=value,…)`.

use std::fmt;

/// A planner's name with parameters, as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The planner.
    pub name: String,
    /// Parameters as written.
    pub parameters: Vec<(String, String)>,
}

/// Why a spec cannot be read or fulfilled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpecError {
    #[error("planner {spec:?}: expected `name` or `name(key=value,…)`")]
    Syntax { spec: String },
    #[error("unknown planner {name:?}: there are {known}")]
    UnknownPlanner { name: String, known: String },
    #[error("planner {planner}: unknown parameter {key:?}: it takes {known}")]
    UnknownParameter { planner: &'static str, key: String, known: String },
    #[error("planner {planner}: parameter {key} is given twice")]
    Twice { planner: &'static str, key: String },
    #[error("planner {planner}: {key}={value}: expected {expected}")]
    BadValue { planner: &'static str, key: String, value: String, expected: String },
    #[error("planner {planner}: {key}={level}: the highest level of this map is {highest}")]
    TooHigh { planner: &'static str, key: &'static str, level: u64, highest: u64 },
    #[error("planner {planner}: {key}={value} means nothing without {without} above 0")]
    Without { planner: &'static str, key: &'static str, value: String, without: &'static str },
    #[error("planner {planner}: {key}={value} for {units} units takes memory={needs} MiB here, not {memory}")]
    NoRoom { planner: &'static str, key: &'static str, value: String, units: usize, needs: u64, memory: u64 },
    #[error("planner {planner}: expected one of {} and {}, not both", keys[0], keys[1])]
    Together { planner: &'static str, keys: [&'static str; 2] },
}

impl Spec {
    /// Reads a spec.
    ///
    /// ```
    /// let spec = throng_planners::registry::Spec::parse("whca(window=8, replan=2)")?;
    /// assert_eq!(spec.to_string(), "whca(window=8,replan=2)");
    /// # Ok::<(), throng_planners::registry::SpecError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let bad = || SpecError::Syntax { spec: text.to_owned() };
        let text = text.trim();
        let (name, inside) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => (name.trim_end(), rest.strip_suffix(')').ok_or_else(bad)?.trim()),
        };
        let word = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        if !word(name) {
            return Err(bad());
        }
        // A value may be the name of a file, or another planner.
        let plain = |s: &str| !s.is_empty() && !s.chars().any(|c| c.is_control() || "(),=".contains(c));
        let nested = |s: &str| s.ends_with(')') && Self::parse(s).is_ok();
        let mut parameters = Vec::new();
        if !inside.is_empty() {
            for pair in split_outside(inside) {
                let (key, value) = pair.split_once('=').ok_or_else(bad)?;
                let (key, value) = (key.trim(), value.trim());
                if !word(key) || !(plain(value) || nested(value)) {
                    return Err(bad());
                }
                parameters.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(Self { name: name.to_owned(), parameters })
    }
}

/// The parts between commas that are in no parentheses.
fn split_outside(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0u32;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (i, (key, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { "(" } else { "," })?;
        }
        if self.parameters.is_empty() { Ok(()) } else { write!(f, ")") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        for text in [
            "lra",
            "whca(window=16)",
            "dm(wmax=10,alpha=0.4)",
            "explore(weights=a b/ü:c.toml)",
            "lns(from=whca(window=16,replan=2),size=4)",
            "lns(from=lns(from=pibt))",
        ] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Spec::parse(" hca ( ) ").unwrap().to_string(), "hca");
        for text in [
            "",
            "whca(",
            "whca(window)",
            "whca(window=)",
            "whca(=3)",
            "whca)x",
            "a b",
            "whca(window=1)x",
            "lns(from=whca(window=1)",
            "lns(from=whca(window))",
            "lns(from=whca(a=1)x)",
            "lns(from=a)b)",
        ] {
            assert!(matches!(Spec::parse(text), Err(SpecError::Syntax { .. })), "{text:?}");
        }
    }
}
