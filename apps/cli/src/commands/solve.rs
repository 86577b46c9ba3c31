//! `throng solve`: a one-shot problem of the MAPF benchmark.
//!
//! Other programs call this and count its instructions, so nothing happens here that need not.

use crate::answer::{Answer, NOT_SOLVED};
use crate::apart::keep_apart;
use crate::clock::{Clock, peak_rss_kb};
use crate::error::CliError;
use crate::input;
use crate::options::{self, Moves, PlanFormat};
use crate::output::{Output, note};
use crate::table::{facts, grouped};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use throng::core::{Observer, Outcome, Plan, Scenario};
use throng::formats::plan::{self, PlanFile};
use throng::{Options, Solution};

const EXAMPLES: &str = "\
Examples:
  throng solve --map room.map --scen room.scen --agents 50 --planner hca
  throng solve --map room.map --scen room.scen --agents 50 --planner 'whca(window=16)' --plan room.plan --json
  throng solve --map room.map --scen room.scen --agents 50 --planner 'lacam(improve=all)' --time-limit 10
  throng solve --map room.map --scen room.scen --agents 50 --planner lns --first-plan room.plan --plan better.plan

  throng solve --map hall.tmx --agents 12 --planner lacam      (units of the map itself: docs/maps.md)

Exit status: 0 solved, 2 not solved, 1 bad input. A plan is written if it brings everybody there: the solution, or the
best that there was when time was up. Without one an older file of that name is removed.";

/// Solve a one-shot problem: the first N rows of a .scen file, or units of a map
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M")]
    map: PathBuf,
    /// Starts and goals (MovingAI .scen) [default: the units of the map itself]
    #[arg(long, value_name = "S")]
    scen: Option<PathBuf>,
    /// How many rows of it to take
    #[arg(long, value_name = "N", value_parser = options::agents())]
    agents: usize,
    /// Who plans, as `name(key=value,…)`; see `throng planners`
    #[arg(long, value_name = "SPEC")]
    planner: String,
    /// Seconds after which to give up
    #[arg(long, value_name = "SEC", default_value = "30", value_parser = options::seconds)]
    time_limit: Duration,
    /// Ticks after which a planner that decides tick by tick (as pibt) gives up [default: 40 times what everybody needs alone at
    /// most, and at least 1000]
    #[arg(long, value_name = "N", value_parser = options::at_least_one())]
    ticks: Option<u64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Moves per cell; every move takes one tick
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true)]
    connectivity: Moves,
    /// Threads to plan on; they never change what comes out
    #[arg(long, value_name = "N", default_value = "1", value_parser = options::threads())]
    threads: usize,
    /// Begin with this plan, in any format that --plan-format writes: it is repaired and made better (planner `lns`)
    #[arg(long, value_name = "FILE")]
    first_plan: Option<PathBuf>,
    /// Write the plan
    #[arg(long, value_name = "OUT")]
    plan: Option<PathBuf>,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "positions", requires = "plan")]
    plan_format: PlanFormat,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// What solving comes to. Unknown values are null.
#[derive(Serialize)]
struct Summary<'a> {
    planner: &'a str,
    map: &'a Path,
    scen: Option<&'a Path>,
    agents: usize,
    seed: u64,
    outcome: &'static str,
    solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    soc: Option<u64>,
    soc_lb: Option<u64>,
    makespan: Option<u64>,
    makespan_lb: Option<u64>,
    sum_of_loss: Option<u64>,
    time_ms: f64,
    first_solution_ms: Option<f64>,
    preprocess_ms: f64,
    expanded: u64,
    peak_rss_kb: Option<u64>,
}

pub(crate) fn solve(args: &Args, clock: Clock) -> Result<Answer, CliError> {
    let output = Output::wanted(args.plan.as_deref())?;
    let inputs = [
        ("--map", Some(args.map.as_path())),
        ("--scen", args.scen.as_deref()),
        ("--first-plan", args.first_plan.as_deref()),
    ];
    keep_apart(&inputs, &[("--plan", args.plan.as_deref())])?;
    if args.plan_format == PlanFormat::Moves && args.connectivity == Moves::Eight {
        return Err(CliError::NoDiagonals);
    }
    let scenario = input::problem(&args.map, args.scen.as_deref(), args.agents, args.connectivity.rules())?;
    let first = args.first_plan.as_deref().map(|path| first_plan(path, &scenario)).transpose()?;
    let preprocess_ms = clock.ms();

    let planner = Some(input::planner(&args.planner, Path::new(""))?);
    let options = Options {
        planner,
        seed: args.seed,
        threads: args.threads,
        patience: args.ticks,
        ..Options::default()
    };
    let mut watch = Watch { clock, first: None };
    let solution =
        throng::solve_from(&scenario, first, &options, &clock.deadline(args.time_limit), &mut watch)?;
    // Whoever improves nothing says nothing before it is done.
    let first_solution_ms = solution.plan().is_some().then(|| watch.first.unwrap_or_else(|| clock.ms()));

    match (&output, solution.plan()) {
        (Some(output), Some(plan)) => output.write(plan_text(args, &scenario, plan)?.as_bytes())?,
        // Whoever reads it next must not take an older plan for this one.
        (Some(output), None) if output.remove()? => {
            let path = output.path().display();
            note(&format!("note: {path}: removed: it held an older plan, and there is none to write"));
        }
        _ => {}
    }
    let summary = Summary {
        time_ms: clock.ms(),
        first_solution_ms,
        preprocess_ms,
        peak_rss_kb: peak_rss_kb(),
        ..Summary::of(args, &solution)
    };
    let answer = if args.json { Answer::json(&summary) } else { Answer::done(summary.text()) };
    Ok(answer.or(solution.is_solved(), NOT_SOLVED))
}

/// Looks at the clock when there is a plan.
struct Watch {
    clock: Clock,
    first: Option<f64>,
}

impl Observer for Watch {
    fn found(&mut self, _cost: u64) {
        self.first.get_or_insert_with(|| self.clock.ms());
    }
}

fn first_plan(path: &Path, scenario: &Scenario) -> Result<Plan, CliError> {
    let (file, path) = (input::plan_file(path, scenario)?, path.to_owned());
    let (begin, agents) = (file.steps.first().map_or(&[][..], Vec::as_slice), scenario.agents());
    let elsewhere = begin.iter().zip(agents).position(|(&begin, agent)| begin != agent.start);
    if let Some(agent) = elsewhere {
        let (found, expected) = (begin[agent], agents[agent].start);
        return Err(CliError::PlanFromElsewhere { path, agent, found, expected });
    }
    Ok(file.paths().map_err(throng::Error::from)?)
}

fn plan_text(args: &Args, scenario: &Scenario, plan: &Plan) -> Result<String, CliError> {
    let file_name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let header = [
        ("agents", args.agents.to_string()),
        ("map_file", file_name(&args.map)),
        ("scen_file", file_name(args.scen.as_deref().unwrap_or(&args.map))),
        ("solver", args.planner.clone()),
        ("seed", args.seed.to_string()),
        ("solved", "1".to_owned()),
    ];
    let header = header.map(|(key, value)| (key.to_owned(), value)).to_vec();
    let file = PlanFile::from_plan(scenario, plan, header).map_err(throng::Error::from)?;
    Ok(plan::write_as(&file, args.plan_format.into()).map_err(throng::Error::from)?)
}

impl<'a> Summary<'a> {
    /// All but the times.
    fn of(args: &'a Args, solution: &Solution) -> Self {
        let (outcome, why) = match &solution.outcome {
            Outcome::Solved(_) => ("solved", None),
            Outcome::Partial { why, .. } => ("partial", Some(why)),
            Outcome::Infeasible { why } => ("infeasible", Some(why)),
            Outcome::OutOfBudget { why, .. } => ("out-of-budget", Some(why)),
        };
        let report = solution.plan().and(solution.report.as_ref());
        Self {
            planner: &args.planner,
            map: &args.map,
            scen: args.scen.as_deref(),
            agents: args.agents,
            seed: args.seed,
            outcome,
            solved: solution.is_solved(),
            why: why.map(ToString::to_string),
            soc: report.map(|report| report.soc),
            soc_lb: solution.bounds.map(|bounds| bounds.soc),
            makespan: report.map(|report| report.makespan),
            makespan_lb: solution.bounds.map(|bounds| bounds.makespan),
            sum_of_loss: report.map(|report| report.sum_of_loss),
            time_ms: 0.0,
            first_solution_ms: None,
            preprocess_ms: 0.0,
            expanded: solution.expanded,
            peak_rss_kb: None,
        }
    }

    /// For people.
    fn text(&self) -> String {
        let Self { planner, agents, outcome, .. } = self;
        let mut out = format!("{outcome}: {agents} agents on {} with {planner}\n", self.map.display());
        out += &facts(self.why.clone().map(|why| ("why", why)));
        let cost = |value: Option<u64>, bound: Option<u64>| {
            let value = value?;
            let bound = bound.map_or_else(String::new, |bound| format!(" (lower bound {})", grouped(bound)));
            Some(format!("{}{bound}", grouped(value)))
        };
        let costs = [
            ("sum of costs", cost(self.soc, self.soc_lb)),
            ("makespan", cost(self.makespan, self.makespan_lb)),
            ("sum of loss", self.sum_of_loss.map(grouped)),
        ];
        out += &facts(costs.into_iter().filter_map(|(name, value)| Some((name, value?))));
        out += &facts([
            ("time", format!("{:.1} ms, {:.1} of them to read the files", self.time_ms, self.preprocess_ms)),
            ("expanded", grouped(self.expanded)),
        ]);
        out += &facts(self.peak_rss_kb.map(|kb| ("memory", format!("{:.1} MiB", kb as f64 / 1024.0))));
        out
    }
}
