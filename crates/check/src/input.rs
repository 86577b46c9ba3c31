//! The forms in which a solution comes: plans, positions by tick, traces.

use crate::store::{ByHand, Store};
use crate::supply::Supply;
use crate::{Expect, Judge, Report, Violation, lateness};
use throng_core::{Action, AgentId, Cell, Plan, Scenario, Timing, Trace};

/// Judges a whole plan: legal, free of conflicts, every task done.
#[must_use]
pub fn check_plan(scenario: &Scenario, plan: &Plan) -> Report {
    replay(scenario, plan, Expect::Finished)
}

/// Judges a plan that need not bring everybody home: legal and free of conflicts.
#[must_use]
pub fn check_prefix(scenario: &Scenario, plan: &Plan) -> Report {
    replay(scenario, plan, Expect::Legal)
}

fn replay(scenario: &Scenario, plan: &Plan, expect: Expect) -> Report {
    let starts: Vec<Cell> = plan.paths.iter().map(|path| path.start).collect();
    let mut judge = Judge::starting_at(scenario, &starts);
    let mut todo: Vec<_> =
        plan.paths.iter().take(scenario.agents().len()).map(|path| path.actions.iter()).collect();
    loop {
        let mut over = true;
        for (place, actions) in todo.iter_mut().enumerate() {
            if !judge.stands(place) {
                over = false;
            } else if let Some(&action) = actions.next() {
                over = false;
                if action != Action::Wait {
                    judge.begin(AgentId(place as u32), action);
                }
            }
        }
        if over {
            return judge.finish(expect);
        }
        judge.end_tick();
    }
}

/// Judges where everybody is at tick 0, 1, 2, …: what a plan file holds. Every task must be done.
///
/// This is the only form in which an agent can jump, and it makes sense under uniform timing only. An
/// agent that is missing from a row stays where it was.
#[must_use]
pub fn check_positions(scenario: &Scenario, positions: &[Vec<Cell>]) -> Report {
    let mut rows = positions.iter();
    let mut judge = Judge::starting_at(scenario, rows.next().map_or(&[], Vec::as_slice));
    if scenario.rules().timing != Timing::Uniform {
        judge.found(Violation::PositionsUnderMetric);
        return judge.finish(Expect::Legal);
    }
    for row in rows {
        for (place, &to) in row.iter().enumerate() {
            judge.begin_towards(place, to);
        }
        judge.end_tick();
        judge.expect_count(row.len());
    }
    judge.finish(Expect::Finished)
}

/// Judges what really happened. Cells close and open as the trace says: by hand at any time, and as the scenario has it in
/// store when that is due, or, where somebody is on a cell that is to close, as soon as it is free.
#[must_use]
pub fn check_trace(scenario: &Scenario, trace: &Trace, expect: Expect) -> Report {
    replay_trace(scenario, trace, expect, ByHand::Allowed)
}

/// Judges what really happened in a world that nobody interfered with: as [`check_trace`], but no cell may close or open,
/// no errand appear and nobody slip that the scenario does not say of.
#[must_use]
pub fn check_trace_alone(scenario: &Scenario, trace: &Trace, expect: Expect) -> Report {
    replay_trace(scenario, trace, expect, ByHand::Refused)
}

fn replay_trace(scenario: &Scenario, trace: &Trace, expect: Expect, by_hand: ByHand) -> Report {
    let mut judge = Judge::starting_at(scenario, &trace.starts).posed(trace.poses.iter().copied());
    let (mut store, mut supply) = (Store::default(), Supply::default());
    for tick in 0..trace.ticks() {
        store.happen(&mut judge, scenario.events_at(tick), trace, tick, by_hand);
        supply.happen(&mut judge, scenario, trace.errands_at(tick), tick, by_hand);
        lateness::happen(&mut judge, scenario, trace.delays_at(tick), tick, by_hand);
        judge.tick(trace.at(tick));
    }
    judge.finish(expect)
}
