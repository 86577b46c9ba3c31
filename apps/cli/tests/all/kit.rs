//! A folder to work in, the program, and what it said.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, removed in the end.
pub(crate) struct Folder(PathBuf);

/// What a call of the program left behind.
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("throng-cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// With the small map and scenario that most tests use.
    pub(crate) fn small() -> Self {
        let folder = Self::new();
        folder.write("small.map", SMALL_MAP);
        folder.write("small.scen", SMALL_SCEN);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// All names in it, hidden ones too, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Calls the program in this folder; arguments are separated by spaces.
    pub(crate) fn throng(&self, args: &str) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        let output = command.args(args.split_whitespace()).current_dir(&self.0).output().unwrap();
        Said {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Said {
    /// The one JSON value on standard output; there must be nothing else, and nothing on standard error.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.err, "");
        serde_json::from_str(&self.out).unwrap_or_else(|why| panic!("{why}: {}", self.out))
    }

    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        self
    }

    /// Exit status 1, nothing on standard output, and all of `parts` in the message.
    #[track_caller]
    pub(crate) fn refused(&self, parts: &[&str]) {
        assert_eq!((self.status, self.out.as_str()), (1, ""), "{}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is missing in: {}", self.err);
        }
    }
}

/// Every one of `keys` must be there.
#[track_caller]
pub(crate) fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "{key} is missing in {value}");
    }
}

const SMALL_MAP: &str = "\
type octile
height 4
width 6
map
......
.@@@@.
......
......
";

/// Three that can all arrive.
const SMALL_SCEN: &str = "\
version 1
0\tsmall.map\t6\t4\t0\t0\t5\t0\t5
0\tsmall.map\t6\t4\t5\t0\t0\t0\t5
0\tsmall.map\t6\t4\t0\t3\t5\t3\t5
";
