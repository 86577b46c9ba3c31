//! The file as TOML has it, before anything is checked.

use core::fmt;
use core::marker::PhantomData;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use throng_core::{Delays as Delays_, MAX_RADIUS, Scenario, Sight as Core, Stream as Stream_};
use toml::Spanned;

/// A whole number, told apart by what it may be: where TOML's is too large for it, people are told the range and not the
/// type. What is outside the range and fits the type is a fault of the scenario, which says more about it.
#[derive(Clone, Copy)]
pub(super) struct Whole<T, const LOW: i64, const HIGH: i64>(pub(super) T);

impl<'de, T: TryFrom<i64>, const LOW: i64, const HIGH: i64> Deserialize<'de> for Whole<T, LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number<T, const LOW: i64, const HIGH: i64>(PhantomData<T>);
        impl<T: TryFrom<i64>, const LOW: i64, const HIGH: i64> Visitor<'_> for Number<T, LOW, HIGH> {
            type Value = Whole<T, LOW, HIGH>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {LOW} to {HIGH}")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                T::try_from(value).map(Whole).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
            }
        }
        deserializer.deserialize_i64(Number(PhantomData))
    }
}

type Body = Whole<u8, 1, { Scenario::MAX_BODY as i64 }>;
type Period = Whole<u8, 1, { Scenario::MAX_PERIOD as i64 }>;
type Radius = Whole<u8, 1, { MAX_RADIUS as i64 }>;
type Reach = Whole<u32, 1, { Core::MAX_RADIUS as i64 }>;
type Angle = Whole<u32, 1, { Core::MAX_ANGLE as i64 }>;
type Memory = Whole<u32, 1, { u32::MAX as i64 }>;
type Rounds = Whole<u32, 1, { u32::MAX as i64 }>;
type Team = Whole<u16, 0, { u16::MAX as i64 }>;
type Priority = Whole<i32, { i32::MIN as i64 }, { i32::MAX as i64 }>;
type Late = Whole<u32, 1, { Delays_::LONGEST as i64 }>;
type Number = Whole<u32, 0, { u32::MAX as i64 }>;
type Ticks = Whole<u64, 0, { i64::MAX }>;
pub(super) type Expansions = Whole<u64, 1, { i64::MAX }>;
type Coordinate = Whole<i32, 0, { i32::MAX as i64 }>;
/// x and y: exactly two numbers.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<Coordinate>")]
pub(super) struct At(pub(super) i32, pub(super) i32);

impl TryFrom<Vec<Coordinate>> for At {
    type Error = String;

    fn try_from(numbers: Vec<Coordinate>) -> Result<Self, String> {
        match numbers[..] {
            [Whole(x), Whole(y)] => Ok(Self(x, y)),
            _ => Err(format!("{} numbers, expected two: the column and the row of a cell", numbers.len())),
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
    pub(super) planner: Option<Spanned<String>>,
    pub(super) ticks: Option<Ticks>,
    /// All 64 bits: those of 2^63 and more are the negative numbers of TOML.
    pub(super) seed: Option<i64>,
    pub(super) budget: Option<Spanned<Expansions>>,
    pub(super) map: Option<Spanned<String>>,
    pub(super) map_file: Option<Spanned<String>>,
    pub(super) directions: Option<Spanned<String>>,
    pub(super) directions_file: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) terrain: Terrain,
    #[serde(default)]
    pub(super) rules: Rules,
    pub(super) sight: Option<Spanned<Sight>>,
    #[serde(default)]
    pub(super) unit: Vec<Spanned<Unit>>,
    #[serde(default)]
    pub(super) event: Vec<Spanned<Event>>,
    #[serde(default)]
    pub(super) source: Vec<Spanned<Source>>,
    #[serde(default)]
    pub(super) errand: Vec<Spanned<Errand>>,
    pub(super) stream: Option<Spanned<Stream>>,
    pub(super) delays: Option<Spanned<Delays>>,
    #[serde(default)]
    pub(super) delay: Vec<Spanned<Delay>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delays {
    pub(super) rate: Spanned<f64>,
    pub(super) length: Option<Length>,
    /// All 64 bits, as that of the run.
    pub(super) seed: Option<i64>,
}

/// For how many ticks a unit slips.
#[derive(Deserialize)]
#[serde(untagged, expecting = "ticks from 1 to 10000, or a list of two: the fewest and the most")]
pub(super) enum Length {
    Always(Late),
    Between([Late; 2]),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delay {
    pub(super) unit: Number,
    pub(super) at: Ticks,
    #[serde(rename = "for")]
    pub(super) ticks: Late,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Errand {
    #[serde(default)]
    pub(super) at: Option<Ticks>,
    pub(super) stops: Vec<At>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stream {
    pub(super) open: Option<Whole<u32, 1, { Stream_::MOST_OPEN as i64 }>>,
    pub(super) rate: Option<Spanned<f64>>,
    pub(super) stops: Option<Spanned<Vec<Places>>>,
    pub(super) list: Option<Vec<Vec<At>>>,
    pub(super) count: Option<Whole<u64, 1, { i64::MAX }>>,
    /// All 64 bits, as that of the run.
    pub(super) seed: Option<i64>,
}

/// Where a stop may be: a word, a letter of the map, or cells.
#[derive(Deserialize)]
#[serde(untagged, expecting = "\"anywhere\", a letter of the map such as \"S\", or a list of cells")]
pub(super) enum Places {
    Word(String),
    Cells(Vec<At>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sight {
    pub(super) radius: Reach,
    pub(super) angle: Option<Angle>,
    pub(super) inner: Option<Reach>,
    pub(super) line_of_sight: Option<bool>,
    pub(super) shared: Option<bool>,
    #[serde(default)]
    pub(super) map_known: bool,
    pub(super) fading: Option<Memory>,
    pub(super) team: Option<Team>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Event {
    pub(super) at: Ticks,
    #[serde(default)]
    pub(super) close: Vec<At>,
    #[serde(default)]
    pub(super) open: Vec<At>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    pub(super) at: At,
    pub(super) strength: Spanned<f64>,
    pub(super) radius: Reach,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Terrain {
    pub(super) swamp: Option<bool>,
    pub(super) water: Option<bool>,
    pub(super) trees: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    pub(super) connectivity: Option<Spanned<i64>>,
    pub(super) timing: Option<Timing>,
    #[serde(default)]
    pub(super) hold_both: bool,
    #[serde(default)]
    pub(super) follow: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum Timing {
    Uniform,
    Metric,
}

#[derive(Deserialize, Clone, Copy)]
pub(super) enum Heading {
    N,
    E,
    S,
    W,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unit {
    pub(super) start: At,
    pub(super) goal: Option<At>,
    pub(super) goals: Option<Vec<At>>,
    pub(super) patrol: Option<At>,
    pub(super) rounds: Option<Rounds>,
    #[serde(default)]
    pub(super) hold: bool,
    #[serde(default)]
    pub(super) explore: bool,
    pub(super) find: Option<At>,
    #[serde(default)]
    pub(super) errands: bool,
    pub(super) team: Option<Team>,
    pub(super) body: Option<Body>,
    pub(super) period: Option<Period>,
    pub(super) run: Option<Period>,
    pub(super) turning: Option<Radius>,
    #[serde(default)]
    pub(super) turns: bool,
    pub(super) heading: Option<Heading>,
    pub(super) priority: Option<Priority>,
    pub(super) planner: Option<Spanned<String>>,
}
