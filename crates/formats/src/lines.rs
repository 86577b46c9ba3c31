//! Lines and numbers of text files.

/// The lines of a file with their numbers from 1. Accepts `\n` and `\r\n`; a line end at the end of the
/// file begins no further line.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, number: 0 }
    }

    /// The number of the line that comes next, whether or not there is one.
    pub(crate) const fn next_number(&self) -> usize {
        self.number + 1
    }

    /// How many bytes are left.
    pub(crate) const fn remaining(&self) -> usize {
        self.rest.len()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match self.rest.iter().position(|&b| b == b'\n') {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        self.number += 1;
        Some((self.number, line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

/// The lines of places in a text, the first places first: one walk through it, however many there are.
pub(crate) fn lines_at(text: &str, starts: impl Iterator<Item = usize>) -> Vec<usize> {
    let (mut line, mut from) = (1, 0);
    let of = |start: usize| {
        let between = text.as_bytes().get(from..start).unwrap_or_default();
        line += between.iter().filter(|&&byte| byte == b'\n').count();
        from = from.max(start);
        line
    };
    starts.map(of).collect()
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The words between white space.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A decimal number; `None` if it is none or does not fit.
pub(crate) fn int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// The line of the byte at `offset`, from 1.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&b| b == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_line_ends_are_accepted() {
        let lines: Vec<_> = Lines::new(b"a\r\n\nb c\nd").collect();
        assert_eq!(lines, [(1, &b"a"[..]), (2, b""), (3, b"b c"), (4, b"d")]);
        assert_eq!(Lines::new(b"a\n").count(), 1);
        assert_eq!(words(b" b\t c ").collect::<Vec<_>>(), [b"b", b"c"]);
    }

    #[test]
    fn numbers_that_do_not_fit_are_none() {
        assert_eq!(int(b"-12"), Some(-12));
        assert_eq!(int(b"9223372036854775807"), Some(i64::MAX));
        for bad in ["", "-", "+1", "1.0", "9223372036854775808", "１"] {
            assert_eq!(int(bad.as_bytes()), None, "{bad}");
        }
    }
}
