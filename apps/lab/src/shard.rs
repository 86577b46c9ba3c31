//! Sharing the cases among processes.

use crate::LabError;
use std::fmt;
use std::str::FromStr;

/// Part `part` of `parts`, counted from 1: every `parts`-th case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: usize,
    parts: usize,
}

impl Shard {
    /// Whether the case at this place is in it.
    #[must_use]
    pub const fn holds(&self, place: usize) -> bool {
        place % self.parts == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        let bad = || LabError::BadShard { text: text.to_owned() };
        let (part, parts) = text.split_once('/').ok_or_else(bad)?;
        let (part, parts) = (part.parse().map_err(|_| bad())?, parts.parse().map_err(|_| bad())?);
        if part == 0 || part > parts {
            return Err(bad());
        }
        Ok(Self { part, parts })
    }
}

/// As people type it.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl Shard {
    /// What its journal is called.
    pub(crate) fn file_name(self) -> String {
        format!("rows.{}-of-{}.jsonl", self.part, self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        for place in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(place)).count(), 1);
        }
        assert!(shards[0].holds(0));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
