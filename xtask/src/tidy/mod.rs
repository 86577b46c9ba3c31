//! `cargo xtask tidy`: the rules that no compiler knows.
//!
//! A rule is a function from text to findings, so that it can be tested on a few lines; this module
//! finds the files and prints what the rules found.

mod comments;
mod documents;
mod edges;
mod files;
mod manifests;
mod masked;
mod sources;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The documents whose paths must exist.
const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    /// File, `file:line` or an edge `crate → crate`.
    place: String,
    /// What is wrong there, and what to do.
    what: String,
}

impl Finding {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }

    fn at_line(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self::new(format!("{file}:{line}"), what)
    }
}

/// One package of the workspace, as `cargo metadata` tells it.
#[derive(Debug, Default)]
struct Package {
    name: String,
    /// Its `Cargo.toml`.
    manifest: PathBuf,
    /// The root files of its library and programs.
    roots: Vec<PathBuf>,
    /// Names of what it depends on, dev-dependencies aside.
    needs: Vec<String>,
}

/// Applies every rule to the workspace at `root`.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let packages = packages(root)?;
    let mut findings = edges::check(&packages);
    for package in &packages {
        let manifest = relative(root, &package.manifest);
        findings.extend(manifests::check(&manifest, &read(&package.manifest)?));
        for file in &package.roots {
            findings.extend(manifests::check_root(&relative(root, file), &package.name, &read(file)?));
        }
    }
    for path in files::rust_files(root).map_err(|e| format!("cannot list {}: {e}", root.display()))? {
        findings.extend(sources::check(&relative(root, &path), &read(&path)?));
    }
    for document in DOCUMENTS {
        match read(&root.join(document)) {
            Ok(text) => findings.extend(documents::check(document, &text, |path| root.join(path).exists())),
            Err(why) => findings.push(Finding::new(*document, why)),
        }
    }
    if findings.is_empty() {
        eprintln!("tidy: {} packages follow the rules", packages.len());
        return Ok(());
    }
    for Finding { place, what } in &findings {
        eprintln!("{place}: {what}");
    }
    Err(format!("tidy: {} findings", findings.len()))
}

fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let output = Command::new(crate::cargo())
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cannot start cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(parse_packages(&metadata))
}

fn parse_packages(metadata: &Value) -> Vec<Package> {
    list(&metadata["packages"]).iter().map(parse_package).collect()
}

fn parse_package(package: &Value) -> Package {
    let is_root = |target: &&Value| {
        list(&target["kind"]).iter().any(|kind| matches!(kind.as_str(), Some("lib" | "bin" | "proc-macro")))
    };
    let needed = |dependency: &&Value| dependency["kind"].as_str() != Some("dev");
    Package {
        name: text(&package["name"]),
        manifest: text(&package["manifest_path"]).into(),
        roots: list(&package["targets"])
            .iter()
            .filter(is_root)
            .map(|t| text(&t["src_path"]).into())
            .collect(),
        needs: list(&package["dependencies"])
            .iter()
            .filter(needed)
            .map(|dependency| text(&dependency["name"]))
            .collect(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dev_dependencies_are_left_out() {
        let metadata = serde_json::json!({"packages": [{
            "name": "throng-sim",
            "manifest_path": "/r/crates/sim/Cargo.toml",
            "targets": [
                {"kind": ["lib"], "src_path": "/r/crates/sim/src/lib.rs"},
                {"kind": ["test"], "src_path": "/r/crates/sim/tests/all.rs"},
            ],
            "dependencies": [
                {"name": "throng-core", "kind": null},
                {"name": "throng-planners", "kind": "dev"},
            ],
        }]});
        let packages = parse_packages(&metadata);
        assert_eq!(packages[0].needs, ["throng-core"]);
        assert_eq!(packages[0].roots, [PathBuf::from("/r/crates/sim/src/lib.rs")]);
    }
}
