//! Every file of `testdata/invalid` is rejected for its own reason and for no other.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use throng_check::{Expect, Report, check_plan, check_positions, check_trace};
use throng_core as core;
use throng_core::{Action, Agent, AgentId, Bend, Cell, Connectivity, Deed, Dir, Grid, Motion, Plan, Rules};
use throng_core::{Scenario, Task, Timing, Trace};

/// A world, something said to be a solution of it, and what is wrong with that. The solution is one of
/// `positions` (by tick), `plan` (actions by agent: `N`, `SE`, …, `N+` to accelerate, `N++` to run, `NE:2` for
/// the curve of radius 2 from north to east, or `-` to wait) and `trace` (deeds by tick: `agent:action`, with
/// `!` if it failed).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Invalid {
    #[serde(rename = "about")]
    _about: String,
    map: String,
    #[serde(default)]
    rules: RulesSpec,
    units: Vec<UnitSpec>,
    positions: Option<Vec<Vec<[i32; 2]>>>,
    plan: Option<Vec<String>>,
    trace: Option<Vec<String>>,
    starts: Option<Vec<[i32; 2]>>,
    expected: String,
    message: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RulesSpec {
    connectivity: Option<u8>,
    timing: Option<String>,
    hold_both: bool,
    follow: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitSpec {
    start: [i32; 2],
    goal: Option<[i32; 2]>,
    goals: Option<Vec<[i32; 2]>>,
    patrol: Option<[i32; 2]>,
    rounds: Option<u32>,
    body: Option<u8>,
    period: Option<u8>,
    run: Option<u8>,
    turning: Option<u8>,
    heading: Option<String>,
}

fn cell([x, y]: [i32; 2]) -> Cell {
    Cell::new(x, y)
}

fn dir(word: &str) -> Dir {
    *Dir::ALL.iter().find(|dir| format!("{dir:?}") == word).expect("a direction")
}

fn action(word: &str) -> Action {
    if let Some((bend, radius)) = word.split_once(':') {
        let bend = Bend::of(dir(&bend[..1]), dir(&bend[1..])).expect("a bend");
        return Action::Curve(bend, radius.parse().expect("a radius"));
    }
    match (word.trim_end_matches('+'), word.matches('+').count()) {
        ("-", _) => Action::Wait,
        (name, 0) => Action::Go(dir(name)),
        (name, 1) => Action::Accelerate(dir(name)),
        (name, _) => Action::Run(dir(name)),
    }
}

impl Invalid {
    fn scenario(&self) -> Scenario {
        let rules = Rules {
            connectivity: match self.rules.connectivity {
                Some(8) => Connectivity::Eight,
                _ => Connectivity::Four,
            },
            timing: match self.rules.timing.as_deref() {
                Some("metric") => Timing::Metric,
                _ => Timing::Uniform,
            },
            hold_both: self.rules.hold_both,
            follow: self.rules.follow,
        };
        let agents = self.units.iter().enumerate().map(|(id, unit)| {
            let task = match (unit.goal, &unit.goals, unit.patrol) {
                (Some(goal), ..) => Task::Goal(cell(goal)),
                (_, Some(goals), _) => Task::Goals(goals.iter().copied().map(cell).collect()),
                (.., goal) => {
                    Task::Patrol { goal: cell(goal.expect("a task")), rounds: unit.rounds.expect("rounds") }
                }
            };
            let mut agent = Agent::new(id as u32, cell(unit.start), task);
            agent.body = unit.body.unwrap_or(1);
            agent.period = unit.period.unwrap_or(1);
            agent.motion = match (unit.run, unit.turning, &unit.heading) {
                (Some(run), ..) => Motion::Gaits { run },
                (_, Some(radius), Some(heading)) => Motion::Car { radius, heading: dir(heading) },
                _ => Motion::Steps,
            };
            agent
        });
        let rows: Vec<&str> = self.map.lines().collect();
        Scenario::new("invalid", Grid::from_rows(&rows).unwrap(), rules, agents.collect()).unwrap()
    }

    fn starts(&self) -> Vec<Cell> {
        match &self.starts {
            Some(starts) => starts.iter().copied().map(cell).collect(),
            None => self.units.iter().map(|unit| cell(unit.start)).collect(),
        }
    }

    fn judge(&self, scenario: &Scenario) -> Report {
        match (&self.positions, &self.plan, &self.trace) {
            (Some(rows), None, None) => {
                let rows: Vec<Vec<Cell>> =
                    rows.iter().map(|row| row.iter().copied().map(cell).collect()).collect();
                check_positions(scenario, &rows)
            }
            (None, Some(plan), None) => {
                let paths = plan.iter().zip(self.starts()).map(|(words, start)| {
                    let actions = words.split_whitespace().map(action).collect();
                    core::Path { start, actions }
                });
                check_plan(scenario, &Plan { paths: paths.collect() })
            }
            (None, None, Some(ticks)) => {
                let mut trace = Trace::new(self.starts());
                for tick in ticks {
                    for word in tick.split_whitespace() {
                        let (agent, dir) = word.split_once(':').expect("agent:direction");
                        let failed = dir.ends_with('!');
                        let action = action(dir.trim_end_matches('!'));
                        trace.push(Deed { agent: AgentId(agent.parse().unwrap()), action, failed });
                    }
                    trace.end_tick();
                }
                check_trace(scenario, &trace, Expect::Finished)
            }
            _ => panic!("needs exactly one of positions, plan, trace"),
        }
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/invalid");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn each_is_rejected_for_its_own_reason() {
    let mut kinds = BTreeSet::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let invalid: Invalid = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let report = invalid.judge(&invalid.scenario());
        let found: Vec<String> = report.violations.iter().map(|v| format!("{}: {v}", v.kind())).collect();
        let expected = format!("{}: {}", invalid.expected, invalid.message);
        assert_eq!(found, [expected], "{}", path.display());
        assert!(!report.is_valid());
        kinds.insert(invalid.expected);
    }
    let all = [
        "across-heading",
        "busy",
        "corner-cut",
        "crossing",
        "diagonal-under-four",
        "goal-not-reached",
        "into-wall",
        "jump",
        "not-its-motion",
        "off-map",
        "overlap",
        "positions-under-metric",
        "run-from-stand",
        "same-cell",
        "swap",
        "too-sharp",
        "unknown-agent",
        "waypoint-missed",
        "wrong-agent-count",
        "wrong-start",
    ];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), all, "every kind has a file");
}
