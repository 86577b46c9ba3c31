//! Parameters of a planner that are kept in a file: `explore(weights=FILE)`.
//!
//! Libraries read no files, so that whoever names a planner puts what the file holds into its spec first ([`expand`]); the registry
//! never hears of files.

use crate::LabError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use throng::formats::plain;
use throng::planners::registry::{self, Spec, SpecError};
use toml::Spanned;

/// The parameter that names a file.
const KEY: &str = "weights";

/// What a file holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    planner: Spanned<String>,
    parameters: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// A spec with `weights=FILE` replaced by the parameters of that file, which `read` reads and which is looked for in `folder`. What
/// is given beside it wins. A spec that names no file, or cannot be read, comes back as it is: the registry says what is wrong with it.
pub fn expand<E: From<LabError>>(
    spec: &str,
    folder: &Path,
    read: impl FnOnce(&Path) -> Result<Vec<u8>, E>,
) -> Result<String, E> {
    let Ok(mut parsed) = Spec::parse(spec) else { return Ok(spec.to_owned()) };
    let Some(place) = parsed.parameters.iter().position(|(key, _)| key == KEY) else {
        return Ok(spec.to_owned());
    };
    let (_, name) = parsed.parameters.remove(place);
    if parsed.parameters.iter().any(|(key, _)| key == KEY) {
        let why = match registry::find(&parsed.name) {
            Ok(entry) => SpecError::Twice { planner: entry.name, key: KEY.to_owned() },
            Err(why) => why,
        };
        return Err(LabError::Engine(why.into()).into());
    }
    let path = folder.join(name);
    let mut parameters = parse(&path, &read(&path)?, &parsed.name)?;
    parameters.retain(|(key, _)| parsed.parameters.iter().all(|(given, _)| given != key));
    parameters.append(&mut parsed.parameters);
    Ok(Spec { parameters, ..parsed }.to_string())
}

/// The parameters of a file, in the order in which the planner lists them.
fn parse(path: &Path, bytes: &[u8], planner: &str) -> Result<Vec<(String, String)>, LabError> {
    let wrong = |line: usize, why: String| LabError::Weights { path: path.to_owned(), line, why };
    let text = std::str::from_utf8(bytes).map_err(|bad| {
        let line = 1 + bytes[..bad.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        wrong(line, "not UTF-8: expected a file that `throng lab learn` wrote".to_owned())
    })?;
    let line = |at: usize| 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
    let file: File = toml::from_str(text).map_err(|why| {
        let at = why.span().map_or(0, |span| span.start);
        let expected = "expected `planner = \"NAME\"` and `[parameters]`, as `throng lab learn` writes them";
        wrong(line(at), format!("{}: {expected}", plain(why.message())))
    })?;
    let whose = file.planner.get_ref();
    if whose != planner {
        let why = format!("these are weights of {whose:?}: expected those of {planner:?}");
        return Err(wrong(line(file.planner.span().start), why));
    }
    let mut parameters = Vec::new();
    for (key, value) in &file.parameters {
        let written = match value.get_ref() {
            toml::Value::String(word) => word.clone(),
            number => number.to_string(),
        };
        let parameters_of_one = vec![(key.get_ref().clone(), written.clone())];
        let one = Spec { name: planner.to_owned(), parameters: parameters_of_one }.to_string();
        registry::find(&one).map_err(|why| wrong(line(key.span().start), why.to_string()))?;
        parameters.push((key.get_ref().clone(), written));
    }
    let order = registry::find(planner).map_or(&[][..], |entry| entry.parameters);
    parameters.sort_by_key(|(key, _)| order.iter().position(|parameter| parameter.name == key));
    Ok(parameters)
}

/// A file for [`expand`] to read, that begins with a comment.
pub(crate) fn write(comment: &str, spec: &Spec) -> String {
    let mut out: String =
        comment.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    let _ = writeln!(out, "planner = \"{}\"\n\n[parameters]", spec.name);
    for (key, value) in &spec.parameters {
        let word = value.parse::<f64>().is_err() || value.starts_with('.') || value.ends_with('.');
        let _ = if word { writeln!(out, "{key} = \"{value}\"") } else { writeln!(out, "{key} = {value}") };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn of(spec: &str, text: &str) -> Result<String, LabError> {
        expand(spec, Path::new("there"), |path| {
            assert_eq!(path, PathBuf::from("there/a b/w.toml"));
            Ok(text.as_bytes().to_vec())
        })
    }

    const FILE: &str =
        "# how\nplanner = \"explore\"\n\n[parameters]\ngain = 0.40\nassign = \"on\"\nglance = 5\n";

    #[test]
    fn what_is_given_beside_a_file_wins() {
        let text = of("explore(glance=3, weights=a b/w.toml)", FILE).unwrap();
        assert_eq!(text, "explore(assign=on,gain=0.4,glance=3)");
        assert!(registry::find(&text).is_ok());
        for spec in ["explore(gain=1)", "whca", "whca(window", "", "explore(weights)"] {
            assert_eq!(of(spec, "nobody reads it").unwrap(), spec);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let spec = Spec::parse("explore(potential=0.5,assign=on,gain=0.4,glance=5,reach=auto)").unwrap();
        let text = write("by hand\n\nand so on", &spec);
        assert!(text.starts_with("# by hand\n#\n# and so on\nplanner = \"explore\"\n"), "{text}");
        assert!(text.contains("gain = 0.4\n") && text.contains("assign = \"on\"\n"), "{text}");
        let read = of("explore(weights=a b/w.toml)", &text).unwrap();
        assert_eq!(read, "explore(potential=0.5,reach=auto,assign=on,gain=0.4,glance=5)");
    }

    /// File, line, and what was expected.
    #[test]
    fn bad_files_are_blamed_by_line() {
        let cases = [
            ("planner = \"whca\"\n[parameters]\n", 1, "expected those of \"explore\""),
            ("\n\nplanner = 3\n[parameters]\n", 3, "expected text in quotes, found 3"),
            ("planner = \"explore\"\n", 1, "missing key `parameters`"),
            ("planner = \"explore\"\nparameter = 3\n", 2, "[parameters]"),
            (
                "planner = \"explore\"\n[parameters]\ngain = 0.2\ngian = 0.4\n",
                4,
                "unknown parameter \"gian\": it takes heat",
            ),
            (
                "planner = \"explore\"\n[parameters]\ngain = 0.2\nglance = 99\n",
                4,
                "glance=99: expected 0 to 16",
            ),
            ("planner = \"explore\"\n[parameters]\nglance = [1, 2]\n", 3, "expected"),
            (
                "planner = \"explore\"\n[parameters]\nweights = \"w.toml\"\n",
                3,
                "unknown parameter \"weights\"",
            ),
            ("planner = \"explore\"\n[parameters]\ngain = \n", 3, "expected"),
        ];
        for (text, at, part) in cases {
            let why = of("explore(weights=a b/w.toml)", text).unwrap_err();
            let LabError::Weights { line, .. } = &why else { panic!("{why}") };
            let told = why.to_string();
            assert!(*line == at && told.contains(part), "{text:?}: {told}");
            assert!(told.starts_with("there/a b/w.toml, line "), "{told}");
        }
        let twice = of("explore(weights=a,weights=b)", FILE).unwrap_err();
        assert!(twice.to_string().contains("weights is given twice"), "{twice}");
        let bytes = |_: &Path| Ok::<_, LabError>(b"planner\n\xff".to_vec());
        let why = expand("explore(weights=w)", Path::new(""), bytes).unwrap_err();
        assert!(why.to_string().starts_with("w, line 2: not UTF-8"), "{why}");
    }
}
