//! The files of a map that is written: of which kind it is tells how its name ends.

use crate::apart::{Named, keep_apart};
use crate::error::CliError;
use crate::output::Output;
use std::path::{Path, PathBuf};
use throng::core::Grid;
use throng::formats::maps::{self, Kind};

/// Where a map goes.
pub(super) struct MapOutput {
    output: Output,
    kind: Kind,
    stem: String,
}

impl MapOutput {
    /// Any name that is not that of another kind is one of a MovingAI map.
    pub(super) fn new(path: &Path) -> Result<Self, CliError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let kind = match ending.to_ascii_lowercase().as_str() {
            "tmj" | "json" => {
                let expected = ".map, .png, .yaml or .tmx (which Tiled saves as JSON, too)";
                return Err(CliError::Kind { path: path.to_owned(), expected });
            }
            ending => Kind::of_ending(ending).unwrap_or(Kind::MovingAi),
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { output: Output::new(path)?, kind, stem })
    }

    pub(super) fn path(&self) -> &Path {
        self.output.path()
    }

    /// Refuses to write over `inputs`, with the files beside it too.
    pub(super) fn spare(&self, inputs: &[Named<'_>], grid: &Grid) -> Result<(), CliError> {
        for path in self.paths(&maps::write(grid, self.kind, &self.stem)) {
            keep_apart(inputs, &[("--output", Some(&path))])?;
        }
        Ok(())
    }

    pub(super) fn write(&self, grid: &Grid) -> Result<(), CliError> {
        let files = maps::write(grid, self.kind, &self.stem);
        // What names the others comes last, so that it never names what is not there.
        for (path, (_, bytes)) in self.paths(&files).iter().zip(&files).rev() {
            Output::new(path)?.write(bytes)?;
        }
        Ok(())
    }

    /// The first is called what it was to be called.
    fn paths(&self, files: &[(String, Vec<u8>)]) -> Vec<PathBuf> {
        let first = std::iter::once(self.path().to_owned());
        first.chain(files.iter().skip(1).map(|(name, _)| self.path().with_file_name(name))).collect()
    }
}
