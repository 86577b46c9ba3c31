//! `sb-pra`: PRA* for units that are alone, against A*.

use super::SOURCE;
use crate::settings::{Settings, Spot};
use crate::stats::{mean, ratio};
use crate::table::{number, percent};
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Action, Cell, CellId, Grid, Scenario};
use throng::search::abstraction::{Abstraction, Progress, Refined, Refinement, Refiner, Ruler};
use throng::search::{AStar, GridGraph};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Refining(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    variants: Vec<Variant>,
    /// The worlds that are maps of games.
    games: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    k: Option<u32>,
    width: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    spot: Spot,
    variant: usize,
}

/// All paths of one world and seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    variant: String,
    seed: u64,
    paths: u64,
    /// Of those, how many are shortest, and how many are at most a hundredth longer.
    shortest: u64,
    nearly: u64,
    /// Expansions, all levels counted.
    nodes: u64,
    astar: u64,
    /// Sums of costs.
    cost: u64,
    least: u64,
    /// Searches: more than paths where they are refined in parts.
    searches: u64,
}

impl Experiment for Refining {
    const NAME: &'static str = "sb-pra";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = "paths by partial refinement against A*: nodes, and how many are shortest";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/sb-pra.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        let spec = |variant: &Variant| {
            let k = variant.k.map_or_else(|| "inf".to_owned(), |k| k.to_string());
            format!("pra(k={k},width={})", variant.width)
        };
        self.0.own.variants.iter().map(spec).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            for (variant, named) in self.0.own.variants.iter().enumerate() {
                let key = format!("{}, seed {}, {}", self.0.world(&spot), spot.seed, named.name);
                cases.push(Case { key, what: Which { spot, variant } });
            }
        }
        cases
    }

    fn run(&self, &Which { spot, variant }: &Which) -> Result<Row, LabError> {
        let Variant { name, k, width } = &self.0.own.variants[variant];
        let scenario = self.0.places[spot.place].scenario(spot.units, spot.seed)?;
        let world = World::new(&scenario);
        let (graph, mut astar, mut refiner) = (world.graph(), AStar::new(), Refiner::default());
        let how = Refinement { k: *k, width: *width, level: None };
        let (world_name, seed) = (self.0.world(&spot).to_owned(), spot.seed);
        let mut row = Row::new(world_name, name.clone(), seed);
        let mut path = Vec::new();
        for agent in scenario.agents() {
            let [start, goal] = [agent.start, agent.waypoints().last()].map(|cell| world.id(cell));
            // Who cannot get there has nothing to compare.
            let Some(least) = astar.path(&graph, start, goal, 0, |_| Some(0), &mut path) else { continue };
            let (cost, searches) = world.walk(&graph, &mut refiner, how, [start, goal]);
            row.paths += 1;
            row.shortest += u64::from(cost == least);
            row.nearly += u64::from(u64::from(cost) * 100 <= u64::from(least) * 101);
            row.cost += u64::from(cost);
            row.least += u64::from(least);
            row.searches += searches;
        }
        (row.nodes, row.astar) = (refiner.expanded(), astar.expanded());
        Ok(row)
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { refining: self, rows };
        Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
    }
}

/// A map with its levels.
struct World<'a> {
    grid: &'a Grid,
    levels: Abstraction,
}

/// Ticks of a straight step: a diagonal takes seven.
const PERIOD: u8 = 5;

impl<'a> World<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let grid = scenario.grid();
        let graph = GridGraph::new(grid, crate::mixed::RULES, PERIOD);
        Self { grid, levels: Abstraction::new(&graph, Ruler::Straight) }
    }

    fn graph(&self) -> GridGraph<'a> {
        GridGraph::new(self.grid, crate::mixed::RULES, PERIOD)
    }

    fn id(&self, cell: Cell) -> u32 {
        self.grid.id(cell).unwrap_or_default().0
    }

    /// Goes from `start` to `goal` part by part; the cost of the way and the number of parts.
    fn walk(
        &self,
        graph: &GridGraph<'_>,
        refiner: &mut Refiner,
        how: Refinement,
        [start, goal]: [u32; 2],
    ) -> (u32, u64) {
        let (mut at, mut cost, mut parts) = (start, 0, 0);
        let (mut progress, mut path) = (Progress::default(), Vec::new());
        while at != goal {
            parts += 1;
            let found = refiner.path(
                &self.levels,
                graph,
                [at, goal],
                how,
                &mut progress,
                (u64::MAX, false),
                (0, |_, _| Some(0)),
                (0, |_, _| 0),
                &mut path,
            );
            if found != Refined::Path {
                return (u32::MAX, parts);
            }
            for dir in path.iter().filter_map(|action: &Action| action.dir()) {
                at = self.grid.neighbour(CellId(at), dir).0;
                cost += if dir.is_diagonal() { 7 } else { 5 };
            }
        }
        (cost, parts)
    }
}

impl Row {
    fn new(world: String, variant: String, seed: u64) -> Self {
        let (paths, shortest, nearly, nodes, astar, cost, least, searches) = (0, 0, 0, 0, 0, 0, 0, 0);
        Self { world, variant, seed, paths, shortest, nearly, nodes, astar, cost, least, searches }
    }
}

/// Rows, asked by world and variant.
struct Sums<'a> {
    refining: &'a Refining,
    rows: &'a [Row],
}

impl Sums<'_> {
    /// A quotient of sums over all seeds of a world; over all worlds without one.
    fn of(
        &self,
        variant: &str,
        world: Option<&str>,
        over: fn(&Row) -> u64,
        under: fn(&Row) -> u64,
    ) -> Option<f64> {
        let rows = || self.rows.iter().filter(|r| r.variant == variant && world.is_none_or(|w| r.world == w));
        let sum = |of: fn(&Row) -> u64| Some(rows().map(of).sum::<u64>() as f64);
        ratio(sum(over), sum(under))
    }

    fn worlds(&self) -> impl Iterator<Item = &str> {
        self.refining.0.places.iter().map(|place| place.world.name.as_str())
    }

    fn variants(&self) -> impl Iterator<Item = &str> {
        self.refining.0.own.variants.iter().map(|variant| variant.name.as_str())
    }

    fn tables(&self) -> Vec<Table> {
        type Of = (&'static str, fn(&Row) -> u64, fn(&Row) -> u64);
        const COLUMNS: [Of; 4] = [
            ("Share of paths that are shortest", |r| r.shortest, |r| r.paths),
            ("Share of paths that are at most a hundredth longer", |r| r.nearly, |r| r.paths),
            ("Length of all paths, as a multiple of the shortest", |r| r.cost, |r| r.least),
            ("Nodes of A*, as a multiple of ours", |r| r.astar, |r| r.nodes),
        ];
        let table = |&(title, over, under): &Of| {
            let mut table = Table::new(title, std::iter::once("map").chain(self.variants()));
            for world in self.worlds() {
                let mut cells = vec![world.to_owned()];
                cells.extend(self.variants().map(|variant| {
                    let value = self.of(variant, Some(world), over, under);
                    if title.starts_with("Share") { percent(value) } else { number(value, 3) }
                }));
                table.row(cells);
            }
            table
        };
        COLUMNS.iter().map(table).collect()
    }

    fn plots(&self) -> Vec<Plot> {
        // How nodes and quality go together: one curve a world, one point a variant that refines whole paths.
        let whole = || self.refining.0.own.variants.iter().filter(|variant| variant.k.is_none());
        let series = |world: &str| {
            let point = |variant: &Variant| {
                let share = self.of(&variant.name, Some(world), |r| r.shortest, |r| r.paths)?;
                Some((f64::from(variant.width), share))
            };
            Series { name: world.to_owned(), points: whole().filter_map(point).collect() }
        };
        vec![Plot::Lines(Lines {
            file: "shortest".to_owned(),
            title: "Share of paths that are shortest, by the width of the corridor".to_owned(),
            x: "rings of nodes around the coarse path".to_owned(),
            log: false,
            y: "share".to_owned(),
            series: self.worlds().map(series).collect(),
        })]
    }

    fn claims(&self) -> Vec<Claim> {
        let games = &self.refining.0.own.games;
        let claim = |variant: &str, on: &str, counts: &dyn Fn(&str) -> bool| {
            let share = |world| self.of(variant, Some(world), |r| r.shortest, |r| r.paths);
            Claim::new(
                format!("Most paths are shortest ({variant}, {on})"),
                "over 90 % of paths are optimal",
                format!("share of paths that are shortest, mean over {on}; above 0.9"),
                mean(self.worlds().filter(|world| counts(world)).filter_map(share)),
                |share| share > 0.9,
            )
        };
        let both = |variant: &str| {
            let game = |world: &str| games.iter().any(|game| game == world);
            [claim(variant, "maps of games", &game), claim(variant, "all maps", &|_| true)]
        };
        let fewer = |variant: &str| self.of(variant, None, |r| r.astar, |r| r.nodes);
        let mut claims: Vec<Claim> =
            ["all, width 1", "all, width 2", "all, width 3"].into_iter().flat_map(both).collect();
        claims.extend([
            Claim::new(
                "Refined paths are hardly longer than the shortest",
                "high-quality paths",
                "length over shortest, all paths of all maps, whole paths of width 2; at most 1.02",
                self.of("all, width 2", None, |r| r.cost, |r| r.least),
                |times| times <= 1.02,
            ),
            Claim::new(
                "They take fewer nodes than A*",
                "computed significantly faster than A*",
                "nodes of A* over ours, all maps, whole paths of width 1; above 1.5",
                fewer("all, width 1"),
                |times| times > 1.5,
            ),
            Claim::new(
                "Refining in parts takes fewer nodes than A* until the goal is reached, too",
                "interleaves planning with execution",
                "nodes of A* over ours, all maps, k 8 and width 2; above 1",
                fewer("k 8, width 2"),
                |times| times > 1.0,
            ),
        ]);
        claims
    }
}
