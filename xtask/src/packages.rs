//! Programs that a check needs, from the ordinary package managers: nothing is skipped for want of one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The first of these programs that is on the path.
pub(crate) fn on_path(programs: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&folders)
        .flat_map(|folder| programs.iter().map(move |program| folder.join(program)));
    places.into_iter().find(|place| place.is_file())
}

/// One of these programs; if there is none, Debian's packages are installed first. Says what is missing if that does not do.
pub(crate) fn need(programs: &[&str], packages: &[&str], what: &str) -> Result<PathBuf, String> {
    if let Some(found) = on_path(programs) {
        return Ok(found);
    }
    eprintln!("no {}: installing Debian's {}", programs[0], packages.join(" and "));
    let apt = |words: &[&str]| {
        let mut command = Command::new("apt-get");
        let status = command.args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
        status.is_ok_and(|status| status.success())
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    // Lists of packages may be old or not there at all.
    let installed = apt(&install) || apt(&["update"]) && apt(&install);
    on_path(programs).filter(|_| installed).ok_or_else(|| {
        format!(
            "{what} needs one of {}, and `apt-get install {}` did not do: install it",
            programs.join(", "),
            packages.join(" ")
        )
    })
}

/// Runs a program and says what went wrong.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = format!("{command:?}");
    let status = command.status().map_err(|why| format!("cannot start {line}: {why}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}")) }
}

/// An empty folder of a check's own in the build folder.
pub(crate) fn scratch(target: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = target.join("tmp").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told() {
        assert!(on_path(&["no-such-program", "sh"]).is_some());
        let failed = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
        assert!(failed.contains("exit 3") && failed.contains("3"), "{failed}");
        assert!(run(&mut Command::new("no-such-program")).unwrap_err().starts_with("cannot start"));
    }
}
