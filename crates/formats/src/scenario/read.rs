//! From TOML to a checked scenario.

use super::terrain::{self, line_at};
use super::wire;
use crate::FormatError;
use throng_core::{Agent, AgentId, Cell, Connectivity, Dir, Motion, Rules, Scenario, Setup, Task, Timing};

/// Reads a scenario file. `resolve` loads the map that `map_file` names; where that is not wanted, pass
/// [`no_files`](super::no_files).
pub fn parse(
    text: &str,
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Setup, FormatError> {
    let file: wire::File = toml::from_str(text).map_err(|error| FormatError::Toml {
        line: error.span().map(|span| line_at(text, span.start)),
        message: error.message().to_owned(),
    })?;
    let grid = terrain::grid(text, &file, resolve)?;
    let rules = rules(text, &file.rules)?;
    let line_of = |place: usize| file.unit.get(place).map(|unit| line_at(text, unit.span().start));
    let mut agents = Vec::with_capacity(file.unit.len());
    let mut unit_planners = Vec::new();
    for (place, unit) in file.unit.iter().enumerate() {
        let unit = unit.get_ref();
        let wrong = |(expected, found): Wrong| FormatError::Expected {
            line: line_of(place).unwrap_or(1),
            expected: expected.into(),
            found,
        };
        let (task, motion) = (task(unit).map_err(wrong)?, motion(unit).map_err(wrong)?);
        let id = place as u32;
        unit_planners.extend(unit.planner.iter().map(|spec| (AgentId(id), spec.clone())));
        agents.push(Agent {
            id: AgentId(id),
            team: unit.team,
            start: cell(unit.start),
            task,
            body: unit.body,
            period: unit.period,
            motion,
            priority: unit.priority,
        });
    }
    let scenario = Scenario::new(file.name, grid, rules, agents).map_err(|why| FormatError::Scenario {
        line: why.agent().and_then(|agent| line_of(agent.index())),
        why,
    })?;
    Ok(Setup { scenario, about: file.about, planner: file.planner, unit_planners, ticks: file.ticks })
}

fn rules(text: &str, wire: &wire::Rules) -> Result<Rules, FormatError> {
    let connectivity = match wire.connectivity.as_ref().map(|value| (*value.get_ref(), value.span())) {
        None | Some((4, _)) => Connectivity::Four,
        Some((8, _)) => Connectivity::Eight,
        Some((found, span)) => {
            return Err(FormatError::Expected {
                line: line_at(text, span.start),
                expected: "a connectivity of 4 or 8".into(),
                found: found.to_string(),
            });
        }
    };
    let timing = match wire.timing {
        None | Some(wire::Timing::Uniform) => Timing::Uniform,
        Some(wire::Timing::Metric) => Timing::Metric,
    };
    Ok(Rules { connectivity, timing, hold_both: wire.hold_both, follow: wire.follow })
}

/// What was expected in a unit, and what found.
type Wrong = (&'static str, String);

/// How a unit moves.
fn motion(unit: &wire::Unit) -> Result<Motion, Wrong> {
    let heading = match unit.heading {
        None | Some(wire::Heading::N) => Dir::N,
        Some(wire::Heading::E) => Dir::E,
        Some(wire::Heading::S) => Dir::S,
        Some(wire::Heading::W) => Dir::W,
    };
    match (unit.run, unit.turning, unit.heading) {
        (Some(_), Some(_), _) => Err(("one of `run` and `turning` in a unit", "both".into())),
        (_, None, Some(_)) => Err(("`heading` only with `turning`", "`heading`".into())),
        (Some(run), None, None) => Ok(Motion::Gaits { run }),
        (None, Some(radius), _) => Ok(Motion::Car { radius, heading }),
        (None, None, None) => Ok(Motion::Steps),
    }
}

/// The one task of a unit.
fn task(unit: &wire::Unit) -> Result<Task, Wrong> {
    if unit.rounds.is_some() && unit.patrol.is_none() {
        return Err(("`rounds` only with `patrol`", "`rounds`".into()));
    }
    match (unit.goal, &unit.goals, unit.patrol) {
        (None, None, None) if unit.hold => Ok(Task::Hold),
        (Some(goal), None, None) if !unit.hold => Ok(Task::Goal(cell(goal))),
        (None, Some(goals), None) if !unit.hold => Ok(Task::Goals(goals.iter().copied().map(cell).collect())),
        (None, None, Some(goal)) if !unit.hold => {
            Ok(Task::Patrol { goal: cell(goal), rounds: unit.rounds.unwrap_or(Task::DEFAULT_ROUNDS) })
        }
        (goal, goals, patrol) => {
            let given = [
                ("goal", goal.is_some()),
                ("goals", goals.is_some()),
                ("patrol", patrol.is_some()),
                ("hold", unit.hold),
            ];
            let found: Vec<_> = given.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
            let found = if found.is_empty() { "none".into() } else { found.join(" and ") };
            Err(("one of `goal`, `goals`, `patrol` and `hold` in a unit", found))
        }
    }
}

const fn cell((x, y): (i32, i32)) -> Cell {
    Cell::new(x, y)
}
