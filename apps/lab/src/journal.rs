//! The rows so far, on disk: one line for each, written as soon as its case is over.
//!
//! The first line says what the rows are rows of; a file that says something else is not touched. A last line
//! without an end was being written when the process was killed: it is dropped, and its case runs again.

use crate::{LabError, Shard, Watch, files};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What decides whether rows belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) experiment: String,
    pub(crate) version: String,
    pub(crate) settings: Value,
    pub(crate) engine: String,
    /// Whether the settings are those of `--quick`: only to tell people what differs.
    #[serde(default)]
    pub(crate) quick: bool,
}

impl Header {
    /// What the rows of `other` are instead.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let settings = match (self.quick, other.quick) {
            (false, true) => "a run with --quick",
            (true, false) => "a run without --quick",
            _ => "a run with other settings",
        };
        let same = [
            ("another experiment", self.experiment == other.experiment),
            ("another version of the lab", self.version == other.version),
            (settings, self.settings == other.settings),
            ("planners that behave differently", self.engine == other.engine),
        ];
        same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }
}

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) key: String,
    /// How long the case took, with whatever else the machine did meanwhile.
    pub(crate) ms: f64,
    pub(crate) row: Value,
}

/// A journal that is being written, and the rows that were there before.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    pub(crate) known: BTreeMap<String, Line>,
}

impl Journal {
    /// Opens or begins the journal of `shard` in `folder`, and reads those of others beside it.
    pub(crate) fn open(
        folder: &Path,
        shard: Option<Shard>,
        header: &Header,
        watch: &dyn Watch,
    ) -> Result<Self, LabError> {
        let path = folder.join(shard.map_or_else(|| "rows.jsonl".to_owned(), Shard::file_name));
        let written = |why| LabError::Write { path: path.clone(), why };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(written)?;
        // Where a file system knows no locks, people have to take care themselves.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(LabError::Busy { path });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(written)?;
        let whole = whole_lines(&bytes);
        let mut known = parse(&path, whole, header)?;
        if whole.len() < bytes.len() {
            watch.note(&format!(
                "{}: its last line was cut off; the case of that line runs again",
                path.display()
            ));
            file.set_len(whole.len() as u64).map_err(written)?;
        }
        file.seek(SeekFrom::End(0)).map_err(written)?;
        if whole.is_empty() {
            file.write_all(&line(header)).map_err(written)?;
        }
        let others = others(folder, &path, header)?;
        for (key, row) in others {
            if known.contains_key(&key) {
                continue;
            }
            if shard.is_none() {
                file.write_all(&line(&row)).map_err(written)?;
            }
            known.insert(key, row);
        }
        Ok(Self { path, file: Mutex::new(file), known })
    }

    /// Takes in the rows of all journals of another folder. A case that has a row already keeps it, and the other one has to
    /// say the same, whatever time it took.
    pub(crate) fn take_in(&mut self, folder: &Path, header: &Header) -> Result<(), LabError> {
        for (key, line) in others(folder, &self.path, header)? {
            match self.known.get(&key) {
                Some(known) if known.row != line.row => {
                    return Err(LabError::Differs { path: folder.to_owned(), key });
                }
                Some(_) => {}
                None => {
                    self.append(&line)?;
                    self.known.insert(key, line);
                }
            }
        }
        Ok(())
    }

    /// Keeps a row.
    pub(crate) fn append(&self, row: &Line) -> Result<(), LabError> {
        // A panic elsewhere leaves the file as good as it was: lines are written in one piece.
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&line(row)).map_err(|why| LabError::Write { path: self.path.clone(), why })
    }
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("numbers, strings and lists always have a JSON form");
    bytes.push(b'\n');
    bytes
}

/// What ends with the end of a line.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// The rows of all other journals in the folder.
fn others(folder: &Path, own: &Path, header: &Header) -> Result<BTreeMap<String, Line>, LabError> {
    let failed = |why| LabError::Read { path: folder.to_owned(), why };
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("rows.") && name.ends_with(".jsonl") && path != own {
            paths.push(path);
        }
    }
    paths.sort();
    let mut rows = BTreeMap::new();
    for path in paths {
        rows.extend(parse(&path, whole_lines(&files::read(&path)?), header)?);
    }
    Ok(rows)
}

fn parse(path: &Path, bytes: &[u8], header: &Header) -> Result<BTreeMap<String, Line>, LabError> {
    let bad = |line: usize, why: serde_json::Error| LabError::BadRow {
        path: path.to_owned(),
        line: line + 1,
        why: why.to_string(),
    };
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    let mut rows = BTreeMap::new();
    let Some((at, first)) = lines.next() else { return Ok(rows) };
    let found: Header = serde_json::from_slice(first).map_err(|why| bad(at, why))?;
    if let Some(what) = header.difference(&found) {
        return Err(LabError::Foreign { path: path.to_owned(), what });
    }
    for (at, text) in lines {
        let line: Line = serde_json::from_slice(text).map_err(|why| bad(at, why))?;
        rows.insert(line.key.clone(), line);
    }
    Ok(rows)
}
