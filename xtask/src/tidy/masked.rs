//! Rust source with code and comments told apart, so that rules never trip over a string.

/// One line of source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Its code; what strings contain is blank.
    pub(super) code: String,
    /// The text of comments on it, with the slashes that begin them.
    pub(super) comment: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    LineComment,
    /// Nested this deep.
    BlockComment(u32),
    /// Closed by a quote and this many hashes; escapes count only without a raw prefix.
    Text {
        hashes: usize,
        raw: bool,
    },
}

/// Splits `source` into lines. It knows comments, strings and characters, and no more of the language.
pub(super) fn lines(source: &str) -> Vec<Line> {
    let chars: Vec<char> = source.chars().collect();
    let mut lines = vec![Line::default()];
    let mut inside = Inside::Code;
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        if rest[0] == '\n' {
            if inside == Inside::LineComment {
                inside = Inside::Code;
            }
            lines.push(Line::default());
            at += 1;
            continue;
        }
        let (next, taken) = step(inside, &chars, at);
        let line = lines.last_mut().expect("there is always a line");
        let is_comment = |state| matches!(state, Inside::LineComment | Inside::BlockComment(_));
        if is_comment(inside) || is_comment(next) {
            line.comment.extend(&rest[..taken]);
        } else if next == inside && (inside != Inside::Code || taken > 1) {
            line.code.extend(std::iter::repeat_n(' ', taken));
        } else {
            line.code.extend(&rest[..taken]);
        }
        (inside, at) = (next, at + taken);
    }
    lines
}

/// What follows, and how many characters that takes (never past a line break).
fn step(inside: Inside, chars: &[char], at: usize) -> (Inside, usize) {
    let rest = &chars[at..];
    match inside {
        Inside::LineComment => (inside, 1),
        Inside::BlockComment(depth) => match rest {
            ['*', '/', ..] if depth == 1 => (Inside::Code, 2),
            ['*', '/', ..] => (Inside::BlockComment(depth - 1), 2),
            ['/', '*', ..] => (Inside::BlockComment(depth + 1), 2),
            _ => (inside, 1),
        },
        Inside::Text { raw: false, .. } if rest[0] == '\\' && rest.get(1).is_some_and(|&c| c != '\n') => {
            (inside, 2)
        }
        Inside::Text { hashes, .. } => {
            let closes =
                rest[0] == '"' && rest[1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
            if closes { (Inside::Code, 1 + hashes) } else { (inside, 1) }
        }
        Inside::Code => match rest {
            ['/', '/', ..] => (Inside::LineComment, 2),
            ['/', '*', ..] => (Inside::BlockComment(1), 2),
            ['"', ..] => {
                let before = chars[..at].iter().rev();
                let hashes = before.clone().take_while(|&&c| c == '#').count();
                let raw = before.clone().nth(hashes) == Some(&'r');
                (Inside::Text { hashes: if raw { hashes } else { 0 }, raw }, 1)
            }
            ['\'', '\\', ..] => {
                let end = rest.iter().skip(3).take_while(|&&c| c != '\n').position(|&c| c == '\'');
                (inside, end.map_or(1, |end| end + 4))
            }
            ['\'', _, '\'', ..] => (inside, 3),
            _ => (inside, 1),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(source: &str) -> Vec<String> {
        lines(source).into_iter().map(|l| l.code.trim_end().to_owned()).collect()
    }

    #[test]
    fn strings_are_blank_and_comments_apart() {
        let found = lines("let a = \"// no\"; // yes");
        assert_eq!(found[0].code, "let a = \"     \"; ");
        assert_eq!(found[0].comment, "// yes");
    }

    #[test]
    fn raw_strings_and_escapes_end_where_they_end() {
        assert_eq!(code("f(\"a\\\"b\", 1)"), ["f(\"    \", 1)"]);
        assert_eq!(code("f(r#\"a\"b\\\"#, 1)"), ["f(r#\"    \"#, 1)"]);
    }

    #[test]
    fn quotes_of_characters_and_lifetimes_open_no_string() {
        assert_eq!(code("f('\"', '\\'', x)"), ["f(   ,     , x)"]);
        assert_eq!(code("fn f<'a>(x: &'a str) {"), ["fn f<'a>(x: &'a str) {"]);
    }

    #[test]
    fn block_comments_nest_over_lines() {
        let found = lines("a /* b /* c */\nd */ e");
        assert_eq!((found[0].code.as_str(), found[1].code.as_str()), ("a ", " e"));
    }

    #[test]
    fn a_string_goes_on_over_lines() {
        assert_eq!(code("let a = \"x\ny\"; b"), ["let a = \"", " \"; b"]);
    }
}
