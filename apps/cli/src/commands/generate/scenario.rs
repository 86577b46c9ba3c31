//! `throng gen scenario`: a scenario file, which `throng run` takes, of a map and a list of starts and goals, or of a map that has
//! units itself.

use crate::answer::Answer;
use crate::apart::keep_apart;
use crate::error::CliError;
use crate::input;
use crate::options::{self, Moves};
use crate::output::Output;
use std::path::{Path, PathBuf};
use throng::Setup;
use throng::core::{Agent, Rules, Scenario, Timing};
use throng::formats::scenario;
use throng::planners::registry;

const EXAMPLES: &str = "\
Examples:
  throng gen map s1 --scale 4 -o s1.map
  throng gen scen --map s1.map --agents 50 --across -o s1.scen
  throng gen scenario --map s1.map --scen s1.scen --agents 50 --connectivity 8 --period 5 -o s1.toml
  throng run s1.toml --planner 'cpra(k=8)'
  throng gen scenario --map hall.tmx -o hall.toml      (units and wishes of the map itself: docs/maps.md)";

/// Put a map and a list of starts and goals into a scenario file, which `throng run` takes
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M")]
    map: PathBuf,
    /// Starts and goals (MovingAI .scen) [default: the units of the map itself]
    #[arg(long, value_name = "S", requires = "agents")]
    scen: Option<PathBuf>,
    /// How many rows of it
    #[arg(long, value_name = "N", value_parser = options::agents(), requires = "scen")]
    agents: Option<usize>,
    /// Moves to the four or all eight cells around [default: 4, or what the map says]
    #[arg(long, value_name = "4|8", value_enum, hide_possible_values = true, requires = "scen")]
    connectivity: Option<Moves>,
    /// Moves take as long as they are, a straight one so many ticks (5 makes a diagonal take 7) [default: every move one tick]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u8).range(1..=64), requires = "scen")]
    period: Option<u8>,
    /// Who plans, as `name(key=value,…)` [default: whom `throng run --planner` names]
    #[arg(long, value_name = "SPEC")]
    planner: Option<String>,
    /// The file to write (TOML)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn generate(args: &Args) -> Result<Answer, CliError> {
    let output = Output::new(&args.output)?;
    let inputs = [("--map", Some(args.map.as_path())), ("--scen", args.scen.as_deref())];
    keep_apart(&inputs, &[("--output", Some(&args.output))])?;
    let plain = match (&args.scen, args.agents) {
        (Some(scen), Some(agents)) => listed(args, scen, agents)?,
        _ => input::map_scenario(&args.map)?,
    };
    let planner = args.planner.as_ref().map(|spec| input::planner(spec, Path::new(""))).transpose()?;
    let setup = Setup { planner: planner.or(plain.planner.clone()), ..plain };
    if let Some(spec) = &setup.planner {
        registry::fits(spec, &setup.scenario, &registry::Context::default()).map_err(throng::Error::from)?;
    }
    output.write(scenario::write(&setup).as_bytes())?;
    let (path, units) = (output.path().display(), setup.scenario.agents().len());
    Ok(Answer::done(format!("{path}: {units} units\n")))
}

/// Units of a list.
fn listed(args: &Args, scen: &Path, agents: usize) -> Result<Setup, CliError> {
    let rules = args.connectivity.unwrap_or(Moves::Four).rules();
    let plain = input::problem(&args.map, Some(scen), agents, rules)?;
    let timing = if args.period.is_some() { Timing::Metric } else { Timing::Uniform };
    let (rules, period) = (Rules { timing, ..plain.rules() }, args.period.unwrap_or(1));
    let agents = plain.agents().iter().map(|agent| Agent { period, ..agent.clone() }).collect();
    let timed =
        Scenario::new(plain.name(), plain.grid().clone(), rules, agents).map_err(throng::Error::from)?;
    Ok(Setup::new(timed))
}
