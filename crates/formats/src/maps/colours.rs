//! Colours of terrain.

use std::fmt;

/// A colour; what can be seen through is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Rgb([u8; 3]),
    Transparent,
}

/// The word for what can be seen through.
const TRANSPARENT: &str = "transparent";

/// What pictures mean without a legend, and how they are written.
pub(super) const USUAL: [(Colour, u8); 8] = [
    (Colour::Rgb([255, 255, 255]), b'.'),
    (Colour::Rgb([0, 0, 0]), b'@'),
    (Colour::Rgb([0, 128, 0]), b'T'),
    (Colour::Rgb([0, 0, 255]), b'W'),
    (Colour::Rgb([128, 128, 0]), b'S'),
    (Colour::Rgb([192, 255, 192]), b'G'),
    (Colour::Rgb([64, 64, 64]), b'O'),
    (Colour::Transparent, b'.'),
];

impl Colour {
    /// Of red, green, blue and alpha; less than half opaque is not.
    pub(super) const fn of([red, green, blue, alpha]: [u8; 4]) -> Self {
        if alpha < 128 { Self::Transparent } else { Self::Rgb([red, green, blue]) }
    }

    /// As people write it: `#rrggbb`, or `transparent`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == TRANSPARENT {
            return Some(Self::Transparent);
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self::Rgb([red, green, blue]))
    }

    /// How far colours are apart; nothing is beside what can be seen through but that itself.
    pub(super) fn far(self, other: Self) -> u32 {
        match (self, other) {
            (Self::Rgb(one), Self::Rgb(other)) => {
                one.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            }
            (Self::Transparent, Self::Transparent) => 0,
            _ => u32::MAX,
        }
    }

    /// The colour of a terrain letter.
    pub(super) fn of_letter(letter: u8) -> [u8; 3] {
        let known = USUAL.iter().find_map(|&(colour, own)| match colour {
            Self::Rgb(rgb) if own == letter => Some(rgb),
            _ => None,
        });
        known.unwrap_or_default()
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rgb([red, green, blue]) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
            Self::Transparent => f.write_str(TRANSPARENT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_read_as_they_are_written() {
        for (colour, _) in USUAL {
            assert_eq!(Colour::parse(&colour.to_string()), Some(colour));
        }
        for bad in ["", "ffffff", "#fff", "#gggggg", "#+fffff", "#ffffff0", "white"] {
            assert_eq!(Colour::parse(bad), None, "{bad}");
        }
    }
}
