//! Reading and writing whole files.

use crate::LabError;
use std::fs;
use std::path::Path;

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    fs::read(path).map_err(|why| LabError::Read { path: path.to_owned(), why })
}

/// Writes beside `path` and renames, so that nobody ever sees half a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path)).map_err(|why| {
        // Whatever is left of it is of no use.
        let _ = fs::remove_file(&temporary);
        LabError::Write { path: path.to_owned(), why }
    })
}
