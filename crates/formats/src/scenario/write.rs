//! From a scenario to TOML.

use super::{delays, errands};
use crate::{directions, map};
use std::fmt::Write as _;
use throng_core::{Cell, Connectivity, Motion, Setup, Sight, Source, Task, TerrainEvent, Timing};

/// The file of a scenario, with its map drawn in it. Reading it gives the same setup, as long as
/// `unit_planners` goes up by agent.
#[must_use]
pub fn write(setup: &Setup) -> String {
    let (scenario, mut out) = (&setup.scenario, String::new());
    let (grid, rules) = (scenario.grid(), scenario.rules());
    let _ = writeln!(out, "name = {}", string(scenario.name()));
    if !setup.about.is_empty() {
        let _ = writeln!(out, "about = {}", string(&setup.about));
    }
    if let Some(planner) = &setup.planner {
        let _ = writeln!(out, "planner = {}", string(planner));
    }
    if let Some(ticks) = setup.ticks {
        // The numbers of TOML end here.
        let _ = writeln!(out, "ticks = {}", ticks.min(i64::MAX as u64));
    }
    if let Some(seed) = setup.seed {
        let _ = writeln!(out, "seed = {}", seed.cast_signed());
    }
    if let Some(budget) = setup.budget {
        let _ = writeln!(out, "budget = {}", budget.clamp(1, i64::MAX as u64));
    }
    out.push_str("map = \"\"\"\n");
    map::write_rows(grid, &mut out);
    out.push_str("\"\"\"\n");
    if let Some(learned) = &setup.directions {
        let _ = write!(out, "directions = \"\"\"\n{}\"\"\"\n", directions::write(learned));
    }
    out.push('\n');

    let policy = grid.policy();
    let _ = writeln!(
        out,
        "[terrain]\nswamp = {}\nwater = {}\ntrees = {}\n",
        policy.swamp, policy.water, policy.trees
    );
    let connectivity = match rules.connectivity {
        Connectivity::Four => 4,
        Connectivity::Eight => 8,
    };
    let timing = match rules.timing {
        Timing::Uniform => "uniform",
        Timing::Metric => "metric",
    };
    let _ = writeln!(
        out,
        "[rules]\nconnectivity = {connectivity}\ntiming = \"{timing}\"\nhold_both = {}\nfollow = {}",
        rules.hold_both, rules.follow
    );
    if let Some(Sight { radius, angle, inner, line_of_sight, shared, map_known, fading, team }) =
        scenario.sight()
    {
        let _ = writeln!(
            out,
            "\n[sight]\nradius = {radius}\nline_of_sight = {line_of_sight}\nshared = {shared}\nmap_known = {map_known}"
        );
        if angle != Sight::MAX_ANGLE {
            let _ = writeln!(out, "angle = {angle}");
        }
        for (key, number) in [("inner", inner), ("fading", fading), ("team", team.map(u32::from))] {
            if let Some(number) = number {
                let _ = writeln!(out, "{key} = {number}");
            }
        }
    }
    for TerrainEvent { at, close, open } in scenario.events() {
        // The numbers of TOML end here.
        let _ = writeln!(out, "\n[[event]]\nat = {}", (*at).min(i64::MAX as u64));
        for (key, cells) in [("close", close), ("open", open)] {
            if !cells.is_empty() {
                let _ = writeln!(out, "{key} = {}", list(cells));
            }
        }
    }
    for Source { cell: Cell { x, y }, strength, radius } in scenario.sources() {
        let strength = f64::from(*strength) / 1000.0;
        let _ = writeln!(out, "\n[[source]]\nat = [{x}, {y}]\nstrength = {strength:?}\nradius = {radius}");
    }
    errands::write(scenario, &mut out);
    delays::write(scenario, &mut out);
    units(setup, &mut out);
    out
}

fn units(setup: &Setup, out: &mut String) {
    let mut planners = vec![None; setup.scenario.agents().len()];
    for (agent, planner) in &setup.unit_planners {
        if let Some(slot) = planners.get_mut(agent.index()) {
            *slot = Some(planner);
        }
    }
    for (agent, planner) in setup.scenario.agents().iter().zip(planners) {
        let _ = writeln!(out, "\n[[unit]]\nstart = {}", cell(agent.start));
        let _ = match &agent.task {
            Task::Goal(goal) => writeln!(out, "goal = {}", cell(*goal)),
            Task::Goals(goals) => writeln!(out, "goals = {}", list(goals)),
            Task::Patrol { goal, rounds } => writeln!(out, "patrol = {}\nrounds = {rounds}", cell(*goal)),
            Task::Errands(_) => writeln!(out, "errands = true"),
            Task::Hold => writeln!(out, "hold = true"),
            Task::Explore => writeln!(out, "explore = true"),
            Task::Find(hidden) => writeln!(out, "find = {}", cell(*hidden)),
        };
        let numbers = [
            ("team", i64::from(agent.team), 0),
            ("body", i64::from(agent.body), 1),
            ("period", i64::from(agent.period), 1),
            ("priority", i64::from(agent.priority), 0),
        ];
        for (key, value, default) in numbers {
            if value != default {
                let _ = writeln!(out, "{key} = {value}");
            }
        }
        let _ = match agent.motion {
            Motion::Steps => Ok(()),
            Motion::Gaits { run } => writeln!(out, "run = {run}"),
            Motion::Turns { heading } => writeln!(out, "turns = true\nheading = \"{heading:?}\""),
            Motion::Car { radius, heading } => {
                writeln!(out, "turning = {radius}\nheading = \"{heading:?}\"")
            }
        };
        if let Some(planner) = planner {
            let _ = writeln!(out, "planner = {}", string(planner));
        }
    }
}

pub(super) fn list(cells: &[Cell]) -> String {
    let cells: Vec<_> = cells.iter().copied().map(cell).collect();
    format!("[{}]", cells.join(", "))
}

fn cell(cell: Cell) -> String {
    format!("[{}, {}]", cell.x, cell.y)
}

/// A TOML string with everything escaped that has to be.
fn string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
