//! What the rows come to: tables, curves and verdicts.

use super::{Budgets, Promise, Row, in_words};
use crate::stats::{largest, mean, ratio};
use crate::table::{number, percent};
use crate::{Claim, Lines, Plot, Series, Table};

/// Rows, asked by world, window and budget.
pub(super) struct Sums<'a> {
    pub(super) of: &'a Budgets,
    pub(super) rows: &'a [Row],
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
        mean(
            self.rows(setting, budget).flat_map(|row| row.arrivals.iter().flatten()).map(|&tick| tick as f64),
        )
    }

    /// How many times later units arrive than without a limit, all that arrive either way together.
    fn times<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Option<f64> {
        let (mut late, mut soon) = (0, 0);
        for row in rows {
            for both in row.arrivals.iter().zip(&self.freely(row)?.arrivals) {
                if let (Some(with), Some(without)) = both {
                    late += with;
                    soon += without;
                }
            }
        }
        ratio(Some(late as f64), Some(soon as f64))
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let table = |setting: Setting<'_>| {
            let title = format!("{}, window {}", setting.world, setting.window);
            let columns = [
                "budget",
                "arrived",
                "all arrive",
                "arrival",
                "times later",
                "makespan",
                "latest",
                "collisions",
                "failed",
                "most work",
                "mean work",
                "ticks",
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

    pub(super) fn plots(&self) -> Vec<Plot> {
        // No limit has no place on the axis: it goes one step beyond the largest.
        let beyond = self.of.0.own.budgets.iter().max().map_or(1.0, |&most| most as f64 * 10.0);
        let plot = |file: &str, title: &str, of: &dyn Fn(Setting<'_>, Option<u64>) -> Option<f64>| {
            let series = |setting: Setting<'_>| {
                let point = |budget: Option<u64>| {
                    let x = budget.map_or(beyond, |most| most as f64);
                    Some((x, of(setting, budget)?))
                };
                let mut points: Vec<_> =
                    self.of.budgets().filter_map(point).filter(|at| at.0 > 0.0).collect();
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

    pub(super) fn claims(&self) -> Vec<Claim> {
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
