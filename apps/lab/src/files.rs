//! Reading and writing whole files.

use crate::LabError;
use std::fs;
use std::path::Path;

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    fs::read(path).map_err(|why| LabError::Read { path: path.to_owned(), why })
}

/// The names of all files of a folder, sorted.
pub(crate) fn list(folder: &Path) -> Result<Vec<String>, LabError> {
    let wrong = |why| LabError::Read { path: folder.to_owned(), why };
    let name = |entry: std::io::Result<fs::DirEntry>| {
        Ok(entry.map_err(wrong)?.file_name().to_string_lossy().into_owned())
    };
    let mut names = fs::read_dir(folder).map_err(wrong)?.map(name).collect::<Result<Vec<_>, LabError>>()?;
    names.sort();
    Ok(names)
}

/// A file beside the settings of experiments, which come with the program.
pub(crate) fn settings(path: &Path) -> Result<Vec<u8>, LabError> {
    const WEIGHTS: &str = include_str!("../../../experiments/explore-weights.toml");
    if path == Path::new("experiments/explore-weights.toml") { Ok(WEIGHTS.into()) } else { read(path) }
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
