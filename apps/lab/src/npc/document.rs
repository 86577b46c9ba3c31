//! `npc-explore` and `npc-goal`: the document's two tables.

use super::expedition::{Question, Row};
use super::start::Layout;
use super::sums::Sums;
use crate::stats::{largest, mean, ratio};
use crate::table::number;
use crate::{Claim, Conclusion, Table};

/// Table 1: how long it takes to see a blank map.
#[derive(Debug)]
pub(crate) struct Whole;

/// Table 2: how long it takes to see a hidden goal.
#[derive(Debug)]
pub(crate) struct Goal;

impl Question for Whole {
    const NAME: &'static str = "npc-explore";
    const ABOUT: &'static str =
        "how long five units take to see a blank map, by distances, potential and repulsion";
    const SETTINGS: &'static str = include_str!("../../../../experiments/npc-explore.toml");
    fn conclude(sums: &Sums<'_>) -> Conclusion {
        conclude(sums)
    }
}

impl Question for Goal {
    const NAME: &'static str = "npc-goal";
    const ABOUT: &'static str = "how long sixteen units take to see a hidden goal among tunnels";
    const SETTINGS: &'static str = include_str!("../../../../experiments/npc-goal.toml");
    fn conclude(sums: &Sums<'_>) -> Conclusion {
        conclude(sums)
    }
}

fn conclude(sums: &Sums<'_>) -> Conclusion {
    let layouts = &sums.of.own.layouts;
    let mut tables = vec![methods(sums)];
    tables.extend(layouts.iter().map(|&layout| progress(sums, layout)));
    tables.push(sweep(sums));
    let plots = layouts.iter().flat_map(|&layout| [sums.boxes(layout), sums.coverage(layout)]).collect();
    Conclusion { tables, plots, claims: claims(sums) }
}

/// What the document has, over what it has for its first method.
fn document(sums: &Sums<'_>, method: &str) -> Option<f64> {
    let methods = &sums.of.own.methods;
    let told = methods.iter().find(|other| other.name == method)?.document;
    ratio(told, methods.first()?.document)
}

fn methods(sums: &Sums<'_>) -> Table {
    let columns =
        ["method", "ticks", "times heat", "document", "scattered", "corner", "distance", "largest first"];
    let mut table =
        Table::new("Means of all seeds, at the first scale; times heat, by layout as well", columns);
    for name in sums.names() {
        table.row(vec![
            name.to_owned(),
            number(sums.ticks(name, None, None), 1),
            number(sums.times(name, None, None), 3),
            number(document(sums, name), 3),
            number(sums.times(name, None, Some(Layout::Scattered)), 3),
            number(sums.times(name, None, Some(Layout::Corner)), 3),
            number(distance(sums, name), 2),
            number(preference(sums, name), 3),
        ]);
    }
    table
}

fn progress(sums: &Sums<'_>, layout: Layout) -> Table {
    let columns = ["method", "25 %", "50 %", "75 %", "90 %", "100 %", "done", "failed moves"];
    let title =
        format!("{}: mean ticks until so much has been seen, of runs that come to that", layout.name());
    let mut table = Table::new(title, columns);
    for name in sums.names() {
        let until = [5, 10, 15, 18, 20].map(|k| number(sums.until(name, Some(layout), k), 1));
        let failed = mean(sums.rows(name, None, Some(layout)).map(|row| row.failed_moves as f64));
        let mut row = vec![name.to_owned()];
        row.extend(until);
        row.extend([number(sums.ticks(name, None, Some(layout)), 1), number(failed, 1)]);
        table.row(row);
    }
    table
}

fn sweep(sums: &Sums<'_>) -> Table {
    let scales = &sums.of.own.scales;
    let heads: Vec<String> = scales.iter().map(|s| format!("{} px, blocks of {}", s.px, s.block)).collect();
    let columns = std::iter::once("method").chain(heads.iter().map(String::as_str));
    let mut table = Table::new("Times heat, by pixels to a cell and cells to a block", columns);
    for name in sums.names() {
        let times = scales.iter().map(|&scale| number(sums.times(name, Some(scale), None), 3));
        table.row(std::iter::once(name.to_owned()).chain(times).collect());
    }
    table
}

fn distance(sums: &Sums<'_>, method: &str) -> Option<f64> {
    mean(named(sums, method).map(|row| row.distance))
}

/// How much more of what is seen was in the largest unknown piece than by chance.
fn preference(sums: &Sums<'_>, method: &str) -> Option<f64> {
    let sum = |of: fn(&Row) -> f64| Some(named(sums, method).map(of).sum());
    ratio(sum(|row| row.from_largest as f64), sum(|row| row.by_chance))
}

/// At the first scale, of all layouts.
fn named<'a>(sums: &Sums<'a>, method: &str) -> impl Iterator<Item = &'a Row> + Clone {
    let name = sums.names().find(|name| *name == method).unwrap_or_default();
    sums.rows(name, None, None)
}

fn least(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    values.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
}

fn claims(sums: &Sums<'_>) -> Vec<Claim> {
    let others = || sums.names().skip(1);
    let repelled: Vec<&str> = sums.names().filter(|name| name.starts_with("repulsion")).collect();
    let scales = sums.of.own.scales.iter();
    let apart = others()
        .map(|name| Some((sums.times(name, None, None)? / document(sums, name)? - 1.0).abs()))
        .collect::<Option<Vec<f64>>>();
    let grows =
        repelled.windows(2).map(|two| ratio(sums.ticks(two[1], None, None), sums.ticks(two[0], None, None)));
    let hurt = |layout: Layout| {
        repelled
            .iter()
            .map(|&name| sums.times(name, None, Some(layout)))
            .collect::<Option<Vec<_>>>()
            .and_then(mean)
    };
    let mut claims = vec![
        Claim::new(
            "The heat map alone is fastest",
            "took the shortest time",
            "least of the other methods' mean ticks over those of heat; above 1",
            least(others().map(|name| sums.times(name, None, None))),
            |times| times > 1.0,
        ),
        Claim::new(
            "… whatever the number of pixels to a cell and the size of blocks",
            "nothing; it tells neither",
            "the same, least of all scales; above 1",
            least(scales.flat_map(|&scale| others().map(move |name| sums.times(name, Some(scale), None)))),
            |times| times > 1.0,
        ),
        Claim::new(
            "All methods are as much slower than heat as in the document",
            "its table, over its heat map",
            "largest difference of the ratio from the document's, of that; at most 0.2",
            apart.and_then(largest),
            |apart| apart <= 0.2,
        ),
        Claim::new(
            "Repulsion is slower the larger its radius",
            "300, 600 and 900 pixels, each slower than the one before",
            "least ratio of the mean ticks of one radius to those of the one before; above 1",
            least(grows),
            |times| times > 1.0,
        ),
        Claim::new(
            "Potential goes to larger unknown areas first",
            "the algorithm prioritizes larger unexplored areas",
            "cells seen in the largest unknown piece over those by chance, potential over heat; above 1",
            ratio(preference(sums, "potential"), preference(sums, sums.first())),
            |times| times > 1.0,
        ),
        Claim::new(
            "Repulsion spreads units",
            "entities maintain some distance from one another",
            "mean distance between units over that of heat, least of all radii; above 1",
            least(repelled.iter().map(|&name| ratio(distance(sums, name), distance(sums, sums.first())))),
            |times| times > 1.0,
        ),
        Claim::new(
            "Repulsion is hurt by starts close together",
            "entities spawning in tighter areas tend to constantly repel each other",
            "times heat from a corner over times heat scattered, means of all radii; above 1",
            ratio(hurt(Layout::Corner), hurt(Layout::Scattered)),
            |times| times > 1.0,
        ),
    ];
    claims.extend(sums.sound());
    claims
}
