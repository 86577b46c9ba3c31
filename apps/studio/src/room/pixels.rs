//! Maps as pictures: one pixel a cell.

use super::draft::Letters;
use crate::{Refusal, limits};
use std::io::Cursor;

/// The colours of letters, the nearest of which a pixel is read as.
const COLOURS: [(u8, [u8; 3]); 7] = [
    (b'.', [255, 255, 255]),
    (b'@', [0, 0, 0]),
    (b'T', [0, 128, 0]),
    (b'W', [0, 0, 255]),
    (b'S', [128, 128, 0]),
    (b'G', [192, 255, 192]),
    (b'O', [64, 64, 64]),
];

impl Letters {
    /// A PNG of one pixel a cell.
    pub(crate) fn png(&self) -> Result<Vec<u8>, Refusal> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let colour =
            |letter: &u8| COLOURS.iter().find(|(known, _)| known == letter).map_or([0; 3], |(_, c)| *c);
        let pixels: Vec<u8> = self.cells.iter().flat_map(colour).collect();
        let failed = |why: png::EncodingError| Refusal::new(why.to_string());
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&pixels).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(out)
    }

    /// A map from a picture: each pixel is the letter of the nearest colour; what is transparent is open.
    pub(crate) fn of_png(bytes: &[u8]) -> Result<Self, Refusal> {
        let failed = |why: png::DecodingError| Refusal::new(format!("not a PNG: {why}"));
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(failed)?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        limits::size(width, height)?;
        let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let frame = reader.next_frame(&mut pixels).map_err(failed)?;
        let samples = frame.color_type.samples();
        let cells: Vec<u8> =
            pixels[..frame.buffer_size()].chunks_exact(samples).take(width * height).map(letter).collect();
        if cells.len() != width * height {
            return Err(Refusal::new("not a PNG: it has fewer pixels than it says"));
        }
        Ok(Self { width, height, cells })
    }
}

fn letter(pixel: &[u8]) -> u8 {
    let (rgb, alpha) = match *pixel {
        [grey] => ([grey; 3], 255),
        [grey, alpha] => ([grey; 3], alpha),
        [r, g, b] => ([r, g, b], 255),
        [r, g, b, alpha] => ([r, g, b], alpha),
        _ => ([255; 3], 255),
    };
    let far = |colour: &[u8; 3]| -> u32 {
        colour.iter().zip(rgb).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let nearest = COLOURS.iter().min_by_key(|(_, colour)| far(colour));
    nearest.filter(|_| alpha >= 128).map_or(b'.', |(letter, _)| *letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_comes_back_from_its_picture() {
        let letters = Letters::of_rows(".@TWSGO\n@.....@").unwrap();
        assert_eq!(Letters::of_png(&letters.png().unwrap()).unwrap(), letters);
        assert!(Letters::of_png(b"nothing of the kind").is_err());
    }
}
