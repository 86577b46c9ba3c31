//! What the rows come to: tables, curves and verdicts.

use super::super::traffic::SPAN;
use super::{Flocks, Own, Row, by_bonus};
use crate::settings::{Named, Settings};
use crate::stats::{largest, mean, ratio};
use crate::table::number;
use crate::{Claim, Lines, Plot, Series, Table};

/// Rows, asked by world, planner and number of units.
pub(super) struct Sums<'a> {
    pub(super) of: &'a Settings<Own>,
    pub(super) rows: &'a [Row],
}

impl Sums<'_> {
    fn rows(&self, world: &str, planner: &str, units: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.world == world && row.planner == planner && row.units == units)
    }

    /// Travel time over what ways take alone at a walk with nobody else there.
    fn travel(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        let sum = |of: fn(&Row) -> u64| self.rows(world, planner, units).map(of).sum::<u64>() as f64;
        ratio(Some(sum(|row| row.travel)), Some(sum(|row| row.travel_alone)))
    }

    /// Goals in a span, over the first or the last half of a run.
    fn throughput(&self, world: &str, planner: &str, units: usize, late: bool) -> Option<f64> {
        let half = |row: &Row| {
            let middle = row.goals.len() / 2;
            let goals = if late { &row.goals[middle..] } else { &row.goals[..middle] };
            mean(goals.iter().map(|&goals| goals as f64)).unwrap_or(0.0)
        };
        mean(self.rows(world, planner, units).map(half))
    }

    fn worlds(&self) -> impl Iterator<Item = &str> {
        self.of.places.iter().map(|place| place.world.name.as_str())
    }

    fn planners(&self) -> Vec<String> {
        Flocks::named(&self.of.own).into_iter().map(|Named { name, .. }| name).collect()
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let table = |world: &str| {
            let title =
                format!("{world}: goals in {SPAN} ticks, early and late; travel time over that alone");
            let columns = ["units", "planner", "early", "late", "travel", "joined", "largest flock", "stuck"];
            let mut table = Table::new(title, columns);
            for &units in &self.of.scale.units {
                for name in &self.planners() {
                    let rows = || self.rows(world, name, units);
                    table.row(vec![
                        units.to_string(),
                        name.clone(),
                        number(self.throughput(world, name, units, false), 1),
                        number(self.throughput(world, name, units, true), 1),
                        number(self.travel(world, name, units), 3),
                        number(mean(rows().map(|row| row.joined as f64)), 0),
                        number(largest(rows().map(|row| row.largest as f64)), 0),
                        number(mean(rows().map(|row| row.stuck as f64)), 1),
                    ]);
                }
            }
            table
        };
        self.worlds().map(table).collect()
    }

    pub(super) fn plots(&self) -> Vec<Plot> {
        let many = self.of.most_units();
        let mut plots = Vec::new();
        for (place, world) in self.worlds().enumerate() {
            let density = |name: String| {
                let point = |&units: &usize| Some((units as f64, self.travel(world, &name, units)?));
                let points = self.of.scale.units.iter().filter_map(point).collect();
                Series { name, points }
            };
            plots.push(Plot::Lines(Lines {
                file: format!("travel-{}", place + 1),
                title: format!("{world}: travel time, a walk alone on empty roads is 1"),
                x: "units".to_owned(),
                log: false,
                y: String::new(),
                series: self.planners().into_iter().map(density).collect(),
            }));
            let time = |name: String| {
                let spans = self.of.own.ticks.div_ceil(SPAN);
                let goals = |span: u64| {
                    mean(
                        self.rows(world, &name, many)
                            .filter_map(|row| row.goals.get(span as usize))
                            .map(|&g| g as f64),
                    )
                };
                let points = (0..spans).filter_map(|span| Some((((span + 1) * SPAN) as f64, goals(span)?)));
                Series { points: points.collect(), name }
            };
            plots.push(Plot::Lines(Lines {
                file: format!("goals-{}", place + 1),
                title: format!("{world}: goals reached by {many} units in the last {SPAN} ticks"),
                x: "ticks".to_owned(),
                log: false,
                y: "goals".to_owned(),
                series: self.planners().into_iter().map(time).collect(),
            }));
        }
        plots
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let bonuses = &self.of.own.bonuses;
        let best = by_bonus(bonuses.iter().copied().max().unwrap_or(0));
        let (many, document) =
            (self.of.most_units(), "flock navigation could substantially save time to users");
        let mut claims = Vec::new();
        for world in self.worlds() {
            let gain =
                |units: usize| ratio(self.travel(world, &best, units), self.travel(world, "alone", units));
            claims.push(Claim::new(
                format!("{world}: in flocks units travel faster than alone, at every density"),
                document,
                format!("travel time, {best} over alone, the worst number of units; below 1"),
                largest(self.of.scale.units.iter().filter_map(|&units| gain(units))),
                |times| times < 1.0,
            ));
            let rises = bonuses.windows(2).filter_map(|pair| {
                let [less, more] = [pair[0], pair[1]].map(|bonus| self.travel(world, &by_bonus(bonus), many));
                ratio(more, less)
            });
            claims.push(Claim::new(
                format!("{world}: … the more the larger the bonus"),
                "in order to win a speed bonus he must agree with other agents",
                format!(
                    "travel time of {many} units over that of the next smaller bonus, the worst; at most 1.02"
                ),
                largest(rises),
                |times| times <= 1.02,
            ));
            let late = |planner: &str| self.throughput(world, planner, many, true);
            let decay = |planner: &str| ratio(late(planner), self.throughput(world, planner, many, false));
            claims.push(Claim::new(
                format!("{world}: by tiles alone throughput decays"),
                "at the beginning, it works properly, but as time moves on the agents are eventually stopped",
                format!("goals of {many} units in the last half over the first; below 0.9"),
                decay("tiles"),
                |times| times < 0.9,
            ));
            claims.push(Claim::new(
                format!("{world}: by the rules it does not"),
                "larger flock goes first, then the delayed one, then tiles",
                format!("goals of {many} units in the last half over the first; at least 0.9"),
                decay(&best),
                |times| times >= 0.9,
            ));
            for other in ["tiles", "replan"] {
                claims.push(Claim::new(
                    format!("{world}: the rules carry more than {other}"),
                    "we intend to improve this algorithm using cooperative strategies",
                    format!("goals of {many} units in the last half, rules over {other}; above 1"),
                    ratio(late(&best), late(other)),
                    |times| times > 1.0,
                ));
            }
            let stuck = |planner: &str| mean(self.rows(world, planner, many).map(|row| row.stuck as f64));
            claims.push(Claim::new(
                format!("{world}: planning anew alone leaves units in cycles"),
                "usually suffers from cycles and other severe breakdowns where bottlenecks are present",
                format!("of {many} units stuck in the end, replan less the rules; above 0"),
                stuck("replan").zip(stuck(&best)).map(|(replan, rules)| replan - rules),
                |more| more > 0.0,
            ));
        }
        claims.push(Claim::new(
            "Nobody's estimate is ever worse than travelling alone",
            "it is at least a better plan compared with traveling alone",
            "most ticks by which a member would be later with the others, in any tick of any run; 0",
            largest(self.rows.iter().map(|row| row.worse as f64)),
            |most| most == 0.0,
        ));
        let by_rules = || self.rows.iter().filter(|row| row.planner != "replan" && row.planner != "tiles");
        claims.push(Claim::new(
            "By the rules nobody is left behind",
            "nothing; an expectation of ours",
            format!(
                "most units of any run that were under way for {} times as long as alone in the end; 0",
                self.of.own.patience
            ),
            largest(by_rules().map(|row| row.stuck as f64)),
            |most| most == 0.0,
        ));
        claims.push(Claim::new(
            "Nobody collides, and no move fails",
            "a reservation δ-time units forward",
            "most collisions and failed moves of any run; 0",
            largest(self.rows.iter().map(|row| (row.collisions + row.failed_moves) as f64)),
            |most| most == 0.0,
        ));
        claims
    }
}
