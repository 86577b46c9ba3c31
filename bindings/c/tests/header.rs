//! The header is what the sources say, and everything that it promises to callers in other languages.

use std::path::Path;

fn made() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let sources = ["status", "units", "tick", "events", "make"];
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in sources {
        builder = builder.with_src(folder.join(format!("src/{name}.rs")));
    }
    let mut out = Vec::new();
    builder.generate().unwrap().write(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn the_header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/throng.h");
    let (made, found) = (made(), std::fs::read_to_string(&path).unwrap_or_default());
    if made != found {
        let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("throng.h");
        std::fs::write(&beside, &made).unwrap();
        panic!("{} is not what the sources say: copy {} there", path.display(), beside.display());
    }
}

/// C# finds functions by name and takes its own declarations for true; nobody would tell that one is missing or has another
/// number of arguments before it is called.
#[test]
fn the_declarations_for_c_sharp_fit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sharp = std::fs::read_to_string(folder.join("examples/Throng.cs")).unwrap();
    let arguments = |text: &str, name: &str| {
        let begin = text.find(&format!("{name}(")).map(|at| at + name.len() + 1)?;
        let inner = &text[begin..begin + text[begin..].find(')')?];
        let none = inner.trim().is_empty() || inner.trim() == "void";
        Some(if none { 0 } else { 1 + inner.matches(',').count() })
    };
    let header = made();
    let code: String =
        header.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let code = &code[code.find("extern \"C\"").unwrap()..];
    let functions: Vec<_> = code
        .match_indices("throng_")
        .filter_map(|(at, _)| {
            let rest = &code[at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            rest[end..].starts_with('(').then(|| &rest[..end])
        })
        .collect();
    assert!(functions.len() >= 16, "{functions:?}");
    for name in functions {
        let found = arguments(&sharp, name);
        assert_eq!(found, arguments(code, name), "{name} in examples/Throng.cs");
    }
}
