//! `budget`: when units arrive if there are only so many expansions for all of them in a tick.

use crate::observers::PerTick;
use crate::settings::{Settings, Spot};
use crate::stats::{largest, mean, ratio};
use crate::table::{number, percent};
use crate::trial::{self, Counts};
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
        let text = include_str!("../../../experiments/budget.toml");
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
            Some(most) => {
                trial::run(&scenario, &planner, spot.seed, until, &Expansions(most), &mut ticks)?
            }
            None => trial::run(&scenario, &planner, spot.seed, until, &Unlimited, &mut ticks)?,
        };
        let arrivals = counts.settled.clone();
        Ok(Row {
            world: self.0.world(&spot).to_owned(),
            window,
            budget,
            seed: spot.seed,
            makespan: arrivals.iter().copied().collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
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
    format!("whca(window={window})")
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

/// Rows, asked by world, window and budget.
struct Sums<'a> {
    of: &'a Budgets,
    rows: &'a [Row],
}

/// One world under one window: a table, and a curve in every plot.
#[derive(Clone, Copy)]
struct Setting<'a> {
    world: &'a str,
    window: u32,
}

impl Sums<'_> {
    fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        let worlds = self.of.0.places.iter().map(|place| place.world.name.as_str());
        worlds.flat_map(|world| self.of.0.own.windows.iter().map(move |&window| Setting { world, window }))
    }

    fn rows(&self, setting: Setting<'_>, budget: Option<u64>) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| {
            (row.world.as_str(), row.window, row.budget) == (setting.world, setting.window, budget)
        })
    }

    /// The same crowd without a limit.
    fn freely(&self, limited: &Row) -> Option<&Row> {
        let setting = Setting { world: &limited.world, window: limited.window };
        self.rows(setting, None)
            .find(|row| (row.seed, row.counts.agents) == (limited.seed, limited.counts.agents))
    }

    /// Mean arrival of those who arrive.
    fn arrival(&self, setting: Setting<'_>, budget: Option<u64>) -> Option<f64> {
        mean(self.rows(setting, budget).flat_map(|row| row.arrivals.iter().flatten()).map(|&tick| tick as f64))
    }

    /// How many times later units arrive than without a limit, all that arrive either way together.
    fn times(&self, rows: impl Iterator<Item = impl std::borrow::Borrow<Row>>) -> Option<f64> {
        let (mut late, mut soon) = (0, 0);
        for row in rows {
            let row = row.borrow();
            for both in row.arrivals.iter().zip(&self.freely(row)?.arrivals) {
                if let (Some(with), Some(without)) = both {
                    late += with;
                    soon += without;
                }
            }
        }
        ratio(Some(late as f64), Some(soon as f64))
    }

    fn tables(&self) -> Vec<Table> {
        let table = |setting: Setting<'_>| {
            let title = format!("{}, window {}", setting.world, setting.window);
            let columns = [
                "budget", "arrived", "all arrive", "arrival", "times later", "makespan", "latest", "collisions",
                "failed", "most work", "mean work", "ticks",
            ];
            let mut table = Table::new(title, columns);
            for budget in self.of.budgets() {
                let rows = || self.rows(setting, budget);
                let whole = |row: &Row| f64::from(u8::from(row.makespan.is_some()));
                let makespans = || rows().filter_map(|row| row.makespan).map(|tick| tick as f64);
                let sum = |count: fn(&Row) -> u64| rows().map(count).sum::<u64>();
                table.row(vec![
                    in_words(budget),
                    percent(mean(rows().map(Row::share))),
                    percent(mean(rows().map(whole))),
                    number(self.arrival(setting, budget), 1),
                    number(self.times(rows()), 2),
                    number(mean(makespans()), 0),
                    number(largest(makespans()), 0),
                    sum(|row| row.counts.collisions).to_string(),
                    sum(|row| row.counts.failed_moves).to_string(),
                    number(largest(rows().map(|row| row.largest_tick as f64)), 0),
                    number(ratio(Some(sum(Row::work) as f64), Some(sum(|row| row.counts.ticks) as f64)), 1),
                    number(mean(rows().map(|row| row.counts.ticks as f64)), 0),
                ]);
            }
            table
        };
        self.settings().map(table).collect()
    }

    fn plots(&self) -> Vec<Plot> {
        // No limit has no place on the axis: it goes one step beyond the largest.
        let beyond = self.of.0.own.budgets.iter().max().map_or(1.0, |&most| most as f64 * 10.0);
        let plot = |file: &str, title: &str, of: &dyn Fn(Setting<'_>, Option<u64>) -> Option<f64>| {
            let series = |setting: Setting<'_>| {
                let point = |budget: Option<u64>| {
                    let x = budget.map_or(beyond, |most| most as f64);
                    Some((x, of(setting, budget)?))
                };
                let mut points: Vec<_> = self.of.budgets().filter_map(point).filter(|at| at.0 > 0.0).collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                Series { name: format!("{}, {}", setting.world, setting.window), points }
            };
            Plot::Lines(Lines {
                file: file.to_owned(),
                title: title.to_owned(),
                x: "expansions per tick; at the right end without a limit".to_owned(),
                log: true,
                y: String::new(),
                series: self.settings().map(series).collect(),
            })
        };
        let share = |setting: Setting<'_>, budget| mean(self.rows(setting, budget).map(Row::share));
        let times = |setting: Setting<'_>, budget| self.times(self.rows(setting, budget));
        vec![
            plot("arrival", "Mean tick of arrival, of those who arrive", &|at, most| self.arrival(at, most)),
            plot("times", "Times later than without a limit, of those who arrive either way", &times),
            plot("arrived", "Share of units that arrive", &share),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        let Promise { budget, times } = self.of.0.own.promise;
        let promised = || self.rows.iter().filter(move |row| row.budget == Some(budget));
        let limited = || self.rows.iter().filter(|row| row.budget.is_some());
        let most = |count: fn(&Row) -> u64| largest(self.rows.iter().map(|row| count(row) as f64));
        let least = |shares: &mut dyn Iterator<Item = f64>| shares.reduce(f64::min);
        vec![
            Claim::new(
                "The largest work in any tick is never above the budget",
                "a bound that is kept to the last one",
                "expansions of the busiest tick of any run over its budget, both kinds of search; at most 1",
                largest(limited().filter_map(Row::filled)),
                |times| times <= 1.0,
            ),
            Claim::new(
                "Nobody ever collides, whatever the budget",
                "no two units collide",
                "most collisions in any run, as the judge counts them; 0",
                most(|row| row.counts.collisions),
                |most| most == 0.0,
            ),
            Claim::new(
                "No move ever fails, whatever the budget",
                "units follow what they have reserved meanwhile",
                "most failed moves in any run; 0",
                most(|row| row.counts.failed_moves),
                |most| most == 0.0,
            ),
            Claim::new(
                format!("With a budget of {budget} all arrive"),
                "a search that has not ended goes on in the next tick",
                "least share of units that arrive in any run; 1",
                least(&mut promised().map(Row::share)),
                |share| share >= 1.0,
            ),
            Claim::new(
                format!("With a budget of {budget} units arrive at most {times} times later"),
                "a search that has not ended goes on in the next tick",
                format!("arrival over that without a limit, the worst world and window; at most {times}"),
                largest(self.settings().filter_map(|at| self.times(self.rows(at, Some(budget))))),
                |figure| figure <= times,
            ),
            Claim::new(
                "Whatever the budget, as long as there is one, all arrive in the end",
                "a search that has not ended goes on in the next tick",
                "least share of units that arrive in any run with a budget above 0; 1",
                least(&mut limited().filter(|row| row.budget > Some(0)).map(Row::share)),
                |share| share >= 1.0,
            ),
        ]
    }
}
