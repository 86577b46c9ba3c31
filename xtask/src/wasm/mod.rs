//! `cargo xtask wasm`: the engine runs as WebAssembly, and as it does everywhere else.
//!
//! Builds the library for C as a module, runs its cases under Node.js by the API for JavaScript (`bindings/web`) and compares the
//! hashes of their last states with what the command line says, which is native and has threads.

mod debian;
mod toolchain;

use crate::packages::scratch;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::Toolchain;

const TARGET: &str = "wasm32-unknown-unknown";
const TICKS: &str = "100";

/// Where page and API are, and the cases.
const WEB: &str = "bindings/web";

/// Fails unless every case ends in the same state there and here.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let site = site(root)?;
    let cases = read_cases(root)?;
    let hashes = run_module(root, &site, cases.len())?;
    for ((builtin, planner), there) in cases.iter().zip(&hashes) {
        let here = run_native(root, builtin, planner)?;
        if *there != here {
            return Err(format!(
                "{builtin} under {planner} differs after {TICKS} ticks: {there} as WebAssembly, {here} natively"
            ));
        }
    }
    eprintln!("wasm: {} cases end in the same state as natively", cases.len());
    Ok(())
}

/// A folder with the page, its scripts and the module, as one would put it anywhere.
pub(crate) fn site(root: &Path) -> Result<PathBuf, String> {
    let folder = build_folder(root)?;
    let toolchain = toolchain::find(&folder.join("wasm-toolchain"))?;
    let module = build(root, &folder, &toolchain)?;
    let site = scratch(&folder, "web")?;
    let web = root.join(WEB);
    let files = ["index.html", "demo.js", "throng.js"].map(|name| (web.join(name), name));
    for (from, name) in files.into_iter().chain([(module, "throng.wasm")]) {
        std::fs::copy(&from, site.join(name)).map_err(|why| format!("{}: {why}", from.display()))?;
    }
    Ok(site)
}

/// Runs `command` and gives what it prints, or says what it complained of.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("cannot start {name}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}\n{}", output.status, said.trim_end()))
}

/// Where cargo builds.
pub(crate) fn build_folder(root: &Path) -> Result<PathBuf, String> {
    let mut cargo = Command::new(crate::cargo());
    let told = output(cargo.args(["metadata", "--format-version", "1", "--no-deps"]).current_dir(root))?;
    let metadata: Value = serde_json::from_str(&told).map_err(|e| format!("cargo metadata: {e}"))?;
    metadata["target_directory"].as_str().map(PathBuf::from).ok_or("cargo metadata names no folder".into())
}

/// Builds without optimisation and debug information: what is built runs for a second, once. Checks of
/// overflow stay, and matter here, where a `usize` has 32 bits.
fn build(root: &Path, folder: &Path, toolchain: &Toolchain) -> Result<PathBuf, String> {
    let (mut cargo, folder) = toolchain.cargo_build(folder)?;
    cargo
        .args(["--locked", "--package", "throng-c", "--no-default-features", "--target", TARGET])
        .current_dir(root);
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    cargo.env("CARGO_TARGET_DIR", &folder);
    let status = cargo.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if !status.success() {
        return Err(format!("the build for {TARGET} failed: {status}\n{}", toolchain.advice()));
    }
    Ok(folder.join(TARGET).join("debug/throng_c.wasm"))
}

/// Built-in scenario and planner of each case.
fn read_cases(root: &Path) -> Result<Vec<(String, String)>, String> {
    let path = root.join(WEB).join("tests/cases.txt");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let case = |line: &str| line.split_once(' ').map(|(builtin, planner)| (builtin.into(), planner.into()));
    let cases: Option<Vec<_>> = text.lines().map(case).collect();
    cases
        .filter(|c| !c.is_empty())
        .ok_or(format!("{}: expected `SCENARIO PLANNER` on each line", path.display()))
}

fn run_module(root: &Path, site: &Path, cases: usize) -> Result<Vec<String>, String> {
    let mut node = Command::new("node");
    let tests = root.join(WEB).join("tests");
    node.arg(tests.join("run.mjs")).arg(site).arg(tests.join("cases.txt")).arg(TICKS);
    let told = output(&mut node).map_err(|why| format!("{why}\nNode.js 20 or newer runs the module"))?;
    let hashes: Vec<String> = told.lines().map(str::to_owned).collect();
    if hashes.len() == cases {
        Ok(hashes)
    } else {
        Err(format!("{cases} cases, but the module told {} hashes:\n{told}", hashes.len()))
    }
}

fn run_native(root: &Path, builtin: &str, planner: &str) -> Result<String, String> {
    let mut cargo = Command::new(crate::cargo());
    cargo.args(["run", "--quiet", "--package", "throng-cli", "--", "run", "--json", "--threads", "2"]);
    cargo.args(["--builtin", builtin, "--planner", planner, "--ticks", TICKS]).current_dir(root);
    let output = cargo.output().map_err(|e| format!("cannot start cargo: {e}"))?;
    // It exits with 2 when units are still under way, and tells the same object.
    let row: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let hash = row.and_then(|row| row["state_hash"].as_str().map(str::to_owned));
    hash.ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("throng run --builtin {builtin} --json told no state_hash: {}\n{said}", output.status)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_scenarios_with_planners() {
        let cases = read_cases(&crate::root()).unwrap();
        assert!(cases.contains(&("town".to_owned(), "whca(window=16)".to_owned())), "{cases:?}");
    }

    #[test]
    fn a_program_that_fails_or_is_missing_is_named() {
        let failed = output(Command::new(crate::cargo()).arg("--no-such-option")).unwrap_err();
        assert!(failed.contains("--no-such-option"), "{failed}");
        let missing = output(&mut Command::new("no-such-program")).unwrap_err();
        assert!(missing.starts_with("cannot start no-such-program"), "{missing}");
    }
}
