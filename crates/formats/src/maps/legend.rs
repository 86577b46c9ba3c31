//! Pictures whose colours are terrain.
//!
//! A PNG by itself means what [`USUAL`] says: each pixel is a cell, and the nearest of these colours counts. Other colours, and
//! pictures with several pixels to a cell, have a file beside them:
//!
//! ```toml
//! image = "level.png"
//! cell = 16                  # pixels along the side of a cell, 1 if left out; the one in its middle counts
//! nearest = true             # the nearest colour counts; if left out, one that the legend does not have is an error
//!
//! [legend]                   # instead of the usual colours
//! "#ffffff" = "."
//! "#22aa33" = "T"
//! transparent = "@"
//! ```

use super::colours::{Colour, USUAL};
use super::pixels::{self, Picture};
use super::{Resolve, grid_of, named, of_file, spot};
use crate::lines::line_at;
use crate::{FormatError, document};
use serde::Deserialize;
use std::collections::BTreeMap;
use throng_core::{Grid, TerrainPolicy};
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    image: String,
    cell: Option<Spanned<u32>>,
    #[serde(default)]
    nearest: bool,
    legend: Option<Spanned<BTreeMap<Spanned<String>, Spanned<String>>>>,
}

/// What colours mean.
struct Legend {
    colours: Vec<(Colour, u8)>,
    nearest: bool,
}

pub(super) fn parse(bytes: &[u8], policy: TerrainPolicy, resolve: Resolve<'_>) -> Result<Grid, FormatError> {
    if pixels::is_png(bytes) {
        let legend = Legend { colours: USUAL.to_vec(), nearest: true };
        return grid(&pixels::parse(bytes)?, 1, &legend, policy);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| FormatError::NotUtf8 { line: 1 })?;
    let file: File = document::read(text)?;
    let colours = match &file.legend {
        Some(given) => read_colours(text, given)?,
        None => USUAL.to_vec(),
    };
    let legend = Legend { colours, nearest: file.nearest };
    let cell = match &file.cell {
        Some(cell) if *cell.get_ref() == 0 => {
            let line = line_at(text, cell.span().start);
            return Err(FormatError::expected(line, "at least 1 pixel to a cell", b"0"));
        }
        cell => cell.as_ref().map_or(1, |cell| *cell.get_ref() as usize),
    };
    let image = named(resolve, "image", &file.image)?;
    let read = pixels::parse(&image).and_then(|picture| grid(&picture, cell, &legend, policy));
    read.map_err(of_file("image", &file.image))
}

fn read_colours(
    text: &str,
    given: &Spanned<BTreeMap<Spanned<String>, Spanned<String>>>,
) -> Result<Vec<(Colour, u8)>, FormatError> {
    let entry = |(colour, letter): (&Spanned<String>, &Spanned<String>)| {
        let (name, word) = (colour.get_ref(), letter.get_ref());
        let colour = Colour::parse(name).ok_or_else(|| {
            let line = line_at(text, colour.span().start);
            FormatError::expected(line, "a colour as `#rrggbb` or `transparent`", name.as_bytes())
        })?;
        let terrain = match word.as_bytes() {
            &[letter] => TerrainPolicy::default().passable(letter).map(|_| letter),
            _ => None,
        };
        let terrain = terrain.ok_or_else(|| {
            let expected = format!("a letter of terrain, one of {}", TerrainPolicy::LETTERS);
            FormatError::expected(line_at(text, letter.span().start), expected, word.as_bytes())
        })?;
        Ok((colour, terrain))
    };
    let line = line_at(text, given.span().start);
    match given.get_ref().iter().map(entry).collect::<Result<Vec<_>, _>>()? {
        none if none.is_empty() => Err(FormatError::expected(line, "at least one colour", b"")),
        all => Ok(all),
    }
}

impl Legend {
    fn letter(&self, colour: Colour) -> Option<u8> {
        let nearest = self.colours.iter().min_by_key(|(own, _)| own.far(colour));
        nearest.filter(|(own, _)| self.nearest || *own == colour).map(|&(_, letter)| letter)
    }
}

/// The terrain of a picture; neighbours are mostly alike, so that the last colour is remembered.
fn grid(picture: &Picture, cell: usize, legend: &Legend, policy: TerrainPolicy) -> Result<Grid, FormatError> {
    let Picture { width, height, pixels } = picture;
    if width % cell != 0 || height % cell != 0 {
        let message = format!("{width}×{height} pixels, expected a multiple of the {cell} along each cell");
        return Err(FormatError::in_map("its size", message));
    }
    let (across, down) = (width / cell, height / cell);
    let mut letters = Vec::with_capacity(across * down);
    let mut last = None;
    for y in (0..down).map(|y| y * cell + cell / 2) {
        for x in (0..across).map(|x| x * cell + cell / 2) {
            let colour = Colour::of(pixels[y * width + x]);
            let letter = match last {
                Some((known, letter)) if known == colour => letter,
                _ => legend.letter(colour).ok_or_else(|| {
                    let known: Vec<_> = legend.colours.iter().map(|(colour, _)| colour.to_string()).collect();
                    let message = format!("{colour} is no terrain: expected one of {}", known.join(", "));
                    FormatError::in_map(spot("pixel", x, y), message)
                })?,
            };
            last = Some((colour, letter));
            letters.push(letter);
        }
    }
    grid_of(across, down, &letters, policy)
}

/// A picture in the usual colours, one pixel to a cell.
pub(super) fn write(grid: &Grid) -> Vec<u8> {
    let letters = (0..grid.height()).flat_map(|y| grid.row(y));
    let rgb: Vec<u8> = letters.flat_map(|&letter| Colour::of_letter(letter)).collect();
    pixels::write_png(grid.width(), grid.height(), &rgb)
}
