//! What runs come to, as `throng run --json` tells it.

use super::Room;
use super::show::Show;
use serde_json::{Value, json};
use throng::check::{Expect, Judge};
use throng::core::Tick;

impl Room {
    /// A row for each run, as it is now.
    pub(super) fn summary(&self) -> Value {
        // The judge looks at all of a run, which is too much while it goes on.
        let judged = !self.playing && !self.is_busy();
        let rows: Vec<Value> = self.runs.iter().map(|run| row(run, judged)).collect();
        json!({"rows": rows})
    }
}

fn row(show: &Show, judged: bool) -> Value {
    let (scenario, tick) = (show.scenario(), show.tick());
    let figures = &show.charts().figures;
    let figures = &figures[..figures.len().min(tick as usize + 1)];
    let told = show.told();
    let mut row = json!({
        "scenario": scenario.name(),
        "planner": told["planner"],
        "seed": told["seed"],
        "agents": scenario.agents().len(),
        "ticks": tick,
        "arrived": show.arrived(),
        "failed_moves": figures.iter().map(|f| u64::from(f.failed)).sum::<u64>(),
        "expanded": figures.iter().map(|f| f.expanded).sum::<Option<u64>>(),
        "largest_work": figures.iter().filter_map(|f| f.expanded).max(),
        "distance": figures.iter().map(|f| f64::from(f.distance)).sum::<f64>(),
        "state_hash": format!("{:#018x}", show.state().hash()),
    });
    if judged && !was_moved(show) {
        row["collisions"] = json!(collisions(show, tick));
    }
    row
}

/// Whether somebody has put units elsewhere, which no trace tells, so that nobody can judge it.
fn was_moved(show: &Show) -> bool {
    matches!(show, Show::Live(run) if !run.placements().is_empty())
}

/// What the judge counts in the ticks before this one.
fn collisions(show: &Show, until: Tick) -> u64 {
    let (scenario, trace) = show.story();
    let mut judge = Judge::new(scenario).posed(trace.poses.iter().copied());
    for tick in 0..until.min(trace.ticks()) {
        trace.changes_at(tick).iter().for_each(|&change| judge.change(change));
        trace.errands_at(tick).iter().for_each(|note| judge.errand(note));
        trace.delays_at(tick).iter().for_each(|delay| judge.slip(delay));
        judge.tick(trace.at(tick));
    }
    judge.finish(Expect::Legal).collisions
}
