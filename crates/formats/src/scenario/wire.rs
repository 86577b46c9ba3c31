//! The file as TOML has it, before anything is checked.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) about: String,
    pub(super) planner: Option<String>,
    pub(super) ticks: Option<u64>,
    pub(super) map: Option<Spanned<String>>,
    pub(super) map_file: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) terrain: Terrain,
    #[serde(default)]
    pub(super) rules: Rules,
    #[serde(default)]
    pub(super) unit: Vec<Spanned<Unit>>,
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
    pub(super) start: (i32, i32),
    pub(super) goal: Option<(i32, i32)>,
    pub(super) goals: Option<Vec<(i32, i32)>>,
    pub(super) patrol: Option<(i32, i32)>,
    pub(super) rounds: Option<u32>,
    #[serde(default)]
    pub(super) hold: bool,
    #[serde(default)]
    pub(super) team: u16,
    #[serde(default = "one")]
    pub(super) body: u8,
    #[serde(default = "one")]
    pub(super) period: u8,
    pub(super) run: Option<u8>,
    pub(super) turning: Option<u8>,
    pub(super) heading: Option<Heading>,
    #[serde(default)]
    pub(super) priority: i32,
    pub(super) planner: Option<String>,
}

const fn one() -> u8 {
    1
}
