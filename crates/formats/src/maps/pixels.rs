//! Pictures as rows of pixels: PNG, and the plain formats PGM and PBM's kin that ROS uses.

use crate::FormatError;
use crate::lines::int;
use png::{ColorType, Decoder, Transformations};
use std::io::Cursor;
use throng_core::MAX_CELLS;

/// Red, green, blue and alpha.
pub(super) type Pixel = [u8; 4];

/// A picture, row by row.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<Pixel>,
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(super) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

fn wrong(why: impl Into<String>) -> FormatError {
    FormatError::Picture { why: why.into() }
}

/// Reads a picture.
pub(super) fn parse(bytes: &[u8]) -> Result<Picture, FormatError> {
    match bytes {
        _ if is_png(bytes) => png(bytes),
        [b'P', b'5' | b'2', ..] => pgm(bytes),
        _ => Err(wrong("expected PNG or PGM (P5 or P2)")),
    }
}

fn check(width: usize, height: usize) -> Result<(), FormatError> {
    match width.checked_mul(height) {
        Some(1..=MAX_CELLS) => Ok(()),
        _ => Err(wrong(format!("it has {width}×{height} pixels, expected 1 to {MAX_CELLS} in all"))),
    }
}

/// Bytes of an interlaced picture, whose rows come in no order and are kept all at once.
const INTERLACED: usize = 1 << 26;

/// What is kept of it grows with the rows that there are, whatever its header says.
fn png(bytes: &[u8]) -> Result<Picture, FormatError> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let told = |why: png::DecodingError| wrong(why.to_string());
    let mut reader = decoder.read_info().map_err(told)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check(width, height)?;
    let kind = reader.output_color_type().0;
    let mut pixels = Vec::new();
    if reader.info().interlaced {
        let size = reader.output_buffer_size().filter(|size| *size <= INTERLACED);
        let size =
            size.ok_or_else(|| wrong("it is interlaced and large: expected one saved without that"))?;
        let mut all = vec![0; size];
        let frame = reader.next_frame(&mut all).map_err(told)?;
        add(&mut pixels, kind, &all[..frame.buffer_size()])?;
    } else {
        while let Some(row) = reader.next_row().map_err(told)? {
            add(&mut pixels, kind, row.data())?;
        }
    }
    if pixels.len() != width * height {
        return Err(wrong(format!("it has {} pixels, expected {width}×{height}", pixels.len())));
    }
    Ok(Picture { width, height, pixels })
}

/// Adds samples of eight bits.
fn add(pixels: &mut Vec<Pixel>, kind: ColorType, samples: &[u8]) -> Result<(), FormatError> {
    match kind {
        ColorType::Grayscale => pixels.extend(samples.iter().map(|&v| [v, v, v, 255])),
        ColorType::GrayscaleAlpha => pixels.extend(samples.chunks_exact(2).map(|p| [p[0], p[0], p[0], p[1]])),
        ColorType::Rgb => pixels.extend(samples.chunks_exact(3).map(|p| [p[0], p[1], p[2], 255])),
        ColorType::Rgba => pixels.extend(samples.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]])),
        ColorType::Indexed => return Err(wrong("its palette is missing")),
    }
    Ok(())
}

/// Words of a header: white space and lines that begin with `#` are between them.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            self.0 = self.0.trim_ascii_start();
            let Some(b'#') = self.0.first() else { break };
            let end = self.0.iter().position(|&byte| byte == b'\n').unwrap_or(self.0.len());
            self.0 = &self.0[end..];
        }
        let end = self.0.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#');
        let (word, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    fn number(&mut self, what: &str, most: usize) -> Result<usize, FormatError> {
        let number = self.next().and_then(int).and_then(|number| usize::try_from(number).ok());
        number
            .filter(|number| *number <= most)
            .ok_or_else(|| wrong(format!("expected {what}: a whole number from 0 to {most}")))
    }
}

fn pgm(bytes: &[u8]) -> Result<Picture, FormatError> {
    let plain = bytes.starts_with(b"P2");
    let mut words = Words(&bytes[2..]);
    let width = words.number("its width", MAX_CELLS)?;
    let height = words.number("its height", MAX_CELLS)?;
    let most = words.number("its lightest grey", u16::MAX.into())?.max(1);
    check(width, height)?;
    let count = width * height;
    let grey = |value: usize| {
        let value = (value.min(most) * 255 / most) as u8;
        [value, value, value, 255]
    };
    let mut pixels = Vec::new();
    if plain {
        while pixels.len() < count {
            pixels.push(grey(words.number("the grey of a pixel", most)?));
        }
        return Ok(Picture { width, height, pixels });
    }
    // One byte of white space ends the header.
    let data = words.0.get(1..).unwrap_or_default();
    let size = if most > 255 { 2 } else { 1 };
    if data.len() / size < count {
        return Err(wrong(format!("it ends after {} pixels, expected {width}×{height}", data.len() / size)));
    }
    let value = |bytes: &[u8]| bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte));
    pixels.extend(data.chunks_exact(size).take(count).map(|bytes| grey(value(bytes))));
    Ok(Picture { width, height, pixels })
}

/// A PNG of these colours; a picture that can be made can be written.
pub(super) fn write_png(width: usize, height: usize, rgb: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_image_data(rgb);
        let _ = writer.finish();
    }
    out
}
