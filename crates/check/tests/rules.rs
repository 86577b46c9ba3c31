//! What the rules allow is allowed, and metrics are those of the definitions.

use throng_check::{
    Expect, Judge, Report, Violation, check_plan, check_positions, check_prefix, check_trace,
    check_trace_alone,
};
use throng_core::{Action, Agent, AgentId, Cell, Connectivity, Deed, Dir, Grid, Path, Plan, Rules, Scenario};
use throng_core::{Task, TerrainChange, TerrainEvent, Timing, Trace};

const FOUR: Rules =
    Rules { connectivity: Connectivity::Four, timing: Timing::Uniform, hold_both: false, follow: false };
const EIGHT: Rules = Rules { connectivity: Connectivity::Eight, ..FOUR };
const METRIC: Rules = Rules { timing: Timing::Metric, ..EIGHT };

fn at(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// Agents that need not arrive anywhere in particular: each one's goal is where its path ends.
fn world(rules: Rules, side: usize, agents: &[(Cell, u8, u8, &[Dir])]) -> (Scenario, Plan) {
    let mut list = Vec::new();
    let mut paths = Vec::new();
    for (id, &(start, body, period, way)) in agents.iter().enumerate() {
        let path = Path { start, actions: way.iter().map(|&dir| Action::Go(dir)).collect() };
        let mut agent = Agent::new(id as u32, start, Task::Goal(path.end()));
        (agent.body, agent.period) = (body, period);
        list.push(agent);
        paths.push(path);
    }
    (Scenario::new("t", Grid::empty(side, side).unwrap(), rules, list).unwrap(), Plan { paths })
}

fn valid(rules: Rules, agents: &[(Cell, u8, u8, &[Dir])]) -> bool {
    let (scenario, plan) = world(rules, 6, agents);
    check_plan(&scenario, &plan).is_valid()
}

#[test]
fn graph_rules_allow_following_and_rotating() {
    let train = [(at(0, 0), 1, 1, &[Dir::E][..]), (at(1, 0), 1, 1, &[Dir::E])];
    assert!(valid(FOUR, &train));
    let ring = [
        (at(0, 0), 1, 1, &[Dir::E][..]),
        (at(1, 0), 1, 1, &[Dir::S]),
        (at(1, 1), 1, 1, &[Dir::W]),
        (at(0, 1), 1, 1, &[Dir::N]),
    ];
    assert!(valid(FOUR, &ring));
    let parallel = [(at(0, 0), 1, 1, &[Dir::SE][..]), (at(1, 0), 1, 1, &[Dir::SE])];
    assert!(valid(EIGHT, &parallel));
    for stricter in [Rules { hold_both: true, ..EIGHT }, METRIC] {
        assert!(!valid(stricter, &train) && !valid(stricter, &ring) && !valid(stricter, &parallel));
    }
}

#[test]
fn follow_allows_trains_of_equal_heading() {
    let follow = Rules { follow: true, ..METRIC };
    let train = |first: u8, second: u8| {
        [(at(0, 0), 1, second, &[Dir::E, Dir::E][..]), (at(1, 0), 1, first, &[Dir::E, Dir::E])]
    };
    assert!(valid(follow, &train(3, 3)));
    assert!(valid(follow, &train(2, 5)), "the leader may be faster");
    assert!(!valid(follow, &train(5, 2)));
    let large = [(at(0, 0), 2, 3, &[Dir::SE][..]), (at(2, 2), 3, 3, &[Dir::SE])];
    assert!(valid(follow, &large), "bodies may differ");
    let uniform = [(at(0, 0), 2, 1, &[Dir::E][..]), (at(2, 0), 1, 1, &[Dir::E])];
    assert!(valid(Rules { follow: true, ..FOUR }, &uniform));
    assert!(!valid(FOUR, &uniform));
}

#[test]
fn a_mover_frees_its_source_when_it_arrives() {
    let (scenario, mut plan) =
        world(METRIC, 6, &[(at(0, 0), 1, 5, &[Dir::E][..]), (at(1, 0), 1, 5, &[Dir::SE])]);
    plan.paths[0].actions.splice(0..0, [Action::Wait; 7]);
    assert!(check_plan(&scenario, &plan).is_valid(), "a diagonal of period 5 takes 7 ticks");
    plan.paths[0].actions.remove(0);
    assert_eq!(check_plan(&scenario, &plan).collisions, 1);
}

#[test]
fn small_units_beside_a_large_one_keep_the_graph_rules_among_themselves() {
    let agents = [
        (at(0, 4), 1, 1, &[Dir::E][..]),
        (at(1, 4), 1, 1, &[Dir::E]),
        (at(0, 0), 2, 1, &[Dir::E]),
        (at(3, 0), 2, 1, &[Dir::E]),
    ];
    assert!(valid(FOUR, &agents));
}

#[test]
fn metrics_follow_their_definitions() {
    // Agent 0 reaches its goal at tick 1, leaves it at tick 3 and is back at tick 5.
    let grid = Grid::empty(3, 2).unwrap();
    let agents = vec![
        Agent::new(0, at(0, 0), Task::Goal(at(1, 0))),
        Agent::new(1, at(0, 1), Task::Goal(at(0, 1))),
        Agent::new(2, at(1, 1), Task::Goal(at(2, 0))),
    ];
    let scenario = Scenario::new("t", grid, EIGHT, agents).unwrap();
    let go = Action::Go;
    let paths = vec![
        Path {
            start: at(0, 0),
            actions: vec![go(Dir::E), Action::Wait, Action::Wait, go(Dir::W), go(Dir::E), Action::Wait],
        },
        Path { start: at(0, 1), actions: vec![] },
        Path { start: at(1, 1), actions: vec![Action::Wait, go(Dir::NE)] },
    ];
    let plan = Plan { paths };
    let report = check_plan(&scenario, &plan);
    assert!(report.is_valid(), "{report}");
    assert_eq!((report.soc, report.makespan, report.ticks), (7, 5, 6));
    assert_eq!(report.sum_of_loss, 1 + 2 + 2, "the two ticks of rest before leaving are no loss");
    assert_eq!((report.straight, report.diagonal, report.finished), (3, 1, 3));
    assert!((report.path_length() - (3.0 + 2f64.sqrt())).abs() < 1e-12);
    assert_eq!(report.to_string(), "valid: soc 7, makespan 5, sum of loss 5");
}

#[test]
fn lists_and_patrols_cost_until_they_are_done() {
    let grid = Grid::empty(4, 2).unwrap();
    let agents = vec![
        Agent::new(0, at(0, 0), Task::Goals(vec![at(0, 0), at(2, 0), at(2, 0), at(1, 0)])),
        Agent::new(1, at(0, 1), Task::Patrol { goal: at(1, 1), rounds: 1 }),
    ];
    let scenario = Scenario::new("t", grid, FOUR, agents).unwrap();
    let path = |start, way: &[Dir]| Path { start, actions: way.iter().map(|&d| Action::Go(d)).collect() };
    let paths = vec![
        path(at(0, 0), &[Dir::E, Dir::E, Dir::W]),
        path(at(0, 1), &[Dir::E, Dir::W, Dir::E]), // steps aside when done
    ];
    let report = check_plan(&scenario, &Plan { paths });
    assert!(report.is_valid(), "{report}");
    assert_eq!((report.soc, report.makespan, report.sum_of_loss), (3 + 2, 3, 5));
}

#[test]
fn a_prefix_need_not_arrive_but_has_to_be_legal() {
    let (scenario, mut plan) =
        world(FOUR, 4, &[(at(0, 0), 1, 1, &[Dir::E, Dir::E][..]), (at(2, 1), 1, 1, &[Dir::N])]);
    assert!(!check_prefix(&scenario, &plan).is_valid());
    plan.paths[0].actions.pop();
    assert!(check_prefix(&scenario, &plan).is_valid());
    let report = check_plan(&scenario, &plan);
    assert_eq!((report.total, report.finished, report.soc), (1, 1, 2));
}

#[test]
fn violations_are_counted_beyond_the_limit() {
    let grid = Grid::empty(2, 1).unwrap();
    let agents = vec![Agent::new(0, at(0, 0), Task::Goal(at(0, 0)))];
    let scenario = Scenario::new("t", grid, FOUR, agents).unwrap();
    let mut judge = Judge::new(&scenario).keeping(2);
    for _ in 0..5 {
        judge.tick(&[Deed { agent: AgentId(3), action: Action::Wait, failed: false }]);
    }
    assert_eq!((judge.violations().len(), judge.is_valid(), judge.now()), (2, false, 5));
    let report = judge.finish(Expect::Legal);
    assert_eq!((report.violations.len(), report.total), (2, 5));
    assert!(report.to_string().ends_with("\n… and 3 more"), "{report}");
}

#[test]
fn tick_0_counts() {
    let (scenario, _) = world(FOUR, 2, &[(at(0, 0), 1, 1, &[]), (at(1, 0), 1, 1, &[])]);
    let report = check_positions(&scenario, &[vec![at(0, 0); 2]]);
    let lines: Vec<String> = report.violations.iter().map(ToString::to_string).collect();
    let expected = [
        "agent 1 starts at (0,0), expected (1,0)",
        "tick 0: agents 0 and 1 are both in (0,0)",
        "agent 1 ends at (0,0), not at its goal (1,0)",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_conflict_that_lasts_is_reported_once() {
    let grid = Grid::empty(3, 1).unwrap();
    let agents =
        vec![Agent::new(0, at(0, 0), Task::Goal(at(0, 0))), Agent::new(1, at(2, 0), Task::Goal(at(2, 0)))];
    let scenario = Scenario::new("t", grid, FOUR, agents).unwrap();
    let meet = vec![at(1, 0), at(1, 0)];
    let apart = vec![at(0, 0), at(2, 0)];
    let rows = [&apart, &meet, &meet, &meet, &apart, &meet, &apart].map(Clone::clone);
    let report = check_positions(&scenario, &rows);
    let ticks: Vec<_> = report
        .violations
        .iter()
        .map(|v| match v {
            Violation::Conflict(c) => c.tick,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(ticks, [1, 5]);
}

#[test]
fn all_forms_of_one_solution_are_judged_alike() {
    let agents = [
        (at(0, 0), 1, 1, &[Dir::E, Dir::SE, Dir::E][..]),
        (at(3, 3), 1, 1, &[Dir::N, Dir::W]),
        (at(5, 5), 1, 1, &[]),
    ];
    let (scenario, plan) = world(EIGHT, 6, &agents);
    let by_plan = check_plan(&scenario, &plan);
    assert!(by_plan.is_valid(), "{by_plan}");

    let mut here: Vec<Cell> = plan.paths.iter().map(|p| p.start).collect();
    let mut trace = Trace::new(here.clone());
    let mut rows = vec![here.clone()];
    for tick in 0..3 {
        for (id, path) in plan.paths.iter().enumerate() {
            if let Some(&action) = path.actions.get(tick) {
                trace.push(Deed { agent: AgentId(id as u32), action, failed: false });
                here[id] = here[id].after(action);
            }
        }
        trace.end_tick();
        rows.push(here.clone());
    }
    assert_eq!(check_trace(&scenario, &trace, Expect::Finished), by_plan);
    assert_eq!(check_positions(&scenario, &rows), by_plan);
}

#[test]
fn a_world_without_agents_is_solved() {
    let scenario = Scenario::new("t", Grid::empty(2, 2).unwrap(), FOUR, vec![]).unwrap();
    assert!(check_plan(&scenario, &Plan::default()).is_valid());
    assert!(check_positions(&scenario, &[]).is_valid());
    assert!(check_trace(&scenario, &Trace::default(), Expect::Finished).is_valid());
}

/// A door closes behind one unit and before another; nobody may be on it then, and nobody goes through it.
#[test]
fn terrain_that_changes_is_judged_as_it_is() {
    let agents = vec![Agent::new(0, at(0, 0), Task::Goal(at(4, 0)))];
    let scenario = Scenario::new("door", Grid::empty(5, 1).unwrap(), FOUR, agents).unwrap();
    let go = Deed { agent: AgentId(0), action: Action::Go(Dir::E), failed: false };
    let judged = |changes: &[(u64, i32, bool)]| {
        let mut trace = Trace::new(vec![at(0, 0)]);
        trace.changes =
            changes.iter().map(|&(tick, x, open)| TerrainChange { tick, cell: at(x, 0), open }).collect();
        for _ in 0..4 {
            trace.push(go);
            trace.end_tick();
        }
        let report = check_trace(&scenario, &trace, Expect::Finished);
        report.violations.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(judged(&[]), [""; 0]);
    assert_eq!(
        judged(&[(1, 2, false), (2, 2, true)])[0],
        "tick 1: agent 0 goes from (1,0) to (2,0) into the wall at (2,0)"
    );
    assert_eq!(judged(&[(0, 2, false), (1, 2, true), (3, 2, false)]), [""; 0]);
    assert_eq!(judged(&[(2, 2, false)]), ["tick 2: (2,0) closes while agent 0 is on it"]);
    assert_eq!(judged(&[(2, 9, false)]), ["tick 2: (9,0) closes or opens, but is off the map"]);
}

/// What a scenario has in store must happen when it is due, or as soon as nobody is on the cell; and who holds a run against
/// a scenario alone allows for nothing else.
#[test]
fn a_run_keeps_to_the_events_of_its_scenario() {
    let event = |at: u64, close: &[i32], open: &[i32]| TerrainEvent {
        at,
        close: close.iter().map(|&x| Cell::new(x, 0)).collect(),
        open: open.iter().map(|&x| Cell::new(x, 0)).collect(),
    };
    let judged = |judge: fn(&Scenario, &Trace, Expect) -> Report, events, changes: &[(u64, i32, bool)]| {
        let agents = vec![Agent::new(0, at(0, 0), Task::Goal(at(4, 0)))];
        let scenario = Scenario::new("door", Grid::from_rows(&["......@"]).unwrap(), FOUR, agents).unwrap();
        let scenario = scenario.with_events(events).unwrap();
        let mut trace = Trace::new(vec![at(0, 0)]);
        trace.changes =
            changes.iter().map(|&(tick, x, open)| TerrainChange { tick, cell: at(x, 0), open }).collect();
        for _ in 0..4 {
            trace.push(Deed { agent: AgentId(0), action: Action::Go(Dir::E), failed: false });
            trace.end_tick();
        }
        let report = judge(&scenario, &trace, Expect::Finished);
        report.violations.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let before = || vec![event(1, &[3], &[])];
    assert_eq!(
        judged(check_trace, before(), &[]),
        [
            "tick 1: (3,0) does not close, as the scenario has it in store",
            "tick 2: agent 0 goes from (2,0) to (3,0) into the wall at (3,0)",
        ]
    );
    assert_eq!(judged(check_trace, before(), &[(1, 3, false)]).len(), 1, "into the wall all the same");
    // It is on the cell from tick 2 to 3.
    let under = || vec![event(2, &[2], &[])];
    assert_eq!(judged(check_trace_alone, under(), &[(3, 2, false)]), [""; 0]);
    assert_eq!(
        judged(check_trace, under(), &[])[0],
        "tick 3: (2,0) does not close, as the scenario has it in store"
    );
    assert_eq!(judged(check_trace_alone, vec![event(2, &[2], &[]), event(3, &[], &[2])], &[]), [""; 0]);
    // Whoever opens it by hand meanwhile calls that off.
    assert_eq!(judged(check_trace, under(), &[(3, 2, true)]), [""; 0]);
    let opens = || vec![event(1, &[], &[6])];
    assert_eq!(
        judged(check_trace, opens(), &[]),
        ["tick 1: (6,0) does not open, as the scenario has it in store"]
    );
    assert_eq!(judged(check_trace_alone, opens(), &[(1, 6, true)]), [""; 0]);
    assert_eq!(judged(check_trace, vec![], &[(1, 6, true)]), [""; 0]);
    assert_eq!(
        judged(check_trace_alone, vec![], &[(1, 6, true)]),
        ["tick 1: (6,0) opens, of which the scenario says nothing"]
    );
}
