//! The judge looks for itself: a task to explore is done when everything that can be reached has been seen, and not before.

use throng_check::{Expect, Judge, Report};
use throng_core::{Action, Agent, AgentId, Cell, Deed, Dir, Grid, Rules, Scenario, Sight, Task};

/// Walks with the judge watching, and has it look once more.
fn walk(scenario: &Scenario, steps: &[Dir]) -> Report {
    let mut judge = Judge::new(scenario);
    for &dir in steps {
        let found = judge.tick(&[Deed { agent: AgentId(0), action: Action::Go(dir), failed: false }]);
        assert!(found.is_empty(), "{found:?}");
    }
    judge.tick(&[]);
    judge.finish(Expect::Finished)
}

fn world(rows: &[&str], sight: Sight, task: Task) -> Scenario {
    let agents = vec![Agent::new(0, Cell::new(0, 0), task)];
    let grid = Grid::from_rows(rows).unwrap();
    Scenario::new("dark", grid, Rules::default(), agents).unwrap().with_sight(sight).unwrap()
}

fn kinds(report: &Report) -> Vec<&'static str> {
    report.violations.iter().map(throng_check::Violation::kind).collect()
}

/// Two chambers with a bend between them, and a third that nothing leads to.
const CHAMBERS: [&str; 3] = ["....@.", ".@@.@@", ".@...."];

#[test]
fn everything_has_to_be_seen_that_can_be_reached() {
    let scenario = world(&CHAMBERS, Sight::new(9), Task::Explore);
    let report = walk(&scenario, &[Dir::E, Dir::E]);
    assert_eq!(kinds(&report), ["not-explored"]);
    // From the corner all of the rest is in sight.
    let report = walk(&scenario, &[Dir::E, Dir::E, Dir::E, Dir::S, Dir::S]);
    assert!(report.is_valid() && report.soc == 5, "{report}");
    // Short eyes have to go on.
    let near = world(&CHAMBERS, Sight::new(1), Task::Explore);
    let report = walk(&near, &[Dir::E, Dir::E, Dir::E, Dir::S, Dir::S]);
    assert_eq!(kinds(&report), ["not-explored"]);
}

#[test]
fn what_is_looked_for_has_to_be_seen() {
    let hidden = Task::Find(Cell::new(2, 2));
    let scenario = world(&CHAMBERS, Sight::new(9), hidden.clone());
    assert_eq!(kinds(&walk(&scenario, &[Dir::E, Dir::E])), ["not-found"]);
    let report = walk(&scenario, &[Dir::E, Dir::E, Dir::E, Dir::S, Dir::S]);
    assert!(report.is_valid(), "{report}");
    // A narrow cone that looks ahead sees it only from beside it.
    let cone = world(&CHAMBERS, Sight { angle: 20, inner: Some(1), ..Sight::new(9) }, hidden);
    assert_eq!(kinds(&walk(&cone, &[Dir::E, Dir::E, Dir::E, Dir::S])), ["not-found"]);
    let report = walk(&cone, &[Dir::E, Dir::E, Dir::E, Dir::S, Dir::S]);
    assert!(report.is_valid(), "{report}");
    // What cannot be reached may be given up.
    let away = world(&CHAMBERS, Sight::new(9), Task::Find(Cell::new(5, 0)));
    let report = walk(&away, &[Dir::E, Dir::E, Dir::E, Dir::S, Dir::S]);
    assert!(report.is_valid(), "{report}");
}
