//! `delays`: what it costs that units slip, by who plans and how the plan is followed.

use crate::settings::{Settings, Spot};
use crate::stats::mean;
use crate::table::number;
use crate::{
    Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch, trial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::Options;
use throng::core::{
    Agent, Brings, Delays, Event, Observer, Places, Scenario, Stream, Supply, Task, Tick, Unlimited,
};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Lateness(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    rates: Vec<f64>,
    length: [u32; 2],
    planners: Vec<Method>,
}

/// Who plans, and how the plan is followed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Method {
    name: String,
    spec: String,
    /// Whether plans are thought over.
    #[serde(default)]
    replan: bool,
    /// Whether it also does errands.
    #[serde(default)]
    endless: bool,
}

/// One method in one spot at one rate, once or for ever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct What {
    spot: Spot,
    method: usize,
    rate: usize,
    endless: bool,
}

/// What became of one world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    method: String,
    endless: bool,
    seed: u64,
    units: usize,
    rate: f64,
    ticks: Tick,
    /// Units that rest at their goals in the end, or errands done.
    done: u64,
    /// Ticks until those came to stay, in sum.
    arrival: u64,
    /// Ticks lost by slipping, ticks in which units waited for those whose turn was before theirs, moves that failed.
    late: u64,
    waits: u64,
    failed_moves: u64,
    /// How often a unit was given another way by a plan that was made anew.
    replans: u64,
    collisions: u64,
}

/// Counts what delays bring about.
#[derive(Default)]
struct Counted {
    late: u64,
    waits: u64,
    done: u64,
}

impl Observer for Counted {
    fn event(&mut self, _tick: Tick, event: &Event) {
        match event {
            Event::Slipped { ticks, .. } => self.late += u64::from(*ticks),
            Event::Waits { .. } => self.waits += 1,
            Event::Done { .. } => self.done += 1,
            _ => {}
        }
    }
}

impl Experiment for Lateness {
    const NAME: &'static str = "delays";
    const SOURCE: &'static str = "Hönig et al., Persistent and Robust Execution of MAPF Schedules in Warehouses (2019); limits of ours";
    const ABOUT: &'static str =
        "what is done when units slip: plans followed in order, made anew, and who decides every tick";

    type Case = What;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/delays.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|method| method.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<What>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            for (method, Method { name, endless, .. }) in self.0.own.planners.iter().enumerate() {
                for endless in [false, true].into_iter().take(1 + usize::from(*endless)) {
                    for (rate, of) in self.0.own.rates.iter().enumerate() {
                        let Spot { units, seed, .. } = spot;
                        let how = if endless { "errands" } else { "once" };
                        let world = self.0.world(&spot);
                        let key = format!("{world}, {units} units, seed {seed}, {name}, {how}, rate {of}");
                        cases.push(Case { key, what: What { spot, method, rate, endless } });
                    }
                }
            }
        }
        cases
    }

    fn run(&self, &What { spot, method, rate, endless }: &What) -> Result<Row, LabError> {
        let (own, place) = (&self.0.own, &self.0.places[spot.place]);
        let (Method { name, spec, replan, .. }, rate) = (&own.planners[method], own.rates[rate]);
        let [shortest, longest] = own.length;
        let millionths = (rate * f64::from(Delays::ALWAYS)).round() as u32;
        let delays = Delays { rate: millionths, shortest, longest, ..Delays::default() };
        let once = place.scenario(spot.units, spot.seed)?;
        let world = if endless { for_ever(&once)? } else { once }.with_delays(delays)?;
        let mut counted = Counted::default();
        let replan = replan.then_some(16);
        let options = Options { seed: spot.seed, replan, ..Options::planner(spec) };
        let counts = trial::run_as(&world, &options, own.ticks, &Unlimited, &mut counted, &mut |_| {})?;
        Ok(Row {
            world: place.world.name.clone(),
            method: name.clone(),
            endless,
            seed: spot.seed,
            units: spot.units,
            rate,
            ticks: counts.ticks,
            done: if endless { counted.done } else { counts.arrived as u64 },
            arrival: counts.arrival,
            late: counted.late,
            waits: counted.waits,
            failed_moves: counts.failed_moves,
            replans: if spec == "lacam" { counts.searches } else { 0 },
            collisions: counts.collisions,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { of: &self.0, rows };
        let worlds = || self.0.places.iter().map(|place| place.world.name.as_str()).enumerate();
        let both = || worlds().flat_map(|world| [(world, false), (world, true)]);
        Conclusion {
            tables: both().map(|((_, world), endless)| sums.table(world, endless)).collect(),
            plots: both().map(|((place, world), endless)| sums.plot(place, world, endless)).collect(),
            claims: worlds().flat_map(|(_, world)| sums.claims(world)).collect(),
        }
    }
}

/// The same units, doing errands with two stops anywhere; half as many again are open as there are units.
fn for_ever(scenario: &Scenario) -> Result<Scenario, LabError> {
    let servant = |agent: &Agent| Agent { task: Task::Errands(Vec::new()), ..agent.clone() };
    let agents: Vec<Agent> = scenario.agents().iter().map(servant).collect();
    let supply = Supply::Open((agents.len() + agents.len() / 2) as u32);
    let brings = Brings::Drawn(vec![Places::Anywhere; 2]);
    let stream = Stream { supply, brings, count: None, seed: None };
    let world = Scenario::new(scenario.name(), scenario.grid().clone(), scenario.rules(), agents)?;
    Ok(world.with_stream(Some(stream))?)
}

/// Rows, asked by world, method, number of units and rate.
struct Sums<'a> {
    of: &'a Settings<Own>,
    rows: &'a [Row],
}

impl Sums<'_> {
    fn mean(
        &self,
        (world, endless): (&str, bool),
        method: &str,
        (units, rate): (usize, f64),
        of: impl Fn(&Row) -> f64,
    ) -> Option<f64> {
        let these = |row: &&Row| {
            row.world == world
                && row.endless == endless
                && row.method == method
                && row.units == units
                && row.rate.to_bits() == rate.to_bits()
        };
        mean(self.rows.iter().filter(these).map(of))
    }

    /// What is done in a hundred ticks.
    fn throughput(&self, world: (&str, bool), method: &str, spot: (usize, f64)) -> Option<f64> {
        self.mean(world, method, spot, |row| row.done as f64 * 100.0 / row.ticks.max(1) as f64)
    }

    fn methods(&self, endless: bool) -> impl Iterator<Item = &str> {
        let these = move |method: &&Method| method.endless || !endless;
        self.of.own.planners.iter().filter(these).map(|method| method.name.as_str())
    }

    fn table(&self, world: &str, endless: bool) -> Table {
        let what = if endless { "errands done in 100 ticks" } else { "units that arrive in 100 ticks" };
        let title = format!("{world}: {what}, and what a unit loses in 100 ticks");
        let columns = [
            "units",
            "rate",
            "method",
            "done",
            "ticks",
            "mean arrival",
            "late",
            "waits",
            "failed",
            "replans",
        ];
        let mut table = Table::new(title, columns);
        for &units in &self.of.scale.units {
            for &rate in &self.of.own.rates {
                for method in self.methods(endless) {
                    let at = (world, endless);
                    let each = |of: fn(&Row) -> u64| {
                        self.mean(at, method, (units, rate), |row| {
                            of(row) as f64 * 100.0 / (row.ticks.max(1) as f64 * units.max(1) as f64)
                        })
                    };
                    let arrival = |row: &Row| row.arrival as f64 / row.done.max(1) as f64;
                    table.row(vec![
                        units.to_string(),
                        rate.to_string(),
                        method.to_owned(),
                        number(self.throughput(at, method, (units, rate)), 1),
                        number(self.mean(at, method, (units, rate), |row| row.ticks as f64), 0),
                        number(self.mean(at, method, (units, rate), arrival).filter(|_| !endless), 1),
                        number(each(|row| row.late), 2),
                        number(each(|row| row.waits), 2),
                        number(each(|row| row.failed_moves), 2),
                        number(
                            self.mean(at, method, (units, rate), |row| row.replans as f64 / units as f64),
                            1,
                        ),
                    ]);
                }
            }
        }
        table
    }

    fn plot(&self, place: usize, world: &str, endless: bool) -> Plot {
        let units = self.of.most_units();
        let series = |name: &str| {
            let point = |&rate: &f64| Some((rate, self.throughput((world, endless), name, (units, rate))?));
            Series { name: name.to_owned(), points: self.of.own.rates.iter().filter_map(point).collect() }
        };
        let (file, what) = match endless {
            true => ("errands", "errands done in 100 ticks"),
            false => ("arrivals", "units that arrive in 100 ticks"),
        };
        Plot::Lines(Lines {
            file: format!("{file}-{}", place + 1),
            title: format!("{world}: {what}, {units} units"),
            x: "chance to slip in a tick".to_owned(),
            log: false,
            y: what.to_owned(),
            series: self.methods(endless).map(series).collect(),
        })
    }

    fn claims(&self, world: &str) -> Vec<Claim> {
        let units = self.of.most_units();
        let of = |row: &Row| row.world == world;
        let rows = || self.rows.iter().filter(|row| of(row));
        let most = self.of.own.rates.iter().copied().fold(0.0, f64::max);
        let arrival = |method: &str| {
            self.mean((world, false), method, (units, most), |row| {
                row.arrival as f64 / row.done.max(1) as f64
            })
        };
        let planned =
            |row: &&Row| self.of.own.planners.iter().any(|m| m.name == row.method && m.spec == "lacam");
        let ours = "an expectation of ours";
        vec![
            Claim::new(
                "Nobody collides, whoever is late",
                ours,
                format!("{world}: objections of the judge; 0"),
                Some(rows().map(|row| row.collisions).sum::<u64>() as f64),
                |collisions| collisions == 0.0,
            ),
            Claim::new(
                "No move fails of those who follow a plan in the order of its moves",
                ours,
                format!("{world}: failed moves; 0"),
                Some(rows().filter(planned).map(|row| row.failed_moves).sum::<u64>() as f64),
                |failed| failed == 0.0,
            ),
            Claim::new(
                "All of them arrive: the order never locks",
                ours,
                format!("{world}: units that do not; 0"),
                Some(rows().filter(planned).map(|row| row.units as u64 - row.done).sum::<u64>() as f64),
                |missing| missing == 0.0,
            ),
            Claim::new(
                "To think plans over pays where much goes wrong",
                ours,
                format!("{world}: mean arrival of {units} units at rate {most}, replanned over not; below 1"),
                arrival("the same, replanned").zip(arrival("order of lacam")).map(|(a, b)| a / b),
                |times| times < 1.0,
            ),
        ]
    }
}
