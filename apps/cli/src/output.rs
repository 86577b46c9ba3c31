//! Files that commands write: whole or not at all.

use crate::error::CliError;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file that will be written. Made before the work begins, so that a mistyped folder costs nobody an hour.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    path: PathBuf,
}

impl Output {
    /// Checks that `path` can be written as far as that can be told without writing.
    pub(crate) fn new(path: &Path) -> Result<Self, CliError> {
        let path = path.to_owned();
        let folder = folder_of(&path);
        if !folder.is_dir() {
            let folder = folder.to_owned();
            return Err(CliError::NoFolder { path, folder });
        }
        if path.is_dir() || path.file_name().is_none() {
            return Err(CliError::IsFolder { path });
        }
        Ok(Self { path })
    }

    /// The same for an option that need not be given.
    pub(crate) fn wanted(path: Option<&Path>) -> Result<Option<Self>, CliError> {
        path.map(Self::new).transpose()
    }

    /// The same for a file whose kind is told by how its name ends: one of `kinds`, which `expected` explains.
    pub(crate) fn of_kind(path: &Path, kinds: &[&str], expected: &'static str) -> Result<Self, CliError> {
        if !kinds.iter().any(|kind| ends_in(path, kind)) {
            return Err(CliError::Kind { path: path.to_owned(), expected });
        }
        Self::new(path)
    }

    /// Where it goes.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what is there, if it is a file. Whether it was.
    pub(crate) fn remove(&self) -> Result<bool, CliError> {
        if !fs::metadata(&self.path).is_ok_and(|there| there.is_file()) {
            return Ok(false);
        }
        let removed = fs::remove_file(&self.path);
        removed.map(|()| true).map_err(|why| CliError::Write { path: self.path.clone(), why })
    }

    /// Writes the whole file, or leaves everything as it was.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        let path = &self.path;
        // Pipes and devices must be written to, not replaced.
        let special = fs::metadata(path).is_ok_and(|there| !there.is_file());
        let written = if special { fs::write(path, bytes) } else { replace(path, bytes) };
        written.map_err(|why| CliError::Write { path: path.clone(), why })
    }
}

/// Tells people something beside the answer; nothing is lost if nobody listens.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether the name of a file ends like this, in letters of any size.
pub(crate) fn ends_in(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(end))
}

/// Writes beside `path` and renames, so that nobody ever sees half a file.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
