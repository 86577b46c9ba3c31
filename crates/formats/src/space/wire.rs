//! The file as TOML has it, before anything is checked.

use serde::Deserialize;
use serde::de::IgnoredAny;
use throng_core::space::Point;
use toml::Spanned;

/// What tells a world in continuous space from a grid.
#[derive(Deserialize)]
pub(super) struct Kind {
    pub(super) space: Option<IgnoredAny>,
}

/// x and y: exactly two numbers.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub(super) struct At(pub(super) Point);

impl TryFrom<Vec<f64>> for At {
    type Error = String;

    fn try_from(numbers: Vec<f64>) -> Result<Self, String> {
        match numbers[..] {
            [x, y] => Ok(Self(Point::new(x, y))),
            _ => Err(format!("{} numbers, expected two: x and y", numbers.len())),
        }
    }
}

/// Two corners of a rectangle: exactly four numbers.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub(super) struct Corners(pub(super) Point, pub(super) Point);

impl TryFrom<Vec<f64>> for Corners {
    type Error = String;

    fn try_from(numbers: Vec<f64>) -> Result<Self, String> {
        match numbers[..] {
            [a, b, c, d] => Ok(Self(Point::new(a, b), Point::new(c, d))),
            _ => Err(format!("{} numbers, expected four: least x and y, most x and y", numbers.len())),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) about: String,
    /// TOML's whole numbers have a sign: of the same bits.
    #[serde(default)]
    pub(super) seed: i64,
    pub(super) ticks: Option<u64>,
    pub(super) space: Spanned<Space>,
    #[serde(default)]
    pub(super) wall: Vec<Spanned<Wall>>,
    #[serde(default)]
    pub(super) door: Vec<Spanned<Door>>,
    #[serde(default)]
    pub(super) event: Vec<Spanned<Event>>,
    #[serde(default)]
    pub(super) body: Vec<Spanned<Body>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Space {
    pub(super) size: Option<At>,
    pub(super) corners: Option<Corners>,
    pub(super) step: Option<f64>,
    pub(super) forecast: Option<f64>,
    pub(super) bound: Option<f64>,
    pub(super) nearest: Option<usize>,
    pub(super) quantum: Option<f64>,
    pub(super) patience: Option<f64>,
    pub(super) sampling: Option<Sampling>,
    pub(super) spacing: Option<f64>,
    pub(super) density: Option<f64>,
    pub(super) seed: Option<i64>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sampling {
    Lattice,
    Random,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wall {
    pub(super) rectangle: Option<Corners>,
    pub(super) corners: Option<Vec<At>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Door {
    pub(super) rectangle: Option<Corners>,
    pub(super) corners: Option<Vec<At>>,
    #[serde(default)]
    pub(super) closed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Event {
    pub(super) at: u64,
    #[serde(default)]
    pub(super) close: Vec<u32>,
    #[serde(default)]
    pub(super) open: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) disc: Option<f64>,
    pub(super) rectangle: Option<At>,
    pub(super) corners: Option<Vec<At>>,
    pub(super) start: At,
    pub(super) heading: Option<At>,
    pub(super) goal: Option<At>,
    pub(super) goals: Option<Vec<At>>,
    pub(super) patrol: Option<At>,
    pub(super) home: Option<At>,
    pub(super) rounds: Option<u32>,
    #[serde(default)]
    pub(super) hold: bool,
    pub(super) speed: Option<f64>,
    pub(super) turns: Option<bool>,
    #[serde(default)]
    pub(super) team: u16,
    #[serde(default)]
    pub(super) priority: i32,
}
