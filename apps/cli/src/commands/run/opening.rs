//! The world that the arguments name: on a grid, or in continuous space.

use super::outputs::Outputs;
use super::{Args, Sampled};
use crate::error::CliError;
use crate::input::{self, AnyScenario};
use std::path::Path;
use throng::continuous::{self, Expedition, Sampling, Scene, World};
use throng::{Options, Session, Setup, space, worlds};

/// What is going to run.
pub(super) enum Opened {
    Grid(Box<Session>),
    /// With the budget that its scenario has, if that is one of the grid.
    Space(Box<World>, Option<u64>),
    /// The scene as it is, and who explores it; and the budget.
    Expedition(Box<(Scene, Expedition)>, Option<u64>),
}

pub(super) fn open(args: &Args, outputs: &Outputs) -> Result<Opened, CliError> {
    let planner = args.planner.as_ref().map(|spec| input::planner(spec, Path::new(""))).transpose()?;
    let seed = args.seed.unwrap_or(0);
    let options =
        |seed| Options { planner: planner.clone(), seed, threads: args.threads, ..Options::default() };
    match args {
        Args { resume: Some(path), .. } => resume(path, args),
        Args { builtin: Some(name), .. } => {
            if let Some(scene) = continuous::builtin(name, seed) {
                return in_space(args, scene, None);
            }
            let setup = worlds::builtin(name, seed)?;
            if args.continuous {
                return of_grid(args, &setup);
            }
            on_grid(args, || Ok(Session::new(setup, &options(seed))?))
        }
        Args { file: Some(path), .. } => match input::any_scenario(path)? {
            AnyScenario::Space(file) if file.scene.bodies.is_empty() => {
                Err(CliError::NoBodies { path: path.clone() })
            }
            AnyScenario::Space(mut file) => {
                check_options(args)?;
                adjust(args, &mut file.scene);
                Ok(Opened::Space(Box::new(file.world()?.on_threads(args.threads)), None))
            }
            AnyScenario::Grid(file) => {
                let files = file.files.iter().map(|(key, path)| (*key, Some(path.as_path())));
                outputs.spare(&files.collect::<Vec<_>>())?;
                if file.setup.scenario.agents().is_empty() {
                    return Err(CliError::NoUnits { path: path.clone() });
                }
                if args.continuous {
                    return of_grid(args, &file.setup).map_err(|why| file.blame(why));
                }
                let seed = args.seed.or(file.setup.seed).unwrap_or(0);
                on_grid(args, || file.session(&options(seed)))
            }
        },
        _ => unreachable!("the parser asks for one of the three"),
    }
}

fn on_grid(args: &Args, make: impl FnOnce() -> Result<Session, CliError>) -> Result<Opened, CliError> {
    if args.sampling.is_some() {
        return Err(CliError::OnlyInSpace { option: "--sampling" });
    }
    Ok(Opened::Grid(Box::new(make()?)))
}

/// A scenario of the grid in continuous space.
fn of_grid(args: &Args, setup: &Setup) -> Result<Opened, CliError> {
    let seed = args.seed.or(setup.seed).unwrap_or(0);
    if setup.scenario.agents().iter().any(|agent| agent.task.is_search()) {
        check_options(args)?;
        let options = [
            ("--save", args.save.is_some(), "explorers in continuous space cannot be saved"),
            ("--sampling", args.sampling.is_some(), "the known part of a map is small enough for a lattice"),
        ];
        if let Some((option, _, why)) = options.into_iter().find(|(_, given, _)| *given) {
            return Err(CliError::NotInSpace { option, why });
        }
        let (scene, expedition) = space::expedition(setup, space::FIELDS)?;
        let made = (Scene { seed, ..scene }, expedition.on_threads(args.threads));
        return Ok(Opened::Expedition(Box::new(made), setup.budget));
    }
    in_space(args, Scene { seed, ..space::scene(setup)? }, setup.budget)
}

fn in_space(args: &Args, mut scene: Scene, budget: Option<u64>) -> Result<Opened, CliError> {
    check_options(args)?;
    adjust(args, &mut scene);
    Ok(Opened::Space(Box::new(World::of(scene)?.on_threads(args.threads)), budget))
}

/// Options that mean nothing where there are no cells and no planners to choose from.
fn check_options(args: &Args) -> Result<(), CliError> {
    let options = [
        ("--planner", args.planner.is_some(), "bodies in continuous space all decide in one way"),
        ("--explain", args.explain.is_some(), "of bodies that are left behind it is told what keeps them"),
        ("--fog", args.fog.is_some(), "pictures of continuous space show all of it"),
        ("--league", args.league.is_some(), "the league's units go from cell to cell"),
        ("--directions", args.directions.is_some(), "no direction map is learned in continuous space"),
    ];
    match options.into_iter().find(|(_, given, _)| *given) {
        Some((option, _, why)) => Err(CliError::NotInSpace { option, why }),
        None => Ok(()),
    }
}

/// What the command line says goes before what the scene does.
fn adjust(args: &Args, scene: &mut Scene) {
    let seed = args.seed.unwrap_or(scene.seed);
    scene.seed = seed;
    match (args.sampling, &mut scene.settings.sampling) {
        (Some(Sampled::Lattice), own @ Sampling::Random { .. }) => *own = Sampling::Lattice { spacing: 1.0 },
        (Some(Sampled::Random), own @ Sampling::Lattice { .. }) => *own = Sampling::random(seed),
        (_, Sampling::Random { seed: own, .. }) if args.seed.is_some() => *own = seed,
        _ => {}
    }
}

/// What a file holds that was saved.
fn resume(path: &Path, args: &Args) -> Result<Opened, CliError> {
    let bytes = input::bytes(path)?;
    let snapshot = |why| CliError::Snapshot { path: path.to_owned(), why: Box::new(why) };
    if bytes.starts_with(continuous::MAGIC) {
        check_options(args)?;
        let world = World::resume(&bytes, args.threads).map_err(|why| snapshot(why.into()))?;
        return Ok(Opened::Space(Box::new(world), None));
    }
    Ok(Opened::Grid(Box::new(Session::resume(&bytes, args.threads).map_err(snapshot)?)))
}
