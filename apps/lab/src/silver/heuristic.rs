//! `silver-heuristic`: what a search in space and time explores under the straight line and under true distances.
//!
//! The work for true distances counts. `ca` looks them up as well, to order its units; cooperative A* as the
//! article has it does not, so that work is not held against it.

use super::SOURCE;
use super::figures::{Figure, Picture, figure};
use crate::observers::Visits;
use crate::settings::{Settings, Spot};
use crate::stats::{mean, ratio};
use crate::table::number;
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::Unlimited;
use throng::{Options, solve};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Heuristic(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    straight: String,
    true_distance: String,
    figure: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    Figure(Picture),
    Crowd(Spot, Guide),
}

/// What guides the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Guide {
    Straight,
    TrueDistance,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Row {
    Figure(Figure),
    Crowd(Explored),
}

/// What it took to plan for a crowd.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Explored {
    world: String,
    units: usize,
    seed: u64,
    guide: Guide,
    solved: bool,
    /// Sum of everybody's shortest way.
    shortest: u64,
    /// Expansions of the searches for paths, of those for true distances, and of the latter before the first path.
    main: u64,
    backwards: u64,
    beforehand: u64,
    /// Different cells explored by the searches for paths, and how often the most explored one was.
    cells: usize,
    most_visits: u64,
}

impl Experiment for Heuristic {
    const NAME: &'static str = "silver-heuristic";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str =
        "what a search in space and time explores: straight line against true distance";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/silver-heuristic.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        vec![self.0.own.straight.clone(), self.0.own.true_distance.clone()]
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let picture =
            |picture: Picture| Case { key: picture.file().to_owned(), what: Which::Figure(picture) };
        let mut cases: Vec<_> = Picture::ALL.map(picture).into();
        for spot in self.0.spots() {
            for (guide, name) in [(Guide::Straight, "straight line"), (Guide::TrueDistance, "true distance")]
            {
                let Spot { units, seed, .. } = spot;
                let key = format!("{}, {units} units, seed {seed}, {name}", self.0.world(&spot));
                cases.push(Case { key, what: Which::Crowd(spot, guide) });
            }
        }
        cases
    }

    fn run(&self, which: &Which) -> Result<Row, LabError> {
        match *which {
            Which::Figure(picture) => Ok(Row::Figure(figure(picture, self.0.own.figure)?)),
            Which::Crowd(spot, guide) => Ok(Row::Crowd(self.explore(spot, guide)?)),
        }
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let figures = rows.iter().filter_map(|row| match row {
            Row::Figure(figure) => Some(figure),
            Row::Crowd(_) => None,
        });
        let crowds = rows.iter().filter_map(|row| match row {
            Row::Crowd(explored) => Some(explored),
            Row::Figure(_) => None,
        });
        let sums = Sums { of: self, figures: figures.collect(), crowds: crowds.collect() };
        let mut plots: Vec<Plot> = sums.figures.iter().map(|figure| figure.plot()).collect();
        plots.extend(sums.plots());
        Conclusion { tables: sums.tables(), plots, claims: sums.claims() }
    }
}

impl Heuristic {
    fn explore(&self, spot: Spot, guide: Guide) -> Result<Explored, LabError> {
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let planner = match guide {
            Guide::Straight => &self.0.own.straight,
            Guide::TrueDistance => &self.0.own.true_distance,
        };
        let options = Options { seed: spot.seed, ..Options::planner(planner) };
        let mut visits = Visits::new(scenario.grid().len());
        let solution = solve(&scenario, &options, &Unlimited, &mut visits)?;
        Ok(Explored {
            world: self.0.world(&spot).to_owned(),
            units: spot.units,
            seed: spot.seed,
            guide,
            solved: solution.is_solved(),
            shortest: solution.bounds.map_or(0, |bounds| bounds.soc),
            main: visits.main,
            backwards: visits.backwards,
            beforehand: visits.beforehand,
            cells: visits.cells.iter().filter(|&&visits| visits > 0).count(),
            most_visits: visits.cells.iter().copied().max().unwrap_or(0),
        })
    }
}

struct Sums<'a> {
    of: &'a Heuristic,
    figures: Vec<&'a Figure>,
    crowds: Vec<&'a Explored>,
}

/// Who counts what: by the straight line only the searches for paths, by true distances everything.
fn work(row: &Explored) -> u64 {
    match row.guide {
        Guide::Straight => row.main,
        Guide::TrueDistance => row.main + row.backwards,
    }
}

impl Sums<'_> {
    /// The mean of `what` per step of the shortest ways, over the seeds that both guides solve.
    fn per_step(&self, world: &str, units: usize, guide: Guide, what: fn(&Explored) -> u64) -> Option<f64> {
        let here: Vec<_> =
            self.crowds.iter().filter(|row| row.world == world && row.units == units).collect();
        let both = |seed: u64| here.iter().filter(|row| row.seed == seed && row.solved).count() == 2;
        let rows = here.iter().filter(|row| row.guide == guide && both(row.seed) && row.shortest > 0);
        mean(rows.map(|row| what(row) as f64 / row.shortest as f64))
    }

    fn worlds(&self) -> impl Iterator<Item = &str> {
        self.of.0.places.iter().map(|place| place.world.name.as_str())
    }

    fn tables(&self) -> Vec<Table> {
        let columns = [
            "units",
            "solved",
            "straight",
            "true",
            "backwards",
            "beforehand",
            "both",
            "straight/both",
            "most visits",
        ];
        let table = |world: &str| {
            let mut table = Table::new(format!("{world}: expansions per step of the shortest ways"), columns);
            for &units in &self.of.0.scale.units {
                let of = |guide, what| self.per_step(world, units, guide, what);
                let straight = of(Guide::Straight, work);
                let both = of(Guide::TrueDistance, work);
                let here = self.crowds.iter().filter(|row| row.world == world && row.units == units);
                let solved = here.clone().filter(|row| row.solved).count();
                let most = |guide| {
                    mean(here.clone().filter(|row| row.guide == guide).map(|row| row.most_visits as f64))
                };
                let (straight_most, true_most) = (most(Guide::Straight), most(Guide::TrueDistance));
                table.row(vec![
                    units.to_string(),
                    format!("{solved}/{}", here.count()),
                    number(straight, 2),
                    number(of(Guide::TrueDistance, |row| row.main), 2),
                    number(of(Guide::TrueDistance, |row| row.backwards), 2),
                    number(of(Guide::TrueDistance, |row| row.beforehand), 2),
                    number(both, 2),
                    number(ratio(straight, both), 2),
                    format!("{} / {}", number(straight_most, 0), number(true_most, 0)),
                ]);
            }
            table
        };
        let mut figures = Table::new(
            "One unit before a dead end (the article's figures 2 and 3)",
            ["picture", "shortest way", "main", "backwards", "cells explored", "open cells"],
        );
        for figure in &self.figures {
            let (file, open) = (figure.picture.file().to_owned(), figure.open_cells.to_string());
            let counts = [u64::from(figure.shortest), figure.main, figure.backwards, figure.explored as u64];
            figures.row([file].into_iter().chain(counts.map(|n| n.to_string())).chain([open]).collect());
        }
        std::iter::once(figures).chain(self.worlds().map(table)).collect()
    }

    fn plots(&self) -> Vec<Plot> {
        let plot = |(place, world): (usize, &str)| {
            let series = |name: &str, guide, what: fn(&Explored) -> u64| {
                let point = |&units: &usize| Some((units as f64, self.per_step(world, units, guide, what)?));
                let points = self.of.0.scale.units.iter().filter_map(point).collect();
                Series { name: name.to_owned(), points }
            };
            Plot::Lines(Lines {
                file: format!("expansions-{}", place + 1),
                title: format!("{world}: expansions per step of the shortest ways"),
                x: "units".to_owned(),
                log: false,
                y: String::new(),
                series: vec![
                    series("straight line", Guide::Straight, work),
                    series("true distance, with backwards search", Guide::TrueDistance, work),
                    series("true distance, paths alone", Guide::TrueDistance, |row| row.main),
                ],
            })
        };
        self.worlds().enumerate().map(plot).collect()
    }

    fn figure(&self, picture: Picture) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.picture == picture).copied()
    }

    fn claims(&self) -> Vec<Claim> {
        let worlds: Vec<&str> = self.worlds().collect();
        let [trap, scattered, open] = [0, 1, 2].map(|place| worlds.get(place).copied().unwrap_or(""));
        let (one, many) = (self.of.0.scale.units.iter().copied().min().unwrap_or(0), self.of.0.most_units());
        let of = |world, units, guide, what| self.per_step(world, units, guide, what);
        let saved = |world, units| {
            ratio(of(world, units, Guide::Straight, work), of(world, units, Guide::TrueDistance, work))
        };
        let (spatial, straight) = (self.figure(Picture::Flooding), self.figure(Picture::Straight));
        let aimed = self.figure(Picture::TrueDistance);
        let main = |figure: Option<&Figure>| figure.map(|figure| figure.main as f64);
        let crowded = || {
            let crowds = self.crowds.iter();
            crowds.filter(|row| row.guide == Guide::TrueDistance && row.units == many)
        };
        let sum = |what: fn(&Explored) -> u64| Some(crowded().map(|row| what(row)).sum::<u64>() as f64);
        vec![
            Claim::new(
                "Behind a detour the straight line makes A* flood the map (figure 2A)",
                "almost the entire map",
                "share of the open cells explored; at least 0.5",
                spatial.map(|figure| figure.explored as f64 / figure.open_cells as f64),
                |share| share >= 0.5,
            ),
            Claim::new(
                "In space and time it floods every cell again and again (figure 2B)",
                "magnified many times",
                "expansions in space and time over those in space; at least 3",
                ratio(main(straight), main(spatial)),
                |times| times >= 3.0,
            ),
            Claim::new(
                "Guided by true distances and alone, the search goes straight down the shortest path (figure 2C)",
                "the number of visits is optimal",
                "expansions over the length of the path; 1",
                ratio(main(aimed), aimed.map(|figure| f64::from(figure.shortest))),
                |times| times == 1.0,
            ),
            Claim::new(
                "The backwards search saves far more than it costs behind a detour (figures 2 and 3)",
                "a great deal of time",
                "expansions by the straight line over main and backwards by true distance; at least 2",
                ratio(main(straight), aimed.map(|figure| (figure.main + figure.backwards) as f64)),
                |times| times >= 2.0,
            ),
            Claim::new(
                format!("So it does for a crowd behind a detour ({trap})"),
                "a great deal of time",
                format!("the same ratio, {many} units; at least 2"),
                saved(trap, many),
                |times| times >= 2.0,
            ),
            Claim::new(
                format!("So it does among scattered obstacles ({scattered})"),
                "a great deal of time",
                format!("the same ratio, {many} units; at least 2"),
                saved(scattered, many),
                |times| times >= 2.0,
            ),
            Claim::new(
                format!("On an open map the straight line is a good heuristic ({open})"),
                "works well on an open map",
                format!(
                    "expansions by the straight line over those of paths by true distance, {one} unit; at most 1.5"
                ),
                ratio(
                    of(open, one, Guide::Straight, work),
                    of(open, one, Guide::TrueDistance, |row| row.main),
                ),
                |times| times <= 1.5,
            ),
            Claim::new(
                "The more cooperation a map needs, the more the search explores",
                "more cells will be explored",
                format!(
                    "main expansions per step by true distance, {many} units over {one}, mean of all worlds; above 1"
                ),
                mean(worlds.iter().filter_map(|world| {
                    let main = |units| of(world, units, Guide::TrueDistance, |row| row.main);
                    ratio(main(many), main(one))
                })),
                |times| times > 1.0,
            ),
            Claim::new(
                "So does the backwards search",
                "depends upon the level of cooperation",
                format!(
                    "backwards expansions per step, {many} units over {one}, mean of all worlds; above 1"
                ),
                mean(worlds.iter().filter_map(|world| {
                    let back = |units| of(world, units, Guide::TrueDistance, |row| row.backwards);
                    ratio(back(many), back(one))
                })),
                |times| times > 1.0,
            ),
            Claim::new(
                "The innermost contours hold most of the true distances that a crowd needs",
                "most of the true distances",
                format!(
                    "share of backwards expansions done before the first path is searched, {many} units; at least 0.5"
                ),
                ratio(sum(|row| row.beforehand), sum(|row| row.backwards)),
                |share| share >= 0.5,
            ),
        ]
    }
}
