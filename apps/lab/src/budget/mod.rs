//! `budget`: when units arrive if there are only so many expansions for all of them in a tick.

mod sums;
#[cfg(test)]
mod tests;

use crate::observers::PerTick;
use crate::settings::{Settings, Spot};
use crate::trial::{self, Counts};
use crate::{Case, Conclusion, Experiment, LabError, Request, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sums::Sums;
use throng::core::{Expansions, Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Budgets(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    windows: Vec<u32>,
    budgets: Vec<u64>,
    promise: Promise,
}

/// With this budget all arrive, at most so many times later than without a limit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Promise {
    budget: u64,
    times: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    spot: Spot,
    window: u32,
    /// Expansions per tick, if they are limited.
    budget: Option<u64>,
}

/// What became of one crowd.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    window: u32,
    budget: Option<u64>,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    /// When the last one came to stay, if all have.
    makespan: Option<Tick>,
    /// Expansions of the busiest tick.
    largest_tick: u64,
    /// By unit: when it came to stay, if it has.
    arrivals: Vec<Option<Tick>>,
}

impl Experiment for Budgets {
    const NAME: &'static str = "budget";
    const SOURCE: &'static str = "Throng itself: `Budget` in crates/core/src/contract.rs";
    const ABOUT: &'static str = "when units arrive if a tick has only so many expansions for all of them";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/budget.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.windows.iter().copied().map(planner).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            for &window in &self.0.own.windows {
                for budget in self.budgets() {
                    let (Spot { units, seed, .. }, world) = (spot, self.0.world(&spot));
                    let limit = in_words(budget);
                    let key = format!("{world}, {units} units, seed {seed}, window {window}, budget {limit}");
                    cases.push(Case { key, what: Which { spot, window, budget } });
                }
            }
        }
        cases
    }

    fn run(&self, &Which { spot, window, budget }: &Which) -> Result<Row, LabError> {
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let (planner, until) = (planner(window), self.0.own.ticks);
        let mut ticks = PerTick::default();
        let counts = match budget {
            Some(most) => trial::run(&scenario, &planner, spot.seed, until, &Expansions(most), &mut ticks)?,
            None => trial::run(&scenario, &planner, spot.seed, until, &Unlimited, &mut ticks)?,
        };
        let arrivals = counts.settled.clone();
        Ok(Row {
            world: self.0.world(&spot).to_owned(),
            window,
            budget,
            seed: spot.seed,
            makespan: arrivals
                .iter()
                .copied()
                .collect::<Option<Vec<_>>>()
                .and_then(|all| all.into_iter().max()),
            counts,
            largest_tick: ticks.expanded.iter().copied().max().unwrap_or(0),
            arrivals,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { of: self, rows };
        Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
    }
}

impl Budgets {
    /// Without a limit first: that is what the others are held against.
    fn budgets(&self) -> impl Iterator<Item = Option<u64>> {
        std::iter::once(None).chain(self.0.own.budgets.iter().copied().map(Some))
    }
}

fn planner(window: u32) -> String {
    format!("whca(window={window},rescue=off)")
}

fn in_words(budget: Option<u64>) -> String {
    budget.map_or_else(|| "unlimited".to_owned(), |most| most.to_string())
}

impl Row {
    fn work(&self) -> u64 {
        self.counts.main + self.counts.backwards
    }

    fn share(&self) -> f64 {
        self.counts.arrived as f64 / self.counts.agents as f64
    }

    /// The busiest tick as a multiple of what it was given. Any work at all is too much where nothing was.
    fn filled(&self) -> Option<f64> {
        match (self.budget?, self.largest_tick) {
            (0, 0) => Some(0.0),
            (most, done) => Some(done as f64 / most as f64),
        }
    }
}
