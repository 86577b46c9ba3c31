//! `throng run`: simulate a world, tick by tick.

mod common;
mod expedition;
mod left;
mod opening;
mod outputs;
mod space;
mod summary;
mod watch;

pub(super) use expedition::ended;
pub(super) use outputs::{picture, planners_of};

use crate::answer::{Answer, NOT_SOLVED};
use crate::error::CliError;
use crate::explain::Listener;
use crate::options;
use crate::progress::Progress;
use crate::simulate::{Run, simulate};
use opening::{Opened, open};
use outputs::Outputs;
use std::io::Write as _;
use std::path::PathBuf;
use summary::Summary;
use throng::Session;
use throng::core::{AgentId, Budget, Cell, Event, Expansions, Rules, Tick, Unlimited};
use throng_picture::{Fog, GifOptions};

/// When to stop if neither the command nor the scenario says.
const TICKS: Tick = 1000;

const EXAMPLES: &str = "\
Examples:
  throng run --builtin bridge
  throng run scenarios/yard.toml --json      (the format: docs/scenario.md)
  throng run --builtin bridge --planner lra --gif lra.gif --explain 7
  throng run --builtin promenade --directions lanes.svg
  throng run --builtin expedition --gif expedition.gif     (exploring: docs/exploring.md)
  throng run --builtin warehouse --planner pibt --ticks 2000     (errands that never end)
  throng run problem.json --ticks 1000 --league result.json      (League of Robot Runners: docs/lifelong.md)
  throng run --builtin town --save town.save --at 100
  throng run --resume town.save --trace rest.trace
  throng run --builtin four-way --gif crossing.gif        (continuous space: docs/continuous.md)
  throng run --builtin bridge --continuous --sampling random --json

Exit status: 0 if all units have arrived, and have found what they look for, or if errands that never end were done, 2 if not,
1 for bad input.";

/// Simulate a scenario tick by tick
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("world").required(true).args(["file", "builtin", "resume"]))]
pub(crate) struct Args {
    /// A scenario file (TOML), or a problem of the League of Robot Runners (JSON)
    file: Option<PathBuf>,
    /// A scenario that comes with the program; an unknown name lists them
    #[arg(long, value_name = "NAME")]
    builtin: Option<String>,
    /// Go on from a file that --save wrote; counts then begin there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Who plans, as `name(key=value,…)` [default: the scenario's own planner]
    #[arg(long, value_name = "SPEC", conflicts_with = "resume")]
    planner: Option<String>,
    /// Run a scenario of the grid in continuous space: units are discs, blocked cells are walls
    #[arg(long, conflicts_with_all = ["planner", "resume"])]
    continuous: bool,
    /// In continuous space: find ways over points of a lattice or random ones, one to a square [default: the scenario's own, or lattice]
    #[arg(long, value_name = "KIND", conflicts_with = "resume")]
    sampling: Option<Sampled>,
    /// Stop at this tick at the latest [default: the scenario's own limit, or 1000]
    #[arg(long, value_name = "N")]
    ticks: Option<Tick>,
    /// Seed of everything random, built-in scenarios included [default: the scenario's own, or 0]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    seed: Option<u64>,
    /// Expansions that planning may take in each tick [default: the scenario's own, or no limit]
    #[arg(long, value_name = "N", value_parser = options::at_least_one())]
    budget: Option<u64>,
    /// Threads to plan on; they never change what comes out
    #[arg(long, value_name = "N", default_value = "1", value_parser = options::threads())]
    threads: usize,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Write what happened
    #[arg(long, value_name = "OUT")]
    trace: Option<PathBuf>,
    /// Write what happened as the tools of the League of Robot Runners read it: units of one cell, a tick for each step
    #[arg(long, value_name = "OUT")]
    league: Option<PathBuf>,
    /// Write a picture: an animation, or how it ended if the name ends in .png
    #[arg(long, value_name = "OUT")]
    gif: Option<PathBuf>,
    /// Pictures show what this unit knows, by its own eyes or its team's [default: that of the first that explores]
    #[arg(long, value_name = "UNIT", requires = "gif", value_parser = options::unit)]
    fog: Option<u32>,
    /// Write the direction map that was learned: to begin with if the name ends in .dir, as arrows if in .svg or .png
    #[arg(long, value_name = "OUT")]
    directions: Option<PathBuf>,
    /// Write the whole session at tick K and go on
    #[arg(long, value_name = "OUT", requires = "at")]
    save: Option<PathBuf>,
    /// The tick to save at
    #[arg(long, value_name = "K", requires = "save")]
    at: Option<Tick>,
    /// Tell what keeps this unit, what keeps that, and what kept it before; pictures show it
    #[arg(long, value_name = "UNIT", value_parser = options::unit)]
    explain: Option<u32>,
}

/// Where ways around walls come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Sampled {
    Lattice,
    Random,
}

impl Args {
    /// The command line goes before what the scenario says.
    fn budget(&self, own: Option<u64>) -> Box<dyn Budget> {
        match self.budget.or(own) {
            Some(expansions) => Box::new(Expansions(expansions)),
            None => Box::new(Unlimited),
        }
    }
}

/// Load a world, let it run while metrics, recorder and judge watch, and report.
pub(crate) fn run(args: &Args) -> Result<Answer, CliError> {
    let outputs = Outputs::of(args)?;
    match open(args, &outputs)? {
        Opened::Grid(session) => on_grid(args, &outputs, *session),
        Opened::Space(world, own) => space::run(args, &outputs, *world, &*args.budget(own)),
        Opened::Expedition(made, own) => expedition::run(args, &outputs, made.0, made.1, &*args.budget(own)),
    }
}

fn on_grid(args: &Args, outputs: &Outputs, mut session: Session) -> Result<Answer, CliError> {
    let (rules, body) = (session.scenario().rules(), session.scenario().largest_body());
    if outputs.league.is_some() && (rules != Rules::default() || body > 1) {
        return Err(CliError::NotOfTheLeague);
    }
    let mut listener = args.explain.map(|unit| Listener::new(unit, &session)).transpose()?;

    let (from, until) = (session.state().tick, last_tick(args, &session));
    if let Some(path) = args.resume.clone().filter(|_| until < from && !session.is_done()) {
        return Err(CliError::Past { path, at: from, until });
    }
    let budget = args.budget(session.setup().budget);
    let mut lessons = outputs.lessons(&session);
    let eyes = eyes(args, &session)?;
    let mut fog = eyes.map(|_| Fog::over(session.scenario().grid()));
    let mut progress = Progress::new(until);
    let mut heard = Vec::new();
    let wished = last_waypoints(&session);
    let run = simulate(&mut session, until, &*budget, outputs.keep_all(), |session| {
        progress.at(session.state().tick, || match session.errands().done {
            0 => format!("{} arrived", session.arrived()),
            done => format!("{done} errands done"),
        });
        listener.iter_mut().for_each(|listener| listener.hear(session));
        heard.extend(session.events().iter().filter_map(finder));
        fog.iter_mut().zip(eyes).for_each(|(fog, eyes)| fog.hear(session.seen(eyes)));
        lessons.iter_mut().for_each(|lessons| lessons.hear(session.directions().as_ref()));
        if session.state().tick == from + 1 {
            outputs.check_directions(session)?;
        }
        outputs.save_at(session.state().tick, || session.save())
    })?;
    drop(progress);

    outputs.check_saved(from, session.state().tick)?;
    let chains = listener.as_ref().map_or_else(Vec::new, |listener| listener.chains().to_vec());
    let explored = run.metrics.agents().iter().map(|agent| agent.finished.map(|tick| tick - from)).collect();
    let (lessons, fog) = (lessons.unwrap_or_default(), fog.unwrap_or_default());
    let drawn = GifOptions { chains, lessons, fog, explored, ..GifOptions::default() };
    outputs.write(&session, &run, &drawn)?;
    let explain = listener.map(|listener| listener.account(&session, &run.metrics));
    let summary = Summary::of(&session, &run, &heard, &wished, explain);
    complain(&run);
    let answer = if args.json { Answer::json(&summary) } else { Answer::done(summary.text(outputs)) };
    let solved = (session.is_done() && summary.all_found()) || summary.goes_on(&session);
    Ok(answer.or(solved && run.report.is_valid(), NOT_SOLVED))
}

/// By unit: where it is to rest in the end.
fn last_waypoints(session: &Session) -> Vec<Cell> {
    session.scenario().agents().iter().map(|agent| agent.waypoints().last()).collect()
}

/// Who says that it has found what it looks for.
const fn finder(event: &Event) -> Option<AgentId> {
    match *event {
        Event::Found { agent, .. } => Some(agent),
        _ => None,
    }
}

/// Through whose eyes a picture is drawn.
fn eyes(args: &Args, session: &Session) -> Result<Option<AgentId>, CliError> {
    let agents = session.scenario().agents();
    match args.fog {
        Some(unit) if unit as usize >= agents.len() => {
            Err(CliError::NoSuchUnit { unit, agents: agents.len() })
        }
        Some(unit) if session.scenario().sight_of(&agents[unit as usize]).is_none() => {
            Err(CliError::NoFog { unit })
        }
        Some(unit) => Ok(Some(AgentId(unit))),
        None => Ok(agents.iter().find(|agent| agent.task.is_search()).map(|agent| agent.id)),
    }
}

fn last_tick(args: &Args, session: &Session) -> Tick {
    args.ticks.or(session.setup().ticks).unwrap_or(TICKS)
}

/// The executor should never let anything through that the judge objects to.
fn complain(run: &Run) {
    if !run.report.is_valid() {
        let _ = writeln!(std::io::stderr(), "the judge objects:\n{}", run.report);
    }
}
