//! From a run to what the league's tools read.

use serde::Serialize;
use std::collections::BTreeMap;
use throng_core::{Action, AgentId, Cell, Dir, ErrandId, Motion, News, Scenario, Tick, Trace};

/// The version of the format whose keys these are.
const VERSION: &str = "2024 LoRR";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    action_model: &'static str,
    version: &'static str,
    #[serde(rename = "AllValid")]
    all_valid: &'static str,
    team_size: usize,
    start: Vec<(i32, i32, &'static str)>,
    num_task_finished: usize,
    sum_of_cost: u64,
    makespan: Tick,
    actual_paths: Vec<String>,
    planner_paths: Vec<String>,
    planner_times: Vec<f64>,
    errors: Vec<()>,
    actual_schedule: Vec<String>,
    planner_schedule: Vec<String>,
    schedule_errors: Vec<()>,
    events: Vec<(Tick, u32, u64, usize)>,
    tasks: Vec<(u64, Tick, Vec<i32>)>,
}

/// What became of a unit so far.
#[derive(Clone, Debug, Default)]
struct Unit {
    at: Cell,
    done: String,
    asked: String,
    schedule: String,
    errand: Option<ErrandId>,
    leg: usize,
}

/// A run of units that take a tick for every step, or every turn, as JSON, whether the judge found nothing wrong with it, and how long each
/// tick took in seconds, as far as that is known. Nothing is written of cells that closed or opened.
#[must_use]
pub fn write(scenario: &Scenario, trace: &Trace, valid: bool, seconds: &[f64]) -> String {
    let turns = scenario.agents().iter().any(|agent| matches!(agent.motion, Motion::Turns { .. }));
    let start = |&at: &Cell| Unit { at, ..Unit::default() };
    let mut units: Vec<Unit> = trace.starts.iter().map(start).collect();
    let mut stops: BTreeMap<ErrandId, &[Cell]> = BTreeMap::new();
    let (mut events, mut tasks, mut finished) = (Vec::new(), Vec::new(), 0);
    for tick in 0..trace.ticks() {
        for note in trace.errands_at(tick) {
            match &note.news {
                News::Appeared(all) => {
                    stops.insert(note.errand, all);
                    let cells = all.iter().flat_map(|cell| [cell.y, cell.x]).collect();
                    tasks.push((note.errand.0, tick, cells));
                }
                News::Assigned(agent) => {
                    let Some(unit) = units.get_mut(agent.index()) else { continue };
                    (unit.errand, unit.leg) = (Some(note.errand), 0);
                    let comma = if unit.schedule.is_empty() { "" } else { "," };
                    unit.schedule += &format!("{comma}{tick}:{}", note.errand);
                    visit(unit, *agent, &stops, (tick, 1), &mut events);
                }
                News::Returned | News::Refused => {
                    let same = |unit: &&mut Unit| unit.errand == Some(note.errand);
                    units.iter_mut().filter(same).for_each(|unit| unit.errand = None);
                }
                News::Done(_) => finished += 1,
            }
        }
        for deed in trace.at(tick) {
            let Some(unit) = units.get_mut(deed.agent.index()) else { continue };
            let letter = if turns { turning(deed.action) } else { letter(deed.action) };
            push(&mut unit.asked, tick, letter);
            if !deed.failed {
                push(&mut unit.done, tick, letter);
                unit.at = unit.at.after(deed.action);
            }
        }
        for (unit, id) in units.iter_mut().zip((0..).map(AgentId)) {
            // Whoever did nothing waited.
            for path in [&mut unit.asked, &mut unit.done] {
                if (path.len() as Tick) < 2 * tick + 1 {
                    push(path, tick, 'W');
                }
            }
            visit(unit, id, &stops, (tick + 1, 0), &mut events);
        }
    }
    let run = Run {
        action_model: if turns { "MAPF_T" } else { "MAPF" },
        version: VERSION,
        all_valid: if valid { "Yes" } else { "No" },
        team_size: units.len(),
        start: trace.starts.iter().enumerate().map(|(k, at)| (at.y, at.x, facing(scenario, k))).collect(),
        num_task_finished: finished,
        sum_of_cost: trace.ticks() * units.len() as u64,
        makespan: trace.ticks(),
        planner_times: seconds.to_vec(),
        errors: Vec::new(),
        planner_schedule: units.iter().map(|unit| unit.schedule.clone()).collect(),
        schedule_errors: Vec::new(),
        events,
        tasks,
        actual_paths: units.iter_mut().map(|unit| core::mem::take(&mut unit.done)).collect(),
        planner_paths: units.iter_mut().map(|unit| core::mem::take(&mut unit.asked)).collect(),
        actual_schedule: units.into_iter().map(|unit| unit.schedule).collect(),
    };
    serde_json::to_string(&run).unwrap_or_default()
}

/// Counts the stops where a unit stands, but for so many of the last, and tells of them.
fn visit(
    unit: &mut Unit,
    id: AgentId,
    stops: &BTreeMap<ErrandId, &[Cell]>,
    (tick, spared): (Tick, usize),
    events: &mut Vec<(Tick, u32, u64, usize)>,
) {
    let Some((errand, all)) = unit.errand.and_then(|errand| Some((errand, *stops.get(&errand)?))) else {
        return;
    };
    while unit.leg + spared < all.len() && all[unit.leg] == unit.at {
        unit.leg += 1;
        events.push((tick, id.0, errand.0, unit.leg));
    }
    if unit.leg == all.len() {
        unit.errand = None;
    }
}

/// One letter a tick, with commas between.
fn push(path: &mut String, tick: Tick, letter: char) {
    if tick > 0 {
        path.push(',');
    }
    path.push(letter);
}

/// Which way a unit faces at first; those that do not turn face any way.
fn facing(scenario: &Scenario, place: usize) -> &'static str {
    let heading = match scenario.agents().get(place).map(|agent| agent.motion) {
        Some(Motion::Turns { heading }) => heading,
        _ => Dir::E,
    };
    match heading {
        Dir::N => "N",
        Dir::S => "S",
        Dir::W => "W",
        _ => "E",
    }
}

/// How the league calls an action of units that turn: forward, clockwise, counter-clockwise.
const fn turning(action: Action) -> char {
    match action {
        Action::Go(_) => 'F',
        Action::TurnRight => 'R',
        Action::TurnLeft => 'C',
        _ => 'W',
    }
}

/// How the league calls a step.
const fn letter(action: Action) -> char {
    match action.dir() {
        Some(Dir::N) => 'U',
        Some(Dir::E) => 'R',
        Some(Dir::S) => 'D',
        Some(Dir::W) => 'L',
        _ => 'W',
    }
}
