//! Code that was commented out.

/// Words that may stand next to another word in code. Two other words side by side are prose.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "static", "struct", "trait", "type", "unsafe", "use", "where", "while",
];

/// Whether a comment, slashes included, reads like a line of code. Documentation never does: it is
/// allowed to show code. Rather silent than wrong: a line that could be a sentence is one.
pub(super) fn is_code(comment: &str) -> bool {
    let Some(text) = comment.strip_prefix("//").filter(|rest| !rest.starts_with(['/', '!'])) else {
        return false;
    };
    let text = without_strings(text.trim());
    let Some(body) = text.strip_suffix([';', '{']) else { return false };
    if !text.is_ascii() || text.contains('`') || has_prose(body) || has_open_comma(body) {
        return false;
    }
    let first = words(body).next().unwrap_or_default();
    if text.ends_with('{') {
        return body.trim_start().starts_with('}') || KEYWORDS.contains(&first) || body.contains(['(', '=']);
    }
    let assigns = body.contains(" = ") || body.contains("+= ") || body.contains("-= ");
    let calls = body.contains('(') && body.ends_with([')', '?']);
    assigns || calls || body.contains("::") || matches!(first, "mod" | "return") && words(body).count() == 2
}

/// Two words side by side, neither of them a keyword.
fn has_prose(body: &str) -> bool {
    let parts: Vec<&str> = body.split(' ').collect();
    let plain = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_') && !KEYWORDS.contains(&part)
    };
    parts.windows(2).any(|pair| {
        let starts = |part: &str| part.starts_with(|c: char| c.is_alphabetic()) && !KEYWORDS.contains(&part);
        plain(pair[0]) && starts(pair[1])
    })
}

/// A comma outside all brackets: a list in a sentence, never a statement.
fn has_open_comma(body: &str) -> bool {
    let mut depth = 0;
    body.chars().any(|c| {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
}

fn words(body: &str) -> impl Iterator<Item = &str> {
    body.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// `text` with what stands in quotes left out.
fn without_strings(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found() {
        for line in [
            "// let x = 5;",
            "// let mut path = search(grid, from, to)?;",
            "//let x = 5;",
            "// println!(\"some words here {x}\");",
            "// use std::collections::HashMap;",
            "// self.count += 1;",
            "// mod old;",
            "// return best;",
            "// fn old(grid: &Grid) -> bool {",
            "// for agent in scenario.agents() {",
            "// } else {",
            "// impl Planner for Old {",
            "// if a.b == c {",
        ] {
            assert!(is_code(line), "{line}");
        }
    }

    #[test]
    fn prose_is_left_alone() {
        for line in [
            "// The straight bits come first, so both are known by now.",
            "// a unit that waits keeps its cell;",
            "// let the one who stays win;",
            "// use the lower id;",
            "// (see the article);",
            "// cost, then O(n);",
            "// `let x = 5;` would be wrong here;",
            "// round(period·√2);",
            "// waits;",
            "/// let x = 5;",
            "//! let x = 5;",
            "// SAFETY: the index is in bounds;",
            "// soc = sum of all arrivals;",
        ] {
            assert!(!is_code(line), "{line}");
        }
    }
}
