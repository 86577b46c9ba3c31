//! What a run leaves behind.

use crate::Claim;
use crate::journal::Line;
use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Rows, verdicts and files of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which experiment.
    pub experiment: &'static str,
    /// How many cases it has; a shard has rows for some of them only.
    pub cases: usize,
    pub(crate) lines: Vec<Line>,
    /// Keys of the cases that have no row yet.
    pub missing: Vec<String>,
    /// Verdicts; none before every case has a row.
    pub claims: Vec<Claim>,
    /// The report as Markdown; empty before every case has a row.
    pub report: String,
    /// Files that were written beside the rows.
    pub files: Vec<PathBuf>,
}

impl Outcome {
    pub(crate) const fn new(experiment: &'static str, cases: usize, lines: Vec<Line>) -> Self {
        Self {
            experiment,
            cases,
            lines,
            missing: Vec::new(),
            claims: Vec::new(),
            report: String::new(),
            files: Vec::new(),
        }
    }

    /// Whether every case has a row.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.lines.len() == self.cases
    }

    /// The raw rows in the order of the cases: what was counted, with the case's `key` and the `ms` it took.
    #[must_use]
    pub fn rows(&self) -> Vec<Value> {
        let flat = |line: &Line| {
            let mut object = Map::new();
            object.insert("key".to_owned(), line.key.clone().into());
            match &line.row {
                Value::Object(row) => object.extend(row.clone()),
                other => drop(object.insert("row".to_owned(), other.clone())),
            }
            object.insert("ms".to_owned(), line.ms.into());
            Value::Object(object)
        };
        self.lines.iter().map(flat).collect()
    }
}

/// The object that programs get.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Outcome", 7)?;
        object.serialize_field("experiment", self.experiment)?;
        object.serialize_field("complete", &self.is_complete())?;
        object.serialize_field("cases", &self.cases)?;
        object.serialize_field("missing", &self.missing)?;
        object.serialize_field("rows", &self.rows())?;
        object.serialize_field("claims", &self.claims)?;
        object.serialize_field("files", &self.files)?;
        object.end()
    }
}
