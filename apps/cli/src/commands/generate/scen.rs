//! `throng gen scen`: random starts and goals on a map.

use crate::answer::Answer;
use crate::apart::keep_apart;
use crate::error::CliError;
use crate::input;
use crate::options;
use crate::output::Output;
use std::path::PathBuf;
use throng::core::{Action, Agent, Connectivity, Grid, Rules, Timing};
use throng::formats::scen::{self, Row};
use throng::search::{AStar, GridGraph};
use throng::worlds::{UnitOptions, units};

const EXAMPLES: &str = "\
Examples:
  throng gen scen --map room.map --agents 50 -o room.scen
  throng gen scen --map room.map --agents 50 --within 12 --seed 3 -o near.scen
  throng gen scen --map s1.map --agents 80 --across -o s1.scen
  throng gen scen --map roads.map --agents 60 --bays -o roads.scen

The last column of each row is the length of a shortest path with eight moves (a diagonal counts √2 and
cuts no corner), as the format has it, and the bucket is a quarter of that, rounded down.";

/// Generate starts and goals on a map
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M")]
    map: PathBuf,
    /// How many rows
    #[arg(long, value_name = "N", value_parser = options::agents())]
    agents: usize,
    /// Goals at most so many straight moves from their starts [default: anywhere]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    within: Option<u32>,
    /// From dots in the left half of the map to dots in the right half
    #[arg(long, conflicts_with = "within")]
    across: bool,
    /// From bays to bays: cells that a single straight move leads into
    #[arg(long, conflicts_with_all = ["within", "across"])]
    bays: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The file to write
    #[arg(short, long, value_name = "S")]
    output: PathBuf,
}

pub(super) fn generate(args: &Args) -> Result<Answer, CliError> {
    let output = Output::new(&args.output)?;
    keep_apart(&[("--map", Some(args.map.as_path()))], &[("--output", Some(&args.output))])?;
    let grid = input::map_file(&args.map)?;
    let choice = UnitOptions { within: args.within, across: args.across, bays: args.bays };
    let agents = units(&grid, Rules::default(), args.agents, args.seed, &choice)
        .map_err(|why| CliError::Units { path: args.map.clone(), why })?;
    let map = args.map.file_name().unwrap_or_default().to_string_lossy().replace(['\t', '\n', '\r'], " ");
    let mut lengths = Lengths::new(&grid);
    let row = |agent: &Agent| {
        let optimal = lengths.shortest(agent);
        Row {
            line: 0,
            bucket: (optimal / 4.0) as u32,
            map: &map,
            width: grid.width(),
            height: grid.height(),
            start: agent.start,
            goal: agent.waypoints().last(),
            optimal,
        }
    };
    let rows: Vec<Row<'_>> = agents.iter().map(row).collect();
    output.write(scen::write(&rows).as_bytes())?;
    Ok(Answer::done(format!("{}: {} rows on {map}\n", output.path().display(), rows.len())))
}

/// Lengths of shortest paths with eight moves.
struct Lengths<'a> {
    graph: GridGraph<'a>,
    search: AStar,
    path: Vec<Action>,
}

impl<'a> Lengths<'a> {
    /// Searches cost whole numbers, so √2 is taken as 239/169, the best fraction of that size: it puts any
    /// two paths in the right order unless they differ by 169 diagonals or more, and then the longer one is
    /// longer by less than 0.005. Where costs on the largest maps might not fit, 41/29 has to do.
    fn new(grid: &'a Grid) -> Self {
        let period = if grid.open_cells() < (u32::MAX / 239) as usize { 169 } else { 29 };
        let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
        Self { graph: GridGraph::new(grid, rules, period), search: AStar::new(), path: Vec::new() }
    }

    /// The length for `agent`, to eight decimals.
    fn shortest(&mut self, agent: &Agent) -> f64 {
        let grid = self.graph.grid();
        let id = |cell| grid.id(cell).unwrap_or_default().0;
        let (start, goal) = (id(agent.start), id(agent.waypoints().last()));
        self.search.path(&self.graph, start, goal, 0, |_| Some(0), &mut self.path);
        let diagonal = self.path.iter().filter(|a| matches!(a, Action::Go(dir) if dir.is_diagonal())).count();
        let length = (self.path.len() - diagonal) as f64 + diagonal as f64 * std::f64::consts::SQRT_2;
        (length * 1e8).round() / 1e8
    }
}
