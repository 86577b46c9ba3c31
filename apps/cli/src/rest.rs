//! A run that goes on from a saved session begins in the middle. Judge, trace and picture begin at a
//! scenario's starts, so for them the rest of the run is a scenario of its own.

use throng::core::{Agent, Cell, Dir, Motion, Scenario, ScenarioError, State, Task};

/// More waypoints than any run visits; a patrol may have billions.
const MOST: u32 = 10_000;

/// What is left of `scenario` at `state`: everybody starts where it is, with what it still has to visit.
/// A move in progress counts as over, and so does a run, which a scenario cannot begin with.
pub(crate) fn of(scenario: &Scenario, state: &State) -> Result<Scenario, ScenarioError> {
    if state.tick == 0 {
        return Ok(scenario.clone());
    }
    let agents = scenario.agents().iter().zip(&state.units).map(|(agent, unit)| {
        let (start, way) = (scenario.grid().cell(unit.at), agent.waypoints());
        let left = unit.leg..way.len().min(unit.leg.saturating_add(MOST));
        let is_open = |goal: &Cell| scenario.grid().fits(*goal, agent.body);
        let task = match &agent.task {
            Task::Goal(goal) if is_open(goal) => Task::Goal(*goal),
            // A round to where it stands is done at once, and does not bind it to the place.
            // The trace of the rest begins with what is open by now.
            Task::Errands(_) => Task::Errands(Vec::new()),
            Task::Patrol { .. } if left.is_empty() => Task::Patrol { goal: start, rounds: 1 },
            // What was seen before is not known here, so that only whoever watches from the beginning can say when it ends.
            Task::Explore | Task::Find(_) if left.is_empty() => Task::Patrol { goal: start, rounds: 1 },
            Task::Explore | Task::Find(_) => Task::Explore,
            _ if left.is_empty() && is_open(&way.last()) => Task::Goal(way.last()),
            _ => match left.map(|leg| way.target(leg)).filter(is_open).collect::<Vec<_>>() {
                // Where it was to go is closed by now.
                goals if goals.is_empty() => Task::Hold,
                goals => Task::Goals(goals),
            },
        };
        let motion = match agent.motion {
            Motion::Turns { heading } => {
                let heading = Dir::ALL.into_iter().find(|&dir| dir as u8 == unit.pose).unwrap_or(heading);
                Motion::Turns { heading }
            }
            Motion::Car { radius, heading } => {
                let heading = Dir::ALL.into_iter().find(|&dir| dir as u8 == unit.pose).unwrap_or(heading);
                Motion::Car { radius, heading }
            }
            motion => motion,
        };
        Agent { start, task, motion, ..agent.clone() }
    });
    let rest = Scenario::new(scenario.name(), scenario.grid().clone(), scenario.rules(), agents.collect())?;
    match scenario.sight() {
        Some(sight) => rest.with_sight(sight),
        None => Ok(rest),
    }
}
