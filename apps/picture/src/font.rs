//! A tiny font: 5×7 dots a letter, drawn in `font.txt`.

use super::palette::Rgb;
use tiny_skia::{Paint, Pixmap, Rect, Transform};

const COLUMNS: usize = 5;
const ROWS: usize = 7;
/// What follows a letter on its line, space included.
const ADVANCE: usize = COLUMNS + 1;

/// The letters, by their ASCII code: one number a row, the leftmost dot in bit 4.
pub(crate) struct Font {
    glyphs: [[u8; ROWS]; 128],
}

impl Font {
    /// Reads the sheet: a line of letters, then their rows of dots side by side.
    pub(crate) fn new() -> Self {
        // A letter that nobody drew is a box; a blank is blank.
        let mut glyphs = [[0b11111, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11111]; 128];
        glyphs[usize::from(b' ')] = [0; ROWS];
        let mut lines = include_str!("font.txt").lines();
        while let Some(letters) = lines.next() {
            for (row, dots) in lines.by_ref().take(ROWS).enumerate() {
                for (letter, dots) in letters.bytes().zip(dots.as_bytes().chunks(ADVANCE)) {
                    let bits =
                        dots.iter().take(COLUMNS).fold(0, |bits, &dot| bits << 1 | u8::from(dot == b'#'));
                    glyphs[usize::from(letter & 127)][row] = bits;
                }
            }
        }
        Self { glyphs }
    }

    /// Pixels that `letters` letters take on a line, with dots of `scale` pixels.
    pub(crate) const fn width(letters: usize, scale: u32) -> u32 {
        (letters * ADVANCE) as u32 * scale
    }

    /// Pixels from the top of a letter to its bottom.
    pub(crate) const fn height(scale: u32) -> u32 {
        ROWS as u32 * scale
    }

    /// Writes `text` with its top left corner at (`x`, `y`).
    pub(crate) fn draw(&self, pixmap: &mut Pixmap, text: &str, x: u32, y: u32, scale: u32, colour: Rgb) {
        let mut paint = Paint { anti_alias: false, ..Paint::default() };
        paint.set_color(colour.into());
        for (place, letter) in text.chars().enumerate() {
            let glyph = self.glyphs[if letter.is_ascii() { letter as usize } else { 127 }];
            for (row, bits) in glyph.into_iter().enumerate() {
                for column in (0..COLUMNS).filter(|column| bits & (1 << (COLUMNS - 1 - column)) != 0) {
                    let left = x + Self::width(place, scale) + column as u32 * scale;
                    let top = y + row as u32 * scale;
                    let dot = Rect::from_xywh(left as f32, top as f32, scale as f32, scale as f32);
                    if let Some(dot) = dot {
                        pixmap.fill_rect(dot, &paint, Transform::identity(), None);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawn_letter_is_read() {
        let font = Font::new();
        assert_eq!(font.glyphs[usize::from(b'T')], [0b11111, 4, 4, 4, 4, 4, 4]);
        let unknown = font.glyphs[127];
        for letter in b'!'..=b'z' {
            let drawn = font.glyphs[usize::from(letter)] != unknown;
            assert_eq!(drawn, !b"\"$&@\\^`".contains(&letter), "{}", char::from(letter));
        }
    }

    #[test]
    fn text_leaves_dots() {
        let mut pixmap = Pixmap::new(Font::width(2, 2), Font::height(2)).unwrap();
        Font::new().draw(&mut pixmap, "1é", 0, 0, 2, Rgb(1, 2, 3));
        let dots = pixmap.pixels().iter().filter(|p| p.alpha() == 255).count();
        assert_eq!(dots, 4 * (10 + 20), "a one of 10 dots, a box of 20, each dot 2×2 pixels");
    }
}
