//! `sb-memory`, `sb-first`, `sb-steady` and `sb-quality` (figures 7 to 10): crowds cross two maps, and four things are
//! measured. What is plotted is the largest of all seeds, as in the article.

use super::SOURCE;
use crate::observers::PerTick;
use crate::settings::{Named, Settings, Which};
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
    pub(super) units: usize,
    planner: String,
    seed: u64,
    pub(super) arrived: usize,
    pub(super) ticks: Tick,
    /// Nodes in all open and closed lists that are kept, at the most.
    pub(super) memory: u64,
    /// Expansions in the first tick, after which all can move.
    pub(super) first: u64,
    /// Expansions in all later ones.
    pub(super) later: u64,
    /// Steps of all who arrived.
    pub(super) distance: f64,
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
        let mut cases =
            self.0.cases(|own| own.planners.iter().map(|planner| planner.name.as_str()).collect());
        cases.retain(|case| {
            let spot = case.what.spot;
            let scaled = self.0.world(&spot).starts_with("S1");
            !scaled || spot.units == self.0.own.by_size
        });
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
        let sums = Sums { all: rows, steps: false, names, by_size: self.0.own.by_size, of: F::of };
        let (mut tables, mut plots) = sums.shown(F::TITLE);
        if let Some(steps) = sums.in_steps() {
            let (more_tables, more_plots) = steps.shown(&format!("{}, time in whole steps", F::TITLE));
            tables.extend(more_tables);
            plots.extend(more_plots);
        }
        Conclusion { tables, plots, claims: F::claims(&sums) }
    }
}

/// How the names of worlds end in which every move takes one tick.
const STEPS: &str = "in steps";

/// Rows, asked by planner and by the size of the map or the number of units.
#[derive(Clone)]
pub(crate) struct Sums<'a> {
    all: &'a [Row],
    /// Of which only those count in whose worlds time goes in whole steps, or only the others.
    steps: bool,
    pub(super) names: Vec<String>,
    by_size: usize,
    of: fn(&Row) -> f64,
}

impl Sums<'_> {
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> + Clone {
        self.all.iter().filter(|row| row.world.ends_with(STEPS) == self.steps)
    }

    /// The same for worlds in which time goes in whole steps, if there are any.
    pub(super) fn in_steps(&self) -> Option<Self> {
        let steps = Self { steps: true, ..self.clone() };
        let any = steps.rows().next().is_some();
        any.then_some(steps)
    }

    fn most(&self, planner: &str, which: impl Fn(&Row) -> bool) -> Option<f64> {
        largest(self.rows().filter(|row| row.planner == planner && which(row)).map(self.of))
    }

    /// The largest on S1 of this size.
    pub(super) fn on_s1(&self, planner: &str, size: u32) -> Option<f64> {
        self.most(planner, |row| row.world.starts_with("S1") && row.size == size)
    }

    /// The largest on S2 with so many units.
    pub(super) fn on_s2(&self, planner: &str, units: usize) -> Option<f64> {
        self.most(planner, |row| row.world.starts_with("S2") && row.units == units)
    }

    fn ends<T: Copy + Ord>(values: impl Iterator<Item = T> + Clone) -> Option<(T, T)> {
        Some((values.clone().min()?, values.max()?))
    }

    /// The smallest and the largest S1, and the fewest and the most units on S2.
    pub(super) fn sizes(&self) -> Option<(u32, u32)> {
        Self::ends(self.rows().filter(|row| row.world.starts_with("S1")).map(|row| row.size))
    }

    pub(super) fn units(&self) -> Option<(usize, usize)> {
        Self::ends(self.rows().filter(|row| row.world.starts_with("S2")).map(|row| row.units))
    }

    /// How much steeper a value grows with the units on S2 in the upper half of their numbers than in the lower.
    pub(super) fn bend(&self, planner: &str) -> Option<f64> {
        let (few, many) = self.units()?;
        let counts = self.rows().filter(|row| row.world.starts_with("S2")).map(|row| row.units);
        let middle = counts.min_by_key(|units| (2 * units).abs_diff(few + many))?;
        let slope = |low: usize, high: usize| {
            let rise = self.on_s2(planner, high)? - self.on_s2(planner, low)?;
            Some(rise / (high - low) as f64).filter(|slope| slope.is_finite())
        };
        ratio(slope(middle, many), slope(few, middle))
    }

    /// One planner's value on the largest S1 as a multiple of another's.
    pub(super) fn over(&self, one: &str, other: &str) -> Option<f64> {
        let size = self.sizes()?.1;
        ratio(self.on_s1(one, size), self.on_s1(other, size))
    }

    fn shown(&self, title: &str) -> (Vec<Table>, Vec<Plot>) {
        let mut sizes: Vec<u32> =
            self.rows().filter(|row| row.world.starts_with("S1")).map(|row| row.size).collect();
        let mut units: Vec<usize> =
            self.rows().filter(|row| row.world.starts_with("S2")).map(|row| row.units).collect();
        sizes.sort_unstable();
        sizes.dedup();
        units.sort_unstable();
        units.dedup();
        let by_size = |name: &str, x: usize| self.on_s1(name, x as u32);
        let by_units = |name: &str, x: usize| self.on_s2(name, x);
        type At<'a> = &'a dyn Fn(&str, usize) -> Option<f64>;
        let both: [(&str, String, &str, Vec<usize>, At<'_>); 2] = [
            (
                if self.steps { "s1-steps" } else { "s1" },
                format!("{title}: S1, {} units", self.by_size),
                "side of the map",
                sizes.iter().map(|&s| s as usize).collect(),
                &by_size,
            ),
            (if self.steps { "s2-steps" } else { "s2" }, format!("{title}: S2"), "units", units, &by_units),
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
