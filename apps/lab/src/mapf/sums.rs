//! What the rows of the benchmark say: by planner and number of agents, for every map and for all.

use super::{Goal, Own, Row};
use crate::settings::Settings;
use crate::stats::mean;
use crate::table::{number, percent};
use crate::{Claim, Conclusion, Lines, Plot, Series, Table};

/// Rows of one map, or of all.
struct Sums<'a> {
    settings: &'a Settings<Own>,
    rows: Vec<&'a Row>,
}

pub(super) fn conclude(settings: &Settings<Own>, rows: &[Row]) -> Conclusion {
    let all = Sums { settings, rows: rows.iter().collect() };
    let mut tables = vec![all.solved("Share of instances that are solved, all maps")];
    tables.push(all.seconds());
    tables.push(all.cost());
    let mut plots = vec![all.plot("success", "Share of instances that are solved, all maps")];
    for place in &settings.places {
        let map = place.world.name.as_str();
        let of = Sums { settings, rows: rows.iter().filter(|row| row.map == map).collect() };
        if of.rows.is_empty() {
            continue;
        }
        tables.push(of.solved(&format!("Share of instances that are solved: {map}")));
        let file: String = map.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        plots
            .push(of.plot(&format!("success-{file}"), &format!("Share of instances that are solved: {map}")));
    }
    Conclusion { tables, plots, claims: vec![all.claim()] }
}

impl Sums<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.settings.own.planners.iter().map(|planner| planner.name.as_str())
    }

    fn of(&self, planner: &str, agents: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().copied().filter(move |row| row.planner == planner && row.agents == agents)
    }

    /// Numbers of agents that there are rows for.
    fn agents(&self) -> Vec<usize> {
        let known = |agents: &usize| self.rows.iter().any(|row| row.agents == *agents);
        self.settings.scale.units.iter().copied().filter(known).collect()
    }

    fn share(&self, planner: &str, agents: usize) -> Option<f64> {
        mean(self.of(planner, agents).map(|row| f64::from(u8::from(row.solved))))
    }

    fn table(&self, title: &str, cell: impl Fn(&str, usize) -> String) -> Table {
        let mut table = Table::new(title, std::iter::once("agents").chain(self.names()));
        for agents in self.agents() {
            let cells = self.names().map(|name| cell(name, agents));
            table.row(std::iter::once(agents.to_string()).chain(cells).collect());
        }
        table
    }

    fn solved(&self, title: &str) -> Table {
        self.table(title, |name, agents| percent(self.share(name, agents)))
    }

    /// The time of the middle one of those that are solved.
    fn seconds(&self) -> Table {
        self.table("Seconds of the median instance that is solved", |name, agents| {
            let mut times: Vec<f64> =
                self.of(name, agents).filter(|row| row.solved).map(|row| row.seconds).collect();
            times.sort_by(f64::total_cmp);
            number(times.get(times.len() / 2).copied(), 3)
        })
    }

    fn cost(&self) -> Table {
        let over = |row: &Row| Some(row.cost? as f64 / row.bound.filter(|&bound| bound > 0)? as f64);
        self.table("Sum of costs of what is solved, over the lower bound", |name, agents| {
            number(mean(self.of(name, agents).filter_map(over)), 3)
        })
    }

    fn plot(&self, file: &str, title: &str) -> Plot {
        let series = |name: &str| {
            let point = |agents: usize| Some((agents as f64, self.share(name, agents)?));
            Series { name: name.to_owned(), points: self.agents().into_iter().filter_map(point).collect() }
        };
        Plot::Lines(Lines {
            file: file.to_owned(),
            title: title.to_owned(),
            x: "agents".to_owned(),
            log: false,
            y: "share solved".to_owned(),
            series: self.names().map(series).collect(),
        })
    }

    fn claim(&self) -> Claim {
        let Own { limit, claim: Goal { planner, agents, share }, .. } = &self.settings.own;
        let counted = |row: &&&Row| row.planner == *planner && row.agents <= *agents;
        let solved = mean(self.rows.iter().filter(counted).map(|row| f64::from(u8::from(row.solved))));
        let most = self.rows.iter().filter(counted).map(|row| row.agents).max().unwrap_or(0);
        Claim::new(
            "Nearly every instance is solved",
            "published figures of LaCAM*: 99 % of instances with up to 1,000 agents within 10 s",
            format!(
                "share that {planner} solves within {limit} s, up to {most} agents in these rows; at least {share}"
            ),
            solved,
            |solved| solved >= *share,
        )
    }
}
