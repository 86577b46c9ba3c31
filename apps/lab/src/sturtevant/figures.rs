//! What the article says of its figures 7 to 10.

use super::crossing::{Figure, Row, Sums};
use crate::Claim;
use crate::stats::{largest, ratio};

/// Figure 7.
#[derive(Debug)]
pub(crate) struct Memory;

impl Figure for Memory {
    const NAME: &'static str = "sb-memory";
    const ABOUT: &'static str = "nodes that the searches for distances keep, by the level they are done on";
    const TITLE: &'static str = "Nodes in open and closed lists, at the most";
    const SETTINGS: &'static str = include_str!("../../../../experiments/sb-memory.toml");

    fn of(row: &Row) -> f64 {
        row.memory as f64
    }

    fn claims(sums: &Sums<'_>) -> Vec<Claim> {
        let many = sums.units().map_or(0, |units| units.1);
        let on_s2 = ratio(sums.on_s2("whca 16, 1", many), sums.on_s2("whca 16, 0", many));
        let quarter = |figure: f64| (0.2..=0.35).contains(&figure);
        vec![
            Claim::new(
                "One level of abstraction takes about a quarter of the memory (S1)",
                "decreases the memory by about a factor of 4",
                "level 1 over level 0 on the largest S1; 0.2 to 0.35",
                sums.over("whca 16, 1", "whca 16, 0"),
                quarter,
            ),
            Claim::new(
                "One level of abstraction takes about a quarter of the memory (S2)",
                "by a factor of 4",
                format!("level 1 over level 0 with {many} units; 0.2 to 0.35"),
                on_s2,
                quarter,
            ),
            Claim::new(
                "Further levels save less and less",
                "by smaller margins",
                "what level 2 saves over what level 1 does, nodes on the largest S1; below 1",
                (|| {
                    let size = sums.sizes()?.1;
                    let [zero, one, two] =
                        ["whca 16, 0", "whca 16, 1", "whca 16, 2"].map(|name| sums.on_s1(name, size));
                    Some((one? - two?) / (zero? - one?))
                })(),
                |share| (0.0..1.0).contains(&share),
            ),
            Claim::new(
                "Memory grows as the number of units does",
                "increases linearly",
                "slope over the upper half of the numbers of units as a multiple of that over the lower, level 0 on S2; 0.75 to 1.25",
                sums.bend("whca 16, 0"),
                |times| (0.75..=1.25).contains(&times),
            ),
        ]
    }
}

/// Figure 8.
#[derive(Debug)]
pub(crate) struct First;

impl Figure for First {
    const NAME: &'static str = "sb-first";
    const ABOUT: &'static str = "nodes expanded before all units can move";
    const TITLE: &'static str = "Expansions before all can move";
    const SETTINGS: &'static str = include_str!("../../../../experiments/sb-first.toml");

    fn of(row: &Row) -> f64 {
        row.first as f64
    }

    fn claims(sums: &Sums<'_>) -> Vec<Claim> {
        let many = sums.units().map_or(0, |units| units.1);
        vec![
            Claim::new(
                "Distances on a coarser level let units set out after less work (S1)",
                "reduces the first-move cost significantly",
                "whca 16, level 1 over level 0, on the largest S1; at most 0.5",
                sums.over("whca 16, 1", "whca 16, 0"),
                |share| share <= 0.5,
            ),
            Claim::new(
                "Distances on a coarser level let units set out after less work (S2)",
                "reduces the first-move cost significantly",
                format!("whca 16, level 1 over level 0, with {many} units; at most 0.5"),
                ratio(sums.on_s2("whca 16, 1", many), sums.on_s2("whca 16, 0", many)),
                |share| share <= 0.5,
            ),
            Claim::new(
                "Every cpra sets out after less work than whca at level 1",
                "all the CPRA* algorithms are lowest",
                "the most of any cpra over whca 16, level 1, on the largest S1; below 1",
                largest(
                    ["cpra 4", "cpra 8", "cpra 10"].iter().filter_map(|name| sums.over(name, "whca 16, 1")),
                ),
                |times| times < 1.0,
            ),
            Claim::new(
                "All cpra set out after about as much work",
                "all the CPRA* algorithms have the same performance",
                "the most of any cpra over the least, on the largest S1; at most 2",
                (|| {
                    let size = sums.sizes()?.1;
                    let all = ["cpra 4", "cpra 8", "cpra 10"].map(|name| sums.on_s1(name, size));
                    let all: Vec<f64> = all.into_iter().flatten().collect();
                    ratio(largest(all.iter().copied()), all.into_iter().reduce(f64::min))
                })(),
                |times| times <= 2.0,
            ),
            Claim::new(
                "cpra sets out after as much work as pra",
                "PRA* has the same performance as CPRA*",
                "cpra 8 over pra 8 on the largest S1; 0.5 to 2",
                sums.over("cpra 8", "pra 8"),
                |times| (0.5..=2.0).contains(&times),
            ),
        ]
    }
}

/// Figure 9.
#[derive(Debug)]
pub(crate) struct Steady;

impl Figure for Steady {
    const NAME: &'static str = "sb-steady";
    const ABOUT: &'static str = "nodes expanded while units move, after the first tick";
    const TITLE: &'static str = "Expansions in 100 ticks, after the first";
    const SETTINGS: &'static str = include_str!("../../../../experiments/sb-steady.toml");

    fn of(row: &Row) -> f64 {
        100.0 * row.later as f64 / row.ticks.saturating_sub(1).max(1) as f64
    }

    fn claims(sums: &Sums<'_>) -> Vec<Claim> {
        let many = sums.units().map_or(0, |units| units.1);
        let flat = |sums: &Sums<'_>, name: &'static str| {
            let (small, large) = sums.sizes()?;
            // The smallest maps are crowded as none of the others is.
            let middle = if small < 128 { small * 4 } else { small };
            ratio(sums.on_s1(name, large), sums.on_s1(name, middle))
        };
        let steps = sums.in_steps();
        let is_flat = |times: f64| (0.5..=2.0).contains(&times);
        vec![
            Claim::new(
                "cpra works more than whca once units move",
                "a higher steady-state cost",
                "cpra 8 over whca 16, level 0, on the largest S1; above 1",
                sums.over("cpra 8", "whca 16, 0"),
                |times| times > 1.0,
            ),
            Claim::new(
                "The work of whca does not depend on the size of the map",
                "stays constant",
                "whca 16, level 0: the largest S1 over that of side 128; 0.5 to 2",
                flat(sums, "whca 16, 0"),
                is_flat,
            ),
            Claim::new(
                "The work of cpra does not depend on the size of the map",
                "stays constant",
                "cpra 8: the largest S1 over that of side 128; 0.5 to 2",
                flat(sums, "cpra 8"),
                is_flat,
            ),
            Claim::new(
                "Work grows as the number of units does",
                "linearly",
                "slope over the upper half of the numbers of units as a multiple of that over the lower, cpra 8 on S2; 0.5 to 2",
                sums.bend("cpra 8"),
                is_flat,
            ),
            Claim::new(
                "Higher levels eventually cost more than they save",
                "WHCA*(16, 2) more slowly than WHCA*(8, 0)",
                format!("whca 16, level 2 over whca 8, level 0, on S2 with {many} units; above 1"),
                ratio(sums.on_s2("whca 16, 2", many), sums.on_s2("whca 8, 0", many)),
                |times| times > 1.0,
            ),
            Claim::new(
                "The work of whca does not depend on the size of the map, if time goes in whole steps",
                "stays constant",
                "whca 16, level 0, every move one tick: the largest S1 over that of side 128; 0.5 to 2",
                steps.as_ref().and_then(|steps| flat(steps, "whca 16, 0")),
                is_flat,
            ),
            Claim::new(
                "The work of cpra does not depend on the size of the map, if time goes in whole steps",
                "stays constant",
                "cpra 8, every move one tick: the largest S1 over that of side 128; 0.5 to 2",
                steps.as_ref().and_then(|steps| flat(steps, "cpra 8")),
                is_flat,
            ),
            Claim::new(
                "Work grows as the number of units does, if time goes in whole steps",
                "linearly",
                "slope over the upper half of the numbers of units as a multiple of that over the lower, cpra 8 on S2, every move one tick; 0.5 to 2",
                steps.as_ref().and_then(|steps| steps.bend("cpra 8")),
                is_flat,
            ),
        ]
    }
}

/// Figure 10.
#[derive(Debug)]
pub(crate) struct Quality;

impl Figure for Quality {
    const NAME: &'static str = "sb-quality";
    const ABOUT: &'static str = "how far units walk";
    const TITLE: &'static str = "Steps of all units";
    const SETTINGS: &'static str = include_str!("../../../../experiments/sb-quality.toml");

    fn of(row: &Row) -> f64 {
        row.distance
    }

    fn claims(sums: &Sums<'_>) -> Vec<Claim> {
        let (size, many) = (sums.sizes().map_or(0, |s| s.1), sums.units().map_or(0, |u| u.1));
        let spread = |at: &dyn Fn(&str) -> Option<f64>| {
            let all: Vec<f64> = sums.names.iter().filter_map(|name| at(name)).collect();
            ratio(largest(all.iter().copied()), all.iter().copied().reduce(f64::min))
        };
        let missing = sums.rows().map(|row| (row.units - row.arrived) as f64);
        vec![
            Claim::new(
                "All planners lead units equally far (S1)",
                "very similar performance",
                "the longest over the shortest sum of all planners on the largest S1; at most 1.1",
                spread(&|name| sums.on_s1(name, size)),
                |times| times <= 1.1,
            ),
            Claim::new(
                "All planners lead units equally far (S2)",
                "very similar performance",
                format!("the longest over the shortest sum of all planners with {many} units; at most 1.1"),
                spread(&|name| sums.on_s2(name, many)),
                |times| times <= 1.1,
            ),
            Claim::new(
                "Everybody arrives",
                "(the article does not say)",
                "the most units of any run that are not at their goals in the end; 0",
                largest(missing),
                |most| most == 0.0,
            ),
        ]
    }
}
