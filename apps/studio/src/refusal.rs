//! Why something was not done.

use serde::Serialize;
use throng::formats::FormatError;

/// Why a command was refused, told so that a person can mend it. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// The line of the document's text that is to blame, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Something is there that would be lost: whoever asks again with `overwrite` means it.
    #[serde(skip_serializing_if = "is_false")]
    pub exists: bool,
}

// The argument of what serde calls is a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Refusal {
    /// Without a line.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: None, exists: false }
    }

    /// Of an error, and a line if one is to blame.
    pub(crate) fn at(line: Option<usize>, why: impl ToString) -> Self {
        Self { message: why.to_string(), line, exists: false }
    }

    /// Something would be lost.
    pub(crate) fn exists(message: impl Into<String>) -> Self {
        Self { exists: true, ..Self::new(message) }
    }
}

impl From<FormatError> for Refusal {
    fn from(why: FormatError) -> Self {
        let (line, message) = (why.line(), why.to_string());
        // It is told once.
        let begin = line.map_or_else(String::new, |line| format!("line {line}"));
        let rest =
            message.strip_prefix(&begin).and_then(|rest| rest.strip_prefix([':', ','])?.strip_prefix(' '));
        Self { exists: false, line, message: rest.filter(|_| line.is_some()).unwrap_or(&message).to_owned() }
    }
}

macro_rules! of_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Refusal {
            fn from(why: $error) -> Self {
                Self::new(why.to_string())
            }
        }
    )*};
}

of_errors!(
    throng::OrderError,
    throng::core::GridError,
    throng::worlds::UnknownBuiltin,
    throng::worlds::generate::GenerateError
);
