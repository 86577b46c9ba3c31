//! One tick of a world that changes: units come and go, are put elsewhere, and cells close.

use crate::Violation;
use crate::conflicts::Conflicts;
use crate::mover::Mover;
use throng_core::{Action, Agent, AgentId, Cell, Connectivity, Motion, Scenario, State, Tick, Unit};

/// Judges one tick by who was where before and after it. Whatever was done to the world between two ticks is in
/// `before` already, so nothing needs to be known of earlier ticks.
///
/// Two who meet in one cell at the end of the tick under the graph rules are found when the next tick is judged.
#[must_use]
pub fn check_step(scenario: &Scenario, before: &State, after: &State) -> Vec<Violation> {
    let (grid, rules, tick) = (scenario.grid(), scenario.rules(), before.tick);
    let mut found = Vec::new();
    let n = scenario.agents().len();
    for units in [&before.units, &after.units] {
        if units.len() != n {
            return vec![Violation::WrongAgentCount { tick, found: units.len(), expected: n }];
        }
    }
    let (mut ids, mut movers) = (Vec::new(), Vec::new());
    for (agent, (was, is)) in scenario.agents().iter().zip(before.units.iter().zip(&after.units)) {
        if is.gone {
            continue;
        }
        found.extend(motion(scenario, agent, (was, is), tick));
        // What it was doing in this tick. Where it has arrived by now, only the state before tells from where.
        let (unit, from) = if was.stands(tick) { (is, was.at) } else { (was, was.from) };
        let action = agent.actions(rules).between(grid.cell(from), grid.cell(unit.at), unit.pose);
        let mut mover = Mover::new(grid, agent, rules, grid.cell(from));
        match action {
            None => mover = Mover::new(grid, agent, rules, grid.cell(is.at)),
            Some(Action::Wait) => {}
            Some(action) => {
                mover.go(grid, unit.since, action);
                mover.until = unit.until;
            }
        }
        let body = mover.cover();
        if let Some(wall) = body.cells().find(|&cell| !grid.is_open(cell)) {
            let (from, to) = (grid.cell(from), grid.cell(is.at));
            found.push(Violation::IntoWall { tick, agent: agent.id, from, to, wall });
        }
        ids.push(agent.id);
        movers.push(mover);
    }
    let eight = rules.connectivity == Connectivity::Eight;
    let mut conflicts = Conflicts::new(grid, &movers, eight, rules.follow);
    found.extend(conflicts.at(grid, &movers, tick).map(|mut conflict| {
        conflict.agents = conflict.agents.map(|place| ids[place.index()]);
        Violation::Conflict(conflict)
    }));
    found
}

/// What is wrong with one unit's motion: it goes on, stays, or begins one legal move.
fn motion(scenario: &Scenario, agent: &Agent, (was, is): (&Unit, &Unit), tick: Tick) -> Option<Violation> {
    let (grid, actions) = (scenario.grid(), agent.actions(scenario.rules()));
    let id: AgentId = agent.id;
    let posed = |expected: u8| {
        let wrong = Violation::WrongPose { tick, agent: id, found: is.pose, expected };
        (is.pose != expected).then_some(wrong)
    };
    let same = (was.from, was.at, was.since, was.until) == (is.from, is.at, is.since, is.until);
    let landed = is.from == is.at && is.at == was.at && is.until == was.until && is.until <= tick + 1;
    let (from, to): (Cell, Cell) = (grid.cell(was.at), grid.cell(is.at));
    let turned = |action| is.pose == actions.pose_after(was.pose, action);
    if was.stands(tick)
        && is.at == was.at
        && matches!(agent.motion, Motion::Turns { .. })
        && (turned(Action::TurnLeft) || turned(Action::TurnRight))
    {
        return None;
    }
    if was.stands(tick) && is.at == was.at {
        return posed(actions.motion().rested(was.pose));
    }
    if same || landed {
        return posed(was.pose);
    }
    if !was.stands(tick) {
        return Some(Violation::Busy { tick, agent: id, until: was.until });
    }
    let jump = Violation::Jump { tick, agent: id, from, to };
    let action = match actions.between(from, to, is.pose) {
        // The first step of a run.
        Some(Action::Run(dir)) if was.pose == 0 => Action::Accelerate(dir),
        Some(action) => action,
        None => return Some(jump),
    };
    let in_time = is.since == tick && is.until == tick + Tick::from(actions.duration(action));
    // A move of one tick is over by now, so that its beginning is no longer told.
    let begins = is.from == was.at || (is.from == is.at && is.until <= tick + 1);
    if !(actions.legal(grid, from, was.pose, action) && in_time && begins) {
        return Some(jump);
    }
    posed(actions.pose_after(was.pose, action))
}
