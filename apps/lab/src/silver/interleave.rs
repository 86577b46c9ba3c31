//! `silver-interleave`: when units plan anew and in which order, and what that does to the work of a tick.

use super::SOURCE;
use crate::observers::PerTick;
use crate::settings::{Settings, Spot};
use crate::stats::{mean, ratio};
use crate::table::{number, percent};
use crate::trial::{self, Counts};
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Interleave(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    windows: Vec<u64>,
    arm: Vec<Arm>,
}

/// A way to interleave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arm {
    name: String,
    with: String,
}

impl Arm {
    fn planner(&self, window: u64) -> String {
        format!("whca(window={window},{},rescue=off)", self.with.replace("{last}", &(window - 1).to_string()))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    spot: Spot,
    window: u64,
    arm: usize,
}

/// What one way of interleaving came to in one world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    arm: String,
    window: u64,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    /// Searches and expansions of a tick.
    searches_mean: f64,
    searches_max: u64,
    expanded_mean: f64,
    expanded_max: u64,
    /// Expansions of backwards searches in the first tick.
    backwards_first: u64,
}

impl Experiment for Interleave {
    const NAME: &'static str = "silver-interleave";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = "when units plan anew and in which order: work per tick, and who arrives";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/silver-interleave.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        let Own { windows, arm, .. } = &self.0.own;
        windows.iter().flat_map(|&window| arm.iter().map(move |arm| arm.planner(window))).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            for &window in &self.0.own.windows {
                for (arm, named) in self.0.own.arm.iter().enumerate() {
                    let (Spot { units, seed, .. }, world) = (spot, self.0.world(&spot));
                    let key = format!("{world}, {units} units, seed {seed}, window {window}, {}", named.name);
                    cases.push(Case { key, what: Which { spot, window, arm } });
                }
            }
        }
        cases
    }

    fn run(&self, &Which { spot, window, arm }: &Which) -> Result<Row, LabError> {
        let arm = &self.0.own.arm[arm];
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let mut ticks = PerTick::default();
        let counts =
            trial::run(&scenario, &arm.planner(window), spot.seed, self.0.own.ticks, &Unlimited, &mut ticks)?;
        let average = |counts: &[u64]| mean(counts.iter().map(|&count| count as f64)).unwrap_or(0.0);
        let most = |counts: &[u64]| counts.iter().copied().max().unwrap_or(0);
        Ok(Row {
            world: self.0.world(&spot).to_owned(),
            arm: arm.name.clone(),
            window,
            seed: spot.seed,
            counts,
            searches_mean: average(&ticks.searches),
            searches_max: most(&ticks.searches),
            expanded_mean: average(&ticks.expanded),
            expanded_max: most(&ticks.expanded),
            backwards_first: ticks.backwards.first().copied().unwrap_or(0),
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { of: self, rows };
        Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
    }
}

struct Sums<'a> {
    of: &'a Interleave,
    rows: &'a [Row],
}

/// Searches a tick as a multiple of two for each unit and step of the window.
fn evenness(row: &Row) -> f64 {
    row.searches_mean * row.window as f64 / (2.0 * row.counts.agents as f64)
}

fn arrived(row: &Row) -> f64 {
    row.counts.arrived as f64 / row.counts.agents as f64
}

fn peak(row: &Row) -> f64 {
    row.searches_max as f64 / row.searches_mean.max(f64::MIN_POSITIVE)
}

/// Ticks until those who arrived came to stay, as a multiple of their shortest ways.
fn delay(row: &Row) -> f64 {
    row.counts.arrival as f64 / row.counts.steps_alone.max(1) as f64
}

impl Sums<'_> {
    fn rows(&self, arm: &str, keep: impl Fn(&Row) -> bool) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.arm == arm && keep(row))
    }

    /// The mean of `what` over all rows of an arm.
    fn all(&self, arm: &str, what: fn(&Row) -> f64) -> Option<f64> {
        mean(self.rows(arm, |_| true).map(what))
    }

    fn tables(&self) -> Vec<Table> {
        let columns =
            ["arm", "window", "searches/tick", "× d/2n", "peak", "expanded/tick", "peak", "arrived", "delay"];
        let mut tables = Vec::new();
        for place in &self.of.0.places {
            let world = &place.world.name;
            for &units in &self.of.0.scale.units {
                let mut table = Table::new(format!("{world}, {units} units"), columns);
                for arm in &self.of.0.own.arm {
                    for &window in &self.of.0.own.windows {
                        let keep = |row: &Row| {
                            row.world == *world && row.counts.agents == units && row.window == window
                        };
                        let of = |what: fn(&Row) -> f64| mean(self.rows(&arm.name, keep).map(what));
                        table.row(vec![
                            arm.name.clone(),
                            window.to_string(),
                            number(of(|row| row.searches_mean), 1),
                            number(of(evenness), 2),
                            number(of(peak), 2),
                            number(of(|row| row.expanded_mean), 0),
                            number(of(|row| row.expanded_max as f64 / row.expanded_mean.max(1.0)), 2),
                            percent(of(arrived)),
                            number(of(delay), 2),
                        ]);
                    }
                }
                tables.push(table);
            }
        }
        tables
    }

    fn plots(&self) -> Vec<Plot> {
        let plot = |file: &str, title: &str, what: fn(&Row) -> f64| {
            let series = |arm: &Arm| {
                let point = |&window: &u64| {
                    Some((window as f64, mean(self.rows(&arm.name, |row| row.window == window).map(what))?))
                };
                let points = self.of.0.own.windows.iter().filter_map(point).collect();
                Series { name: arm.name.clone(), points }
            };
            Plot::Lines(Lines {
                file: file.to_owned(),
                title: title.to_owned(),
                x: "window".to_owned(),
                log: false,
                y: String::new(),
                series: self.of.0.own.arm.iter().map(series).collect(),
            })
        };
        vec![
            plot("peak", "Searches of the busiest tick over the mean", peak),
            plot("expanded", "Expansions per tick", |row| row.expanded_mean),
            plot("arrived", "Share of units that arrive", arrived),
            plot("delay", "Ticks until arrival over the shortest way", delay),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let all = |arm, what| self.all(arm, what);
        let expanded = |arm| self.all(arm, |row| row.expanded_mean);
        let more = |better, worse| Some(all(better, arrived)? - all(worse, arrived)?);
        let wide = self.of.0.own.windows.iter().copied().max().unwrap_or(0);
        vec![
            Claim::new(
                "Planning anew halfway and staggered, about 2n/d units search in a tick",
                "roughly 2n/d",
                "mean searches of a tick over 2n/d, staggered; 0.8 to 1.25",
                all("staggered", evenness),
                |times| (0.8..=1.25).contains(&times),
            ),
            Claim::new(
                "Staggered, the number of searches is the same in every tick",
                "an equal number at every time-step",
                "searches of the busiest tick over the mean, staggered; at most 2",
                all("staggered", peak),
                |times| times <= 2.0,
            ),
            Claim::new(
                "Without staggering the first searches, one tick does the work of many",
                "begin on a different time-step",
                "busiest tick over mean, first searches at once over staggered; at least 2",
                ratio(all("halfway", peak), all("staggered", peak)),
                |times| times >= 2.0,
            ),
            Claim::new(
                "Planning anew in every tick is prohibitively expensive",
                "prohibitively expensive",
                format!("expansions, every tick over halfway, window {wide}; at least 4"),
                ratio(
                    mean(self.rows("every tick", |row| row.window == wide).map(|row| row.expanded_mean)),
                    mean(self.rows("halfway", |row| row.window == wide).map(|row| row.expanded_mean)),
                ),
                |times| times >= 4.0,
            ),
            Claim::new(
                "Planning anew only at the end makes units less cooperative: fewer arrive",
                "less and less cooperative",
                "share that arrives, halfway less at the end, both plain; above 0",
                more("halfway, plain", "at the end, plain"),
                |more| more > 0.0,
            ),
            Claim::new(
                "… and those who arrive come later",
                "less and less cooperative",
                "ticks over shortest way, at the end over halfway; above 1",
                ratio(all("at the end", delay), all("halfway", delay)),
                |times| times > 1.0,
            ),
            Claim::new(
                "Halfway is a good compromise: it loses little against every tick",
                "a good compromise",
                "share that arrives, every tick less halfway, both plain; at most 0.02",
                more("every tick, plain", "halfway, plain"),
                |lost| lost <= 0.02,
            ),
            Claim::new(
                "… at a part of the work",
                "a good compromise",
                "expansions, halfway over every tick; at most 0.5",
                ratio(expanded("halfway"), expanded("every tick")),
                |share| share <= 0.5,
            ),
            Claim::new(
                "Rotating the order within a tick resolves deadlocks: more units arrive than in a fixed one",
                "deadlocks can often be resolved",
                "share that arrives, rotating less fixed, both plain; above 0",
                more("halfway, plain", "fixed order, plain"),
                |more| more > 0.0,
            ),
            Claim::new(
                "Units that plan anew resume their backwards searches and need little more of them",
                "it can be reused when units replan",
                "share of backwards expansions done in the first tick, halfway; at least 0.5",
                all("halfway", |row| row.backwards_first as f64 / row.counts.backwards.max(1) as f64),
                |share| share >= 0.5,
            ),
        ]
    }
}
