//! Columns of text that line up.

/// A table with a line of titles. The first column is words and leans left; the others lean right.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(titles: [&str; N]) -> Self {
        Self { rows: vec![titles.map(str::to_owned).to_vec()] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Every line indented by two spaces, with a rule below the titles.
    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            line(
                &mut out,
                row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                }),
            );
            if place == 0 {
                line(&mut out, widths.iter().map(|&width| "─".repeat(width)));
            }
        }
        out
    }
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    out.push_str("  ");
    out.push_str(cells.join("  ").trim_end());
    out.push('\n');
}

/// Names and values, one pair per line, indented.
pub(crate) fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    facts.into_iter().map(|(name, value)| format!("  {name:<13} {value}\n")).collect()
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A value that may be unknown.
pub(crate) fn known(value: Option<u64>) -> String {
    value.map_or_else(|| "–".to_owned(), grouped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["who", "n"]);
        table.row(vec!["×".into(), grouped(1_234_567)]);
        table.row(vec!["nobody".into(), known(None)]);
        let lines =
            ["  who             n", "  ──────  ─────────", "  ×       1,234,567", "  nobody          –"];
        assert_eq!(table.render().lines().collect::<Vec<_>>(), lines);
    }
}
