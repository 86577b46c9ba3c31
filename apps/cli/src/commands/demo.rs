//! `throng demo`: the same world under several planners, to see why it matters who plans.

use super::run::{picture, planners_of};
use crate::answer::Answer;
use crate::error::CliError;
use crate::output::Output;
use crate::simulate::{Run, simulate};
use crate::table::{Table, grouped, known};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use throng::core::{Tick, Unlimited};
use throng::{LowerBounds, Options, Session, Setup, worlds};
use throng_picture::GifOptions;

const EXAMPLES: &str = "\
Examples:
  throng demo
  throng demo --out pictures --seed 3 --json

Some of the planners are meant to fail here, so the exit status is 0 whenever the demo has run.";

/// Run built-in scenarios under several planners: a table, and a picture for each
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where the pictures go; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "throng-demo")]
    out: PathBuf,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Worlds and who plans there; nobody means whom the world itself asks for.
const SHOWS: [(&str, &[Option<&str>]); 3] = [
    ("bridge", &[Some("lra"), Some("ca"), Some("hca"), Some("whca(window=8)"), None]),
    ("town", &[None]),
    ("warehouse", &[Some("lra"), None]),
];

/// What one planner made of one world.
#[derive(Serialize)]
struct Row {
    scenario: String,
    planner: String,
    agents: usize,
    arrived: usize,
    ticks: Tick,
    makespan: Option<u64>,
    soc: Option<u64>,
    /// Errands done, and ticks from when one appeared to when it was done on average, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    errands: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<f64>,
    failed_moves: u64,
    collisions: u64,
    expanded: u64,
    /// To plan and move, without the picture.
    time_ms: f64,
    gif: PathBuf,
}

#[derive(Serialize)]
struct Demo<'a> {
    seed: u64,
    out: &'a Path,
    rows: Vec<Row>,
}

pub(crate) fn demo(args: &Args) -> Result<Answer, CliError> {
    let out = &args.out;
    std::fs::create_dir_all(out).map_err(|why| CliError::Write { path: out.clone(), why })?;
    let (mut text, mut rows, mut runs) = (String::new(), Vec::new(), Vec::new());
    for (world, planners) in SHOWS {
        let setup = worlds::builtin(world, args.seed)?;
        let first = rows.len();
        for planner in planners {
            let (row, run) = show(&setup, *planner, args)?;
            rows.push(row);
            runs.push(run);
        }
        text += &chapter(&setup, &rows[first..]);
    }
    draw_all(&rows, &runs)?;
    if args.json {
        return Ok(Answer::json(&Demo { seed: args.seed, out, rows }));
    }
    text += "Pictures, one for each line:\n";
    text.extend(rows.iter().map(|row| format!("  {}\n", row.gif.display())));
    Ok(Answer::done(text))
}

/// Runs a world under a planner.
fn show(setup: &Setup, planner: Option<&str>, args: &Args) -> Result<(Row, Run), CliError> {
    let options = Options { planner: planner.map(str::to_owned), seed: args.seed, ..Options::default() };
    let begin = Instant::now();
    let mut session = Session::new(setup.clone(), &options)?;
    let run = simulate(&mut session, setup.ticks.unwrap_or(Tick::MAX), &Unlimited, true, |_| Ok(()))?;
    let time_ms = begin.elapsed().as_micros() as f64 / 1000.0;
    let (world, planner) = (setup.scenario.name(), planners_of(&session));
    let done = session.is_done();
    let row = Row {
        scenario: world.to_owned(),
        agents: setup.scenario.agents().len(),
        arrived: session.arrived(),
        ticks: session.state().tick,
        makespan: done.then_some(run.report.makespan),
        soc: done.then_some(run.report.soc),
        errands: run.metrics.service().is_used().then(|| run.metrics.service().done()),
        service: run.metrics.service().times().mean(),
        failed_moves: run.metrics.failed_moves(),
        collisions: run.report.collisions,
        expanded: run.metrics.expanded(),
        time_ms,
        gif: args.out.join(format!("{world}-{}.gif", file_name(&planner))),
        planner,
    };
    Ok((row, run))
}

/// Draws what happened, each run on a thread of its own: drawing takes far longer than running.
fn draw_all(rows: &[Row], runs: &[Run]) -> Result<(), CliError> {
    std::thread::scope(|scope| {
        let drawing = |(row, run)| scope.spawn(move || draw(row, run));
        let drawings: Vec<_> = rows.iter().zip(runs).map(drawing).collect();
        drawings.into_iter().try_for_each(|drawn| drawn.join().expect("drawing does not panic"))
    })
}

fn draw(row: &Row, run: &Run) -> Result<(), CliError> {
    let title = format!("{}, {}", row.scenario, row.planner);
    let bytes = picture(run, &GifOptions { title, ..GifOptions::default() }, false)
        .map_err(|why| CliError::Picture { path: row.gif.clone(), why })?;
    Output::new(&row.gif)?.write(&bytes)
}

/// `whca(window=8)` → `whca-window-8`.
fn file_name(planner: &str) -> String {
    let words = planner.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The table of one world.
fn chapter(setup: &Setup, rows: &[Row]) -> String {
    let mut out = format!("{}: {}\n", setup.scenario.name(), setup.about);
    if setup.scenario.stream().is_some() {
        return out + &errands(rows);
    }
    if let Some(bounds) = LowerBounds::of(&setup.scenario) {
        let (makespan, soc) = (grouped(bounds.makespan), grouped(bounds.soc));
        out += &format!("No plan can beat a makespan of {makespan} and a sum of costs of {soc}.\n\n");
    }
    let mut table = Table::new([
        "planner",
        "arrived",
        "ticks",
        "makespan",
        "sum of costs",
        "failed moves",
        "expanded",
        "ms",
    ]);
    for row in rows {
        table.row(vec![
            row.planner.clone(),
            format!("{}/{}", row.arrived, row.agents),
            grouped(row.ticks),
            known(row.makespan),
            known(row.soc),
            grouped(row.failed_moves),
            grouped(row.expanded),
            format!("{:.1}", row.time_ms),
        ]);
    }
    out + &table.render() + "\n"
}

/// The table of a world where errands never end.
fn errands(rows: &[Row]) -> String {
    let mut table =
        Table::new(["planner", "errands", "in a tick", "ticks each", "failed moves", "expanded", "ms"]);
    for row in rows {
        let done = row.errands.unwrap_or(0);
        table.row(vec![
            row.planner.clone(),
            grouped(done),
            format!("{:.3}", done as f64 / row.ticks.max(1) as f64),
            row.service.map_or_else(|| "–".to_owned(), |ticks| format!("{ticks:.1}")),
            grouped(row.failed_moves),
            grouped(row.expanded),
            format!("{:.1}", row.time_ms),
        ]);
    }
    format!("\n{}\n", table.render())
}
