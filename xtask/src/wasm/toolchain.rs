//! Finding a compiler for WebAssembly, or getting one.

use super::{TARGET, debian, output};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) enum Toolchain {
    /// The compiler that built us has the target's standard library.
    Installed,
    /// Another compiler, unpacked here, that builds the standard library itself.
    Debian(PathBuf),
}

/// Looks for the target; if it is not there, gets it from wherever it can be had.
pub(super) fn find(private: &Path) -> Result<Toolchain, String> {
    if is_installed() {
        return Ok(Toolchain::Installed);
    }
    if debian::is_unpacked(private) {
        return Ok(Toolchain::Debian(private.to_path_buf()));
    }
    let no_rustup = match rustup() {
        Ok(()) if is_installed() => return Ok(Toolchain::Installed),
        Ok(()) => "it has no standard library for the compiler in use".to_owned(),
        Err(why) => why,
    };
    eprintln!("wasm: rustup could not add the target, so Debian's packages are tried\n{no_rustup}");
    let no_packages = match debian::unpack(private) {
        Ok(()) => return Ok(Toolchain::Debian(private.to_path_buf())),
        Err(why) => why,
    };
    Err(format!(
        "no compiler for {TARGET}, which this step cannot do without.\n\
         Install the target with `rustup target add {TARGET}`, or as your system packages it;\n\
         on Debian this step needs apt-get, dpkg and the packages {}.\n\
         By rustup: {no_rustup}\nBy Debian's packages: {no_packages}",
        debian::PACKAGES.join(", ")
    ))
}

fn is_installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    // The folder is named whether it exists or not, and may be left behind empty.
    let files = asked.ok().and_then(|folder| std::fs::read_dir(folder.trim()).ok());
    files.is_some_and(|mut all| {
        all.any(|file| file.is_ok_and(|f| f.file_name().to_string_lossy().starts_with("libstd-")))
    })
}

fn rustup() -> Result<(), String> {
    // Where nothing can be downloaded, there is another way to try; so one refusal is enough.
    let mut rustup = Command::new("rustup");
    output(rustup.args(["target", "add", TARGET]).env("RUSTUP_MAX_RETRIES", "1")).map(|_| ())
}

impl Toolchain {
    /// `cargo build` with this compiler, and the folder to build in.
    pub(super) fn cargo_build(&self, folder: &Path) -> Result<(Command, PathBuf), String> {
        match self {
            Self::Installed => {
                let mut cargo = Command::new(crate::cargo());
                cargo.arg("build");
                Ok((cargo, folder.to_path_buf()))
            }
            Self::Debian(private) => Ok((debian::cargo_build(private)?, private.join("build"))),
        }
    }

    /// What to think of when a build fails.
    pub(super) const fn advice(&self) -> &'static str {
        match self {
            Self::Installed => "",
            Self::Debian(_) => {
                "Debian's compiler is older than the one this workspace asks for: if it rejects what yours \
                 accepts, enable that in xtask/src/wasm/debian.rs or install the target by rustup"
            }
        }
    }
}
