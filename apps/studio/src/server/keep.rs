//! Documents are kept beside what they are about, so that nothing is lost when the studio ends.

use crate::folder::{Folder, replace};
use crate::limits;
use crate::room::{Document, Draft};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Where documents are kept, in the working folder.
const FOLDER: &str = ".throng-studio";
/// So many files that could not be read are set aside.
const MOST_ASIDE: u32 = 1000;
/// How long after a change.
const AFTER: Duration = Duration::from_secs(1);

/// Keeps one document.
#[derive(Debug)]
pub(super) struct Keeper {
    path: PathBuf,
    /// What has been kept, or what there was at first, and since when something else is there.
    version: u32,
    since: Option<Instant>,
}

/// What was kept of a room.
#[derive(Debug)]
pub(super) enum Kept {
    Nothing,
    Draft(Box<Draft>),
    /// It could not be read; what became of it, in words.
    Unreadable(String),
}

impl Keeper {
    /// For the room of this name, which has been looked at already.
    pub(super) fn new(folder: &Folder, room: &str) -> Self {
        Self { path: folder.root().join(FOLDER).join(format!("{room}.toml")), version: 0, since: None }
    }

    /// What was kept. What cannot be read is set aside, so that nobody writes over it.
    pub(super) fn restore(&self) -> Kept {
        let Some(bytes) = self.read() else { return Kept::Nothing };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(why) => return Kept::Unreadable(self.set_aside("unreadable", &why.to_string())),
        };
        let read = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned()).and_then(|text| {
            Draft::parse(&text, &mut |_| Err("nothing else is read here".to_owned()))
                .map_err(|why| why.to_string())
        });
        match read {
            Ok(draft) => Kept::Draft(Box::new(draft)),
            Err(why) => Kept::Unreadable(self.set_aside("unreadable", &why)),
        }
    }

    /// What the file holds, if there is one: a plain file in a plain folder.
    fn read(&self) -> Option<io::Result<Vec<u8>>> {
        let folder = fs::symlink_metadata(self.path.parent()?).ok()?;
        let file = fs::symlink_metadata(&self.path).ok()?;
        if !folder.is_dir() || !file.is_file() {
            return None;
        }
        if file.len() > limits::FILE {
            return Some(Err(io::Error::other(format!("{} bytes, at most {}", file.len(), limits::FILE))));
        }
        Some(fs::read(&self.path))
    }

    /// Sets aside what was kept for a document that is given instead of it, so that nobody writes over it; what became of it.
    pub(super) fn make_room(&self, given: &Document) -> Option<String> {
        let kept = self.read()?.ok()?;
        (kept != given.draft().text().as_bytes()).then(|| self.set_aside("before", "another one was opened"))
    }

    fn set_aside(&self, ending: &str, why: &str) -> String {
        let name = |path: &std::path::Path| {
            format!("{FOLDER}/{}", path.file_name().unwrap_or_default().to_string_lossy())
        };
        let aside = |n: u32| self.path.with_extension(format!("{ending}-{n}.toml"));
        let free = (1..=MOST_ASIDE).map(aside).find(|path| !path.exists());
        let moved = free.filter(|path| fs::rename(&self.path, path).is_ok());
        let became = match moved {
            Some(path) => format!("it is {} now", name(&path)),
            None => "and it could not be set aside".to_owned(),
        };
        let trouble = if ending == "unreadable" { " cannot be read" } else { "" };
        format!("{}: what was kept there{trouble} ({why}): {became}", name(&self.path))
    }

    /// This is what there is at first, which need not be kept.
    pub(super) const fn begin(&mut self, document: &Document) {
        self.version = document.version();
    }

    /// Keeps a document a while after it has changed, or at once. Where that is not possible the document is still there,
    /// and it is tried again.
    pub(super) fn keep(&mut self, document: &Document, at_once: bool) -> io::Result<()> {
        let version = document.version();
        if self.version == version {
            return Ok(());
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        if !at_once && since.elapsed() < AFTER {
            return Ok(());
        }
        self.since = None;
        let folder = self.path.parent().unwrap_or(&self.path);
        if fs::symlink_metadata(folder).is_ok_and(|meta| meta.file_type().is_symlink()) {
            return Err(io::Error::other(format!("{FOLDER} is a link")));
        }
        fs::create_dir_all(folder)?;
        replace(&self.path, document.draft().text().as_bytes())?;
        self.version = version;
        Ok(())
    }
}

/// Looks at everything that was kept, and sets aside what cannot be read: by room, what became of it.
pub(super) fn look_through(folder: &Folder) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder.root().join(FOLDER)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.strip_suffix(".toml").map(str::to_owned)
    });
    let mut names: Vec<String> = names.filter(|name| super::rooms::is_name(name)).collect();
    names.sort();
    let unreadable = |name: String| match Keeper::new(folder, &name).restore() {
        Kept::Unreadable(why) => Some((name, why)),
        Kept::Nothing | Kept::Draft(_) => None,
    };
    names.into_iter().filter_map(unreadable).collect()
}
