//! `throng planners`: every planner, what it can be told, what it supports and promises.

use crate::answer::Answer;
use throng::core::{Guarantee, Support};
use throng::planners::registry::{self, Entry};

/// List planners with their parameters, what they support and what they guarantee
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON list and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn planners(args: &Args) -> Answer {
    let all = registry::all();
    if args.json {
        return Answer::json(&throng::catalogue());
    }
    let mut text: String = all.iter().map(about).collect();
    text += "weights=FILE beside or instead of any parameters takes them from a file, as `throng lab learn` writes it\n\n";
    text += &line("supports", all, |entry| entry.name.to_owned());
    for (name, has) in SUPPORTS {
        text += &line(&format!("  {name}"), all, |entry| mark(has(&entry.support)));
    }
    text += &line("  largest body", all, |entry| format!("{0}×{0}", entry.support.largest_body));
    text +=
        "  with abstraction=1 or more, whca takes bodies of 1×1 only, and none that run or drive curves\n\n";
    text += &line("guarantees", all, |entry| entry.name.to_owned());
    for (name, has) in GUARANTEES {
        text += &line(&format!("  {name}"), all, |entry| mark(has(&entry.guarantee)));
    }
    text += "  of moves that fail among several teams nobody can promise anything: strangers' plans are not known\n";
    Answer::done(text)
}

type Feature<T> = (&'static str, fn(&T) -> bool);

const SUPPORTS: [Feature<Support>; 20] = [
    ("four moves", |s| s.four),
    ("eight moves", |s| s.eight),
    ("uniform timing", |s| s.uniform),
    ("metric timing", |s| s.metric),
    ("holding both cells", |s| s.hold_both),
    ("different speeds", |s| s.speeds),
    ("units that run", |s| s.gaits),
    ("curves", |s| s.cars),
    ("turns", |s| s.turns),
    ("priorities", |s| s.priorities),
    ("goals", |s| s.goals),
    ("lists of goals", |s| s.lists),
    ("patrols", |s| s.patrols),
    ("errands", |s| s.errands),
    ("units that hold", |s| s.holding),
    ("closing cells", |s| s.closings),
    ("delays", |s| s.delays),
    ("fog", |s| s.fog),
    ("teams", |s| s.teams),
    ("explorers", |s| s.explorers),
];

const GUARANTEES: [Feature<Guarantee>; 4] = [
    ("complete", |g| g.complete),
    ("optimal", |g| g.optimal),
    ("deterministic", |g| g.deterministic),
    ("no failed moves", |g| g.collision_free),
];

fn mark(has: bool) -> String {
    if has { "yes" } else { "·" }.to_owned()
}

/// One line of the matrix, with a column per planner.
fn line(name: &str, all: &[Entry], cell: impl Fn(&Entry) -> String) -> String {
    let mut out = format!("{name:<22}");
    for entry in all {
        out += &format!(" {:^width$}", cell(entry), width = entry.name.len().max(5));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Name, source and parameters.
fn about(entry: &Entry) -> String {
    let Entry { name, about, source, parameters, .. } = entry;
    let mut out = format!("{name}: {about}\n  source: {source}\n");
    let width = parameters.iter().map(|p| p.name.len() + 1 + p.default.len()).max().unwrap_or(0);
    for p in *parameters {
        let spelled = format!("{}={}", p.name, p.default);
        out += &format!("  {spelled:<width$}  {} ({})\n", p.about, p.range);
    }
    out.push('\n');
    out
}
