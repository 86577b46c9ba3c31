//! `explore-beyond`: what a method saves against the heat map, on seeds that nobody has looked at.

use super::expedition::{Question, Row};
use super::start::Errand;
use super::sums::Sums;
use crate::stats::{mean, ratio};
use crate::table::{number, percent};
use crate::{Boxes, Claim, Conclusion, Plot, Table};
use std::collections::BTreeMap;
use throng::core::{AgentId, Draw as _, stream};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Better;

/// At least so much of the time is to be saved.
const SAVING: f64 = 0.2;
/// An interval over fewer seeds tells nothing.
const SEEDS: usize = 30;
/// How often seeds are drawn again for an interval.
const DRAWS: usize = 4000;

impl Question for Better {
    const NAME: &'static str = "explore-beyond";
    const ABOUT: &'static str =
        "what a method saves against the heat map, by kind of map, on seeds of its own";
    const SETTINGS: &'static str = include_str!("../../../../experiments/explore-beyond.toml");

    fn conclude(sums: &Sums<'_>) -> Conclusion {
        let columns = ["world", "errand", "method", "seeds", "least", "heat", "ticks", "saved", "from", "to"];
        let title = "Mean ticks, what no method can beat, and the share of heat's that is saved, with its 95 % interval over seeds";
        let (mut table, mut samples, mut claims) = (Table::new(title, columns), Vec::new(), Vec::new());
        for world in sums.of.places.iter().map(|place| place.world.name.as_str()) {
            for &errand in &sums.of.own.errands {
                for method in sums.names().skip(1) {
                    let pairs = pairs(sums, world, errand, method);
                    let interval = interval(&pairs);
                    let (saved, low, high) = match interval {
                        Some([low, saved, high]) => (Some(saved), Some(low), Some(high)),
                        None => (None, None, None),
                    };
                    table.row(vec![
                        world.to_owned(),
                        errand.name().to_owned(),
                        method.to_owned(),
                        pairs.len().to_string(),
                        number(least(sums, world, errand, |_| true), 1),
                        number(mean(pairs.iter().map(|pair| pair.0)), 1),
                        number(mean(pairs.iter().map(|pair| pair.1)), 1),
                        percent(saved),
                        percent(low),
                        percent(high),
                    ]);
                    let each = pairs.iter().map(|pair| pair.1 / pair.0).collect();
                    samples.push((format!("{world}, {}", errand.name()), each));
                    claims.push(Claim::new(
                        format!("{world}, {}: {method} takes at least a fifth less time", errand.name()),
                        "nothing; a goal of ours",
                        format!(
                            "share saved, interval {} to {} over {} seeds; at least 0.2, interval above 0, 30 seeds",
                            percent(low),
                            percent(high),
                            pairs.len()
                        ),
                        saved,
                        |saved| saved >= SAVING && low.is_some_and(|low| low > 0.0) && pairs.len() >= SEEDS,
                    ));
                }
            }
        }
        claims.extend(sums.sound());
        let plot = Plot::Boxes(Boxes {
            file: "times".to_owned(),
            title: "Ticks over those of heat, by seed".to_owned(),
            y: "times".to_owned(),
            samples,
        });
        Conclusion { tables: vec![table, by_units(sums)], plots: vec![plot], claims }
    }
}

/// What no method can beat, the mean of all runs of the first.
fn least(sums: &Sums<'_>, world: &str, errand: Errand, some: impl Fn(&Row) -> bool) -> Option<f64> {
    let first =
        |row: &&Row| row.method == sums.first() && row.world == world && row.errand == errand && some(row);
    mean(sums.rows.iter().filter(first).map(|row| row.least as f64))
}

/// The same for each number of units and each layout.
fn by_units(sums: &Sums<'_>) -> Table {
    let mut table = Table::new(
        "Share saved, by units and layout, and what could be saved at most",
        ["world", "errand", "units", "layout", "method", "saved", "at most"],
    );
    for world in sums.of.places.iter().map(|place| place.world.name.as_str()) {
        for &errand in &sums.of.own.errands {
            for &units in &sums.of.scale.units {
                for &layout in &sums.of.own.layouts {
                    for method in sums.names().skip(1) {
                        let some = |row: &Row| row.units == units && row.layout == layout;
                        let pairs = pairs_of(sums, world, errand, method, some);
                        let heat = mean(pairs.iter().map(|pair| pair.0));
                        let rest = ratio(least(sums, world, errand, some), heat);
                        table.row(vec![
                            world.to_owned(),
                            errand.name().to_owned(),
                            units.to_string(),
                            layout.name().to_owned(),
                            method.to_owned(),
                            percent(saving(&pairs)),
                            percent(rest.map(|rest| 1.0 - rest)),
                        ]);
                    }
                }
            }
        }
    }
    table
}

/// By seed: the mean ticks of the first method and of this one, over all runs of that seed. Runs of one seed share a map, so that
/// they are no samples of their own.
fn pairs(sums: &Sums<'_>, world: &str, errand: Errand, method: &str) -> Vec<(f64, f64)> {
    pairs_of(sums, world, errand, method, |_| true)
}

fn pairs_of(
    sums: &Sums<'_>,
    world: &str,
    errand: Errand,
    method: &str,
    some: impl Fn(&Row) -> bool,
) -> Vec<(f64, f64)> {
    let mut seeds: BTreeMap<u64, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for row in sums.rows.iter().filter(|row| row.world == world && row.errand == errand && some(row)) {
        let (heat, other) = seeds.entry(row.seed).or_default();
        if row.method == sums.first() {
            heat.push(row.ticks as f64);
        } else if row.method == method {
            other.push(row.ticks as f64);
        }
    }
    seeds.into_values().filter_map(|(heat, other)| Some((mean(heat)?, mean(other)?))).collect()
}

fn saving(pairs: &[(f64, f64)]) -> Option<f64> {
    let (heat, other) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (heat > 0.0).then(|| 1.0 - other / heat)
}

/// The share that is saved between the ends of its 95 % interval: seeds are drawn again and again from those there are.
fn interval(pairs: &[(f64, f64)]) -> Option<[f64; 3]> {
    let saved = saving(pairs)?;
    let mut dice = stream(0, AgentId(0), 0);
    let mut draws: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let drawn: Vec<_> =
                pairs.iter().map(|_| pairs[dice.below(pairs.len() as u32) as usize]).collect();
            saving(&drawn)
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    Some([*draws.get(DRAWS / 40)?, saved, *draws.get(DRAWS - 1 - DRAWS / 40)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_tells_a_saving_from_luck() {
        let sure: Vec<_> = (0..30).map(|k| (100.0 + f64::from(k), 70.0 + f64::from(k % 7))).collect();
        let [low, saved, high] = interval(&sure).unwrap();
        assert!(0.3 < low && low < saved && saved < high && high < 0.4, "{low} {saved} {high}");
        let luck: Vec<_> = (0..30).map(|k| (100.0, if k % 2 == 0 { 40.0 } else { 158.0 })).collect();
        let [low, saved, high] = interval(&luck).unwrap();
        assert!(low < 0.0 && (saved - 0.01).abs() < 1e-9 && high > 0.0, "{low} {saved} {high}");
        assert_eq!(interval(&[]), None);
    }
}
