//! `throng lab`: experiments that measure what documents claim.

use crate::answer::{Answer, NOT_SOLVED};
use crate::error::CliError;
use crate::options;
use crate::output::Output;
use crate::table::Table;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use throng_lab::{Cluster, Outcome, Request, Shard, Watch};

const EXAMPLES: &str = "\
Examples:
  throng lab list
  throng lab run silver-crowd --quick
  throng lab run silver-crowd --out results --json
  throng lab run silver-crowd --out results --shard 1/2     (and 2/2 elsewhere; then once without)
  throng lab merge silver-crowd one two --out results       (folders of shards that ran elsewhere)
  throng lab script slurm silver-crowd --shards 40 --out results -o crowd.sh
  throng lab learn explore -o weights.toml                  (then --planner 'explore(weights=weights.toml)')

A run that was stopped goes on where it was. Exit status: 0 done, whether claims hold or not; 2 if rows are missing after a merge;
1 bad input.";

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
    Merge(MergeArgs),
    Script(ScriptArgs),
    Learn(LearnArgs),
}

/// Which experiment, on which maps, and where results go
#[derive(Debug, clap::Args)]
struct Which {
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
    /// Where results go, in a folder with the experiment's name; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "throng-lab")]
    out: PathBuf,
}

impl Which {
    fn request(&self, shard: Option<Shard>) -> Request {
        let Self { quick, originals, data, out, .. } = self;
        let (originals, data) = (originals.clone(), data.clone());
        Request { quick: *quick, originals, data, shard, out: out.clone() }
    }
}

/// Run an experiment: raw rows, tables, plots, and a verdict on every claim
#[derive(Debug, clap::Args)]
struct RunArgs {
    #[command(flatten)]
    which: Which,
    /// Run every N-th case only; a later run without this puts all together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Put rows together that shards have left in several folders; runs nothing, and concludes if none is missing
#[derive(Debug, clap::Args)]
struct MergeArgs {
    #[command(flatten)]
    which: Which,
    /// Folders that were the --out of shards; those in this --out are taken in anyway
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Write a job script that runs the shards of an experiment as an array, where all machines share --out
#[derive(Debug, clap::Args)]
struct ScriptArgs {
    /// Who gives out jobs: slurm, or hq (HyperQueue)
    cluster: Cluster,
    #[command(flatten)]
    which: Which,
    /// How many jobs
    #[arg(long, value_name = "N", value_parser = options::shards())]
    shards: usize,
    /// Threads of each job
    #[arg(long, value_name = "N", default_value = "1", value_parser = options::threads())]
    threads: usize,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
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
        What::Merge(args) => merge(args),
        What::Script(args) => script(args),
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
    let display = Display::new(false);
    let outcome = throng_lab::run(&args.which.name, &args.which.request(args.shard), &display)?;
    drop(display);
    Ok(if args.json { Answer::json(&outcome) } else { Answer::done(text(&outcome)) })
}

/// So many keys of missing cases are told.
const TOLD: usize = 5;

fn merge(args: &MergeArgs) -> Result<Answer, CliError> {
    let display = Display::new(false);
    let outcome = throng_lab::merge(&args.which.name, &args.which.request(None), &args.folders, &display)?;
    drop(display);
    let missing = outcome.missing.iter().take(TOLD).map(|key| format!("  {key}\n")).collect::<String>();
    let answer = match (args.json, outcome.is_complete()) {
        (true, _) => Answer::json(&outcome),
        (false, true) => Answer::done(text(&outcome)),
        (false, false) => {
            let (rows, cases) = (outcome.cases - outcome.missing.len(), outcome.cases);
            Answer::done(format!("{rows} of {cases} cases have a row; the first without:\n{missing}"))
        }
    };
    Ok(answer.or(outcome.is_complete(), NOT_SOLVED))
}

fn script(args: &ScriptArgs) -> Result<Answer, CliError> {
    let Which { name, quick, originals, data, out } = &args.which;
    throng_lab::find(name)?;
    let output = Output::new(&args.output)?;
    let mut call = name.clone();
    if *quick {
        call += " --quick";
    }
    for (option, folder) in [("--originals", originals), ("--data", data), ("--out", &Some(out.clone()))] {
        if let Some(folder) = folder {
            call += &format!(" {option} {}", quoted(&folder.display().to_string()));
        }
    }
    let ScriptArgs { cluster, shards, threads, .. } = *args;
    output.write(throng_lab::script(cluster, name, shards, threads, &call, &call).as_bytes())?;
    Ok(Answer::done(format!("{}: {shards} jobs for {cluster}\n", output.path().display())))
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
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
