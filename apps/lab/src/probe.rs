//! Rows of one version of the planners must not be mixed with those of another.
//!
//! Nobody changes a version number for every change of a planner, so the planners are asked instead: a short
//! run of each, and what came out of it and how much work it was.

use crate::LabError;
use throng::core::{StateHash, Tick, Unlimited};
use throng::sim::Metrics;
use throng::{Options, Session, worlds};

/// Worlds where planners have something to decide, and where runs are short.
const WORLDS: [&str; 2] = ["bridge", "office"];
/// A world for those who explore and do not take goals.
const UNKNOWN: &str = "expedition";
const TICKS: Tick = 60;

/// What the planners do now, as a word.
pub(crate) fn fingerprint(planners: &[String]) -> Result<String, LabError> {
    let mut hash = StateHash::new();
    for planner in planners {
        for world in WORLDS {
            let open = |world: &str| {
                Session::new(worlds::builtin(world, 0).expect("it is built in"), &Options::planner(planner))
            };
            let mut session = open(world).or_else(|why| open(UNKNOWN).map_err(|_| why))?;
            let mut metrics = Metrics::new(session.scenario(), session.state());
            while !session.is_done() && session.state().tick < TICKS {
                session.tick(&Unlimited, &mut metrics);
                hash.add(session.state().hash());
            }
            hash.add(metrics.expanded());
        }
    }
    Ok(format!("{:016x}", hash.finish()))
}
