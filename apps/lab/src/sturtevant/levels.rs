//! `sb-abstraction`: how many nodes the levels have (table 1).

use super::SOURCE;
use crate::settings::{Settings, Spot};
use crate::stats::{largest, mean};
use crate::table::number;
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Connectivity, Rules, Timing};
use throng::search::GridGraph;
use throng::search::abstraction::{Abstraction, Ruler};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Levels(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    document: Vec<Counted>,
}

/// What the document counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counted {
    world: String,
    nodes: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    spot: Spot,
    eight: bool,
}

/// One map with four or eight moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    size: u32,
    moves: u32,
    open: usize,
    /// By level, from 1 on.
    levels: Vec<usize>,
    bytes: usize,
}

impl Row {
    fn nodes(&self) -> f64 {
        self.levels.iter().sum::<usize>() as f64
    }

    fn scene(&self) -> &str {
        self.world.split(' ').next().unwrap_or_default()
    }
}

impl Experiment for Levels {
    const NAME: &'static str = "sb-abstraction";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = "how many nodes the levels above a map have, and what they weigh";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/sb-abstraction.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        vec!["pra".to_owned()]
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let spots = self.0.spots().into_iter().flat_map(|spot| [(spot, true), (spot, false)]);
        let case = |(spot, eight): (Spot, bool)| {
            let moves = if eight { "eight" } else { "four" };
            Case { key: format!("{}, {moves} moves", self.0.world(&spot)), what: Which { spot, eight } }
        };
        spots.map(case).collect()
    }

    fn run(&self, &Which { spot, eight }: &Which) -> Result<Row, LabError> {
        let place = &self.0.places[spot.place];
        let grid = place.grid(spot.seed)?;
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let rules = Rules { connectivity, timing: Timing::Metric, ..Rules::default() };
        let levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::of(rules));
        Ok(Row {
            world: place.world.name.clone(),
            size: place.world.width,
            moves: if eight { 8 } else { 4 },
            open: grid.open_cells(),
            levels: (1..=levels.height()).map(|level| levels.nodes(level)).collect(),
            bytes: levels.bytes(),
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let eight: Vec<&Row> = rows.iter().filter(|row| row.moves == 8).collect();
        Conclusion { tables: self.tables(rows), plots: self.plots(&eight), claims: self.claims(&eight) }
    }
}

impl Levels {
    fn counted(&self, row: &Row) -> Option<f64> {
        let known = self.0.own.document.iter().find(|counted| counted.world == row.world);
        known.map(|counted| f64::from(counted.nodes))
    }

    /// How much more or less than the document we have.
    fn off(&self, row: &Row) -> Option<f64> {
        Some(row.nodes() / self.counted(row)? - 1.0)
    }

    fn tables(&self, rows: &[Row]) -> Vec<Table> {
        let columns = [
            "map",
            "moves",
            "open cells",
            "nodes",
            "document",
            "off",
            "a third of the cells",
            "levels",
            "first level",
            "bytes a cell",
        ];
        let mut table = Table::new("Nodes of all levels above the ground", columns);
        for row in rows {
            let known = (row.moves == 8).then(|| (self.counted(row), self.off(row)));
            let (counted, off) = known.unwrap_or_default();
            table.row(vec![
                row.world.clone(),
                row.moves.to_string(),
                row.open.to_string(),
                number(Some(row.nodes()), 0),
                number(counted, 0),
                off.map_or_else(|| number(None, 0), |off| format!("{:+.1} %", 100.0 * off)),
                // Fewer than that can be only where dead ends fold: ¼ + 1/16 + 1/64 …
                number(known.map(|_| row.open as f64 / 3.0), 0),
                row.levels.len().to_string(),
                number(row.levels.first().map(|&nodes| nodes as f64), 0),
                number(Some(row.bytes as f64 / row.open as f64), 1),
            ]);
        }
        vec![table]
    }

    fn plots(&self, rows: &[&Row]) -> Vec<Plot> {
        let series = |name: String, scene: &str, of: &dyn Fn(&Row) -> Option<f64>| {
            let points = rows.iter().filter(|row| row.scene() == scene && self.counted(row).is_some());
            Series { name, points: points.filter_map(|row| Some((f64::from(row.size), of(row)?))).collect() }
        };
        let both = |scene: &str| {
            [
                series(scene.to_owned(), scene, &|row| Some(row.nodes())),
                series(format!("{scene}, document"), scene, &|row| self.counted(row)),
            ]
        };
        vec![Plot::Lines(Lines {
            file: "nodes".to_owned(),
            title: "Nodes of all levels above the ground".to_owned(),
            x: "side of the map".to_owned(),
            log: false,
            y: "nodes".to_owned(),
            series: ["S1", "S2"].into_iter().flat_map(both).collect(),
        })]
    }

    fn claims(&self, rows: &[&Row]) -> Vec<Claim> {
        let off = || rows.iter().filter_map(|row| self.off(row).map(f64::abs));
        let largest_map = rows.iter().filter(|row| row.size == 256);
        vec![
            Claim::new(
                "Every count of the table is met within a tenth",
                "table 1",
                "largest difference as a share of the document's count; at most 0.1",
                largest(off()),
                |off| off <= 0.1,
            ),
            Claim::new(
                "All levels together have about a third as many nodes as the map has open cells",
                "about 20,000 nodes on a map of 256×256",
                "nodes over open cells at 256×256, mean of both maps; 0.3 to 0.37",
                mean(largest_map.map(|row| row.nodes() / row.open as f64)),
                |share| (0.3..=0.37).contains(&share),
            ),
        ]
    }
}
