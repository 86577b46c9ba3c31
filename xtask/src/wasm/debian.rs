//! A compiler for WebAssembly from Debian's packages, unpacked in a folder of its own.
//!
//! Nothing is installed: these packages would put an older compiler where the usual one is. They have no
//! standard library for the target, so cargo builds it from their sources.

use super::{TARGET, output};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld"];

/// What our crates use that Debian's compiler knows but had not called stable yet.
const UNSTABLE: &str = "let_chains,unsigned_is_multiple_of,const_vec_string_slice";

/// Written last, so that an interrupted download is not taken for a compiler.
const COMPLETE: &str = "complete";

pub(super) fn is_unpacked(private: &Path) -> bool {
    private.join(COMPLETE).exists()
}

/// Downloads and unpacks the packages with whatever they need that this system does not have.
pub(super) fn unpack(private: &Path) -> Result<(), String> {
    let packages = missing().or_else(|_| {
        // No list of packages, or an old one.
        output(&mut apt(&["update"]))?;
        missing()
    })?;
    let failed = |e: std::io::Error| format!("{}: {e}", private.display());
    if private.exists() {
        std::fs::remove_dir_all(private).map_err(failed)?;
    }
    std::fs::create_dir_all(private).map_err(failed)?;
    output(apt(&["download"]).args(&packages).current_dir(private))?;
    for entry in std::fs::read_dir(private).map_err(failed)? {
        let package = entry.map_err(failed)?.path();
        if package.extension().is_some_and(|e| e == "deb") {
            output(Command::new("dpkg").arg("-x").arg(&package).arg(private.join("root")))?;
            std::fs::remove_file(&package).map_err(failed)?;
        }
    }
    write_wrapper(&wrapper(private)).map_err(failed)?;
    std::fs::write(private.join(COMPLETE), packages.join("\n")).map_err(failed)
}

fn apt(arguments: &[&str]) -> Command {
    let mut apt = Command::new("apt-get");
    apt.args(arguments).env("LC_ALL", "C");
    apt
}

/// Names of the packages that an installation would add.
fn missing() -> Result<Vec<String>, String> {
    let told = output(apt(&["install", "--simulate", "--no-install-recommends"]).args(PACKAGES))?;
    let names = simulated(&told);
    match PACKAGES.iter().find(|p| !names.iter().any(|n| n == *p)) {
        Some(package) => {
            Err(format!("{package} is installed already: remove it, so that it can be unpacked"))
        }
        None => Ok(names),
    }
}

fn simulated(told: &str) -> Vec<String> {
    let lines = told.lines().filter_map(|line| line.strip_prefix("Inst "));
    lines.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect()
}

fn wrapper(private: &Path) -> PathBuf {
    private.join("rustc-for-ours")
}

/// A script, since flags for our own crates alone can be given in no other way: the standard library
/// switches some of the same features on and may not do so twice.
fn write_wrapper(path: &Path) -> std::io::Result<()> {
    std::fs::write(path, format!("#!/bin/sh\nexec \"$@\" '-Zcrate-attr=feature({UNSTABLE})'\n"))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// `cargo build` by the cargo among the packages, set up so that it finds the rest of them.
pub(super) fn cargo_build(private: &Path) -> Result<Command, String> {
    let programs = private.join("root/usr/bin");
    let mut cargo = Command::new(programs.join("cargo"));
    cargo.args(["build", "-Zbuild-std=std,panic_abort", "--ignore-rust-version"]);
    cargo.env("RUSTC", programs.join("rustc"));
    cargo.env("RUSTC_BOOTSTRAP", "1");
    cargo.env("RUSTC_WORKSPACE_WRAPPER", wrapper(private));
    let linker = format!("CARGO_TARGET_{}_LINKER", TARGET.to_uppercase().replace('-', "_"));
    cargo.env(linker, programs.join("wasm-ld"));
    let libraries = libraries(&private.join("root")).map_err(|e| format!("{}: {e}", private.display()))?;
    cargo.env("LD_LIBRARY_PATH", libraries);
    Ok(cargo)
}

/// The folders with shared libraries, those of the compiler's targets aside.
fn libraries(root: &Path) -> Result<OsString, Box<dyn std::error::Error>> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("lib"), root.join("usr/lib")];
    folders.retain(|f| f.exists());
    while let Some(folder) = folders.pop() {
        let mut has_libraries = false;
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if name != "rustlib" {
                    folders.push(entry.path());
                }
            } else {
                has_libraries |= name.ends_with(".so") || name.contains(".so.");
            }
        }
        if has_libraries {
            found.push(folder);
        }
    }
    found.extend(std::env::var_os("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths));
    Ok(std::env::join_paths(found)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_names_what_it_would_install() {
        let told = "Reading package lists...\nInst libllvm (1:1 Debian [amd64])\nInst lld (1:2 Debian [all])\n\
                    Conf lld (1:2 Debian [all])\n";
        assert_eq!(simulated(told), ["libllvm", "lld"]);
    }
}
