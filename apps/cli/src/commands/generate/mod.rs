//! `throng gen`: maps, and starts and goals on them.

mod map;
mod scen;

use crate::answer::Answer;
use crate::error::CliError;
use clap::Subcommand;

const EXAMPLES: &str = "\
Examples:
  throng gen map maze --width 65 --height 33 --seed 7 -o maze.map
  throng gen scen --map maze.map --agents 20 --within 40 -o maze.scen";

/// Generate maps, and starts and goals on them
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
}

pub(crate) fn generate(args: &Args) -> Result<Answer, CliError> {
    match &args.what {
        What::Map(args) => map::generate(&args.choice),
        What::Scen(args) => scen::generate(args),
    }
}
