//! Maps of ROS: the YAML of `map_server` and the grey picture that it names.
//!
//! ```yaml
//! image: hall.pgm
//! resolution: 0.05           # metres along the side of a cell
//! origin: [-10.0, -5.0, 0.0] # where the lower left corner lies, and how it is turned
//! occupied_thresh: 0.65      # darker is a wall
//! free_thresh: 0.196         # lighter is free; what lies between is unknown, which nobody enters
//! negate: 0
//! mode: trinary              # or scale: the same here; or raw: 0 is free, 100 a wall, by the thresholds
//! ```
//!
//! Row 0 of the grid is the upper row of the picture. Of YAML this is all: keys with a plain value each.

use super::pixels::{self, Pixel};
use super::{Resolve, grid_of, named, of_file};
use crate::FormatError;
use crate::error::quote;
use crate::lines::{Lines, is_blank};
use throng_core::{Grid, TerrainPolicy};

/// Where a map lies in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Metres along the side of a cell.
    pub resolution: f64,
    /// The lower left corner, x and y in metres and turned by so many radians.
    pub origin: [f64; 3],
}

/// What the file says.
struct Head {
    image: String,
    place: Place,
    occupied: f64,
    free: f64,
    negate: bool,
    raw: bool,
}

pub(super) fn parse(
    bytes: &[u8],
    policy: TerrainPolicy,
    resolve: Resolve<'_>,
) -> Result<(Grid, Place), FormatError> {
    let head = Head::parse(bytes)?;
    let image = named(resolve, "image", &head.image)?;
    let read = pixels::parse(&image).and_then(|picture| {
        let letters: Vec<u8> = picture.pixels.iter().map(|&pixel| head.letter(pixel)).collect();
        grid_of(picture.width, picture.height, &letters, policy)
    });
    Ok((read.map_err(of_file("image", &head.image))?, head.place))
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let keys = ["image", "resolution", "origin", "occupied_thresh", "free_thresh", "negate", "mode"];
        let mut values: [Option<(usize, &str)>; 7] = [None; 7];
        let mut last = 0;
        for (line, text) in Lines::new(bytes) {
            last = line;
            let text = std::str::from_utf8(text).map_err(|_| FormatError::NotUtf8 { line })?;
            let text = uncommented(text).trim();
            if is_blank(text.as_bytes()) || text == "---" || text == "..." {
                continue;
            }
            let Some((key, value)) = text.split_once(':') else {
                return Err(FormatError::expected(line, "`key: value`", text.as_bytes()));
            };
            // Newer versions may have more keys than these.
            if let Some(place) = keys.iter().position(|own| *own == key.trim_end()) {
                values[place] = Some((line, value.trim()));
            }
        }
        let [image, resolution, origin, occupied, free, negate, mode] = values;
        let missing =
            |key: &str| FormatError::EndOfFile { line: last + 1, expected: format!("`{key}:`").into() };
        let (line, name) = image.ok_or_else(|| missing("image"))?;
        let name = unquoted(name);
        if name.is_empty() {
            return Err(FormatError::expected(line, "the name of a picture", b""));
        }
        let resolution = resolution.ok_or_else(|| missing("resolution"))?;
        let origin = origin.map_or(Ok([0.0; 3]), list)?;
        let raw = match mode.map(|(line, word)| (line, unquoted(word))) {
            None | Some((_, "trinary" | "scale")) => false,
            Some((_, "raw")) => true,
            Some((line, word)) => {
                return Err(FormatError::expected(line, "`trinary`, `scale` or `raw`", word.as_bytes()));
            }
        };
        let negate = match negate {
            None | Some((_, "0" | "false")) => false,
            Some((_, "1" | "true")) => true,
            Some((line, word)) => return Err(FormatError::expected(line, "0 or 1", word.as_bytes())),
        };
        let unit = |given: Option<(usize, &str)>, usual: f64| {
            given.map_or(Ok(usual), |(line, text)| {
                number(line, text, "a number from 0 to 1", |number| (0.0..=1.0).contains(&number))
            })
        };
        let (occupied_at, occupied, free) =
            (occupied.map_or(line, |(line, _)| line), unit(occupied, 0.65)?, unit(free, 0.196)?);
        if free > occupied {
            let expected = "`occupied_thresh` of at least `free_thresh`";
            return Err(FormatError::expected(occupied_at, expected, occupied.to_string().as_bytes()));
        }
        let (line, text) = resolution;
        let resolution = number(line, text, "metres above 0", |number| number > 0.0)?;
        let place = Place { resolution, origin };
        Ok(Self { image: name.to_owned(), place, occupied, free, negate, raw })
    }

    /// What a grey means. Colours count by their mean, as `map_server` has it.
    fn letter(&self, [red, green, blue, alpha]: Pixel) -> u8 {
        let grey = (f64::from(red) + f64::from(green) + f64::from(blue)) / 3.0;
        let dark = match (self.raw, self.negate) {
            (true, _) => grey / 100.0,
            (false, false) => (255.0 - grey) / 255.0,
            (false, true) => grey / 255.0,
        };
        match dark {
            // Of values that are not told in percent, and of what can be seen through, nothing is known.
            _ if alpha < 255 || self.raw && dark > 1.0 => b'O',
            dark if dark > self.occupied => b'@',
            dark if dark < self.free => b'.',
            _ => b'O',
        }
    }
}

/// What stands before a comment.
fn uncommented(text: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| at == 0 || text[..at].ends_with([' ', '\t']);
    text.match_indices('#').find(begins).map_or(text, |(at, _)| &text[..at])
}

fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

fn number(
    line: usize,
    text: &str,
    expected: &'static str,
    good: impl Fn(f64) -> bool,
) -> Result<f64, FormatError> {
    let wrong = || FormatError::Expected { line, expected: expected.into(), found: quote(text.as_bytes()) };
    text.parse().ok().filter(|number: &f64| number.is_finite() && good(*number)).ok_or_else(wrong)
}

/// `[x, y, turned]`.
fn list((line, text): (usize, &str)) -> Result<[f64; 3], FormatError> {
    const EXPECTED: &str = "three numbers: [x, y, turned]";
    let wrong = || FormatError::expected(line, EXPECTED, text.as_bytes());
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(wrong)?;
    let numbers: Result<Vec<f64>, _> =
        inner.split(',').map(|text| number(line, text.trim(), EXPECTED, |_| true)).collect();
    numbers?.try_into().map_err(|_| wrong())
}

/// The YAML and its picture, with cells of one metre.
pub(super) fn write(grid: &Grid, stem: &str) -> Vec<(String, Vec<u8>)> {
    let image = format!("{stem}.pgm");
    let yaml = format!(
        "image: {}\nresolution: 1.0\norigin: [0.0, 0.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
        if image.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
            image.clone()
        } else {
            format!("\"{image}\"")
        }
    );
    let mut pgm = format!("P5\n{} {}\n255\n", grid.width(), grid.height()).into_bytes();
    for y in 0..grid.height() {
        pgm.extend(grid.row(y).iter().map(|&letter| match letter {
            b'O' => 205,
            letter if grid.policy().passable(letter) == Some(true) => 254,
            _ => 0,
        }));
    }
    vec![(format!("{stem}.yaml"), yaml.into_bytes()), (image, pgm)]
}
