//! Every scenario of `testdata/mixed` (sizes, speeds, runs, cars, holders, priorities) × every planner that supports it, with
//! the judge watching.

use crate::kit::watched;
use std::collections::BTreeMap;
use std::path::Path;
use throng::core::{Setup, Unlimited};
use throng::formats::scenario;
use throng::planners::registry;
use throng::{Options, Session};

/// In how many of the nine each planner brings everybody to its goal, of those it supports; who is not listed
/// supports none. Better is welcome: raise the row.
const LEAST: &[(&str, usize, usize)] = &[
    ("collective", 7, 7),
    ("cpra", 4, 4),
    ("dlite", 2, 4),
    ("dm", 3, 4),
    ("dm-greedy", 1, 4),
    ("dm-whca", 9, 9),
    ("flock", 8, 8),
    ("pra", 2, 4),
    ("whca", 9, 9),
];

fn setups() -> Vec<(String, Setup)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mixed");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let setup = scenario::parse(&text, &mut scenario::no_files).unwrap_or_else(|e| panic!("{e}"));
        (name, setup)
    };
    files.iter().map(read).collect()
}

#[test]
fn every_planner_runs_what_it_supports() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, setup) in setups() {
        for entry in registry::all() {
            if entry.support.gap(&setup.scenario).is_some() {
                continue;
            }
            let ticks = setup.ticks.expect("they end");
            let mut session = Session::new(setup.clone(), &Options::planner(entry.name))
                .unwrap_or_else(|e| panic!("{name} {}: {e}", entry.name));
            watched(&mut session, ticks, &Unlimited);
            let (arrived, tried) = counts.entry(entry.name).or_default();
            *arrived += usize::from(session.is_done());
            *tried += 1;
        }
    }
    println!("{counts:?}");
    let supporting: Vec<_> = counts.iter().map(|(&name, &(_, tried))| (name, tried)).collect();
    let listed: Vec<_> = LEAST.iter().map(|&(name, _, tried)| (name, tried)).collect();
    assert_eq!(supporting, listed, "who supports how many");
    for &(name, least, _) in LEAST {
        assert!(
            counts[name].0 >= least,
            "{name} solves {} of {}, at least {least}",
            counts[name].0,
            counts[name].1
        );
    }
}
