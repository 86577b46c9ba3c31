//! What a command says in the end.

use serde::Serialize;
use std::process::ExitCode;

/// Exit status for wrong usage, bad input and invalid plans.
pub(crate) const BAD_INPUT: u8 = 1;
/// Exit status where nothing is wrong with the question, but it was not solved.
pub(crate) const NOT_SOLVED: u8 = 2;

/// Text for standard output, and the exit status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) status: ExitCode,
}

impl Answer {
    /// Done, and this is what there is to say.
    pub(crate) const fn done(text: String) -> Self {
        Self { text, status: ExitCode::SUCCESS }
    }

    /// The same with exit status `status` unless `good`.
    pub(crate) fn or(mut self, good: bool, status: u8) -> Self {
        if !good {
            self.status = ExitCode::from(status);
        }
        self
    }

    /// One JSON object (or list) on a line of its own.
    pub(crate) fn json(value: &impl Serialize) -> Self {
        let mut text =
            serde_json::to_string(value).expect("numbers, strings and lists always have a JSON form");
        text.push('\n');
        Self::done(text)
    }
}
