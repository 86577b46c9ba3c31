//! `cargo xtask c`: programs in C and C# call the engine, under valgrind too.
//!
//! The library is the one that the tests of the workspace are built with: nothing is compiled for this but the programs.

use crate::packages::{need, run, scratch};
use crate::{cargo, wasm};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where they are.
const FOLDER: &str = "bindings/c";

/// Where programs look for libraries first: cargo has told us folders in which older ones may be.
const PATHS: &str = "LD_LIBRARY_PATH";

/// Programs in C, each of which says by its status whether all was as it should be.
const PROGRAMS: [&str; 2] = ["examples/crossing.c", "tests/misuse.c"];

pub(crate) fn check(root: &Path) -> Result<(), String> {
    let what = "the check of bindings/c";
    let cc = need(&["cc", "gcc", "clang"], &["gcc", "libc6-dev"], what)?;
    let valgrind = need(&["valgrind"], &["valgrind"], what)?;
    let sharp = need(&["mcs"], &["mono-mcs", "mono-runtime"], what)?;
    let mono = need(&["mono"], &["mono-runtime"], what)?;
    let library = library(root)?;
    let beside = library.parent().ok_or("a library without a folder")?;
    let scratch = scratch(&wasm::build_folder(root)?, "c")?;
    let folder = root.join(FOLDER);
    for source in PROGRAMS {
        let program = scratch.join(Path::new(source).file_stem().unwrap_or_default());
        let mut compile = Command::new(&cc);
        compile
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"])
            .arg(folder.join(source));
        compile.arg("-I").arg(folder.join("include")).arg("-L").arg(beside).arg("-lthrong_c");
        run(compile.arg(format!("-Wl,-rpath,{}", beside.display())).arg("-o").arg(&program))?;
        run(Command::new(&program).env(PATHS, beside))?;
        let mut watched = Command::new(&valgrind);
        watched.args([
            "--quiet",
            "--error-exitcode=9",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite",
        ]);
        run(watched.arg(&program).env(PATHS, beside))?;
    }
    // A header that C++ cannot read would be of no use to engines.
    let mut plus = Command::new(&cc);
    plus.args(["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    run(plus.arg(folder.join("include/throng.h")))?;
    let program = scratch.join("Throng.exe");
    let mut compile = Command::new(sharp);
    compile.arg("-warnaserror").arg(format!("-out:{}", program.display()));
    run(compile.arg(folder.join("examples/Throng.cs")))?;
    run(Command::new(mono).arg(&program).env(PATHS, beside))?;
    eprintln!("c: {} programs in C, under valgrind too, and one in C#", PROGRAMS.len());
    Ok(())
}

/// The shared library among what the tests are built with.
fn library(root: &Path) -> Result<PathBuf, String> {
    let mut build = Command::new(cargo());
    build.args(["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    let output = build.current_dir(root).stderr(std::process::Stdio::inherit()).output();
    let output = output.map_err(|why| format!("cannot start cargo: {why}"))?;
    if !output.status.success() {
        return Err(format!("the build of the tests: {}", output.status));
    }
    let told = String::from_utf8_lossy(&output.stdout);
    found(&told).ok_or_else(|| "cargo told of no shared library throng_c".to_owned())
}

fn found(told: &str) -> Option<PathBuf> {
    let files = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(|message| {
        message["reason"] == "compiler-artifact" && message["target"]["name"] == "throng_c"
    });
    let names = files.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let mut paths = names.filter_map(|name| name.as_str().map(PathBuf::from));
    paths.find(|path| path.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_among_the_artifacts() {
        let line = |name: &str, file: &str| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"target\":{{\"name\":\"{name}\"}},\"filenames\":[\"/t/a.rlib\",\"{file}\"]}}"
            )
        };
        let dll = format!("/t/libthrong_c.{}", std::env::consts::DLL_EXTENSION);
        let told = format!("noise\n{}\n{}\n", line("other", "/t/b.so"), line("throng_c", &dll));
        assert_eq!(found(&told), Some(PathBuf::from(dll)));
        assert_eq!(found(&line("other", "/t/b.so")), None);
    }
}
