//! Maps for Tiled.

use super::terrain::WORDS;
use crate::maps::colours::Colour;
use crate::maps::pixels;
use std::fmt::Write as _;
use throng_core::Grid;

/// Pixels along the side of a tile.
const TILE: usize = 16;

/// The map, and a picture of its tiles so that one sees what one draws.
pub(in super::super) fn write(grid: &Grid, stem: &str) -> Vec<(String, Vec<u8>)> {
    let (width, height, image) = (grid.width(), grid.height(), format!("{stem}.tiles.png"));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
         renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" tilewidth=\"{TILE}\" \
         tileheight=\"{TILE}\" infinite=\"0\">\n"
    );
    let count = WORDS.len();
    let _ = writeln!(
        out,
        " <tileset firstgid=\"1\" name=\"terrain\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"{count}\" columns=\"{count}\">\n  <image source=\"{}\" width=\"{}\" height=\"{TILE}\"/>",
        escaped(&image),
        count * TILE
    );
    for (id, (word, _)) in WORDS.iter().enumerate() {
        let _ = writeln!(
            out,
            "  <tile id=\"{id}\"><properties><property name=\"terrain\" value=\"{word}\"/></properties></tile>"
        );
    }
    let _ = writeln!(
        out,
        " </tileset>\n <layer id=\"1\" name=\"terrain\" width=\"{width}\" height=\"{height}\">\n  <data encoding=\"csv\">"
    );
    for y in 0..height {
        let number = |letter: &u8| 1 + WORDS.iter().position(|(_, own)| own == letter).unwrap_or(0);
        let row: Vec<_> = grid.row(y).iter().map(|letter| number(letter).to_string()).collect();
        let _ = writeln!(out, "{}{}", row.join(","), if y + 1 < height { "," } else { "" });
    }
    out += "  </data>\n </layer>\n</map>\n";
    let line = || WORDS.iter().flat_map(|&(_, letter)| Colour::of_letter(letter).repeat(TILE));
    let rgb: Vec<u8> = (0..TILE).flat_map(|_| line()).collect();
    let picture = pixels::write_png(count * TILE, TILE, &rgb);
    vec![(format!("{stem}.tmx"), out.into_bytes()), (image, picture)]
}

/// As the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
