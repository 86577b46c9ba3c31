//! The colours of a picture, few enough for a GIF.

use tiny_skia::Color;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    pub(crate) const OPEN: Self = Self(0xf6, 0xf3, 0xec);
    pub(crate) const LINE: Self = Self(0xea, 0xe5, 0xda);
    pub(crate) const WALL: Self = Self(0x4a, 0x51, 0x5e);
    /// A door of continuous space that is closed.
    pub(crate) const DOOR: Self = Self(0x7a, 0x5c, 0x46);
    pub(crate) const WATER: Self = Self(0x9c, 0xc3, 0xde);
    pub(crate) const TREES: Self = Self(0x8d, 0xb0, 0x86);
    pub(crate) const SWAMP: Self = Self(0xd3, 0xd3, 0xae);
    pub(crate) const TEXT: Self = Self(0x2b, 0x30, 0x3a);
    pub(crate) const PAPER: Self = Self(0xff, 0xff, 0xff);
    /// What has not been seen.
    pub(crate) const FOG: Self = Self(0x2c, 0x30, 0x3c);
    /// The mark of a failed move; no unit has a colour near it.
    pub(crate) const FAILED: Self = Self(0xe0, 0x1b, 0x2f);

    /// This colour with `part` of 256 of `other` mixed in.
    pub(crate) const fn mix(self, other: Self, part: u32) -> Self {
        const fn channel(a: u8, b: u8, part: u32) -> u8 {
            ((a as u32 * (256 - part) + b as u32 * part + 128) / 256) as u8
        }
        Self(channel(self.0, other.0, part), channel(self.1, other.1, part), channel(self.2, other.2, part))
    }

    fn distance(self, other: Self) -> i32 {
        let square = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        // The eye tells greens apart best and blues worst.
        3 * square(self.0, other.0) + 6 * square(self.1, other.1) + 2 * square(self.2, other.2)
    }
}

impl From<Rgb> for Color {
    fn from(Rgb(r, g, b): Rgb) -> Self {
        Self::from_rgba8(r, g, b, 255)
    }
}

/// Colours of units: blue, amber, teal, purple, olive, pink, brown, sky.
const UNITS: [Rgb; 8] = [
    Rgb(0x2f, 0x6f, 0xb5),
    Rgb(0xe3, 0x96, 0x28),
    Rgb(0x2a, 0x9d, 0x8f),
    Rgb(0x8a, 0x5f, 0xb0),
    Rgb(0x84, 0x91, 0x2e),
    Rgb(0xd0, 0x7c, 0xaa),
    Rgb(0x8c, 0x60, 0x42),
    Rgb(0x5a, 0xa8, 0xd8),
];

/// Colour number `group`, in a shade that tells neighbours in number apart.
pub(crate) const fn unit_colour(group: usize, id: usize) -> Rgb {
    let base = UNITS[group % UNITS.len()];
    match id % 3 {
        0 => base,
        1 => base.mix(Rgb::PAPER, 56),
        _ => base.mix(Rgb::TEXT, 56),
    }
}

/// All colours of a GIF, and the nearest of them for any colour of a drawing.
pub(crate) struct Palette {
    colours: Vec<Rgb>,
    /// By [`key`]; `UNKNOWN` until asked.
    nearest: Vec<u8>,
}

const UNKNOWN: u8 = 255;

impl Palette {
    /// Marks a pixel as unchanged.
    pub(crate) const TRANSPARENT: u8 = 0;

    /// Terrain, text, marks and units, each with the steps between it and the ground that smooth
    /// edges need.
    pub(crate) fn new() -> Self {
        let mut colours = vec![
            Rgb(0, 0, 0),
            Rgb::OPEN,
            Rgb::LINE,
            Rgb::WALL,
            Rgb::DOOR,
            Rgb::WATER,
            Rgb::TREES,
            Rgb::SWAMP,
            Rgb::TEXT,
            Rgb::PAPER,
            Rgb::FAILED,
            Rgb::FOG,
            Rgb::FOG.mix(Rgb(0, 0, 0), 96),
        ];
        let units = (0..UNITS.len()).flat_map(|group| (0..3).map(move |id| unit_colour(group, id)));
        for colour in units.chain([Rgb::FAILED]) {
            colours.extend([0, 64, 128, 192].map(|part| colour.mix(Rgb::OPEN, part)));
            colours.push(colour.mix(Rgb::PAPER, 160));
        }
        for colour in [Rgb::WALL, Rgb::WATER, Rgb::TREES, Rgb::SWAMP] {
            colours.push(colour.mix(Rgb::OPEN, 128));
        }
        debug_assert!(colours.len() < usize::from(UNKNOWN));
        let mut nearest = vec![UNKNOWN; 1 << 18];
        for (index, &colour) in colours.iter().enumerate().skip(1).rev() {
            nearest[key(colour)] = index as u8;
        }
        Self { colours, nearest }
    }

    /// Red, green and blue of each, as a GIF stores them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flat_map(|&Rgb(r, g, b)| [r, g, b]).collect()
    }

    /// The number of the colour that is nearest to `colour`.
    pub(crate) fn index(&mut self, colour: Rgb) -> u8 {
        let key = key(colour);
        if self.nearest[key] == UNKNOWN {
            let opaque = self.colours.iter().enumerate().skip(1);
            let best = opaque.min_by_key(|(_, candidate)| candidate.distance(colour));
            self.nearest[key] = best.map_or(1, |(index, _)| index as u8);
        }
        self.nearest[key]
    }
}

/// The upper six bits of each channel.
const fn key(Rgb(r, g, b): Rgb) -> usize {
    (r as usize >> 2) << 12 | (g as usize >> 2) << 6 | b as usize >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_colours_are_kept() {
        let mut palette = Palette::new();
        assert!(palette.colours.len() < 256);
        for colour in
            [Rgb::OPEN, Rgb::WALL, Rgb::DOOR, Rgb::WATER, Rgb::TREES, Rgb::SWAMP, Rgb::TEXT, Rgb::FAILED]
        {
            let index = palette.index(colour);
            assert_ne!(index, Palette::TRANSPARENT);
            assert_eq!(palette.colours[usize::from(index)], colour);
        }
    }

    #[test]
    fn no_unit_looks_like_a_failure() {
        for group in 0..UNITS.len() {
            for id in 0..3 {
                assert!(unit_colour(group, id).distance(Rgb::FAILED) > 40_000, "{group} {id}");
            }
        }
    }
}
