//! No file that a command writes may be one that it reads, or one that it writes under another option.

use crate::error::CliError;
use std::fs;
use std::path::{Path, PathBuf};

/// An option as people write it, and the file that it names, if any.
pub(crate) type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses the first of `outputs` that would overwrite one of `inputs` or an output before it.
pub(crate) fn keep_apart(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), CliError> {
    for (i, &(output, path)) in outputs.iter().enumerate() {
        let Some((path, place)) = path.and_then(|path| Some((path, place(path)?))) else { continue };
        let same = |other: &Path| self::place(other).as_ref() == Some(&place);
        let clash = inputs.iter().chain(&outputs[..i]).find(|(_, other)| other.is_some_and(same));
        if let Some(&(other, _)) = clash {
            return Err(CliError::Overwrites { path: path.to_owned(), other, output });
        }
    }
    Ok(())
}

/// Where a file is, however it is spelled; nowhere if nothing of it can be overwritten, as of pipes and devices.
fn place(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return None;
    }
    fs::canonicalize(path).ok().or_else(|| {
        // Not there yet, but its folder is.
        let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    })
}
