//! `throng gen`: maps, starts and goals on them, scenario files of both, pictures of coarser levels, and maps as other kinds of maps.

mod convert;
mod files;
mod levels;
mod map;
mod scen;
mod scenario;

use crate::answer::Answer;
use crate::error::CliError;
use clap::Subcommand;

const EXAMPLES: &str = "\
Examples:
  throng gen map maze --width 65 --height 33 --seed 7 -o maze.map
  throng gen scen --map maze.map --agents 20 --within 40 -o maze.scen
  throng gen scenario --map maze.map --scen maze.scen --agents 20 -o maze.toml
  throng gen levels --map maze.map -o maze.svg
  throng gen convert --map maze.map -o maze.tmx";

/// Generate maps, starts and goals on them, scenario files, and pictures of levels; convert maps
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Map(map::Args),
    Scen(scen::Args),
    Scenario(scenario::Args),
    Levels(levels::Args),
    Convert(convert::Args),
}

pub(crate) fn generate(args: &Args) -> Result<Answer, CliError> {
    match &args.what {
        What::Map(args) => map::generate(&args.choice),
        What::Scen(args) => scen::generate(args),
        What::Scenario(args) => scenario::generate(args),
        What::Convert(args) => convert::generate(args),
        What::Levels(args) => levels::generate(args),
    }
}
