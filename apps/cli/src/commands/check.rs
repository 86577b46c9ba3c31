//! `throng check`: what the judge says about a plan or a trace.

use super::run::ended;
use crate::answer::{Answer, BAD_INPUT};
use crate::error::CliError;
use crate::input::{self, AnyScenario, AnyTrace};
use crate::options::{self, Moves};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use throng::check::space::{SpaceVerdict, check_space_trace};
use throng::check::{Expect, Report, check_positions, check_trace, check_trace_alone};
use throng::continuous::Expedition;
use throng::core::space::{Errand, Point, Scene, SpaceTrace};
use throng::space::{self, SceneError};

/// No more violations are told, one by one.
const SHOWN: usize = 10;

const EXAMPLES: &str = "\
Examples:
  throng check --map room.map --scen room.scen --agents 50 --plan room.plan
  throng check --trace town.trace
  throng check --scenario town.toml --trace town.trace      (also of continuous space)

A plan has to bring every agent to its goal. A trace tells what happened, so it has to be free of
collisions and illegal moves only; cells have to close and open as the scenario has it in store. Exit status: 0 valid, 1 invalid (the first ten violations are listed) or bad input.";

/// Judge a plan or a trace
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("judged").required(true).args(["plan", "trace"]))]
pub(crate) struct Args {
    /// The plan to judge, in any format that `solve --plan-format` writes; needs --map and --agents
    #[arg(long, value_name = "FILE", requires_all = ["map", "agents"])]
    plan: Option<PathBuf>,
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M", conflicts_with = "trace")]
    map: Option<PathBuf>,
    /// Starts and goals (MovingAI .scen) [default: the units of the map itself]
    #[arg(long, value_name = "S", conflicts_with = "trace")]
    scen: Option<PathBuf>,
    /// How many rows of it the plan is for
    #[arg(long, value_name = "N", value_parser = options::agents(), conflicts_with = "trace")]
    agents: Option<usize>,
    /// Moves per cell; every move takes one tick
    #[arg(
        long,
        value_name = "4|8",
        default_value = "4",
        hide_possible_values = true,
        conflicts_with = "trace"
    )]
    connectivity: Moves,
    /// The trace to judge
    #[arg(long, value_name = "T")]
    trace: Option<PathBuf>,
    /// The scenario (TOML) to hold the trace against [default: the one inside the trace]
    #[arg(long, value_name = "F.toml", requires = "trace")]
    scenario: Option<PathBuf>,
}

pub(crate) fn check(args: &Args) -> Result<Answer, CliError> {
    match args {
        Args { trace: Some(trace), scenario, .. } => {
            let given = scenario.as_deref().map(input::any_scenario).transpose()?;
            judge(input::any_trace(trace)?, scenario.as_deref().zip(given))
        }
        Args { plan: Some(plan), map: Some(map), scen, agents: Some(agents), .. } => {
            let scenario = input::problem(map, scen.as_deref(), *agents, args.connectivity.rules())?;
            let report = check_positions(&scenario, &input::plan_file(plan, &scenario)?.steps);
            Ok(verdict(report, *agents))
        }
        _ => unreachable!("the parser asks for a trace, or for a plan with its problem"),
    }
}

/// Judges a trace, by the scenario that is given or by its own.
fn judge(trace: AnyTrace, given: Option<(&Path, AnyScenario)>) -> Result<Answer, CliError> {
    match (trace, given) {
        (AnyTrace::Grid(file), None) => {
            let report = check_trace(&file.scenario, &file.trace, Expect::Legal);
            Ok(verdict(report, file.scenario.agents().len()))
        }
        (AnyTrace::Grid(file), Some((_, AnyScenario::Grid(given)))) => {
            let scenario = &given.setup.scenario;
            // A file cannot tell what somebody did by hand, so that nobody may have done anything.
            let report = check_trace_alone(scenario, &file.trace, Expect::Legal);
            Ok(verdict(report, scenario.agents().len()))
        }
        (AnyTrace::Space(file), None) => Ok(in_space(&file.scene, &file.trace, None)),
        (AnyTrace::Space(file), Some((_, AnyScenario::Space(given)))) => {
            Ok(in_space(&given.scene, &file.trace, None))
        }
        // A scenario of the grid may have run in continuous space.
        (AnyTrace::Space(file), Some((_, AnyScenario::Grid(given)))) => {
            let explores = given.setup.scenario.agents().iter().any(|agent| agent.task.is_search());
            let blame = |why: SceneError| given.blame(why.into());
            if explores {
                let (scene, explorers) = space::expedition(&given.setup, space::FIELDS).map_err(blame)?;
                return Ok(in_space(&scene, &file.trace, Some(explorers)));
            }
            Ok(in_space(&space::scene(&given.setup).map_err(blame)?, &file.trace, None))
        }
        (AnyTrace::Grid(_), Some((path, AnyScenario::Space(_)))) => {
            Err(CliError::OtherKind { path: path.to_owned() })
        }
    }
}

/// What was found in continuous space, one violation per line, and how close bodies came. Of those who explore it is told
/// what came of it.
fn in_space(scene: &Scene, trace: &SpaceTrace, explorers: Option<Expedition>) -> Answer {
    let SpaceVerdict { mut report, finished, still } = check_space_trace(scene, trace);
    let (all, valid) = (scene.bodies.len(), report.is_valid());
    report.violations.truncate(SHOWN);
    let gap = report.least_gap.map_or_else(String::new, |gap| format!(", the least gap {gap:.2e}"));
    let got = match explorers {
        // Whoever did what it cannot do saw nothing by it.
        Some(explorers) if valid => format!("{all} bodies {}", ended(&retraced(explorers, trace))),
        _ if scene.bodies.iter().all(|body| body.errand == Errand::Hold) => {
            format!("{all} bodies had no place to get to (if they explore, --scenario tells what came of it)")
        }
        _ => format!("{finished} of {all} bodies rest where they were to get"),
    };
    let text = match report.total {
        0 => format!("valid: {got}, {} steps, the last move in step {still}{gap}\n", trace.ticks()),
        total => invalid(total, &report),
    };
    Answer::done(text).or(valid, BAD_INPUT)
}

/// Explorers after all that they did.
fn retraced(mut explorers: Expedition, trace: &SpaceTrace) -> Expedition {
    let mut places: Vec<_> =
        trace.starts.iter().map(|start| start.map_or(Point::ZERO, |pose| pose.at)).collect();
    for tick in 0..trace.ticks() {
        for &(agent, to) in trace.at(tick) {
            if let Some(place) = places.get_mut(agent.index()) {
                *place = to.at;
            }
        }
        explorers.retrace(&places);
    }
    explorers
}

/// What was found, one violation per line, and how far the agents got.
fn verdict(mut report: Report, agents: usize) -> Answer {
    report.violations.truncate(SHOWN);
    let Report { total, ticks, finished, soc, makespan, sum_of_loss, errands, .. } = report;
    let text = match total {
        0 if errands > 0 => format!("valid: {errands} errands done, {ticks} ticks\n"),
        0 if finished == agents => {
            format!("valid: soc {soc}, makespan {makespan}, sum of loss {sum_of_loss}, {ticks} ticks\n")
        }
        0 => format!("valid: {finished} of {agents} agents have finished after {ticks} ticks\n"),
        total => invalid(total, &report),
    };
    Answer::done(text).or(report.is_valid(), BAD_INPUT)
}

/// How many violations there are, and the first of them.
fn invalid(total: u64, report: &impl Display) -> String {
    format!("invalid: {total} violation{}\n{report}\n", if total == 1 { "" } else { "s" })
}
