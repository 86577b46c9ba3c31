//! Rows of patrols, asked by world and planner.

use super::patrols::{Own, Row};
use crate::atlas::Place;
use crate::stats::{mean, ratio};
use crate::table::{number, percent};
use crate::{Claim, Lines, Plot, Series, Table};
use throng::core::Tick;

/// Rows with what they were made from.
pub(crate) struct Sums<'a> {
    pub(super) own: &'a Own,
    pub(super) places: &'a [Place],
    pub(super) rows: &'a [Row],
}

/// Something that is measured of one run.
pub(super) type Measure = fn(&Row) -> f64;

pub(super) const EXPANDED: Measure = |row| row.expanded;
pub(super) const PATH: Measure = |row| row.path;
pub(super) const FAILED: Measure = |row| row.failed;
pub(super) const TIME: Measure = |row| row.ticks as f64;
/// At the end.
pub(super) const COHERENCE: Measure = |row| row.coherence.last().map_or(0.0, |last| last.1);

impl Sums<'_> {
    pub(super) fn worlds(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| place.world.name.as_str())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.own.planners.iter().map(|arm| arm.name.as_str())
    }

    fn of(&self, world: &str, planner: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.world == world && row.planner == planner)
    }

    /// The mean over seeds.
    pub(super) fn mean(&self, world: &str, planner: &str, of: Measure) -> Option<f64> {
        mean(self.of(world, planner).map(of))
    }

    /// One planner's mean as a multiple of another's.
    pub(super) fn over(&self, world: &str, one: &str, other: &str, of: Measure) -> Option<f64> {
        ratio(self.mean(world, one, of), self.mean(world, other, of))
    }

    /// How much larger one planner's mean is than another's.
    pub(super) fn more(&self, world: &str, one: &str, other: &str, of: Measure) -> Option<f64> {
        Some(self.mean(world, one, of)? - self.mean(world, other, of)?)
    }

    /// The mean coherence at a tick; runs that are over stay as they were.
    pub(super) fn coherence_at(&self, world: &str, planner: &str, tick: Tick) -> Option<f64> {
        let then = |row: &Row| Some(row.coherence.iter().take_while(|point| point.0 <= tick).last()?.1);
        mean(self.of(world, planner).filter_map(then))
    }

    /// Ours beside the article's, a table for each world.
    pub(super) fn tables(&self) -> Vec<Table> {
        self.worlds().map(|world| self.table(world)).collect()
    }

    fn table(&self, world: &str) -> Table {
        let title = format!("{world}: means per patrol over seeds; in brackets what the article has");
        let columns = ["planner", "expanded", "time", "path", "failed", "coherence", "finished"];
        let mut table = Table::new(title, columns);
        for name in self.names() {
            let told = self.own.document.iter().find(|told| told.world == world && told.planner == name);
            let cell = |of: Measure, digits, theirs: Option<f64>| {
                let ours = number(self.mean(world, name, of), digits);
                theirs.map_or_else(|| ours.clone(), |theirs| format!("{ours} ({theirs})"))
            };
            table.row(vec![
                name.to_owned(),
                cell(EXPANDED, 0, told.map(|told| told.expanded)),
                cell(TIME, 0, told.map(|told| told.time)),
                cell(PATH, 2, told.map(|told| told.path)),
                cell(FAILED, 2, told.map(|told| told.failed)),
                cell(COHERENCE, 3, None),
                percent(self.mean(world, name, |row| row.share_finished())),
            ]);
        }
        table
    }

    /// Coherence over time, a picture for each world.
    pub(super) fn over_time(&self) -> Vec<Plot> {
        let plot = |(place, world): (usize, &str)| {
            let mut ticks: Vec<Tick> =
                self.rows.iter().flat_map(|row| row.coherence.iter().map(|point| point.0)).collect();
            ticks.sort_unstable();
            ticks.dedup();
            let at = |name: &str, tick: Tick| Some((tick as f64, self.coherence_at(world, name, tick)?));
            let series = |name: &str| Series {
                name: name.to_owned(),
                points: ticks.iter().filter_map(|&tick| at(name, tick)).collect(),
            };
            Plot::Lines(Lines {
                file: format!("coherence-{}", place + 1),
                title: format!("Coherence over time: {world}"),
                x: "ticks".to_owned(),
                log: false,
                y: "coherence".to_owned(),
                series: self.names().map(series).collect(),
            })
        };
        self.worlds().enumerate().map(plot).collect()
    }

    /// That every unit finishes all its patrols, whoever plans. Otherwise means are of what was finished.
    pub(super) fn all_finish(&self) -> Claim {
        Claim::new(
            "Everybody finishes all patrols",
            "presupposed",
            "least share of units in any run that finish; 1",
            self.rows.iter().map(Row::share_finished).reduce(f64::min),
            |share| share >= 1.0,
        )
    }
}
