//! Rules for Rust files.

use super::masked::{Line, lines};
use super::{Finding, comments};

/// Above this a file wants to be split.
const MOST_LINES: usize = 500;

/// Files that may be longer, and why.
const LONG_FILES: &[(&str, &str)] = &[];

/// Calls and attributes that may not stay in the code, and why.
const FORBIDDEN: &[(&str, &str)] = &[
    ("#[ignore", "a test that does not run proves nothing: mend it or remove it"),
    ("todo!(", "unfinished code"),
    ("unimplemented!(", "unfinished code"),
    ("dbg!(", "left over from debugging"),
];

/// What an engine that runs anywhere cannot ask of its host.
const HOST: &[&str] = &["std::env", "std::fs", "std::net", "std::process", "std::thread", "std::time"];

/// How many lines above an `unsafe` its reason may stand.
const REASON_WITHIN: usize = 6;

pub(super) fn check(file: &str, text: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = too_long(file, text.lines().count()).into_iter().collect();
    let lines = lines(text);
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        let code: String = line.code.split_whitespace().collect();
        for (word, why) in FORBIDDEN {
            if stands_alone(&code, word) {
                findings.push(Finding::at_line(file, number, format!("`{word}` is forbidden: {why}")));
            }
        }
        for word in HOST.iter().filter(|word| is_engine(file) && stands_alone(&line.code, word)) {
            let what = format!("`{word}` in the engine, which runs where there is no such thing");
            findings.push(Finding::at_line(file, number, what));
        }
        if line.code.trim().is_empty() && comments::is_code(line.comment.trim()) {
            findings.push(Finding::at_line(file, number, "commented-out code: remove it"));
        }
        let above = &lines[at.saturating_sub(REASON_WITHIN)..=at];
        if is_unsafe(&line.code) && !above.iter().any(gives_reason) {
            let what = "`unsafe` needs a `// SAFETY:` comment that says why it is sound";
            findings.push(Finding::at_line(file, number, what));
        }
    }
    findings
}

/// Sources of the crates that a user depends on, their tests aside.
fn is_engine(file: &str) -> bool {
    file.starts_with("crates/") && file.contains("/src/") && !file.starts_with("crates/testkit/")
}

fn too_long(file: &str, count: usize) -> Option<Finding> {
    let excused = LONG_FILES.iter().any(|(name, _)| *name == file);
    let what = || format!("{count} lines, at most {MOST_LINES}: split it by what its parts do");
    (count > MOST_LINES && !excused).then(|| Finding::new(file, what()))
}

/// Whether `word` occurs in `code` and does not continue another word.
fn stands_alone(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn is_unsafe(code: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
}

fn gives_reason(line: &Line) -> bool {
    line.comment.contains("SAFETY:") || line.comment.contains("# Safety")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(text: &str) -> Vec<String> {
        check("a.rs", text).into_iter().map(|f| format!("{} {}", f.place, f.what)).collect()
    }

    #[test]
    fn clean_code_passes() {
        let text =
            "//! Doc.\n\n/// let x = 1;\nfn f() -> &'static str {\n    \"todo!() dbg!(x) unsafe\"\n}\n";
        assert_eq!(whats(text), Vec::<String>::new());
    }

    #[test]
    fn leftovers_are_found_with_their_line() {
        let found = whats(
            "fn f() {\n    todo!()\n}\n#[ignore = \"slow\"]\nfn g() { dbg!(1); unimplemented!(\"x\") }\n",
        );
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].starts_with("a.rs:2 `todo!(`"), "{found:?}");
        assert!(found[1].starts_with("a.rs:4 `#[ignore`"), "{found:?}");
        assert_eq!(whats("fn f() { my_todo!() }"), Vec::<String>::new());
    }

    #[test]
    fn commented_out_code_is_found() {
        assert_eq!(whats("fn f() {\n    // let x = g();\n}\n").len(), 1);
        assert_eq!(whats("fn f() {\n    // g waits for x;\n}\n").len(), 0);
    }

    #[test]
    fn unsafe_needs_a_reason() {
        assert_eq!(whats("fn f() { unsafe { g() } }").len(), 1);
        assert_eq!(whats("// SAFETY: g has no precondition.\nunsafe { g() }").len(), 0);
        assert_eq!(whats("#![deny(unsafe_code)]").len(), 0);
    }

    #[test]
    fn the_engine_asks_nothing_of_its_host() {
        let text = "use std::time::Instant;";
        assert_eq!(check("crates/sim/src/lib.rs", text).len(), 1);
        assert_eq!(check("crates/sim/tests/all.rs", text).len(), 0);
        assert_eq!(check("apps/cli/src/clock.rs", text).len(), 0);
    }

    #[test]
    fn long_files_are_named() {
        assert_eq!(whats(&"\n".repeat(MOST_LINES)).len(), 0);
        assert!(whats(&"\n".repeat(MOST_LINES + 1))[0].starts_with("a.rs 501 lines"));
    }
}
