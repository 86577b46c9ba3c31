//! What the rows say.

use super::runs::Row;
use super::{Continuous, How, KINDS};
use crate::stats::{largest, mean, ratio};
use crate::table::{number, percent};
use crate::{Claim, Conclusion, Lines, Plot, Series, Table};

/// The largest exponent that counts as nearly linear.
const LINEAR: f64 = 1.15;
/// Pruning is worth its name if no more than this part of all others are looked at.
const PRUNED: f64 = 0.05;
/// A sampled graph does as well if all are there at most so many times later.
const AS_WELL: f64 = 1.25;

impl Row {
    fn share(&self) -> f64 {
        self.arrived as f64 / self.agents.max(1) as f64
    }

    /// Others who are looked at in a step, by all bodies together.
    fn cost(&self) -> f64 {
        self.looked as f64 / self.steps.max(1) as f64
    }
}

pub(super) fn conclude(of: &Continuous, rows: &[Row]) -> Conclusion {
    let sums = Sums { of, rows };
    Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
}

struct Sums<'a> {
    of: &'a Continuous,
    rows: &'a [Row],
}

impl Sums<'_> {
    fn arena(&self, kind: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.how == "arena" && row.world == kind)
    }

    fn of_world(&self, name: &str, how: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.world == name && row.how == how)
    }

    fn here(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.how != How::Grid.name())
    }

    /// The slope of the line through the logarithms, by least squares.
    fn exponent(&self, kind: &str) -> Option<f64> {
        let points: Vec<_> =
            self.arena(kind).map(|row| ((row.agents as f64).ln(), row.cost().ln())).collect();
        let (x, y) = (mean(points.iter().map(|at| at.0))?, mean(points.iter().map(|at| at.1))?);
        let rise: f64 = points.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
        ratio(Some(rise), Some(points.iter().map(|at| (at.0 - x) * (at.0 - x)).sum()))
    }

    /// The mean over seeds of when all are there, in the runs that come to an end.
    fn time(&self, name: &str, how: How) -> Option<f64> {
        mean(self.of_world(name, how.name()).filter(|row| row.arrived == row.agents).map(|row| row.time))
    }

    fn tables(&self) -> Vec<Table> {
        let columns = [
            "square",
            "discs",
            "others looked at, a disc and step",
            "others there are",
            "stops",
            "collisions",
        ];
        let mut arena = Table::new("What a step costs", columns);
        for row in KINDS.iter().flat_map(|kind| self.arena(kind)) {
            let each = row.cost() / row.agents.max(1) as f64;
            arena.row(vec![
                row.world.clone(),
                row.agents.to_string(),
                number(Some(each), 2),
                (row.agents - 1).to_string(),
                row.stops.to_string(),
                row.collisions.to_string(),
            ]);
        }
        let columns = [
            "world",
            "where",
            "arrived",
            "all arrive",
            "time",
            "distance",
            "stops",
            "promoted",
            "collisions",
        ];
        let mut worlds = Table::new("Scenes, and scenarios of the grid in both worlds", columns);
        let scenes = self.of.own.scenes.names.iter().map(|name| (name, "scene"));
        let both = self.of.own.both.names.iter().flat_map(|name| How::ALL.map(|how| (name, how.name())));
        for (name, how) in scenes.chain(both) {
            let rows = || self.of_world(name, how);
            let sum = |count: fn(&Row) -> u64| rows().map(count).sum::<u64>().to_string();
            let whole = |row: &Row| f64::from(u8::from(row.arrived == row.agents));
            let ended = rows().filter(|row| row.arrived == row.agents);
            worlds.row(vec![
                name.clone(),
                how.to_owned(),
                percent(mean(rows().map(Row::share))),
                percent(mean(rows().map(whole))),
                number(mean(ended.map(|row| row.time)), 1),
                number(mean(rows().map(|row| row.distance)), 0),
                sum(|row| row.stops),
                sum(|row| row.promoted),
                sum(|row| row.collisions),
            ]);
        }
        vec![arena, worlds]
    }

    fn plots(&self) -> Vec<Plot> {
        let cost = |kind: &&str| {
            let points = self.arena(kind).map(|row| (row.agents as f64, row.cost())).collect();
            Series { name: (*kind).to_owned(), points }
        };
        let all = self.arena(KINDS[0]).map(|row| (row.agents as f64, row.agents as f64 * 100.0));
        let linear = Series { name: "100 a disc".to_owned(), points: all.collect() };
        let names = &self.of.own.both.names;
        let time = |how: How| {
            let point = |(place, name): (usize, &String)| Some((place as f64 + 1.0, self.time(name, how)?));
            Series {
                name: how.name().to_owned(),
                points: names.iter().enumerate().filter_map(point).collect(),
            }
        };
        let axis = names.iter().enumerate().map(|(place, name)| format!("{} {name}", place + 1));
        let plot = |file: &str, title: &str, x: String, y: &str, log, series| {
            let (file, title, y) = (file.to_owned(), title.to_owned(), y.to_owned());
            Plot::Lines(Lines { file, title, x, log, y, series })
        };
        vec![
            plot(
                "cost",
                "What a step costs",
                "discs".to_owned(),
                "others looked at, by all together",
                false,
                KINDS.iter().map(cost).chain([linear]).collect(),
            ),
            plot(
                "both",
                "When all have arrived, on the grid and in continuous space",
                axis.collect::<Vec<_>>().join(", "),
                "ticks, or seconds",
                false,
                How::ALL.map(time).to_vec(),
            ),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let least = |shares: &mut dyn Iterator<Item = f64>| shares.reduce(f64::min);
        let of = |how: &'static str| self.rows.iter().filter(move |row| row.how == how).map(Row::share);
        let names = &self.of.own.both.names;
        let later = |how: How, than: How| {
            mean(names.iter().filter_map(|name| ratio(self.time(name, how), self.time(name, than))))
        };
        let largest_arena = self.arena(KINDS[0]).max_by_key(|row| row.agents);
        let looked =
            largest_arena.map(|row| row.cost() / row.agents.max(1) as f64 / (row.agents.max(2) - 1) as f64);
        vec![
            Claim::new(
                "No two bodies ever touch, and nobody touches a wall",
                "a collision-detection test of the sweeps, and a hard stop",
                "most objections of the judge to any run, by exact times of closest approach; 0",
                largest(self.here().map(|row| row.collisions as f64)),
                |most| most == 0.0,
            ),
            Claim::new(
                "Everybody arrives in the scenes of continuous space",
                "agents adjust their speed, and else calculate a different path",
                "least share of bodies that arrive in any run; 1",
                least(&mut of("scene")),
                |share| share >= 1.0,
            ),
            Claim::new(
                "With spatial pruning a step costs nearly linearly in the number of bodies, as dense whatever their number",
                "the search can be pruned by spatial partitioning and by the forecasting index",
                format!("exponent of others looked at in a step; below {LINEAR}"),
                self.exponent(KINDS[0]),
                |exponent| exponent < LINEAR,
            ),
            Claim::new(
                "The same in one square that fills up",
                "the search can be pruned by spatial partitioning and by the forecasting index",
                format!(
                    "exponent of others looked at in a step, where ten times as many are ten times as dense; below {LINEAR}"
                ),
                self.exponent(KINDS[1]),
                |exponent| exponent < LINEAR,
            ),
            Claim::new(
                "Pruning spares nearly all looks",
                "the loop is over all other agents",
                format!("part of all others whom a body looks at in the largest arena; at most {PRUNED}"),
                looked,
                |part| part <= PRUNED,
            ),
            Claim::new(
                "Scenarios of the grid are solved in continuous space as well",
                "the algorithm can, with relatively few modifications, work on continuous domains",
                "least share of bodies that arrive in any run over the lattice; 1",
                least(&mut of(How::Lattice.name())),
                |share| share >= 1.0,
            ),
            Claim::new(
                "All are there as soon as on the grid",
                "nothing is said",
                "seconds until all have arrived over ticks on the grid, mean over scenarios; at most 1",
                later(How::Lattice, How::Grid),
                |times| times <= 1.0,
            ),
            Claim::new(
                "A graph that samples the space at random does as well as a lattice",
                "a graph that samples the continuous space: future work",
                format!(
                    "time until all have arrived over that with the lattice, mean over scenarios; at most {AS_WELL}"
                ),
                later(How::Random, How::Lattice),
                |times| times <= AS_WELL,
            ),
            Claim::new(
                "And everybody arrives over it",
                "a graph that samples the continuous space: future work",
                "least share of bodies that arrive in any run over random points; 1",
                least(&mut of(How::Random.name())),
                |share| share >= 1.0,
            ),
        ]
    }
}
