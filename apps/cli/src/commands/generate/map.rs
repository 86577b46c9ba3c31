//! `throng gen map`: each kind with the parameters that its generator declares.

use crate::answer::Answer;
use crate::error::CliError;
use crate::output::Output;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use std::path::PathBuf;
use throng::core::Grid;
use throng::formats::map;
use throng::worlds::generate::{
    CaveMap, CrossingMap, EmptyMap, GenerateError, MazeMap, Parameter, RandomMap, RoadMap, RoomMap, Scene,
    TunnelMap, WarehouseMap,
};

/// Generate a map
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) choice: Choice,
}

/// A kind of map. Its numbers come in the order of its parameters.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    about: &'static str,
    parameters: &'static [Parameter],
    make: fn(&[u32], &Choice) -> Result<Grid, GenerateError>,
}

const KINDS: [Kind; 10] = [
    Kind {
        name: "empty",
        about: "Nothing in the way",
        parameters: &EmptyMap::PARAMETERS,
        make: |n, choice| EmptyMap { width: n[0], height: n[1] }.generate(choice.seed),
    },
    Kind {
        name: "random",
        about: "Walls strewn at random",
        parameters: &RandomMap::PARAMETERS,
        make: |n, choice| {
            let map = RandomMap { width: n[0], height: n[1], percent: n[2], connected: !choice.disconnected };
            map.generate(choice.seed)
        },
    },
    Kind {
        name: "maze",
        about: "Exactly one way between any two places",
        parameters: &MazeMap::PARAMETERS,
        make: |n, choice| MazeMap { width: n[0], height: n[1], corridor: n[2] }.generate(choice.seed),
    },
    Kind {
        name: "room",
        about: "Square rooms with doors",
        parameters: &RoomMap::PARAMETERS,
        make: |n, choice| {
            RoomMap { width: n[0], height: n[1], room: n[2], doors: n[3] }.generate(choice.seed)
        },
    },
    Kind {
        name: "warehouse",
        about: "Shelves in rows and columns",
        parameters: &WarehouseMap::PARAMETERS,
        make: |n, choice| {
            let (columns, rows, shelf_width, shelf_height) = (n[0], n[1], n[2], n[3]);
            let map = WarehouseMap { columns, rows, shelf_width, shelf_height, corridor: n[4], margin: n[5] };
            map.generate(choice.seed)
        },
    },
    Kind {
        name: "tunnels",
        about: "Tunnels between walls, from a perfect maze to open ground with ragged walls",
        parameters: &TunnelMap::PARAMETERS,
        make: |n, choice| {
            let map = TunnelMap {
                width: n[0],
                height: n[1],
                min_connections: n[2],
                max_connections: n[3],
                noise: n[4],
                min_island: n[5],
                wall: n[6],
                tunnel: n[7],
            };
            map.generate(choice.seed)
        },
    },
    Kind {
        name: "cave",
        about: "Caves with rounded walls",
        parameters: &CaveMap::PARAMETERS,
        make: |n, choice| {
            CaveMap { width: n[0], height: n[1], percent: n[2], rounds: n[3] }.generate(choice.seed)
        },
    },
    Kind {
        name: "roads",
        about: "Roads between blocks, with crossings and bays to park in",
        parameters: &RoadMap::PARAMETERS,
        make: |n, choice| {
            let (width, height, block, lanes) = (n[0], n[1], n[2], n[3]);
            RoadMap { width, height, block, lanes, missing: n[4], bays: n[5] }.generate(choice.seed)
        },
    },
    Kind {
        name: "s1",
        about: "Two sides at the bottom with a wall between them, to cross over the top",
        parameters: &CrossingMap::PARAMETERS,
        make: |n, _| CrossingMap { scene: Scene::S1, scale: n[0] }.generate(),
    },
    Kind {
        name: "s2",
        about: "Two sides behind brackets, and a wall with a gap full of blocks between them",
        parameters: &CrossingMap::PARAMETERS,
        make: |n, _| CrossingMap { scene: Scene::S2, scale: n[0] }.generate(),
    },
];

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Choice {
    kind: &'static Kind,
    numbers: Vec<u32>,
    seed: u64,
    /// Of random maps: leave open what cannot be reached.
    disconnected: bool,
    output: PathBuf,
}

pub(super) fn generate(choice: &Choice) -> Result<Answer, CliError> {
    let output = Output::new(&choice.output)?;
    let grid = (choice.kind.make)(&choice.numbers, choice)?;
    output.write(map::write(&grid).as_bytes())?;
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
            .defer(|command| KINDS.iter().fold(command, |command, kind| command.subcommand(kind.command())))
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
        let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(missing)?;
        let number = |p: &Parameter| given.get_one(p.name).copied().unwrap_or(p.default);
        Ok(Self {
            kind,
            numbers: kind.parameters.iter().map(number).collect(),
            seed: given.get_one("seed").copied().unwrap_or(0),
            disconnected: kind.is_random() && given.get_flag("disconnected"),
            output: given.get_one("output").cloned().unwrap_or_default(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Kind {
    fn is_random(&self) -> bool {
        self.name == "random"
    }

    fn command(&self) -> Command {
        let parameters = self.parameters.iter().map(|p| {
            let Parameter { name, default, min, max, about } = *p;
            let help = format!("{about}: {min} to {max} [default: {default}]");
            Arg::new(name).long(name).value_name("N").help(help).value_parser(value_parser!(u32))
        });
        let disconnected = self.is_random().then(|| {
            let help = "leave open what cannot be reached from the largest region";
            Arg::new("disconnected").long("disconnected").action(ArgAction::SetTrue).help(help)
        });
        let seed = Arg::new("seed").long("seed").value_name("N").value_parser(value_parser!(u64));
        let output = Arg::new("output").short('o').long("output").value_name("M").required(true);
        Command::new(self.name)
            .about(self.about)
            .args(parameters)
            .args(disconnected)
            .arg(seed.help("seed of everything random [default: 0]"))
            .arg(output.value_parser(value_parser!(PathBuf)).help("the file to write"))
    }
}
