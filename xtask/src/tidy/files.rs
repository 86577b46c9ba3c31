//! Finding the sources.

use std::io;
use std::path::{Path, PathBuf};

/// Every `.rs` file below `root`, in order. Hidden folders, build folders and `out` are not ours.
pub(super) fn rust_files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                if !is_foreign(&path) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_foreign(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    // Cargo marks its build folders with this file, whatever they are called.
    name.starts_with('.') || matches!(&*name, "target" | "out") || folder.join("CACHEDIR.TAG").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_this_file_and_no_build_output() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let files = rust_files(here).unwrap();
        assert!(files.contains(&here.join("src/tidy/files.rs")));
        assert!(!files.iter().any(|f| f.starts_with(here.join("target"))));
    }
}
