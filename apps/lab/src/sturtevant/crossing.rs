//! `sb-memory`, `sb-first`, `sb-steady` and `sb-quality` (figures 7 to 10): crowds cross two maps, and four things are
//! measured. What is plotted is the largest of all seeds, as in the article.

use super::SOURCE;
use crate::observers::PerTick;
use crate::settings::{Named, Settings, Spot, Which};
use crate::stats::{largest, ratio};
use crate::table::number;
use crate::trial;
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;
use throng::Observers;
use throng::core::{Observer, Tick, Unlimited};

/// One of the four.
pub(crate) trait Figure: Sync {
    const NAME: &'static str;
    const ABOUT: &'static str;
    /// What is plotted.
    const TITLE: &'static str;
    const SETTINGS: &'static str;
    fn of(row: &Row) -> f64;
    fn claims(sums: &Sums<'_>) -> Vec<Claim>;
}

/// The experiment.
#[derive(Debug)]
pub(crate) struct Crossing<F>(Settings<Own>, PhantomData<F>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// How many units cross the maps that are scaled; on the last one their number varies.
    by_size: usize,
    planners: Vec<Named>,
}

/// One crowd that crosses one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    size: u32,
    units: usize,
    planner: String,
    seed: u64,
    arrived: usize,
    ticks: Tick,
    /// Nodes in all open and closed lists that are kept, at the most.
    memory: u64,
    /// Expansions in the first tick, after which all can move.
    first: u64,
    /// Expansions in all later ones.
    later: u64,
    /// Steps of all who arrived.
    distance: f64,
}

/// The largest lists that a planner keeps.
#[derive(Default)]
struct Largest(u64);

impl Observer for Largest {
    fn wants_memory(&self) -> bool {
        true
    }

    fn memory(&mut self, open: u64, closed: u64, _bytes: usize) {
        self.0 = self.0.max(open + closed);
    }
}

impl<F: Figure> Experiment for Crossing<F> {
    const NAME: &'static str = F::NAME;
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = F::ABOUT;

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let settings = Settings::open(Self::NAME, F::SETTINGS, request, watch)?;
        Ok(Self(settings, PhantomData))
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|planner| planner.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            let scaled = self.0.world(&spot).starts_with("S1");
            if scaled && spot.units != self.0.own.by_size {
                continue;
            }
            for (planner, named) in self.0.own.planners.iter().enumerate() {
                let Spot { units, seed, .. } = spot;
                let key = format!("{}, {units} units, seed {seed}, {}", self.0.world(&spot), named.name);
                cases.push(Case { key, what: Which { spot, planner } });
            }
        }
        cases
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let Named { name, spec } = &self.0.own.planners[planner];
        let place = &self.0.places[spot.place];
        let scenario = place.scenario(spot.units, spot.seed)?;
        let (mut ticks, mut lists) = (PerTick::default(), Largest::default());
        let mut both: [&mut dyn Observer; 2] = [&mut ticks, &mut lists];
        let listener = &mut Observers(&mut both);
        let counts = trial::run(&scenario, spec, spot.seed, self.0.own.ticks, &Unlimited, listener)?;
        let first = ticks.expanded.first().copied().unwrap_or(0);
        Ok(Row {
            world: place.world.name.clone(),
            size: place.world.width,
            units: spot.units,
            planner: name.clone(),
            seed: spot.seed,
            arrived: counts.arrived,
            ticks: counts.ticks,
            memory: lists.0,
            first,
            later: ticks.expanded.iter().sum::<u64>() - first,
            distance: counts.steps,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let names = self.0.own.planners.iter().map(|planner| planner.name.clone()).collect();
        let sums = Sums { rows, names, by_size: self.0.own.by_size, of: F::of };
        let (tables, plots) = sums.shown(F::TITLE);
        Conclusion { tables, plots, claims: F::claims(&sums) }
    }
}

/// Rows, asked by planner and by the size of the map or the number of units.
pub(crate) struct Sums<'a> {
    rows: &'a [Row],
    names: Vec<String>,
    by_size: usize,
    of: fn(&Row) -> f64,
}

impl Sums<'_> {
    fn most(&self, planner: &str, which: impl Fn(&Row) -> bool) -> Option<f64> {
        largest(self.rows.iter().filter(|row| row.planner == planner && which(row)).map(self.of))
    }

    /// The largest on S1 of this size.
    fn on_s1(&self, planner: &str, size: u32) -> Option<f64> {
        self.most(planner, |row| row.world.starts_with("S1") && row.size == size)
    }

    /// The largest on S2 with so many units.
    fn on_s2(&self, planner: &str, units: usize) -> Option<f64> {
        self.most(planner, |row| row.world.starts_with("S2") && row.units == units)
    }

    fn ends<T: Copy + Ord>(values: impl Iterator<Item = T> + Clone) -> Option<(T, T)> {
        Some((values.clone().min()?, values.max()?))
    }

    /// The smallest and the largest S1, and the fewest and the most units on S2.
    fn sizes(&self) -> Option<(u32, u32)> {
        Self::ends(self.rows.iter().filter(|row| row.world.starts_with("S1")).map(|row| row.size))
    }

    fn units(&self) -> Option<(usize, usize)> {
        Self::ends(self.rows.iter().filter(|row| row.world.starts_with("S2")).map(|row| row.units))
    }

    /// How much steeper a value grows with the units on S2 in the upper half of their numbers than in the lower.
    fn bend(&self, planner: &str) -> Option<f64> {
        let (few, many) = self.units()?;
        let counts = self.rows.iter().filter(|row| row.world.starts_with("S2")).map(|row| row.units);
        let middle = counts.min_by_key(|units| (2 * units).abs_diff(few + many))?;
        let slope = |low: usize, high: usize| {
            let rise = self.on_s2(planner, high)? - self.on_s2(planner, low)?;
            Some(rise / (high - low) as f64).filter(|slope| slope.is_finite())
        };
        ratio(slope(middle, many), slope(few, middle))
    }

    /// One planner's value on the largest S1 as a multiple of another's.
    fn over(&self, one: &str, other: &str) -> Option<f64> {
        let size = self.sizes()?.1;
        ratio(self.on_s1(one, size), self.on_s1(other, size))
    }

    fn shown(&self, title: &str) -> (Vec<Table>, Vec<Plot>) {
        let mut sizes: Vec<u32> =
            self.rows.iter().filter(|row| row.world.starts_with("S1")).map(|row| row.size).collect();
        let mut units: Vec<usize> =
            self.rows.iter().filter(|row| row.world.starts_with("S2")).map(|row| row.units).collect();
        sizes.sort_unstable();
        sizes.dedup();
        units.sort_unstable();
        units.dedup();
        let by_size = |name: &str, x: usize| self.on_s1(name, x as u32);
        let by_units = |name: &str, x: usize| self.on_s2(name, x);
        type At<'a> = &'a dyn Fn(&str, usize) -> Option<f64>;
        let both: [(&str, String, &str, Vec<usize>, At<'_>); 2] = [
            (
                "s1",
                format!("{title}: S1, {} units", self.by_size),
                "side of the map",
                sizes.iter().map(|&s| s as usize).collect(),
                &by_size,
            ),
            ("s2", format!("{title}: S2"), "units", units, &by_units),
        ];
        let (mut tables, mut plots) = (Vec::new(), Vec::new());
        for (file, title, x, places, at) in both {
            let mut table =
                Table::new(title.clone(), std::iter::once(x).chain(self.names.iter().map(String::as_str)));
            for &place in &places {
                let mut cells = vec![place.to_string()];
                cells.extend(self.names.iter().map(|name| number(at(name, place), 0)));
                table.row(cells);
            }
            tables.push(table);
            let series = self.names.iter().map(|name| Series {
                name: name.clone(),
                points: places.iter().filter_map(|&place| Some((place as f64, at(name, place)?))).collect(),
            });
            plots.push(Plot::Lines(Lines {
                file: file.to_owned(),
                title,
                x: x.to_owned(),
                log: false,
                y: String::new(),
                series: series.collect(),
            }));
        }
        (tables, plots)
    }
}

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
        let flat = |name: &'static str| {
            let (small, large) = sums.sizes()?;
            // The smallest maps are crowded as none of the others is.
            ratio(sums.on_s1(name, large), sums.on_s1(name, small * 4))
        };
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
                flat("whca 16, 0"),
                is_flat,
            ),
            Claim::new(
                "The work of cpra does not depend on the size of the map",
                "stays constant",
                "cpra 8: the largest S1 over that of side 128; 0.5 to 2",
                flat("cpra 8"),
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
        let missing = sums.rows.iter().map(|row| (row.units - row.arrived) as f64);
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
