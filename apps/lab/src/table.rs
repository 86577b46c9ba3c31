//! Tables as Markdown whose columns line up, so that they can be read as they are.

/// A table with a title. The first column is words and leans left; the others lean right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new<'a>(title: impl Into<String>, columns: impl IntoIterator<Item = &'a str>) -> Self {
        Self { title: title.into(), rows: vec![columns.into_iter().map(str::to_owned).collect()] }
    }

    /// One more line.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The title, and the lines.
    #[must_use]
    pub fn markdown(&self) -> String {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = if self.title.is_empty() { String::new() } else { format!("{}\n\n", self.title) };
        for (place, row) in self.rows.iter().enumerate() {
            let cell = |(column, &width): (usize, &usize)| {
                let cell = row.get(column).map_or("", String::as_str);
                if column == 0 { format!(" {cell:<width$} ") } else { format!(" {cell:>width$} ") }
            };
            out += &line(widths.iter().enumerate().map(cell));
            if place == 0 {
                let rule = |(column, &width): (usize, &usize)| match column {
                    0 => format!(" {} ", "-".repeat(width)),
                    _ => format!(" {}: ", "-".repeat(width - 1)),
                };
                out += &line(widths.iter().enumerate().map(rule));
            }
        }
        out
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("|{}|\n", cells.collect::<Vec<_>>().join("|"))
}

/// A number that may be missing, with so many digits behind the point.
pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    match value.filter(|value| value.is_finite()) {
        Some(value) => format!("{value:.digits$}"),
        None => "–".to_owned(),
    }
}

/// A share in percent.
pub(crate) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| number(None, 0), |value| format!("{:.1} %", 100.0 * value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new("Who", ["name", "n"]);
        table.row(vec!["×".into(), number(Some(12.25), 2)]);
        table.row(vec!["nobody".into(), number(None, 2)]);
        let expected = "\
Who

| name   |     n |
| ------ | ----: |
| ×      | 12.25 |
| nobody |     – |
";
        assert_eq!(table.markdown(), expected);
    }
}
