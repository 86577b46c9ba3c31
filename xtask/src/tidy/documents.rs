//! Paths that documents name exist.

use super::Finding;

/// Checks the paths in `text`: in backticks and as targets of links and pictures.
pub(super) fn check(file: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let spans = code_spans(line).filter(|span| looks_like_path(span));
        for path in spans.chain(link_targets(line)) {
            if !exists(path) {
                findings.push(Finding::at_line(file, at + 1, format!("`{path}` does not exist")));
            }
        }
    }
    findings
}

/// What stands between single backticks.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Targets of `[text](target)` and `![text](target)` inside the repository.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let local = targets.filter(|t| !t.contains("://") && !t.starts_with('#') && !t.starts_with("mailto:"));
    local.map(|t| t.split('#').next().unwrap_or(t))
}

/// A path of the repository: plain letters, and a folder in front, a slash behind, or the ending of a
/// file that lies at the top.
fn looks_like_path(span: &str) -> bool {
    const FOLDERS: &[&str] = &[
        ".cargo",
        ".ci",
        "apps",
        "benches",
        "bindings",
        "crates",
        "docs",
        "experiments",
        "fuzz",
        "scenarios",
        "testdata",
        "xtask",
    ];
    const ENDINGS: &[&str] = &[".md", ".rs", ".toml", ".gif", ".png", ".sh"];
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    if span.is_empty() || !span.chars().all(plain) || span.starts_with(['/', '-']) {
        return false;
    }
    match span.split_once('/') {
        Some((first, _)) => FOLDERS.contains(&first) || span.ends_with('/') || has_ending(span, ENDINGS),
        None => span.starts_with(|c: char| c.is_ascii_uppercase()) && has_ending(span, ENDINGS),
    }
}

fn has_ending(span: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| span.len() > ending.len() && span.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_other_code() {
        for path in
            ["crates/core", "apps/cli/src/main.rs", "docs/", "README.md", "Cargo.toml", ".ci/run", "src/x.rs"]
        {
            assert!(looks_like_path(path), "{path}");
        }
        for other in [
            "and/or",
            "--gif",
            "/tmp/x.gif",
            "crates/*",
            "planners/src/<family>/",
            "cargo xtask",
            "lib.rs",
            "a.b",
        ] {
            assert!(!looks_like_path(other), "{other}");
        }
    }

    #[test]
    fn missing_paths_are_named_with_their_line() {
        let text = "See `crates/core` and\n`crates/gone`.\n```\n`crates/fenced`\n```\n![p](docs/p.gif) [w](https://x)";
        let found = check("README.md", text, |path| path == "crates/core");
        assert_eq!(
            found,
            [
                Finding::new("README.md:2", "`crates/gone` does not exist"),
                Finding::new("README.md:6", "`docs/p.gif` does not exist"),
            ]
        );
    }

    #[test]
    fn a_link_may_name_a_heading() {
        let targets: Vec<_> = link_targets("[a](ARCHITECTURE.md#map) [b](#top)").collect();
        assert_eq!(targets, ["ARCHITECTURE.md"]);
    }
}
