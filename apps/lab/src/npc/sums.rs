//! Rows, asked by method and by what else differs.

use super::expedition::{Own, Row, Scale};
use super::start::Layout;
use crate::settings::Settings;
use crate::stats::{largest, mean, ratio};
use crate::{Boxes, Claim, Lines, Plot, Series};

pub(crate) struct Sums<'a> {
    pub(super) of: &'a Settings<Own>,
    pub(super) rows: &'a [Row],
}

impl<'a> Sums<'a> {
    /// The method that others are compared with.
    pub(super) fn first(&self) -> &'a str {
        self.of.own.methods.first().map_or("", |method| method.name.as_str())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.of.own.methods.iter().map(|method| method.name.as_str())
    }

    /// Of one scale, or of the first; of one layout, or of all.
    pub(super) fn rows(
        &self,
        method: &'a str,
        scale: Option<Scale>,
        layout: Option<Layout>,
    ) -> impl Iterator<Item = &'a Row> + Clone {
        let scale = scale.or(self.of.own.scales.first().copied());
        let fits = move |row: &&Row| {
            row.method == method && Some(row.scale) == scale && layout.is_none_or(|l| l == row.layout)
        };
        self.rows.iter().filter(fits)
    }

    pub(super) fn ticks(&self, method: &'a str, scale: Option<Scale>, layout: Option<Layout>) -> Option<f64> {
        mean(self.rows(method, scale, layout).map(|row| row.ticks as f64))
    }

    /// How many times as long as the first method it takes, by the means.
    pub(super) fn times(&self, method: &'a str, scale: Option<Scale>, layout: Option<Layout>) -> Option<f64> {
        ratio(self.ticks(method, scale, layout), self.ticks(self.first(), scale, layout))
    }

    /// Ticks until so many twentieths were seen, of the runs that came to that.
    pub(super) fn until(&self, method: &'a str, layout: Option<Layout>, twentieths: usize) -> Option<f64> {
        let reached = |row: &Row| row.reached.get(twentieths - 1).map(|&tick| tick as f64);
        mean(self.rows(method, None, layout).filter_map(reached))
    }

    pub(super) fn boxes(&self, layout: Layout) -> Plot {
        let sample = |name: &'a str| {
            let ticks = self.rows(name, None, Some(layout)).map(|row| row.ticks as f64);
            (name.to_owned(), ticks.collect())
        };
        Plot::Boxes(Boxes {
            file: format!("ticks-{}", layout.name()),
            title: format!("Ticks until done, {}", layout.name()),
            y: "ticks".to_owned(),
            samples: self.names().map(sample).collect(),
        })
    }

    pub(super) fn coverage(&self, layout: Layout) -> Plot {
        let series = |name: &'a str| {
            let all = self.rows(name, None, Some(layout)).count();
            // Once some runs are over, the mean is of others.
            let by_all = |k: &usize| {
                self.rows(name, None, Some(layout)).filter(|r| r.reached.len() >= *k).count() == all
            };
            let point = |k: usize| Some((self.until(name, Some(layout), k)?, k as f64 * 5.0));
            Series { name: name.to_owned(), points: (1..=20).filter(by_all).filter_map(point).collect() }
        };
        Plot::Lines(Lines {
            file: format!("coverage-{}", layout.name()),
            title: format!("How much has been seen, {}", layout.name()),
            x: "ticks".to_owned(),
            log: false,
            y: "percent of all cells that can be reached".to_owned(),
            series: self.names().map(series).collect(),
        })
    }

    /// What must hold of every run, whatever the document says.
    pub(super) fn sound(&self) -> [Claim; 2] {
        let done = self.rows.iter().filter(|row| row.done).count() as f64;
        [
            Claim::new(
                "Every expedition comes to its end",
                "strong guarantees of exhaustive exploration",
                format!("share of runs of all scales that are done within {} ticks; 1", self.of.own.ticks),
                (!self.rows.is_empty()).then(|| done / self.rows.len() as f64),
                |share| share == 1.0,
            ),
            Claim::new(
                "Nobody collides, and no move fails",
                "nothing; a goal of ours",
                "most collisions and failed moves of any run; 0",
                largest(self.rows.iter().map(|row| (row.collisions + row.failed_moves) as f64)),
                |most| most == 0.0,
            ),
        ]
    }
}
