//! Runs and curves: the judge against one that looks where bodies really are, moment by moment.

use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use throng_check::{Violation, check_plan, check_prefix};
use throng_core::{
    Action, Agent, Bend, Cell, Dir, Grid, Motion, Path, Plan, Rules, Scenario, Task, Tick, Timing,
};
use throng_testkit::Worlds;

/// Everything that anybody could ever do.
fn everything() -> Vec<Action> {
    (0..Action::CODES).filter_map(Action::from_code).collect()
}

/// Everybody does what it may, as far as terrain and its own motion go, not caring about each other.
fn walks(scenario: &Scenario, choices: &[Vec<Index>]) -> Plan {
    let all = everything();
    let walk = |(agent, choices): (&Agent, &Vec<Index>)| {
        let actions = agent.actions(scenario.rules());
        let (mut path, mut pose) = (Path { start: agent.start, actions: vec![] }, agent.motion.first_pose());
        for choice in choices {
            let may = |a: &&Action| actions.legal(scenario.grid(), path.end(), pose, **a);
            let legal: Vec<Action> = all.iter().filter(may).copied().collect();
            let action = *choice.get(&legal);
            pose = actions.pose_after(pose, action);
            path.actions.push(action);
        }
        path
    };
    Plan { paths: scenario.agents().iter().zip(choices).map(walk).collect() }
}

/// Cells that points of a body lie in after a part of a move, a hair inside its edges.
fn touched(body: u8, from: Cell, action: Action, part: f64) -> BTreeSet<Cell> {
    let n = f64::from(body);
    let middle = (f64::from(from.x) + n / 2.0, f64::from(from.y) + n / 2.0);
    let unit = |dir: Dir| (f64::from(dir.delta().0), f64::from(dir.delta().1));
    let (dx, dy) = action.delta();
    // Where its middle is, and by how much it has turned from its first direction towards the other.
    let (middle, turn) = match action {
        Action::Curve(bend, radius) => {
            let (a, b, angle) = (unit(bend.first()), unit(bend.then()), part * std::f64::consts::FRAC_PI_2);
            let (ahead, aside) = (angle.sin() * f64::from(radius), (1.0 - angle.cos()) * f64::from(radius));
            let at = (middle.0 + a.0 * ahead + b.0 * aside, middle.1 + a.1 * ahead + b.1 * aside);
            (at, angle * (a.0 * b.1 - a.1 * b.0))
        }
        _ => ((middle.0 + f64::from(dx) * part, middle.1 + f64::from(dy) * part), 0.0),
    };
    let points = 6 * i32::from(body);
    let along = |k: i32| (f64::from(k) / f64::from(points) - 0.5) * (n - 1e-6);
    let mut cells = BTreeSet::new();
    for (u, v) in (0..=points).flat_map(|i| (0..=points).map(move |j| (along(i), along(j)))) {
        let (x, y) = (u * turn.cos() - v * turn.sin(), u * turn.sin() + v * turn.cos());
        cells.insert(Cell::new((middle.0 + x).floor() as i32, (middle.1 + y).floor() as i32));
    }
    cells
}

/// Where an agent's body is during each tick, looked at eight times a tick.
fn traces(scenario: &Scenario, agent: &Agent, path: &Path) -> Vec<BTreeSet<Cell>> {
    let actions = agent.actions(scenario.rules());
    let mut ticks = Vec::new();
    for (_, from, action) in path.steps(actions) {
        let looks = 8 * actions.duration(action);
        for tick in 0..actions.duration(action) {
            let parts = (8 * tick..=8 * tick + 8).map(|look| f64::from(look) / f64::from(looks));
            ticks.push(parts.flat_map(|part| touched(agent.body, from, action, part)).collect());
        }
    }
    ticks
}

fn choices() -> impl Strategy<Value = Vec<Vec<Index>>> {
    prop::collection::vec(prop::collection::vec(any::<Index>(), 0..8), 5)
}

fn worlds() -> Worlds {
    let rules = vec![Rules { timing: Timing::Metric, ..Rules::default() }];
    let worlds = Worlds { width: 5..=9, height: 5..=9, walls: 0..=8, agents: 2..=5, ..Worlds::tiny() };
    Worlds { rules, ..worlds.of_all_motions() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Where two bodies share a cell, or one touches a wall, the judge has said so by then. (It says so earlier as
    /// well: who moves holds all that it will touch.) What everybody may do is never illegal.
    #[test]
    fn who_touches_is_found(scenario in worlds().strategy(), choices in choices()) {
        let plan = walks(&scenario, &choices);
        let report = check_prefix(&scenario, &plan);
        let mut pairs = BTreeSet::new();
        for violation in &report.violations {
            let Violation::Conflict(conflict) = violation else {
                return Err(TestCaseError::fail(violation.to_string()));
            };
            pairs.insert((conflict.agents, conflict.tick));
        }
        let looked: Vec<_> =
            scenario.agents().iter().zip(&plan.paths).map(|(a, path)| traces(&scenario, a, path)).collect();
        for (a, ticks) in looked.iter().enumerate() {
            for cells in ticks {
                prop_assert!(cells.iter().all(|&cell| scenario.grid().is_open(cell)), "agent {a} in a wall");
            }
            for (b, others) in looked.iter().enumerate().skip(a + 1) {
                for (tick, (p, q)) in ticks.iter().zip(others).enumerate() {
                    let ids = [scenario.agents()[a].id, scenario.agents()[b].id];
                    if p.intersection(q).next().is_some() {
                        let told = pairs.iter().any(|&(pair, told)| pair == ids && told <= tick as Tick);
                        prop_assert!(told, "agents {a} and {b} touch at tick {tick}: {}", report);
                    }
                }
            }
        }
    }

    /// Whatever an agent does that it may not do then is found, and nothing else is.
    #[test]
    fn what_may_not_be_done_is_found(
        scenario in Worlds { agents: 1..=1, ..worlds() }.strategy(),
        choices in choices(),
        last in 1..Action::CODES,
    ) {
        let (agent, action) = (scenario.agents().first(), Action::from_code(last).unwrap());
        prop_assume!(agent.is_some());
        let (mut plan, actions) = (walks(&scenario, &choices), agent.unwrap().actions(scenario.rules()));
        let path = &mut plan.paths[0];
        let first = agent.unwrap().motion.first_pose();
        let pose = path.actions.iter().fold(first, |pose, &action| actions.pose_after(pose, action));
        let legal = actions.legal(scenario.grid(), path.end(), pose, action);
        path.actions.push(action);
        prop_assert_eq!(check_prefix(&scenario, &plan).is_valid(), legal, "{:?} in pose {}", action, pose);
    }
}

#[test]
fn lengths_are_geometric() {
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let start = Cell::new(1, 4);
    let path =
        Path { start, actions: vec![Action::Go(Dir::E), Action::Curve(Bend::EN, 2), Action::Go(Dir::N)] };
    let car = Motion::Car { radius: 2, heading: Dir::E };
    let agent = Agent { motion: car, period: 3, ..Agent::new(0, start, Task::Goal(path.end())) };
    let scenario = Scenario::new("t", Grid::empty(7, 7).unwrap(), rules, vec![agent]).unwrap();
    let report = check_plan(&scenario, &Plan { paths: vec![path] });
    assert!(report.is_valid(), "{report}");
    assert_eq!((report.straight, report.curved, report.makespan), (2, 2, 3 + 9 + 3));
    assert!((report.path_length() - (2.0 + std::f64::consts::PI)).abs() < 1e-9);
}
