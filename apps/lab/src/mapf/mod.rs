//! `mapf-benchmark`: the share of instances that are solved within a limit, as agents grow in number, on every map of a folder.
//!
//! Its rows hold times, so that two runs do not agree to the last digit: who solves what within a limit depends on the machine.

mod sums;

use crate::settings::{Named, Settings, Spot, Which};
use crate::{Case, Conclusion, Deadline, Experiment, LabError, Request, Watch, atlas};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::{Duration, Instant};
use throng::core::{Outcome, Unobserved};
use throng::{Options, solve};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Benchmark(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Own {
    /// Seconds for an instance.
    limit: f64,
    planners: Vec<Named>,
    claim: Goal,
}

/// What a planner is held against: the share of all instances with up to so many agents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Goal {
    planner: String,
    agents: usize,
    share: f64,
}

/// One planner on one instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    map: String,
    scen: String,
    planner: String,
    agents: usize,
    solved: bool,
    /// Until the answer was there, judged.
    seconds: f64,
    /// Of the plan, if there is one.
    cost: Option<u64>,
    makespan: Option<u64>,
    /// What no plan can beat.
    bound: Option<u64>,
}

impl Experiment for Benchmark {
    const NAME: &'static str = "mapf-benchmark";
    const SOURCE: &'static str =
        "Stern et al., Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks (the benchmark)";
    const ABOUT: &'static str =
        "the share of instances solved within a limit, as agents grow in number (--data DIR)";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/mapf-benchmark.toml");
        // Whatever the folder has takes the place of all that would be drawn.
        let drawn = Request { data: None, ..request.clone() };
        let mut settings = Settings::open(Self::NAME, text, &drawn, watch)?;
        if let Some(folder) = &request.data {
            settings.places = atlas::all(folder)?;
        }
        Ok(Self(settings))
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
            if spot.units > self.0.places[spot.place].most_units(spot.seed) {
                continue;
            }
            for (planner, Named { name, .. }) in self.0.own.planners.iter().enumerate() {
                let key =
                    format!("{}, {}, {} agents, {name}", self.0.world(&spot), self.scen(&spot), spot.units);
                cases.push(Case { key, what: Which { spot, planner } });
            }
        }
        cases
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let Named { name, spec } = &self.0.own.planners[planner];
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let options = Options::planner(spec);
        let begin = Instant::now();
        let limit = Deadline::new(begin, Duration::from_secs_f64(self.0.own.limit));
        let solution = solve(&scenario, &options, &limit, &mut Unobserved)?;
        let seconds = begin.elapsed().as_secs_f64();
        let report = solution.report.as_ref().filter(|_| matches!(solution.outcome, Outcome::Solved(_)));
        Ok(Row {
            map: self.0.world(&spot).to_owned(),
            scen: self.scen(&spot),
            planner: name.clone(),
            agents: spot.units,
            // Work that was begun within the limit may end beyond it.
            solved: solution.is_solved() && seconds <= self.0.own.limit,
            seconds: (seconds * 1e6).round() / 1e6,
            cost: report.map(|report| report.soc),
            makespan: report.map(|report| report.makespan),
            bound: solution.bounds.map(|bounds| bounds.soc),
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        sums::conclude(&self.0, rows)
    }
}

impl Benchmark {
    fn scen(&self, spot: &Spot) -> String {
        self.0.places[spot.place].scen(spot.seed).unwrap_or_else(|| format!("seed {}", spot.seed))
    }
}
