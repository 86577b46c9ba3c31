//! Dependencies go one way only: apps → throng → {planners, sim, …} → search → core; bindings → throng.

use super::{Finding, Package};

const MIDDLE: &[&str] = &[
    "throng-planners",
    "throng-sim",
    "throng-continuous",
    "throng-formats",
    "throng-check",
    "throng-worlds",
    "throng-search",
    "throng-core",
];

/// What each crate may depend on in this workspace, dev-dependencies aside.
const ALLOWED: &[(&str, &[&str])] = &[
    ("throng-core", &[]),
    ("throng-check", &["throng-core"]),
    ("throng-formats", &["throng-core"]),
    ("throng-worlds", &["throng-core"]),
    ("throng-search", &["throng-core"]),
    ("throng-sim", &["throng-search", "throng-core"]),
    ("throng-continuous", &["throng-search", "throng-core"]),
    ("throng-planners", &["throng-search", "throng-core"]),
    ("throng", MIDDLE),
    (TESTKIT, MIDDLE),
    ("xtask", &[]),
];

/// Helpers for tests: nobody may depend on it except for tests.
const TESTKIT: &str = "throng-testkit";

/// The folder whose packages stand above `throng`; they may use whatever is below them, not each other.
const TOP: &str = "apps";

/// The folder of doors for other languages: what they hand on is what users of the library have.
const DOORS: &str = "bindings";

/// But for the command line, which is the way to all of them, and for pictures, which all of them show.
const BESIDE: &[(&str, &[&str])] = &[
    ("throng-cli", &["throng-lab", "throng-picture", "throng-studio"]),
    ("throng-studio", &["throng-picture"]),
    ("throng-picture", &["throng-lab"]),
];

pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let Some(allowed) = allowed(package) else {
            let what = "a crate without a place in the order: give it one in xtask/src/tidy/edges.rs";
            findings.push(Finding::new(&package.name, what));
            continue;
        };
        for need in &package.needs {
            let ours = packages.iter().any(|p| p.name == *need);
            if ours && !allowed.contains(&need.as_str()) {
                findings.push(Finding::new(format!("{} → {need}", package.name), reason(need, &allowed)));
            }
        }
    }
    findings
}

fn allowed(package: &Package) -> Option<Vec<&'static str>> {
    if let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == package.name) {
        return Some(allowed.to_vec());
    }
    let folder = package.manifest.parent()?.parent()?.file_name()?.to_str()?;
    let beside = BESIDE.iter().find(|(name, _)| *name == package.name).map_or(&[][..], |(_, beside)| beside);
    match folder {
        TOP => Some([&["throng"], MIDDLE, beside].concat()),
        DOORS => Some(vec!["throng"]),
        _ => None,
    }
}

fn reason(need: &str, allowed: &[&str]) -> String {
    if need == TESTKIT {
        "the test kit may only be a dev-dependency".to_owned()
    } else if allowed.is_empty() {
        "this crate may depend on no other of the workspace".to_owned()
    } else {
        format!("an edge against the order; allowed here: {}", allowed.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(path: &str, name: &str, needs: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            manifest: format!("/r/{path}/Cargo.toml").into(),
            needs: needs.iter().map(|&n| n.to_owned()).collect(),
            ..Package::default()
        }
    }

    fn places(packages: &[Package]) -> Vec<String> {
        check(packages).into_iter().map(|f| f.place).collect()
    }

    #[test]
    fn the_order_is_legal() {
        let packages = [
            package("crates/core", "throng-core", &["serde"]),
            package("crates/search", "throng-search", &["throng-core"]),
            package("crates/sim", "throng-sim", &["throng-search", "throng-core"]),
            package("crates/planners", "throng-planners", &["throng-search", "throng-core"]),
            package("crates/throng", "throng", &["throng-sim", "throng-planners", "throng-core"]),
            package("apps/cli", "throng-cli", &["throng", "throng-core", "throng-lab", "clap"]),
            package("apps/lab", "throng-lab", &["throng", "throng-search"]),
            package("bindings/c", "throng-c", &["throng"]),
            package("xtask", "xtask", &["serde_json"]),
        ];
        assert_eq!(places(&packages), Vec::<String>::new());
    }

    #[test]
    fn edges_against_the_order_are_named() {
        let packages = [
            package("crates/core", "throng-core", &["throng-search"]),
            package("crates/search", "throng-search", &["throng-testkit"]),
            package("crates/check", "throng-check", &["throng-search"]),
            package("crates/sim", "throng-sim", &["throng-planners"]),
            package("crates/planners", "throng-planners", &["throng"]),
            package("crates/testkit", "throng-testkit", &[]),
            package("crates/throng", "throng", &["throng-cli"]),
            package("apps/cli", "throng-cli", &["throng-lab"]),
            package("apps/lab", "throng-lab", &["throng-cli"]),
            package("bindings/c", "throng-c", &["throng", "throng-core"]),
        ];
        let expected = [
            "throng-core → throng-search",
            "throng-search → throng-testkit",
            "throng-check → throng-search",
            "throng-sim → throng-planners",
            "throng-planners → throng",
            "throng → throng-cli",
            "throng-lab → throng-cli",
            "throng-c → throng-core",
        ];
        assert_eq!(places(&packages), expected);
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        assert_eq!(places(&[package("crates/misc", "throng-misc", &[])]), ["throng-misc"]);
    }
}
