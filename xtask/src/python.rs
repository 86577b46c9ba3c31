//! `cargo xtask python`: the wheel is built, installed into a virtual environment of its own, and tested there.

use crate::packages::{need, run, scratch};
use crate::{cargo, wasm};
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "bindings/python";

pub(crate) fn check(root: &Path) -> Result<(), String> {
    let python =
        need(&["python3"], &["python3", "python3-venv", "python3-pip"], "the check of bindings/python")?;
    let target = wasm::build_folder(root)?;
    let scratch = scratch(&target, "python")?;
    let venv = scratch.join("venv");
    run(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
    let program = |name: &str| Command::new(venv.join("bin").join(name));
    let folder = root.join(FOLDER);
    let install = ["install", "--quiet", "--disable-pip-version-check"];
    run(program("pip").args(install).arg("-r").arg(folder.join("tests/requirements.txt")))?;
    // What is built runs for some seconds, once; checks of overflow stay.
    let wheels = scratch.join("wheels");
    let mut build = program("maturin");
    build
        .args(["build", "--quiet", "--locked", "--profile", "dev", "--out"])
        .arg(&wheels)
        .current_dir(&folder);
    build.env("CARGO", cargo()).env("CARGO_TARGET_DIR", &target);
    build.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(&mut build)?;
    let listed = std::fs::read_dir(&wheels).map_err(|why| format!("{}: {why}", wheels.display()))?;
    let mut wheel = listed.flatten().map(|entry| entry.path());
    let wheel = wheel.find(|path| path.extension().is_some_and(|end| end == "whl"));
    let wheel = wheel.ok_or_else(|| format!("no wheel in {}", wheels.display()))?;
    run(program("pip").args(install).args(["--no-index", "--no-deps"]).arg(wheel))?;
    run(Command::new(cargo()).args(["build", "--package", "throng-cli"]).current_dir(root))?;
    // From elsewhere, so that what is installed is tested and not the sources.
    let mut tests = program("python");
    tests
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--timeout", "120"])
        .arg(folder.join("tests"));
    run(tests
        .current_dir(&scratch)
        .env("THRONG_ROOT", root)
        .env("THRONG_PROGRAM", target.join("debug/throng"))
        .env("MPLBACKEND", "Agg"))?;
    // Stubs that say what is not there are worse than none.
    run(program("python").args(["-m", "mypy.stubtest", "throng._throng"]).current_dir(&scratch))
}
