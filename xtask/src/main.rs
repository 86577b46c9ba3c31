//! Checks of this repository: `cargo xtask help` lists them.

mod browser;
mod c;
mod packages;
mod python;
mod steps;
mod tidy;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  test     everything that must pass: format, clippy, tidy, tests, documentation, wasm, C, Python, browser
  tidy     the rules that no compiler knows: direction of dependencies, paths in documents, …
  wasm     the engine as WebAssembly, run by Node.js: it ends in the same states as natively
  c        the engine called from C and C#, under valgrind too
  python   the wheel in a virtual environment of its own, and its tests
  browser  the studio in Chromium, which is installed if need be
  help     this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => steps::run(&root()),
        ["tidy"] => tidy::run(&root()),
        ["wasm"] => wasm::run(&root()),
        ["c"] => c::check(&root()),
        ["python"] => python::check(&root()),
        ["browser"] => browser::run(&root()),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [] => Err(format!("which command?\n\n{HELP}")),
        other => Err(format!("unknown command `{}`\n\n{HELP}", other.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The cargo that runs us.
fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
