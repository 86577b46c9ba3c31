//! `sb-beyond`: what the article leaves for later, each against the plain method: coarse paths around crowds, windows
//! that grow where it is crowded, and regions that nobody enters who cannot pass through. The figures set the defaults.

use super::SOURCE;
use crate::settings::{Named, Settings, Which};
use crate::stats::{mean, ratio};
use crate::table::number;
use crate::trial;
use crate::{Case, Claim, Conclusion, Experiment, LabError, Request, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Tick, Unlimited, Unobserved};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Beyond(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// The first is the plain method.
    planners: Vec<Named>,
}

/// One crowd under one planner.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    units: usize,
    arrived: usize,
    ticks: Tick,
    /// Ticks until arrival, summed over units; who never arrives counts as long as a run may last.
    arrival: u64,
    expanded: u64,
    /// Steps of all who arrived.
    distance: f64,
}

impl Experiment for Beyond {
    const NAME: &'static str = "sb-beyond";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = "planning by what the abstraction says of crowds, against the plain method";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/sb-beyond.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
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
            for (planner, named) in self.0.own.planners.iter().enumerate() {
                let key = format!("{}, seed {}, {}", self.0.world(&spot), spot.seed, named.name);
                cases.push(Case { key, what: Which { spot, planner } });
            }
        }
        cases
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let Named { name, spec } = &self.0.own.planners[planner];
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let most = self.0.own.ticks;
        let counts = trial::run(&scenario, spec, spot.seed, most, &Unlimited, &mut Unobserved)?;
        Ok(Row {
            world: self.0.world(&spot).to_owned(),
            planner: name.clone(),
            seed: spot.seed,
            units: counts.agents,
            arrived: counts.arrived,
            ticks: counts.ticks,
            arrival: counts.arrival + most * (counts.agents - counts.arrived) as u64,
            expanded: counts.main + counts.backwards,
            distance: counts.steps,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { beyond: self, rows };
        Conclusion { tables: sums.tables(), plots: Vec::new(), claims: sums.claims() }
    }
}

/// Rows, asked by world and planner.
struct Sums<'a> {
    beyond: &'a Beyond,
    rows: &'a [Row],
}

type Of = fn(&Row) -> f64;

const ARRIVAL: Of = |row| row.arrival as f64 / row.units as f64;
const WORK: Of = |row| row.expanded as f64;

impl Sums<'_> {
    /// The mean over all seeds of a world.
    fn of(&self, world: &str, planner: &str, of: Of) -> Option<f64> {
        mean(self.rows.iter().filter(|row| row.world == world && row.planner == planner).map(of))
    }

    fn worlds(&self) -> impl Iterator<Item = &str> {
        self.beyond.0.places.iter().map(|place| place.world.name.as_str())
    }

    fn planners(&self) -> impl Iterator<Item = &str> {
        self.beyond.0.own.planners.iter().map(|planner| planner.name.as_str())
    }

    fn plain(&self) -> &str {
        self.planners().next().unwrap_or_default()
    }

    /// One planner's values as multiples of the plain one's, the mean over all worlds.
    fn over_plain(&self, planner: &str, of: Of) -> Option<f64> {
        let over = |world| ratio(self.of(world, planner, of), self.of(world, self.plain(), of));
        mean(self.worlds().filter_map(over))
    }

    fn tables(&self) -> Vec<Table> {
        let columns: [(&str, Of, usize); 4] = [
            ("Ticks until a unit arrives, on average", ARRIVAL, 1),
            ("Expansions of a run", WORK, 0),
            ("Units that have not arrived in the end", |row| (row.units - row.arrived) as f64, 2),
            ("Steps of all units", |row| row.distance, 0),
        ];
        let table = |&(title, of, digits): &(&str, Of, usize)| {
            let mut table = Table::new(title, std::iter::once("world").chain(self.planners()));
            for world in self.worlds() {
                let mut cells = vec![world.to_owned()];
                cells.extend(self.planners().map(|planner| number(self.of(world, planner, of), digits)));
                table.row(cells);
            }
            if digits < 2 {
                let mut cells = vec!["times plain".to_owned()];
                cells.extend(self.planners().map(|planner| number(self.over_plain(planner, of), 3)));
                table.row(cells);
            }
            table
        };
        columns.iter().map(table).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        let claim = |text: &str, document: &str, planner: &str, of: Of, what: &str| {
            let measure = format!("{what}, {planner} over plain, mean over worlds; below 1");
            Claim::new(text, document, measure, self.over_plain(planner, of), |times| times < 1.0)
        };
        let (ticks, work) = ("ticks until arrival", "expansions");
        vec![
            claim(
                "Coarse paths around crowds are sooner at their goals",
                "avoid congested routes",
                "crowd 4",
                ARRIVAL,
                ticks,
            ),
            claim(
                "Windows that grow where it is crowded take less work",
                "dynamically vary the window size",
                "auto",
                WORK,
                work,
            ),
            claim("They lead to the goal no later", "(the article does not say)", "auto", ARRIVAL, ticks),
            claim(
                "Who stays out of where it cannot pass through arrives sooner",
                "don't step into a congested region unless we can pass completely through",
                "jam 25",
                ARRIVAL,
                ticks,
            ),
            claim("All three together are sooner", "(the article does not say)", "all three", ARRIVAL, ticks),
        ]
    }
}
