//! Writes what an experiment came to: a report, the rows as CSV, the verdicts, the plots.

use crate::table::number;
use crate::{Claim, Conclusion, LabError, Outcome, files};
use serde_json::Value;
use std::path::Path;

pub(crate) fn write(
    folder: &Path,
    about: &str,
    source: &str,
    outcome: &mut Outcome,
    conclusion: Conclusion,
) -> Result<(), LabError> {
    let Conclusion { tables, plots, claims } = conclusion;
    let mut written: Vec<(String, Vec<u8>)> = Vec::new();
    for plot in &plots {
        let name = format!("{}.svg", plot.file());
        let svg = plot.svg().map_err(|why| LabError::Draw { path: folder.join(&name), why })?;
        written.push((name, svg.into_bytes()));
    }
    let mut report = format!("# {}: {about}\n\nSource: {source}.\n\n## Claims\n\n", outcome.experiment);
    report.extend(claims.iter().map(verdict));
    for table in &tables {
        report += &format!("\n## {}", table.markdown());
    }
    if !plots.is_empty() {
        report += "\n## Plots\n\n";
        let link = |plot: &crate::Plot| format!("- [{}]({}.svg)\n", plot.title(), plot.file());
        report.extend(plots.iter().map(link));
    }
    let json =
        serde_json::to_string_pretty(&claims).expect("numbers, strings and lists always have a JSON form");
    written.push(("claims.json".to_owned(), (json + "\n").into_bytes()));
    written.push(("rows.csv".to_owned(), csv(&outcome.rows()).into_bytes()));
    written.push(("report.md".to_owned(), report.clone().into_bytes()));
    for (name, bytes) in written {
        let path = folder.join(name);
        files::write(&path, &bytes)?;
        outcome.files.push(path);
    }
    (outcome.claims, outcome.report) = (claims, report);
    Ok(())
}

/// One claim a line: too many words for a table.
fn verdict(claim: &Claim) -> String {
    let Claim { text, holds, figure, measure, document } = claim;
    let holds = if *holds { "holds" } else { "DOES NOT HOLD" };
    let digits = if figure.is_some_and(|figure| figure.abs() >= 100.0) { 0 } else { 3 };
    format!(
        "- {holds}: {text}.\n  Document: {document}. Measured: {} ({measure}).\n",
        number(*figure, digits)
    )
}

/// The rows for spreadsheets: every number, word and yes or no; lists are left to the JSON.
fn csv(rows: &[Value]) -> String {
    let mut columns: Vec<&str> = Vec::new();
    for (name, value) in rows.iter().filter_map(Value::as_object).flatten() {
        if !value.is_array() && !value.is_object() && !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut out = columns.join(",") + "\n";
    for row in rows {
        let cells: Vec<String> = columns.iter().map(|&column| cell(row.get(column))).collect();
        out += &(cells.join(",") + "\n");
    }
    out
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) if text.contains([',', '"', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null | Value::Array(_) | Value::Object(_)) => String::new(),
        Some(plain) => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_of_different_shapes_share_one_table() {
        let rows =
            [json!({"key": "a", "n": 1, "list": [1]}), json!({"key": "b,\"c\"", "ok": true, "x": null})];
        assert_eq!(csv(&rows), "key,n,ok,x\na,1,,\n\"b,\"\"c\"\"\",,true,\n");
    }
}
