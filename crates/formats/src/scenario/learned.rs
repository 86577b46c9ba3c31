//! The direction map of a scenario file: in it, or in a file of its own.

use super::terrain::{Resolve, line_at};
use super::wire::File;
use crate::{FormatError, directions};
use throng_core::{Directions, Grid};

/// What units are to begin with, if the file has it; it must be for a map of this size.
pub(super) fn directions(
    text: &str,
    file: &File,
    grid: &Grid,
    resolve: Resolve<'_>,
) -> Result<Option<Directions>, FormatError> {
    let (line, name, bytes) = match (&file.directions, &file.directions_file) {
        (None, None) => return Ok(None),
        (Some(own), None) => {
            (line_at(text, own.span().start), None, own.get_ref().trim_ascii_start().as_bytes().to_vec())
        }
        (None, Some(name)) => {
            let (line, name) = (line_at(text, name.span().start), name.get_ref());
            let failed = |why| FormatError::DirectionsFile { line, name: name.clone(), why };
            (line, Some(name.clone()), resolve(name).map_err(failed)?)
        }
        (Some(own), Some(name)) => {
            return Err(FormatError::Expected {
                line: line_at(text, own.span().start.max(name.span().start)),
                expected: "one of `directions` and `directions_file`".into(),
                found: "both".into(),
            });
        }
    };
    let broken = |why| FormatError::InDirections { line, name: name.clone(), why: Box::new(why) };
    let learned = directions::parse(&bytes).map_err(broken)?;
    if learned.check(grid).is_err() {
        let (row, map) = ((learned.width(), learned.height()), (grid.width(), grid.height()));
        return Err(FormatError::WrongMapSize { line, row, map });
    }
    Ok(Some(learned))
}
