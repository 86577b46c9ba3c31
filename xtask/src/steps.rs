//! `cargo xtask test`: one step after the other, until one fails.

use crate::{browser, c, cargo, python, tidy, wasm};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

enum Step {
    /// Arguments of cargo, separated by spaces.
    Cargo(&'static str),
    /// The same, with an environment variable.
    CargoWith(&'static str, &'static str, &'static str),
    Tidy,
    Wasm,
    C,
    Python,
    Browser,
}

/// What must pass, cheapest first. Steps share one build folder and cargo uses every core by itself,
/// so nothing is gained by running two of them at once.
const STEPS: &[Step] = &[
    Step::Cargo("fmt --all --check"),
    Step::Cargo("clippy --workspace --all-targets -- -D warnings"),
    // The engine without threads, as a host that has none builds it.
    Step::Cargo("clippy --package throng --no-default-features -- -D warnings"),
    Step::Tidy,
    Step::Cargo("test --workspace"),
    Step::CargoWith("RUSTDOCFLAGS", "-D warnings", "doc --workspace --no-deps"),
    Step::C,
    Step::Wasm,
    Step::Python,
    Step::Browser,
];

impl Step {
    /// As one would type it.
    fn line(&self) -> String {
        match self {
            Self::Cargo(arguments) => format!("cargo {arguments}"),
            Self::CargoWith(name, value, arguments) => format!("{name}='{value}' cargo {arguments}"),
            Self::Tidy => "cargo xtask tidy".to_owned(),
            Self::Wasm => "cargo xtask wasm".to_owned(),
            Self::C => "cargo xtask c".to_owned(),
            Self::Python => "cargo xtask python".to_owned(),
            Self::Browser => "cargo xtask browser".to_owned(),
        }
    }

    fn run(&self, root: &Path) -> Result<(), String> {
        let mut command = Command::new(cargo());
        command.current_dir(root);
        match self {
            Self::Tidy => return tidy::run(root),
            Self::Wasm => return wasm::run(root),
            Self::C => return c::check(root),
            Self::Python => return python::check(root),
            Self::Browser => return browser::run(root),
            Self::Cargo(arguments) => command.args(arguments.split(' ')),
            Self::CargoWith(name, value, arguments) => command.env(name, value).args(arguments.split(' ')),
        };
        let status = command.status().map_err(|e| format!("cannot start cargo: {e}"))?;
        if status.success() { Ok(()) } else { Err(status.to_string()) }
    }
}

/// Runs every step and says what it runs.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let begin = Instant::now();
    for (number, step) in STEPS.iter().enumerate() {
        let place = format!("step {} of {}", number + 1, STEPS.len());
        eprintln!("\n==> {place}: {}", step.line());
        step.run(root).map_err(|why| format!("{place} failed: {}\n{why}", step.line()))?;
    }
    eprintln!("\n==> all {} steps passed in {:.0} s", STEPS.len(), begin.elapsed().as_secs_f64());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_like_commands() {
        let lines: Vec<String> = STEPS.iter().map(Step::line).collect();
        assert!(lines.contains(&"cargo test --workspace".to_owned()));
        assert!(lines.contains(&"RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps".to_owned()));
    }
}
