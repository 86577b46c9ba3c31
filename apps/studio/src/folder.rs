//! The working folder: the only files that anybody gets at through the studio.

use crate::{Refusal, limits};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

/// What the studio reads and writes, by the ending of its name.
const KINDS: [&str; 7] = ["toml", "map", "png", "tmx", "tmj", "yaml", "trace"];
/// So many files are listed at most, and folders so deep looked into.
const MOST: usize = 1000;
const DEPTH: usize = 4;

/// A folder that nobody leaves: neither by `..` nor by a link.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(path)?;
        if root.is_dir() { Ok(Self { root }) } else { Err(io::Error::from(io::ErrorKind::NotADirectory)) }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The kind of file that a name is of.
    pub(crate) fn kind(name: &str) -> Result<&'static str, Refusal> {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let wrong = || Refusal::new(format!("{name:?}: expected a name that ends in .{}", KINDS.join(", .")));
        KINDS.into_iter().find(|kind| *kind == ending).ok_or_else(wrong)
    }

    /// A name as it is told, however it was written: `./a//b` is `a/b`.
    pub(crate) fn plain(name: &str) -> String {
        let parts = Path::new(name).components().filter(|part| *part != Component::CurDir);
        parts.collect::<PathBuf>().to_string_lossy().into_owned()
    }

    /// Whether there is a file of this name inside; nobody learns what there is elsewhere.
    pub(crate) fn has(&self, name: &str) -> Result<bool, Refusal> {
        let path = self.below(name)?;
        let inside = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
        let inside = inside.is_some_and(|folder| folder.starts_with(&self.root));
        Ok(inside && fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()))
    }

    /// What a file is called here, if it is inside.
    pub(crate) fn name_of(&self, path: &Path) -> Option<String> {
        let real = fs::canonicalize(path).ok()?;
        Some(real.strip_prefix(&self.root).ok()?.to_string_lossy().into_owned())
    }

    /// A name without anything that leads elsewhere, below the folder.
    fn below(&self, name: &str) -> Result<PathBuf, Refusal> {
        let outside = || Refusal::new(format!("{name:?}: only files inside the working folder"));
        let plain = |part: Component<'_>| match part {
            Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
            Component::CurDir => true,
            _ => false,
        };
        let path = Path::new(name);
        if name.is_empty() || name.contains(['\0', '\\']) || !path.components().all(plain) {
            return Err(outside());
        }
        Ok(self.root.join(path))
    }

    /// The file itself, wherever links lead, if that is inside.
    fn inside(&self, name: &str) -> Result<PathBuf, Refusal> {
        let real = fs::canonicalize(self.below(name)?).map_err(|why| told(name, &why))?;
        if !real.starts_with(&self.root) || !real.is_file() {
            return Err(Refusal::new(format!("{name:?}: only files inside the working folder")));
        }
        Ok(real)
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        let path = self.inside(name)?;
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(limits::FILE + 1).read_to_end(&mut bytes));
        read.map_err(|why| told(name, &why))?;
        limits::at_most("bytes in a file", bytes.len(), limits::FILE as usize)?;
        Ok(bytes)
    }

    /// Writes a file of a kind that the studio knows: beside it, then in its place.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let path = self.below(name)?;
        let folder = path.parent().unwrap_or(&self.root);
        let real = fs::canonicalize(folder).map_err(|why| told(name, &why))?;
        let outside = !real.starts_with(&self.root);
        // A link is not followed, and not replaced either: who made it meant something.
        let taken = fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file());
        if outside || taken {
            return Err(Refusal::new(format!("{name:?}: only plain files inside the working folder")));
        }
        replace(&real.join(path.file_name().unwrap_or_default()), bytes).map_err(|why| told(name, &why))
    }

    /// Files that can be opened, by name.
    pub(crate) fn list(&self) -> Value {
        let mut found = Vec::new();
        self.look(&self.root, 0, &mut found);
        found.sort();
        let files: Vec<Value> =
            found.iter().map(|(name, bytes)| json!({"name": name, "bytes": bytes})).collect();
        json!({"files": files})
    }

    fn look(&self, folder: &Path, depth: usize, found: &mut Vec<(String, u64)>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if found.len() >= MOST || name.starts_with('.') {
                continue;
            }
            if kind.is_dir() && depth < DEPTH && name != "target" {
                self.look(&entry.path(), depth + 1, found);
            } else if kind.is_file() && Self::kind(&name).is_ok() {
                let path = entry.path();
                let relative = path.strip_prefix(&self.root).unwrap_or(&path);
                let bytes = entry.metadata().map_or(0, |meta| meta.len());
                found.push((relative.to_string_lossy().into_owned(), bytes));
            }
        }
    }
}

/// So many names are tried for what is written beside.
const NAMES: u32 = 100;

/// Writes beside and renames, so that there is always a whole file. The file beside is a new one: it is nobody else's, and no link.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = |n: u32| path.with_file_name(format!(".{name}.{}-{n}.part", std::process::id()));
    let mut made = Err(io::Error::from(io::ErrorKind::AlreadyExists));
    for path in (0..NAMES).map(beside) {
        made = File::options().write(true).create_new(true).open(&path).map(|file| (file, path));
        if !made.as_ref().is_err_and(|why| why.kind() == io::ErrorKind::AlreadyExists) {
            break;
        }
    }
    let (mut file, beside) = made?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

fn told(name: &str, why: &io::Error) -> Refusal {
    Refusal::new(format!("{name:?}: {why}"))
}
