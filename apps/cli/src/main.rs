//! The command line of Throng.
//!
//! One file per command in `commands`; begin with `commands/run.rs`. A command gets its arguments and
//! returns an [`Answer`], so what is printed and with which exit status is decided here and nowhere else.

mod answer;
mod apart;
mod clock;
mod commands;
mod error;
mod explain;
mod input;
mod options;
mod output;
mod progress;
mod rest;
mod simulate;
mod table;

use answer::Answer;
use clap::Parser;
use clock::Clock;
use commands::Command;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Moves many units through one world without jams or collisions.
#[derive(Debug, Parser)]
#[command(name = "throng", version, after_help = commands::EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let clock = Clock::start();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            // Nothing can be done about a terminal that cannot be written to.
            let _ = usage.print();
            return if usage.use_stderr() { answer::BAD_INPUT.into() } else { ExitCode::SUCCESS };
        }
    };
    match cli.command.run(clock).and_then(show) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}", error.rendered());
            answer::BAD_INPUT.into()
        }
    }
}

/// Prints an answer. A reader that has read enough (`throng … | head`) is no error.
fn show(answer: Answer) -> Result<ExitCode, error::CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(answer.text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(error::CliError::Print { why }),
        _ => Ok(answer.status),
    }
}
