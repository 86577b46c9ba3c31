//! `dm-lifelong`: traffic that never ends, and how many goals it reaches with and without direction maps.

use crate::settings::{Named, Settings, Which};
use crate::stats::{mean, ratio};
use crate::table::number;
use crate::{
    Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch, trial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Agent, Event, Observer, Scenario, Task, Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Lifelong(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// From when on goals count for the verdicts.
    from: Tick,
    planners: Vec<Named>,
}

/// What became of one world's traffic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    units: usize,
    /// Goals reached in each hundred ticks.
    goals: Vec<u64>,
    failed_moves: u64,
    collisions: u64,
    expanded: u64,
    ticks: Tick,
}

/// Ticks that are counted together.
const SPAN: Tick = 100;

/// Counts goals.
struct Goals(Vec<u64>);

impl Observer for Goals {
    fn event(&mut self, tick: Tick, event: &Event) {
        if let Event::Arrived { .. } = event
            && let Some(count) = self.0.get_mut((tick / SPAN) as usize)
        {
            *count += 1;
        }
    }
}

impl Experiment for Lifelong {
    const NAME: &'static str = "dm-lifelong";
    const SOURCE: &'static str = super::SOURCE;
    const ABOUT: &'static str =
        "goals reached by crowds that go to and fro for ever, with and without direction maps";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/dm-lifelong.toml");
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
        let scenario = for_ever(&place.scenario(spot.units, spot.seed)?)?;
        let mut goals = Goals(vec![0; own.ticks.div_ceil(SPAN) as usize]);
        let counts = trial::run(&scenario, spec, spot.seed, own.ticks, &Unlimited, &mut goals)?;
        Ok(Row {
            world: place.world.name.clone(),
            planner: name.clone(),
            seed: spot.seed,
            units: spot.units,
            goals: goals.0,
            failed_moves: counts.failed_moves,
            collisions: counts.collisions,
            expanded: counts.main + counts.backwards,
            ticks: counts.ticks,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { own: &self.0.own, rows };
        let worlds = || self.0.places.iter().map(|place| place.world.name.as_str());
        let (units, most) = (&self.0.scale.units, self.0.most_units());
        Conclusion {
            tables: worlds().map(|world| sums.table(world, units)).collect(),
            plots: worlds().enumerate().map(|(place, world)| sums.plot(place, world, most)).collect(),
            claims: worlds().flat_map(|world| sums.claims(world, units)).collect(),
        }
    }
}

/// The same units, going to and fro for longer than any run.
fn for_ever(scenario: &Scenario) -> Result<Scenario, LabError> {
    let patrol = |agent: &Agent| {
        let task = Task::Patrol { goal: agent.waypoints().last(), rounds: u32::MAX / 2 };
        Agent { task, ..agent.clone() }
    };
    let agents = scenario.agents().iter().map(patrol).collect();
    Ok(Scenario::new(scenario.name(), scenario.grid().clone(), scenario.rules(), agents)?)
}

/// Rows, asked by world, planner and number of units.
struct Sums<'a> {
    own: &'a Own,
    rows: &'a [Row],
}

impl Sums<'_> {
    fn mean(&self, world: &str, planner: &str, units: usize, of: impl Fn(&Row) -> f64) -> Option<f64> {
        let these = |row: &&Row| row.world == world && row.planner == planner && row.units == units;
        mean(self.rows.iter().filter(these).map(of))
    }

    /// Goals in a hundred ticks once lanes have formed.
    fn throughput(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        let from = (self.own.from / SPAN) as usize;
        let late = |row: &Row| mean(row.goals.iter().skip(from).map(|&goals| goals as f64));
        self.mean(world, planner, units, |row| late(row).unwrap_or_default())
    }

    fn over(&self, world: &str, units: usize, one: &str, other: &str) -> Option<f64> {
        ratio(self.throughput(world, one, units), self.throughput(world, other, units))
    }

    fn table(&self, world: &str, units: &[usize]) -> Table {
        let from = self.own.from;
        let title = format!(
            "{world}: goals in 100 ticks from tick {from} on, and work and failures of a unit in 100 ticks"
        );
        let mut table = Table::new(title, ["units", "planner", "goals", "expanded", "failed moves"]);
        for &units in units {
            for Named { name, .. } in &self.own.planners {
                let each = |of: fn(&Row) -> u64| {
                    self.mean(world, name, units, |row| {
                        of(row) as f64 * SPAN as f64 / (row.ticks.max(1) as f64 * units.max(1) as f64)
                    })
                };
                table.row(vec![
                    units.to_string(),
                    name.clone(),
                    number(self.throughput(world, name, units), 1),
                    number(each(|row| row.expanded), 0),
                    number(each(|row| row.failed_moves), 2),
                ]);
            }
        }
        table
    }

    /// How throughput comes about, with the most units.
    fn plot(&self, place: usize, world: &str, units: usize) -> Plot {
        let spans = self.own.ticks.div_ceil(SPAN);
        let series = |Named { name, .. }: &Named| {
            let point = |span: Tick| {
                let goals = self.mean(world, name, units, |row| row.goals[span as usize] as f64)?;
                Some((((span + 1) * SPAN) as f64, goals))
            };
            Series { name: name.clone(), points: (0..spans).filter_map(point).collect() }
        };
        Plot::Lines(Lines {
            file: format!("goals-{}", place + 1),
            title: format!("{world}: goals reached by {units} units in the last 100 ticks"),
            x: "ticks".to_owned(),
            log: false,
            y: "goals".to_owned(),
            series: self.own.planners.iter().map(series).collect(),
        })
    }

    fn claims(&self, world: &str, units: &[usize]) -> Vec<Claim> {
        let (few, many) =
            (units.iter().copied().min().unwrap_or(0), units.iter().copied().max().unwrap_or(0));
        let more = |text: &str, document: &str, one: &str, other: &str| {
            let measure = format!("{world}: goals in 100 ticks of {many} units, {one} over {other}; above 1");
            Claim::new(text, document, measure, self.over(world, many, one, other), |times| times > 1.0)
        };
        let gain = |units| self.over(world, units, "dm-whca", "whca");
        let failed = |planner: &str| self.mean(world, planner, many, |row| row.failed_moves as f64);
        let later = "left for later there; an expectation of ours";
        vec![
            more("Windows along lanes carry more than windows alone", later, "dm-whca", "whca"),
            Claim::new(
                "… and gain by it the more units there are",
                later,
                format!("{world}: the same of {many} units less that of {few}; above 0"),
                gain(many).zip(gain(few)).map(|(many, few)| many - few),
                |more| more > 0.0,
            ),
            more("Windows along lanes carry more than direction maps alone", later, "dm-whca", "dm"),
            more("Planning by the map carries more than looking one step ahead", later, "dm", "dm-greedy"),
            Claim::new(
                "No move of units in windows along lanes fails",
                later,
                format!("{world}: failed moves of {many} units, dm-whca; 0"),
                failed("dm-whca"),
                |failed| failed == 0.0,
            ),
        ]
    }
}
