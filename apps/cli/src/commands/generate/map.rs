//! `throng gen map`: each kind with the parameters that its generator declares.

use super::files::MapOutput;
use crate::answer::Answer;
use crate::error::CliError;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use std::path::PathBuf;
use throng::core::Grid;
use throng::worlds::generate::{GenerateError, KINDS, Kind, Parameter, RandomMap};

/// Generate a map
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) choice: Choice,
}

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Choice {
    kind: Kind,
    numbers: Vec<u32>,
    seed: u64,
    /// Of random maps: leave open what cannot be reached.
    disconnected: bool,
    output: PathBuf,
}

pub(super) fn generate(choice: &Choice) -> Result<Answer, CliError> {
    let output = MapOutput::new(&choice.output)?;
    let grid = choice.map()?;
    output.write(&grid)?;
    let (width, height, open) = (grid.width(), grid.height(), grid.open_cells());
    let path = output.path().display();
    Ok(Answer::done(format!("{path}: {} of {width}×{height}, {open} cells open\n", choice.kind.name)))
}

/// Written by hand, so that names, defaults and ranges stand in one place: the generators.
impl Subcommand for Choice {
    fn augment_subcommands(command: Command) -> Command {
        let command = command.subcommand_required(true).arg_required_else_help(true);
        // Not before somebody asks: all other commands would pay for it, too.
        command
            .defer(|command| KINDS.iter().fold(command, |command, kind| command.subcommand(subcommand(kind))))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        KINDS.iter().any(|kind| kind.name == name)
    }
}

impl FromArgMatches for Choice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, given) = matches.subcommand().ok_or_else(missing)?;
        let kind = KINDS.into_iter().find(|kind| kind.name == name).ok_or_else(missing)?;
        let number = |p: &Parameter| given.get_one(p.name).copied().unwrap_or(p.default);
        Ok(Self {
            kind,
            numbers: kind.parameters.iter().map(number).collect(),
            seed: given.get_one("seed").copied().unwrap_or(0),
            disconnected: is_random(&kind) && given.get_flag("disconnected"),
            output: given.get_one("output").cloned().unwrap_or_default(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Choice {
    fn map(&self) -> Result<Grid, GenerateError> {
        match self.numbers[..] {
            [width, height, percent] if self.disconnected => {
                RandomMap { width, height, percent, connected: false }.generate(self.seed)
            }
            _ => self.kind.generate(&self.numbers, self.seed),
        }
    }
}

fn is_random(kind: &Kind) -> bool {
    kind.name == "random"
}

fn subcommand(kind: &Kind) -> Command {
    let parameters = kind.parameters.iter().map(|p| {
        let Parameter { name, default, min, max, about } = *p;
        let help = format!("{about}: {min} to {max} [default: {default}]");
        Arg::new(name).long(name).value_name("N").help(help).value_parser(value_parser!(u32))
    });
    let disconnected = is_random(kind).then(|| {
        let help = "leave open what cannot be reached from the largest region";
        Arg::new("disconnected").long("disconnected").action(ArgAction::SetTrue).help(help)
    });
    let seed = Arg::new("seed").long("seed").value_name("N").value_parser(value_parser!(u64));
    let output = Arg::new("output").short('o').long("output").value_name("M").required(true);
    Command::new(kind.name)
        .about(kind.about)
        .args(parameters)
        .args(disconnected)
        .arg(seed.help("seed of everything random [default: 0]"))
        .arg(
            output
                .value_parser(value_parser!(PathBuf))
                .help("the file to write: .map, .png, .yaml (ROS) or .tmx (Tiled)"),
        )
}
