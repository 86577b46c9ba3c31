//! Problems and runs of the League of Robot Runners.

use crate::worlds;
use proptest::prelude::*;
use throng_core::{
    Action, AgentId, Brings, Cell, Deed, Dir, ErrandId, ErrandNote, Motion, News, Scenario, Setup, Supply,
    Task, Trace,
};
use throng_formats::{FormatError, league};

const PROBLEM: &str = r#"{
    "mapFile": "maps/yard.map",
    "agentFile": "yard.agents",
    "teamSize": 2,
    "taskFile": "yard.tasks",
    "numTasksReveal": 1.5,
    "version": "2026 LoRR",
    "delayConfig": { "seed": 0, "pDelay": 0.1 }
}
"#;
const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n.E.@\nS..T\n";
const AGENTS: &str = "# version for LoRR 2026\n3\n0\n5\n\n4\n";
const TASKS: &str = "# version for LoRR 2026\n2\n1,4,\n6\n";

fn read(problem: &str, map: &str, agents: &str, tasks: &str) -> Result<Setup, FormatError> {
    league::parse(problem.as_bytes(), &mut |name| match name {
        "maps/yard.map" => Ok(map.as_bytes().to_vec()),
        "yard.agents" => Ok(agents.as_bytes().to_vec()),
        "yard.tasks" => Ok(tasks.as_bytes().to_vec()),
        _ => Err("no such file".to_owned()),
    })
}

#[test]
fn a_problem_is_a_world_with_a_stream() {
    let setup = read(PROBLEM, MAP, AGENTS, TASKS).unwrap();
    assert_eq!((setup.scenario.name(), setup.planner.as_deref()), ("yard", Some("pibt")));
    assert_eq!(setup.scenario.grid().open_cells(), 6);
    let agents: Vec<_> =
        setup.scenario.agents().iter().map(|agent| (agent.start, agent.task.clone())).collect();
    let employed = Task::Errands(Vec::new());
    assert_eq!(agents, [(Cell::new(0, 0), employed.clone()), (Cell::new(1, 1), employed)]);
    let stream = setup.scenario.stream().unwrap();
    let list = vec![vec![Cell::new(1, 0), Cell::new(0, 1)], vec![Cell::new(2, 1)]];
    assert_eq!((stream.supply, &stream.brings, stream.count), (Supply::Open(3), &Brings::Listed(list), None));
    let crlf = [PROBLEM, MAP, AGENTS, TASKS].map(|text| text.replace('\n', "\r\n"));
    assert_eq!(read(&crlf[0], &crlf[1], &crlf[2], &crlf[3]), Ok(setup));
}

#[test]
fn each_fault_names_file_and_line() {
    let says = |problem: &str, map: &str, agents: &str, tasks: &str, message: &str| {
        let error = read(problem, map, agents, tasks).unwrap_err();
        assert!(error.line().is_some(), "{error}");
        assert_eq!(error.to_string(), message);
    };
    let problem =
        |from: &str, to: &str, message: &str| says(&PROBLEM.replace(from, to), MAP, AGENTS, TASKS, message);
    problem("\"teamSize\": 2,", "\"teamSize\": 2", "line 5, column 5: expected `,` or `}`");
    problem("\"teamSize\": 2,\n", "", "line 8, column 1: missing field `teamSize`");
    problem(
        "\"teamSize\": 2",
        "\"teamSize\": -2",
        "line 4, column 18: invalid value: integer `-2`, expected usize",
    );
    problem("yard.agents", "yard.agent", "line 3: agentFile \"yard.agent\": no such file");
    let none = "expected a team and a number of revealed errands for each of it, at least 1 in all, found";
    problem("1.5", "0", &format!("line 6: {none} a teamSize of 2 and a numTasksReveal of 0"));
    problem("Size\": 2", "Size\": 0", &format!("line 6: {none} a teamSize of 0 and a numTasksReveal of 1.5"));
    problem(
        "Size\": 2",
        "Size\": 4",
        "line 3: agentFile \"yard.agents\": line 7: the file ends where 4 starts should be",
    );
    let map = |map: &str, message: &str| says(PROBLEM, map, AGENTS, TASKS, message);
    map(
        &MAP.replace("S..T", "S.T"),
        "line 2: mapFile \"maps/yard.map\": line 6: a row of 3 letters, expected 4",
    );
    map(
        &MAP.replace('S', "x"),
        "line 2: mapFile \"maps/yard.map\": line 6, column 1: unknown terrain 'x', expected one of .GS@OTW",
    );
    let agents = |agents: &str, message: &str| {
        says(PROBLEM, MAP, agents, TASKS, &format!("line 3: agentFile \"yard.agents\": {message}"));
    };
    agents("", "line 1: the file ends where the number of starts should be");
    agents("x\n0\n5\n", "line 1: expected the number of starts, found \"x\"");
    agents("2\n0\n8\n", "line 3: expected a cell from 0 to 7, found \"8\"");
    agents("2\n0\n3\n", "line 3: expected open ground, which (3,0) is not, found \"3\"");
    agents(
        "2\n0\n0\n",
        "line 3: expected a start of its own, which (0,0) is not: line 2 has it too, found \"0\"",
    );
    let tasks = |tasks: &str, message: &str| {
        says(PROBLEM, MAP, AGENTS, tasks, &format!("line 5: taskFile \"yard.tasks\": {message}"));
    };
    tasks("2\n1,4\n", "line 3: the file ends where 2 tasks should be");
    tasks("0\n", "line 2: the file ends where 1 tasks should be");
    tasks("1\n1,,4\n", "line 2: expected a cell from 0 to 7, found nothing");
    tasks("1\n1,7\n", "line 2: expected open ground, which (3,1) is not, found \"7\"");
    assert!(league::is_league(b" \n{") && !league::is_league(b"map = 1") && !league::is_league(b""));
}

/// The problem's world.
fn yard() -> Scenario {
    read(PROBLEM, MAP, AGENTS, TASKS).unwrap().scenario
}

/// Delays are read, and units that turn where they stand: such a run is told in turns.
#[test]
fn units_may_slip_and_turn() {
    let delays = yard().delays().clone();
    assert_eq!((delays.rate, delays.shortest, delays.longest, delays.seed), (100_000, 1, 1, Some(0)));
    let longer = PROBLEM.replace("\"pDelay\": 0.1", "\"pDelay\": 0.01, \"minDelay\": 2, \"maxDelay\": 8");
    let delays = read(&longer, MAP, AGENTS, TASKS).unwrap().scenario.delays().clone();
    assert_eq!((delays.rate, delays.shortest, delays.longest), (10_000, 2, 8));
    let wrong = read(&PROBLEM.replace("0.1 }", "1.5 }"), MAP, AGENTS, TASKS).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "line 8: expected a chance from 0 to 1 that a unit slips in a tick, found 1.5"
    );
    let turning = PROBLEM.replace("\"teamSize\": 2,", "\"teamSize\": 2, \"actionModel\": \"MAPF_T\",");
    let setup = read(&turning, MAP, AGENTS, TASKS).unwrap();
    assert_eq!(setup.planner.as_deref(), Some("epibt"));
    assert!(setup.scenario.agents().iter().all(|agent| agent.motion == Motion::Turns { heading: Dir::E }));
    assert!(read(&turning.replace("MAPF_T", "MAPF_X"), MAP, AGENTS, TASKS).is_err());
    let mut trace = Trace::new(vec![Cell::new(0, 0), Cell::new(1, 1)]);
    for (a, b) in [(Action::Go(Dir::E), Action::TurnLeft), (Action::TurnRight, Action::Go(Dir::N))] {
        for (agent, action) in [a, b].into_iter().enumerate() {
            trace.push(Deed { agent: AgentId(agent as u32), action, failed: false });
        }
        trace.end_tick();
    }
    let json: serde_json::Value =
        serde_json::from_str(&league::write(&setup.scenario, &trace, true, &[])).unwrap();
    assert_eq!(json["actionModel"], "MAPF_T");
    assert_eq!(json["actualPaths"], serde_json::json!(["F,R", "C,F"]));
}

#[test]
fn a_run_is_told_step_by_step() {
    let mut trace = Trace::new(vec![Cell::new(0, 0), Cell::new(1, 1)]);
    let go = |agent, dir, failed| Deed { agent: AgentId(agent), action: Action::Go(dir), failed };
    let note = |tick, errand, news| ErrandNote { tick, errand: ErrandId(errand), news };
    trace.errands.push(note(0, 0, News::Appeared(vec![Cell::new(0, 0), Cell::new(1, 0)])));
    trace.errands.push(note(0, 0, News::Assigned(AgentId(0))));
    trace.errands.push(note(1, 1, News::Appeared(vec![Cell::new(1, 1)])));
    trace.errands.push(note(1, 1, News::Assigned(AgentId(1))));
    trace.errands.push(note(1, 0, News::Done(AgentId(0))));
    trace.errands.push(note(1, 1, News::Done(AgentId(1))));
    trace.push(go(0, Dir::E, true));
    trace.end_tick();
    trace.push(go(0, Dir::E, false));
    trace.end_tick();
    let json: serde_json::Value =
        serde_json::from_str(&league::write(&yard(), &trace, true, &[0.5])).unwrap();
    let expected = serde_json::json!({
        "actionModel": "MAPF", "version": "2024 LoRR", "AllValid": "Yes", "teamSize": 2,
        "start": [[0, 0, "E"], [1, 1, "E"]], "numTaskFinished": 2, "sumOfCost": 4, "makespan": 2,
        "actualPaths": ["W,R", "W,W"], "plannerPaths": ["R,R", "W,W"], "plannerTimes": [0.5],
        "errors": [], "scheduleErrors": [],
        "actualSchedule": ["0:0", "1:1"], "plannerSchedule": ["0:0", "1:1"],
        "events": [[0, 0, 0, 1], [2, 0, 0, 2], [2, 1, 1, 1]],
        "tasks": [[0, 0, [0, 0, 0, 1]], [1, 1, [1, 1]]],
    });
    assert_eq!(json, expected);
}

proptest! {
    /// Whatever is damaged, it is an error or a world, and never a panic.
    #[test]
    fn damage_is_survived(file in 0..4usize, damage in worlds::damage()) {
        let mut files = [PROBLEM, MAP, AGENTS, TASKS].map(|text| text.as_bytes().to_vec());
        files[file] = damage.apply(&files[file]);
        let _ = league::parse(&files[0], &mut |name| Ok(match name {
            name if name.ends_with("map") => files[1].clone(),
            name if name.ends_with("agents") => files[2].clone(),
            _ => files[3].clone(),
        }));
    }
}
