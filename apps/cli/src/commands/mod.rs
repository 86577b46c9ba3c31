//! The commands, one file each.

mod check;
mod demo;
mod generate;
mod lab;
mod planners;
mod run;
mod solve;
mod studio;

use crate::answer::Answer;
use crate::clock::Clock;
use crate::error::CliError;
use clap::Subcommand;

/// Shown below the help of the program.
pub(crate) const EXAMPLES: &str = "\
Examples:
  throng demo
  throng run --builtin bridge --planner 'whca(window=48)' --gif bridge.gif
  throng gen map room --width 32 --height 32 -o room.map
  throng gen scen --map room.map --agents 50 -o room.scen
  throng solve --map room.map --scen room.scen --agents 50 --planner hca --plan room.plan
  throng check --map room.map --scen room.scen --agents 50 --plan room.plan
  throng lab run silver-crowd --quick
  throng studio

Exit status: 0 done or solved, 2 not solved, 1 bad input or usage.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(demo::Args),
    Solve(solve::Args),
    Check(check::Args),
    Run(run::Args),
    #[command(name = "gen")]
    Generate(generate::Args),
    Lab(lab::Args),
    Planners(planners::Args),
    Studio(studio::Args),
}

impl Command {
    pub(crate) fn run(&self, clock: Clock) -> Result<Answer, CliError> {
        match self {
            Self::Demo(args) => demo::demo(args),
            Self::Solve(args) => solve::solve(args, clock),
            Self::Check(args) => check::check(args),
            Self::Run(args) => run::run(args),
            Self::Generate(args) => generate::generate(args),
            Self::Lab(args) => lab::lab(args),
            Self::Planners(args) => Ok(planners::planners(args)),
            Self::Studio(args) => studio::studio(args),
        }
    }
}
