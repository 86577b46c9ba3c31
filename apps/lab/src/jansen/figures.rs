//! The five experiments: what each of them claims.

use super::patrols::Figure;
use super::sums::{COHERENCE, EXPANDED, FAILED, Measure, PATH, Sums, TIME};
use crate::{Arrows, Claim, Conclusion, Lines, Plot, Series};

/// What the article does not claim.
const GOAL: &str = "left for later there; a goal of ours";

/// `dm-weight` (figure 5): what going against the map costs, and what becomes of coherence and work.
pub(crate) enum Weight {}

impl Figure for Weight {
    const NAME: &'static str = "dm-weight";
    const ABOUT: &'static str = "coherence and expansions, by what going against a direction map costs";
    const SETTINGS: &'static str = include_str!("../../../../experiments/dm-weight.toml");

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let mut claims = Vec::new();
        let mut plots = Vec::new();
        for (place, world) in sums.worlds().enumerate() {
            let gain = |name: &str| sums.more(world, name, "w 0", COHERENCE);
            let steps: Vec<f64> = sums
                .names()
                .zip(sums.names().skip(1))
                .filter_map(|(less, more)| sums.more(world, more, less, COHERENCE))
                .collect();
            claims.extend([
                Claim::new(
                    "A larger weight makes movement more coherent",
                    "we can directly increase the coherence",
                    "coherence at 15 less that at 0; above 0.05",
                    gain("w 15"),
                    |more| more > 0.05,
                ),
                Claim::new(
                    "… from each weight to the next",
                    "the curve rises",
                    "least gain from one weight to the next; above -0.02",
                    steps.into_iter().reduce(f64::min),
                    |least| least > -0.02,
                ),
                Claim::new(
                    "Most of it is gained by a weight of 5",
                    "most of the coherence gains with a weight of 5 or less",
                    "share of the gain up to 15 that 5 has; above 0.5",
                    gain("w 5").zip(gain("w 15")).map(|(some, all)| some / all),
                    |share| share > 0.5,
                ),
                Claim::new(
                    "It costs expansions",
                    "with a trade-off in the number of nodes expanded",
                    "expansions at 15 over those at 0; above 1",
                    sums.over(world, "w 15", "w 0", EXPANDED),
                    |times| times > 1.0,
                ),
            ]);
            let curve = |name: &str, of: Measure| {
                let weight = |arm: &str| arm.trim_start_matches("w ").parse().ok();
                let point = |arm: &str| Some((weight(arm)?, sums.mean(world, arm, of)?));
                Series { name: name.to_owned(), points: sums.names().filter_map(point).collect() }
            };
            for (name, of) in [("coherence", COHERENCE), ("expansions per patrol", EXPANDED)] {
                plots.push(Plot::Lines(Lines {
                    file: format!("{}-{}", name.split(' ').next().unwrap_or(name), place + 1),
                    title: format!("{name} by weight: {world}"),
                    x: "weight".to_owned(),
                    log: false,
                    y: name.to_owned(),
                    series: vec![curve(name, of)],
                }));
            }
        }
        claims.push(sums.all_finish());
        Conclusion { tables: sums.tables(), plots, claims }
    }
}

/// `dm-map` (figure 6): the maps that are learned with and without weight.
pub(crate) enum Map {}

impl Figure for Map {
    const NAME: &'static str = "dm-map";
    const ABOUT: &'static str = "the direction map that is learned with a weight of 15 and of 0, as arrows";
    const SETTINGS: &'static str = include_str!("../../../../experiments/dm-map.toml");
    const DRAWN: bool = true;

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let drawn = sums.rows.iter().filter_map(|row| Some((row, row.learned.clone()?)));
        let plots = drawn.filter_map(|(row, directions)| {
            let grid = sums.places.first()?.grid(row.seed).ok()?;
            let file = row.planner.replace(' ', "-");
            let title = format!("{}: {}", row.world, row.planner);
            Some(Plot::Arrows(Arrows { file, title, grid, directions }))
        });
        let mut claims = Vec::new();
        for world in sums.worlds() {
            claims.push(Claim::new(
                "Units that use the map make a map with lanes, others do not",
                "figure 6 \"clearly illustrates the effect\"",
                "coherence with a weight of 15 less that with 0; above 0.05",
                sums.more(world, "w 15", "w 0", COHERENCE),
                |more| more > 0.05,
            ));
        }
        Conclusion { tables: sums.tables(), plots: plots.collect(), claims }
    }
}

/// `dm-whca` (table 1): direction maps against windowed search in space and time, and both together.
pub(crate) enum Windows {}

impl Figure for Windows {
    const NAME: &'static str = "dm-whca";
    const ABOUT: &'static str = "direction maps against windowed cooperation, and both together";
    const SETTINGS: &'static str = include_str!("../../../../experiments/dm-whca.toml");

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let mut claims = Vec::new();
        for world in sums.worlds() {
            claims.extend([
                Claim::new(
                    "WHCA* expands more than five times the nodes",
                    "5813 against 1066",
                    "expansions, whca over dm; above 5",
                    sums.over(world, "whca", "dm", EXPANDED),
                    |times| times > 5.0,
                ),
                Claim::new(
                    "WHCA* has shorter paths",
                    "70.25 against 76.44",
                    "path length, dm over whca; above 1",
                    sums.over(world, "dm", "whca", PATH),
                    |times| times > 1.0,
                ),
                Claim::new(
                    "WHCA* takes less time",
                    "83.02 against 110.55: 1.33 times",
                    "ticks, dm over whca; above 1",
                    sums.over(world, "dm", "whca", TIME),
                    |times| times > 1.0,
                ),
                Claim::new(
                    "WHCA* has fewer failed moves",
                    "0.33 against 1.98",
                    "failed moves per patrol, dm less whca; above 0",
                    sums.more(world, "dm", "whca", FAILED),
                    |more| more > 0.0,
                ),
                Claim::new(
                    "Both together: no move fails",
                    GOAL,
                    "failed moves per patrol, dm-whca; 0",
                    sums.mean(world, "dm-whca", FAILED),
                    |failed| failed == 0.0,
                ),
                Claim::new(
                    "… at least as coherent as direction maps",
                    GOAL,
                    "coherence, dm-whca less dm; at least 0",
                    sums.more(world, "dm-whca", "dm", COHERENCE),
                    |more| more >= 0.0,
                ),
                Claim::new(
                    "… with fewer expansions than WHCA*",
                    GOAL,
                    "expansions, dm-whca over whca; below 1",
                    sums.over(world, "dm-whca", "whca", EXPANDED),
                    |times| times < 1.0,
                ),
                Claim::new(
                    "… also than WHCA* that plans as late",
                    GOAL,
                    "expansions, dm-whca over whca late; below 1",
                    sums.over(world, "dm-whca", "whca late", EXPANDED),
                    |times| times < 1.0,
                ),
                Claim::new(
                    "… and with windows of 16",
                    GOAL,
                    "expansions, dm-whca 16 over whca 16; below 1",
                    sums.over(world, "dm-whca 16", "whca 16", EXPANDED),
                    |times| times < 1.0,
                ),
            ]);
        }
        claims.push(sums.all_finish());
        Conclusion { tables: sums.tables(), plots: sums.over_time(), claims }
    }
}

/// `dm-coherence` (figure 8): how coherence comes about, by who plans.
pub(crate) enum Coherence {}

impl Figure for Coherence {
    const NAME: &'static str = "dm-coherence";
    const ABOUT: &'static str =
        "coherence over time with and without direction maps, and by the neighbours' rate";
    const SETTINGS: &'static str = include_str!("../../../../experiments/dm-coherence.toml");

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let mut claims = Vec::new();
        for world in sums.worlds() {
            let above = |text: &str, document: &str, one: &str, other: &str| {
                let measure = format!("coherence at the end, {one} less {other}; above 0");
                Claim::new(text, document, measure, sums.more(world, one, other, COHERENCE), |more| {
                    more > 0.0
                })
            };
            let early = sums.rows.iter().filter_map(|row| row.coherence.first()).map(|point| point.0).min();
            let at = |name: &str| sums.coherence_at(world, name, early?);
            claims.extend([
                above("Neighbour updates are the most coherent", "the best coherence", "dm near 0.1", "dm"),
                Claim::new(
                    "… and get there more gradually",
                    "more gradually achieves coherence",
                    "coherence at the first measurement, dm less dm near 0.1; above 0",
                    at("dm").zip(at("dm near 0.1")).map(|(one, other)| one - other),
                    |more| more > 0.0,
                ),
                above("Direction maps are more coherent than A*", "the curves of figure 8", "dm", "a*"),
                above("WHCA* is less coherent than A*", "even worse than regular A*", "a*", "whca"),
                above("Direction maps are more coherent than WHCA*", "the worst performance", "dm", "whca"),
            ]);
        }
        claims.push(sums.all_finish());
        Conclusion { tables: sums.tables(), plots: sums.over_time(), claims }
    }
}

/// `dm-abstraction` (tables 2 and 3): sectors against whole ways.
pub(crate) enum Abstraction {}

impl Figure for Abstraction {
    const NAME: &'static str = "dm-abstraction";
    const ABOUT: &'static str =
        "direction maps with ways from sector to sector, against whole ways, A* and windows";
    const SETTINGS: &'static str = include_str!("../../../../experiments/dm-abstraction.toml");

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let mut claims = Vec::new();
        for world in sums.worlds() {
            let told = |one: &str, other: &str, of: fn(&super::patrols::Told) -> f64| {
                let find = |name: &str| {
                    sums.own.document.iter().find(|told| told.world == world && told.planner == name).map(of)
                };
                let times = find(one).zip(find(other)).map(|(one, other)| format!("{:.2}", one / other));
                times.unwrap_or_else(|| "no figure".to_owned())
            };
            let times = |text: &str,
                         (one, other): (&str, &str),
                         of: Measure,
                         theirs,
                         what: &str,
                         limit: f64,
                         above: bool| {
                let side = if above { "above" } else { "below" };
                let measure = format!("{world}: {what}, {one} over {other}; {side} {limit}");
                let figure = sums.over(world, one, other, of);
                Claim::new(text, told(one, other, theirs), measure, figure, move |times| {
                    if above { times > limit } else { times < limit }
                })
            };
            claims.extend([
                times(
                    "Direction maps expand more than A*",
                    ("dm", "a*"),
                    EXPANDED,
                    |t| t.expanded,
                    "expansions",
                    1.0,
                    true,
                ),
                times(
                    "Sectors expand less",
                    ("dm 8", "dm"),
                    EXPANDED,
                    |t| t.expanded,
                    "expansions",
                    1.0,
                    false,
                ),
                times(
                    "… roughly as much as A*, or less",
                    ("dm 8", "a*"),
                    EXPANDED,
                    |t| t.expanded,
                    "expansions",
                    1.1,
                    false,
                ),
                times(
                    "Direction maps take less time than A*",
                    ("dm", "a*"),
                    TIME,
                    |t| t.time,
                    "ticks",
                    1.0,
                    false,
                ),
                times("… and fail less", ("dm", "a*"), FAILED, |t| t.failed, "failed moves", 1.0, false),
                times(
                    "Sectors cost little length",
                    ("dm 8", "dm"),
                    PATH,
                    |t| t.path,
                    "path length",
                    1.05,
                    false,
                ),
                Claim::new(
                    "Windows along lanes are at least as coherent as direction maps alone",
                    GOAL,
                    format!("{world}: coherence, dm-whca less dm; at least 0"),
                    sums.more(world, "dm-whca", "dm", COHERENCE),
                    |more| more >= 0.0,
                ),
                times(
                    "… with fewer expansions than windows alone",
                    ("dm-whca", "whca"),
                    EXPANDED,
                    |t| t.expanded,
                    "expansions",
                    1.0,
                    false,
                ),
            ]);
        }
        claims.push(sums.all_finish());
        Conclusion { tables: sums.tables(), plots: sums.over_time(), claims }
    }
}
