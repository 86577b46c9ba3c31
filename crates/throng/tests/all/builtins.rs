//! The built-in scenarios show what they are meant to show.

use crate::kit::{session, watched};
use throng::core::{Tick, Unlimited};
use throng::worlds::{BUILTINS, builtin};
use throng::{LowerBounds, Options, Session};

/// What came out of a run of a built-in scenario.
#[derive(Debug)]
struct Run {
    arrived: usize,
    failed: u64,
    makespan: Tick,
    bound: Tick,
}

/// Runs under a planner, or the scenario's own, with the judge watching every tick.
fn run(name: &str, seed: u64, planner: Option<&str>) -> Run {
    let setup = builtin(name, seed).expect("it is built in");
    let bound = LowerBounds::of(&setup.scenario).expect("everybody can arrive").makespan;
    let ticks = setup.ticks.expect("built-in scenarios end");
    let options = planner.map_or_else(Options::default, Options::planner);
    let mut session = Session::new(setup, &options).expect("a planner");
    let report = watched(&mut session, ticks, &Unlimited);
    Run { arrived: session.arrived(), failed: report.failed_moves, makespan: report.makespan, bound }
}

/// Forty of forty cross, nobody loses a move, and nobody has to wait for long: the last arrives within 1.5
/// times the longest way. Under local repair the bridge jams.
#[test]
fn the_bridge_jams_only_without_cooperation() {
    for seed in 0..20 {
        let cooperative = run("bridge", seed, None);
        assert_eq!((cooperative.arrived, cooperative.failed), (40, 0), "seed {seed}");
        let within = 2 * cooperative.makespan <= 3 * cooperative.bound;
        assert!(within, "seed {seed}: {cooperative:?}");
        let repair = run("bridge", seed, Some("lra"));
        let worse = repair.arrived < 40 || repair.failed >= 10;
        assert!(worse, "seed {seed}: {repair:?}");
    }
}

/// Two units that see too little of each other's way push each other off their goals until time is up, with
/// and without promotion (`patience`); with a window of 16 both arrive.
#[test]
fn the_pushers_need_to_look_ahead() {
    for seed in 0..5 {
        for short in ["whca(window=4)", "whca(window=8)", "whca(window=8,patience=0)"] {
            let run = run("pushers", seed, Some(short));
            assert!(run.arrived < 2, "{short} seed {seed}: {run:?}");
        }
        for far in ["whca(window=16)", "whca(window=16,patience=0)"] {
            let run = run("pushers", seed, Some(far));
            assert_eq!(run.arrived, 2, "{far} seed {seed}: {run:?}");
        }
    }
}

/// Under its own planner everybody arrives in every built-in scenario, with no violation at any tick and no
/// cancelled move: `town` with its patrols, lists and sentries included.
#[test]
fn everybody_arrives_everywhere() {
    for &(name, _) in BUILTINS {
        for seed in 0..5 {
            let units = builtin(name, seed).expect("it is built in").scenario.agents().len();
            let run = run(name, seed, None);
            assert_eq!((run.arrived, run.failed), (units, 0), "{name} seed {seed}: {run:?}");
        }
    }
}

/// Town under every other controller: not everybody need arrive, but nothing illegal happens at any tick.
#[test]
fn town_is_legal_under_every_controller() {
    for planner in ["lra", "whca(window=4)", "whca(window=8,replan=1,first=spread)"] {
        let mut session = session(builtin("town", 1).expect("it is built in"), planner);
        watched(&mut session, 200, &Unlimited);
    }
}
