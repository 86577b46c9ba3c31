//! `throng lab`: experiments that measure what documents claim.

use crate::answer::Answer;
use crate::error::CliError;
use crate::output::Output;
use crate::table::Table;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use throng_lab::{Outcome, Request, Shard, Watch};

const EXAMPLES: &str = "\
Examples:
  throng lab list
  throng lab run silver-crowd --quick
  throng lab run silver-crowd --out results --json
  throng lab run silver-crowd --out results --shard 1/2     (and 2/2 elsewhere; then once without)
  throng lab learn explore -o weights.toml                  (then --planner 'explore(weights=weights.toml)')

A run that was stopped goes on where it was. Exit status: 0 done, whether claims hold or not; 1 bad input.";

/// Run experiments: what documents claim, measured
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// All experiments, with what they are about
    List,
    Run(RunArgs),
    Learn(LearnArgs),
}

/// Run an experiment: raw rows, tables, plots, and a verdict on every claim
#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Which one; an unknown name lists them
    name: String,
    /// Few cases, for a first look
    #[arg(long)]
    quick: bool,
    /// A folder with the documents' own maps, to run on those
    #[arg(long, value_name = "DIR")]
    originals: Option<PathBuf>,
    /// A folder with benchmark maps and scenarios, to run on those
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Run every N-th case only; a later run without this puts all together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Where results go, in a folder with the experiment's name; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "throng-lab")]
    out: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Learn parameters of a planner on seeds for training, and write them to a file for `name(weights=FILE)`
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// Which planner: explore
    planner: String,
    /// Few runs, for a first look
    #[arg(long)]
    quick: bool,
    /// The file to write (TOML)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn lab(args: &Args) -> Result<Answer, CliError> {
    match &args.what {
        What::List => Ok(Answer::done(list())),
        What::Run(args) => run(args),
        What::Learn(args) => learn(args),
    }
}

fn list() -> String {
    let mut table = Table::new(["experiment", "about", "source"]);
    for entry in throng_lab::all() {
        table.row([entry.name, entry.about, entry.source].map(str::to_owned).to_vec());
    }
    table.render()
}

fn run(args: &RunArgs) -> Result<Answer, CliError> {
    let RunArgs { quick, shard, .. } = *args;
    let (originals, data, out) = (args.originals.clone(), args.data.clone(), args.out.clone());
    let request = Request { quick, originals, data, shard, out };
    let display = Display::new(false);
    let outcome = throng_lab::run(&args.name, &request, &display)?;
    drop(display);
    Ok(if args.json { Answer::json(&outcome) } else { Answer::done(text(&outcome)) })
}

fn learn(args: &LearnArgs) -> Result<Answer, CliError> {
    let output = Output::new(&args.output)?;
    let display = Display::new(args.json);
    let learned = throng_lab::learn(&args.planner, args.quick, &display)?;
    drop(display);
    output.write(learned.file.as_bytes())?;
    if args.json {
        return Ok(Answer::json(&learned));
    }
    let path = output.path().display();
    Ok(Answer::done(format!(
        "{}
{path}: {}\n",
        learned.report, learned.spec
    )))
}

/// For people: the report and where it is, or how far it has come.
fn text(outcome: &Outcome) -> String {
    let mut out = outcome.report.clone();
    if out.is_empty() {
        let (rows, cases) = (outcome.rows().len(), outcome.cases);
        out += &format!("{rows} of {cases} cases have a row; run without --shard to conclude\n");
    } else {
        out += "\nFiles:\n";
        out.extend(outcome.files.iter().map(|path| format!("  {}\n", path.display())));
    }
    out
}

/// A bar for people who watch in a terminal, and notes for everybody.
struct Display {
    bar: ProgressBar,
    /// Notes are for nobody.
    quiet: bool,
}

impl Display {
    fn new(quiet: bool) -> Self {
        let watched = std::io::stderr().is_terminal();
        let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cases, {eta} left: {wide_msg}");
        let bar = style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style));
        Self { bar, quiet }
    }
}

impl Watch for Display {
    fn begin(&self, cases: usize, done: usize) {
        if done > 0 {
            self.note(&format!("{done} of {cases} cases have a row already"));
        }
        self.bar.set_length(cases as u64);
        self.bar.set_position(done as u64);
        // Cases that were done long ago say nothing about how fast the others will be.
        self.bar.reset_eta();
    }

    fn finished(&self, key: &str) {
        self.bar.set_message(key.to_owned());
        self.bar.inc(1);
    }

    fn note(&self, text: &str) {
        if self.quiet {
            return;
        }
        // Nothing can be done about a terminal that cannot be written to.
        self.bar.suspend(|| drop(writeln!(std::io::stderr(), "{text}")));
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
