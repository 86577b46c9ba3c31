//! `ac-delay`: the most delayed first against first come, first served.

use super::traffic::{Traffic, for_ever};
use crate::settings::{Named, Settings, Which};
use crate::stats::{largest, mean, ratio};
use crate::table::number;
use crate::{
    Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch, trial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Delays(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// Whoever has been under way for so many times as long as alone is stuck.
    patience: Tick,
    planners: Vec<Named>,
}

/// What became of one world's traffic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    units: usize,
    goals: u64,
    /// Over all ways, those not ended too.
    mean_delay: f64,
    largest_delay: Tick,
    stuck: u64,
    collisions: u64,
    failed_moves: u64,
}

impl Experiment for Delays {
    const NAME: &'static str = "ac-delay";
    const SOURCE: &'static str = super::SOURCE;
    const ABOUT: &'static str =
        "how late units come if the most delayed reserve first, or whoever set out first";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/ac-delay.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|named| named.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        self.0.cases(|own| own.planners.iter().map(|named| named.name.as_str()).collect())
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let (own, place) = (&self.0.own, &self.0.places[spot.place]);
        let Named { name, spec } = &own.planners[planner];
        let once = place.scenario(spot.units, spot.seed)?;
        let mut traffic = Traffic::new(&once);
        let counts = trial::run(&for_ever(&once)?, spec, spot.seed, own.ticks, &Unlimited, &mut traffic)?;
        let delays = traffic.delays(counts.ticks);
        Ok(Row {
            world: place.world.name.clone(),
            planner: name.clone(),
            seed: spot.seed,
            units: spot.units,
            goals: traffic.goals(counts.ticks).iter().sum(),
            mean_delay: mean(delays.iter().map(|&delay| delay as f64)).unwrap_or(0.0),
            largest_delay: delays.iter().copied().max().unwrap_or(0),
            stuck: traffic.stuck(counts.ticks, own.patience),
            collisions: counts.collisions,
            failed_moves: counts.failed_moves,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { of: &self.0, rows };
        let worlds = || self.0.places.iter().map(|place| place.world.name.as_str());
        Conclusion {
            tables: worlds().map(|world| sums.table(world)).collect(),
            plots: worlds().enumerate().map(|(place, world)| sums.plot(place, world)).collect(),
            claims: sums.claims(),
        }
    }
}

/// Rows, asked by world, planner and number of units.
struct Sums<'a> {
    of: &'a Settings<Own>,
    rows: &'a [Row],
}

impl Sums<'_> {
    fn rows(&self, world: &str, planner: &str, units: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.world == world && row.planner == planner && row.units == units)
    }

    /// The mean over seeds of the largest delay of each.
    fn largest(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        mean(self.rows(world, planner, units).map(|row| row.largest_delay as f64))
    }

    fn mean(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        mean(self.rows(world, planner, units).map(|row| row.mean_delay))
    }

    fn table(&self, world: &str) -> Table {
        let columns = ["units", "order", "goals", "mean delay", "largest delay", "of all seeds", "stuck"];
        let mut table = Table::new(format!("{world}: delays in {} ticks", self.of.own.ticks), columns);
        for &units in &self.of.scale.units {
            for Named { name, .. } in &self.of.own.planners {
                let rows = || self.rows(world, name, units);
                table.row(vec![
                    units.to_string(),
                    name.clone(),
                    number(mean(rows().map(|row| row.goals as f64)), 0),
                    number(self.mean(world, name, units), 1),
                    number(self.largest(world, name, units), 0),
                    number(largest(rows().map(|row| row.largest_delay as f64)), 0),
                    number(mean(rows().map(|row| row.stuck as f64)), 2),
                ]);
            }
        }
        table
    }

    fn plot(&self, place: usize, world: &str) -> Plot {
        let series = |Named { name, .. }: &Named| {
            let point = |&units: &usize| Some((units as f64, self.largest(world, name, units)?));
            Series { name: name.clone(), points: self.of.scale.units.iter().filter_map(point).collect() }
        };
        Plot::Lines(Lines {
            file: format!("largest-{}", place + 1),
            title: format!("{world}: largest delay of any way"),
            x: "units".to_owned(),
            log: false,
            y: "ticks".to_owned(),
            series: self.of.own.planners.iter().map(series).collect(),
        })
    }

    fn claims(&self) -> Vec<Claim> {
        let many = self.of.most_units();
        let document =
            "most delayed agents have a chance to make reservations in the table before other agents";
        let mut claims = Vec::new();
        for world in self.of.places.iter().map(|place| place.world.name.as_str()) {
            let over = |of: &dyn Fn(&str) -> Option<f64>| ratio(of("delay"), of("arrival"));
            claims.push(Claim::new(
                format!("{world}: the largest delay is smaller if the most delayed go first"),
                document,
                format!("largest delay of {many} units, mean of all seeds, delay over arrival; below 1"),
                over(&|planner| self.largest(world, planner, many)),
                |times| times < 1.0,
            ));
            claims.push(Claim::new(
                format!("{world}: … and the mean delay is hardly larger"),
                "nothing; an expectation of ours",
                format!("mean delay of {many} units, delay over arrival; at most 1.1"),
                over(&|planner| self.mean(world, planner, many)),
                |times| times <= 1.1,
            ));
        }
        let of_delay = || self.rows.iter().filter(|row| row.planner == "delay");
        claims.push(Claim::new(
            "Nobody is left behind if the most delayed go first",
            document,
            format!(
                "most units of any run that were under way for {} times as long as alone in the end; 0",
                self.of.own.patience
            ),
            largest(of_delay().map(|row| row.stuck as f64)),
            |most| most == 0.0,
        ));
        claims.push(Claim::new(
            "Nobody collides, and no move fails",
            "each step in the path reserved in the table",
            "most collisions and failed moves of any run; 0",
            largest(self.rows.iter().map(|row| (row.collisions + row.failed_moves) as f64)),
            |most| most == 0.0,
        ));
        claims
    }
}
