//! From TOML to a checked scenario.

use super::terrain::{self, line_at};
use super::wire;
use super::{blame, delays, errands, learned};
use crate::lines::lines_at;
use crate::{FormatError, document};
use throng_core::{
    Agent, AgentId, Cell, Connectivity, Delays, Dir, Motion, Rules, Scenario, ScenarioError, Setup, Sight,
    Source, Task, TerrainEvent, Timing,
};

/// Where in a scenario file things stand, for errors that show only when it is run. Lines count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Of the planner of all units that have none of their own.
    pub planner: Option<usize>,
    /// Of each unit.
    pub units: Vec<usize>,
    /// Of what units have to see.
    pub sight: Option<usize>,
    /// Of the planners of those units that have one of their own.
    pub unit_planners: Vec<(AgentId, usize)>,
}

impl Lines {
    /// The first line that names this planner.
    #[must_use]
    pub fn of_planner(&self, setup: &Setup, spec: &str) -> Option<usize> {
        let whole = self.planner.filter(|_| setup.planner.as_deref() == Some(spec));
        let own = setup.unit_planners.iter().find(|(_, own)| own == spec);
        let line = |id| self.unit_planners.iter().find(|(unit, _)| *unit == id).map(|&(_, line)| line);
        whole.or_else(|| own.and_then(|&(id, _)| line(id)))
    }
}

/// Reads a scenario file. `resolve` loads what `map_file` and `directions_file` name; where that is not wanted, pass
/// [`no_files`](super::no_files).
pub fn parse(
    text: &str,
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Setup, FormatError> {
    parse_with_lines(text, resolve).map(|(setup, _)| setup)
}

/// The same, and where everything stands.
pub fn parse_with_lines(
    text: &str,
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Setup, Lines), FormatError> {
    parse_all(text, resolve).map_err(|faults| faults.first)
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// What [`parse`] tells.
    pub first: FormatError,
    /// What else keeps it from being a scenario, as far as that can be known: one fault a unit, and nothing beyond what is no
    /// TOML, or not of this format. Of many all are told with the line of their table.
    pub others: Vec<FormatError>,
}

impl From<FormatError> for Faults {
    fn from(first: FormatError) -> Self {
        Self { first, others: Vec::new() }
    }
}

/// So many faults are told with the line of the value; to find one takes as long as to read the file.
const LOCATED: usize = 20;

/// The same, and everything that is wrong if something is.
pub fn parse_all(
    text: &str,
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Setup, Lines), Faults> {
    let mut faults = Vec::new();
    let file: wire::File = document::read(text)?;
    let grid = terrain::grid(text, &file, resolve)?;
    let directions = learned::directions(text, &file, &grid, resolve)?;
    let rules = rules(text, &file.rules)?;
    let mut lines = Lines {
        planner: file.planner.as_ref().map(|planner| line_at(text, planner.span().start)),
        units: lines_at(text, file.unit.iter().map(|unit| unit.span().start)),
        sight: file.sight.as_ref().map(|sight| line_at(text, sight.span().start)),
        unit_planners: Vec::new(),
    };
    let mut agents = Vec::with_capacity(file.unit.len());
    let mut unit_planners = Vec::new();
    for (place, unit) in file.unit.iter().enumerate() {
        let unit = unit.get_ref();
        let wrong = |(expected, found): Wrong| FormatError::Expected {
            line: lines.units[place],
            expected: expected.into(),
            found,
        };
        let task = task(unit).map_err(|why| faults.push(wrong(why))).unwrap_or(Task::Hold);
        let motion = motion(unit).map_err(|why| faults.push(wrong(why))).unwrap_or(Motion::Steps);
        let id = place as u32;
        if let Some(spec) = &unit.planner {
            unit_planners.push((AgentId(id), spec.get_ref().clone()));
            lines.unit_planners.push((AgentId(id), line_at(text, spec.span().start)));
        }
        agents.push(Agent {
            id: AgentId(id),
            team: unit.team.map_or(0, |team| team.0),
            start: cell(unit.start),
            task,
            body: unit.body.map_or(1, |body| body.0),
            period: unit.period.map_or(1, |period| period.0),
            motion,
            priority: unit.priority.map_or(0, |priority| priority.0),
        });
    }
    let errand_lines = errands::Lines::of(text, &file);
    // The line of the value if there is one to blame, otherwise that of its table.
    let wrong = |why: ScenarioError, known: usize| {
        let table = || match (why.event(), why.source_place()) {
            (Some(place), _) => file.event.get(place).map(|event| line_at(text, event.span().start)),
            (_, Some(place)) => file.source.get(place).map(|source| line_at(text, source.span().start)),
            _ => {
                let unit = why.agent().and_then(|agent| lines.units.get(agent.index()).copied());
                let delay = why.delay_place().and_then(|place| file.delay.get(place));
                let delay = delay.map(|delay| line_at(text, delay.span().start));
                unit.or_else(|| errand_lines.table(text, &why)).or(delay)
            }
        };
        let value = Some(&why).filter(|_| known < LOCATED).and_then(|why| blame::line(text, why));
        FormatError::Scenario { line: value.or_else(table), why }
    };
    for why in Scenario::faults(&grid, rules, &agents) {
        faults.push(wrong(why, faults.len()));
    }
    let events = events(text, &file.event).map_err(|why| faults.push(why)).unwrap_or_default();
    let sources = sources(text, &file.source).map_err(|why| faults.push(why)).unwrap_or_default();
    let stream =
        errands::stream(text, file.stream.as_ref()).map_err(|why| faults.push(why)).unwrap_or_default();
    let delays = delays::read(text, &file).map_err(|why| faults.push(why)).unwrap_or_default();
    let budget = budget(text, file.budget.as_ref()).map_err(|why| faults.push(why)).unwrap_or_default();
    // Of a world whose units are wrong the rest is looked at without them.
    let (agents, delays) = if faults.is_empty() { (agents, delays) } else { (Vec::new(), Delays::default()) };
    let made = Scenario::new(file.name, grid, rules, agents)
        .and_then(|scenario| scenario.with_events(events))
        .and_then(|scenario| scenario.with_sources(sources))
        .and_then(|scenario| scenario.with_errands(errands::in_store(&file.errand)))
        .and_then(|scenario| scenario.with_stream(stream))
        .and_then(|scenario| scenario.with_delays(delays))
        .and_then(|scenario| match &file.sight {
            Some(wire) => scenario.with_sight(sight(wire.get_ref())),
            None => Ok(scenario),
        })
        .and_then(|scenario| scenario.require_sight().map(|()| scenario));
    let made = made.map_err(|why| wrong(why, faults.len()));
    faults.extend(made.as_ref().err().filter(|why| !faults.contains(why)).cloned());
    let mut faults = faults.into_iter();
    if let Some(first) = faults.next() {
        return Err(Faults { first, others: faults.collect() });
    }
    let scenario = made?;
    let planner = file.planner.map(toml::Spanned::into_inner);
    let ticks = file.ticks.map(|ticks| ticks.0);
    let seed = file.seed.map(i64::cast_unsigned);
    let about = file.about;
    Ok((Setup { scenario, about, planner, unit_planners, ticks, seed, budget, directions }, lines))
}

/// Nobody can plan for nothing.
fn budget(text: &str, wire: Option<&toml::Spanned<wire::Expansions>>) -> Result<Option<u64>, FormatError> {
    match wire.map(|budget| (budget.get_ref().0, budget.span())) {
        Some((0, span)) => Err(FormatError::Expected {
            line: line_at(text, span.start),
            expected: "a budget of at least 1 expansion".into(),
            found: "0".into(),
        }),
        given => Ok(given.map(|(expansions, _)| expansions)),
    }
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

fn sight(wire: &wire::Sight) -> Sight {
    Sight {
        radius: wire.radius.0,
        angle: wire.angle.map_or(Sight::MAX_ANGLE, |angle| angle.0),
        inner: wire.inner.map(|inner| inner.0),
        line_of_sight: wire.line_of_sight.unwrap_or(true),
        shared: wire.shared.unwrap_or(true),
        map_known: wire.map_known,
        fading: wire.fading.map(|ticks| ticks.0),
        team: wire.team.map(|team| team.0),
    }
}

/// What is to happen to the terrain.
fn events(text: &str, wire: &[toml::Spanned<wire::Event>]) -> Result<Vec<TerrainEvent>, FormatError> {
    let event = |event: &toml::Spanned<wire::Event>| {
        let wire::Event { at, close, open } = event.get_ref();
        if close.is_empty() && open.is_empty() {
            return Err(FormatError::Expected {
                line: line_at(text, event.span().start),
                expected: "cells to `close` or to `open` in an event".into(),
                found: "none".into(),
            });
        }
        let cells = |cells: &[wire::At]| cells.iter().copied().map(cell).collect();
        Ok(TerrainEvent { at: at.0, close: cells(close), open: cells(open) })
    };
    wire.iter().map(event).collect()
}

/// What draws explorers and what keeps them away.
fn sources(text: &str, wire: &[toml::Spanned<wire::Source>]) -> Result<Vec<Source>, FormatError> {
    let source = |source: &toml::Spanned<wire::Source>| {
        let wire::Source { at, strength, radius } = source.get_ref();
        let thousandths = (strength.get_ref() * 1000.0).round();
        if thousandths.is_nan() || thousandths.abs() > f64::from(Source::MAX_STRENGTH) {
            return Err(FormatError::Expected {
                line: line_at(text, strength.span().start),
                expected: "a strength of -1000 to 1000 steps".into(),
                found: strength.get_ref().to_string(),
            });
        }
        Ok(Source { cell: cell(*at), strength: thousandths as i32, radius: radius.0 })
    };
    wire.iter().map(source).collect()
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
    if unit.turns {
        return match (unit.run, unit.turning) {
            (None, None) => Ok(Motion::Turns { heading }),
            _ => Err(("one of `run`, `turning` and `turns` in a unit", "several".into())),
        };
    }
    match (unit.run, unit.turning, unit.heading) {
        (Some(_), Some(_), _) => Err(("one of `run` and `turning` in a unit", "both".into())),
        (_, None, Some(_)) => Err(("`heading` only with `turning` or `turns`", "`heading`".into())),
        (Some(run), None, None) => Ok(Motion::Gaits { run: run.0 }),
        (None, Some(radius), _) => Ok(Motion::Car { radius: radius.0, heading }),
        (None, None, None) => Ok(Motion::Steps),
    }
}

/// The one task of a unit.
fn task(unit: &wire::Unit) -> Result<Task, Wrong> {
    if unit.rounds.is_some() && unit.patrol.is_none() {
        return Err(("`rounds` only with `patrol`", "`rounds`".into()));
    }
    let given = [
        ("goal", unit.goal.map(|goal| Task::Goal(cell(goal)))),
        ("goals", unit.goals.as_ref().map(|goals| Task::Goals(goals.iter().copied().map(cell).collect()))),
        ("patrol", unit.patrol.map(|goal| patrol(unit, goal))),
        ("hold", unit.hold.then_some(Task::Hold)),
        ("explore", unit.explore.then_some(Task::Explore)),
        ("errands", unit.errands.then_some(Task::Errands(Vec::new()))),
        ("find", unit.find.map(|hidden| Task::Find(cell(hidden)))),
    ];
    let mut given: Vec<_> = given.into_iter().filter_map(|(name, task)| Some((name, task?))).collect();
    match given.pop() {
        Some((_, task)) if given.is_empty() => Ok(task),
        last => {
            let found: Vec<_> = given.into_iter().chain(last).map(|(name, _)| name).collect();
            let found = if found.is_empty() { "none".into() } else { found.join(" and ") };
            Err((
                "one of `goal`, `goals`, `patrol`, `hold`, `errands`, `explore` and `find` in a unit",
                found,
            ))
        }
    }
}

fn patrol(unit: &wire::Unit, goal: wire::At) -> Task {
    Task::Patrol { goal: cell(goal), rounds: unit.rounds.map_or(Task::DEFAULT_ROUNDS, |rounds| rounds.0) }
}

pub(super) const fn cell(wire::At(x, y): wire::At) -> Cell {
    Cell::new(x, y)
}
