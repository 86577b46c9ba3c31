//! Rules for `Cargo.toml` files and for the first lines of each crate.

use super::Finding;

/// Every package takes the workspace's lints and says what it is.
pub(super) fn check(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines: Vec<String> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let shared = lines.iter().enumerate().any(|(at, line)| {
        line == "lints.workspace=true"
            || line == "[lints]"
                && lines[at + 1..].iter().find(|l| !l.is_empty()).is_some_and(|l| l == "workspace=true")
    });
    if !shared {
        findings.push(Finding::new(file, "needs `[lints] workspace = true`"));
    }
    match text.lines().position(|l| l.trim_start().starts_with("description")) {
        None => findings.push(Finding::new(file, "needs a `description`")),
        Some(at) => {
            let value = lines[at].split_once('=').map_or("", |(_, value)| value).trim_matches('"');
            if value.is_empty() || value.to_ascii_uppercase().starts_with("TODO") {
                findings.push(Finding::at_line(file, at + 1, "the description says nothing"));
            }
        }
    }
    findings
}

/// The root file of a library or program begins with a `//!` comment that says more than its name.
pub(super) fn check_root(file: &str, package: &str, text: &str) -> Option<Finding> {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|l| !l.is_empty() && !l.starts_with("#![")).unwrap_or_default();
    let Some(words) = first.strip_prefix("//!").map(str::trim) else {
        return Some(Finding::at_line(file, 1, "a crate begins with a `//!` comment that says what it is"));
    };
    let bare = words.trim_matches(|c: char| !c.is_alphanumeric());
    let says_nothing = bare.is_empty() || bare == package;
    says_nothing.then(|| Finding::at_line(file, 1, "the crate's comment says no more than its name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(text: &str) -> usize {
        check("Cargo.toml", text).len()
    }

    #[test]
    fn lints_and_description_are_needed() {
        assert_eq!(whats("[package]\ndescription = \"Judges plans.\"\n\n[lints]\nworkspace = true\n"), 0);
        assert_eq!(whats("[package]\ndescription = \"Judges plans.\"\nlints.workspace = true\n"), 0);
        assert_eq!(whats("[package]\ndescription = \"TODO\"\n[lints]\nworkspace = true\n"), 1);
        assert_eq!(whats("[package]\ndescription = \"Judges plans.\"\n"), 1);
        assert_eq!(whats("[package]\nname = \"x\"\n"), 2);
    }

    #[test]
    fn a_crate_says_what_it_is() {
        let check = |text| check_root("lib.rs", "throng-sim", text).is_some();
        assert!(!check("//! The executor.\n"));
        assert!(!check("#![no_std]\n\n//! The executor.\n"));
        assert!(check("//! throng-sim\n"));
        assert!(check("use std::fmt;\n"));
        assert!(check(""));
    }
}
