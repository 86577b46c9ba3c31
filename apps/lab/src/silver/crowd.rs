//! `silver-crowd`: how many units arrive, by which ways and at what cost, as a map fills up.

use super::SOURCE;
use crate::observers::PerTick;
use crate::settings::{Named, Settings, Which};
use crate::stats::{largest, mean, ratio};
use crate::table::{number, percent};
use crate::trial::{self, Counts};
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Crowd(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    planners: Vec<Named>,
}

/// What one planner made of one crowd.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    /// Expansions before anybody can move.
    first_tick: u64,
    largest_tick: u64,
}

impl Experiment for Crowd {
    const NAME: &'static str = "silver-crowd";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = "who arrives, by which way and at what cost, as a map fills up with units";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/silver-crowd.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|planner| planner.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        self.0.cases(|own| own.planners.iter().map(|planner| planner.name.as_str()).collect())
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let Named { name, spec } = &self.0.own.planners[planner];
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let mut ticks = PerTick::default();
        let counts = trial::run(&scenario, spec, spot.seed, self.0.own.ticks, &Unlimited, &mut ticks)?;
        Ok(Row {
            world: self.0.world(&spot).to_owned(),
            planner: name.clone(),
            seed: spot.seed,
            counts,
            first_tick: ticks.expanded.first().copied().unwrap_or(0),
            largest_tick: ticks.expanded.iter().copied().max().unwrap_or(0),
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { crowd: self, rows };
        Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
    }
}

/// Rows, asked by planner and number of units.
struct Sums<'a> {
    crowd: &'a Crowd,
    rows: &'a [Row],
}

/// What tables and plots tell.
struct Column {
    name: &'static str,
    title: &'static str,
    of: fn(&Row) -> Option<f64>,
}

const COLUMNS: [Column; 7] = [
    Column {
        name: "arrived",
        title: "Share of units that arrive",
        of: |row| Some(row.per_unit(row.counts.arrived as f64)),
    },
    Column {
        name: "length",
        title: "Path length of those who arrive, as a multiple of the shortest",
        of: |row| (row.counts.steps_alone > 0).then(|| row.counts.steps / row.counts.steps_alone as f64),
    },
    Column {
        name: "expanded",
        title: "Expansions per unit, true distances included",
        of: |row| Some(row.per_unit((row.counts.main + row.counts.backwards) as f64)),
    },
    Column {
        name: "failed",
        title: "Failed moves per unit",
        of: |row| Some(row.per_unit(row.counts.failed_moves as f64)),
    },
    Column {
        name: "searches",
        title: "Searches per unit in 100 ticks",
        of: |row| Some(row.per_unit(100.0 * row.counts.searches as f64 / row.counts.ticks.max(1) as f64)),
    },
    Column {
        name: "first",
        title: "Expansions per unit before anybody can move",
        of: |row| Some(row.per_unit(row.first_tick as f64)),
    },
    Column {
        name: "whole",
        title: "Share of runs in which everybody arrives",
        of: |row| Some(f64::from(u8::from(row.counts.arrived == row.counts.agents))),
    },
];

impl Row {
    fn per_unit(&self, count: f64) -> f64 {
        count / self.counts.agents as f64
    }
}

impl Sums<'_> {
    /// The mean of a column over seeds (and worlds).
    fn of(&self, column: &str, planner: &str, units: usize) -> Option<f64> {
        let what = COLUMNS.iter().find(|known| known.name == column)?.of;
        mean(
            self.rows
                .iter()
                .filter(|row| row.planner == planner && row.counts.agents == units)
                .filter_map(what),
        )
    }

    fn units(&self) -> &[usize] {
        &self.crowd.0.scale.units
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.crowd.0.own.planners.iter().map(|planner| planner.name.as_str())
    }

    fn tables(&self) -> Vec<Table> {
        let table = |&Column { name: column, title, .. }: &Column| {
            let mut table = Table::new(title, std::iter::once("units").chain(self.names()));
            for &units in self.units() {
                let mut cells = vec![units.to_string()];
                cells.extend(self.names().map(|name| match (column, self.of(column, name, units)) {
                    ("arrived" | "whole", share) => percent(share),
                    ("length", value) => number(value, 3),
                    (_, value) => number(value, 1),
                }));
                table.row(cells);
            }
            table
        };
        COLUMNS.iter().map(table).collect()
    }

    fn plots(&self) -> Vec<Plot> {
        let plot = |&Column { name: column, title, .. }: &Column| {
            let series = |name: &str| {
                let point = |&units: &usize| Some((units as f64, self.of(column, name, units)?));
                Series { name: name.to_owned(), points: self.units().iter().filter_map(point).collect() }
            };
            Plot::Lines(Lines {
                file: column.to_owned(),
                title: title.to_owned(),
                x: "units".to_owned(),
                log: false,
                y: String::new(),
                series: self.names().map(series).collect(),
            })
        };
        COLUMNS.iter().map(plot).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        let few = self.units().iter().copied().min().unwrap_or(0);
        let many = self.crowd.0.most_units();
        let at = |column: &str, planner: &str, units: usize| self.of(column, planner, units);
        let cooperative = || self.rows.iter().filter(|row| row.planner != "lra");
        let lost = |planner: &str| Some(at("arrived", planner, few)? - at("arrived", planner, many)?);
        let gain =
            |better: &str, worse: &str| Some(at("arrived", better, many)? - at("arrived", worse, many)?);
        vec![
            Claim::new(
                "Planning alone and repairing is enough where there is much room",
                "everyone arrives quickly",
                format!("share that arrives with lra, {few} units; at least 0.95"),
                at("arrived", "lra", few),
                |share| share >= 0.95,
            ),
            Claim::new(
                "In a crowd it degenerates into collisions and planning anew",
                "a never-ending cycle",
                format!("failed moves per unit with lra, {many} units over {few}; at least 5"),
                ratio(at("failed", "lra", many), at("failed", "lra", few)),
                |times| times >= 5.0,
            ),
            Claim::new(
                "In a crowd, units that only repair no longer arrive",
                "a never-ending cycle",
                format!("share that arrives with lra, {few} units less {many}; at least 0.1"),
                lost("lra"),
                |lost| lost >= 0.1,
            ),
            Claim::new(
                "Units that know each other's plans do not collide",
                "avoid any conflicting routes",
                "most collisions and failed moves in any run but lra's; 0",
                largest(cooperative().map(|row| (row.counts.collisions + row.counts.failed_moves) as f64)),
                |most| most == 0.0,
            ),
            Claim::new(
                "More units arrive when they cooperate within a window than when they repair",
                "units move efficiently",
                format!("share that arrives, whca 16 less lra, {many} units; above 0"),
                gain("whca 16", "lra"),
                |more| more > 0.0,
            ),
            Claim::new(
                "So they do without promotion and courtesy",
                "units move efficiently",
                format!("share that arrives, plain 16 less lra, {many} units; above 0"),
                gain("plain 16", "lra"),
                |more| more > 0.0,
            ),
            Claim::new(
                "A second chance by promotion gets more units through",
                "additional security",
                format!("share that arrives, whca 16 less plain 16, {many} units; above 0"),
                gain("whca 16", "plain 16"),
                |more| more > 0.0,
            ),
            Claim::new(
                "That security costs additional searches",
                "some additional searches",
                format!("searches in a tick, whca 16 over plain 16, {many} units; above 1"),
                ratio(at("searches", "whca 16", many), at("searches", "plain 16", many)),
                |times| times > 1.0,
            ),
            Claim::new(
                "Looking farther ahead cooperates better",
                "perfect with a window as long as the longest path",
                format!("share that arrives, plain 32 less plain 8, {many} units; not below 0"),
                gain("plain 32", "plain 8"),
                |more| more >= 0.0,
            ),
            Claim::new(
                "Looking far ahead costs",
                "a significant cost",
                format!("expansions, whca 32 over whca 8, {many} units; above 1"),
                ratio(at("expanded", "whca 32", many), at("expanded", "whca 8", many)),
                |times| times > 1.0,
            ),
            Claim::new(
                "Limiting the depth lets units set out after less work than whole paths take",
                "only search ahead that far",
                format!("expansions before anybody moves, hca over whca 16, {many} units; above 1"),
                ratio(at("first", "hca", many), at("first", "whca 16", many)),
                |times| times > 1.0,
            ),
            Claim::new(
                "Units walk little more than they would have to alone",
                "the quickest path to the destination",
                format!("length over shortest, hca, {many} units; at most 1.25"),
                at("length", "hca", many),
                |times| times <= 1.25,
            ),
        ]
    }
}
