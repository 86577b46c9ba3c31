//! Scenarios of the grid in continuous space, so that the same problem runs in both.
//!
//! A cell is a square of one by one, blocked ones are walls, and a unit is a disc in the middle of what its body covers, a
//! little smaller than that, so that it fits wherever the body does. A tick is the unit of time: who takes `period` ticks for a
//! step has a speed of `1 / period`.
//!
//! ```
//! use throng::continuous::World;
//! use throng::core::{Unlimited, Unobserved};
//! use throng::{space, worlds};
//!
//! let mut world = World::of(space::scene(&worlds::builtin("doorway", 0)?)?)?;
//! while !world.is_done() && world.time() < 300.0 {
//!     world.step(&Unlimited, &mut Unobserved);
//! }
//! assert!(world.is_done());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use throng_continuous::{
    Door, DoorEvent, Errand, Expedition, ExpeditionError, NewBody, Scene, Settings, walls,
};
use throng_core::space::{Convex, Point, Pose, Shape};
use throng_core::{Agent, AgentId, Cell, CellId, Motion, Scenario, Setup, Task, TerrainEvent, Timing};
use throng_search::landscape::Weights;

/// The radius of a unit, for each cell of its body's side.
pub const RADIUS: f64 = 0.4;

/// The planner of those who stand in others' way.
const BLOCKER: &str = "blocker";

/// Why a scenario of the grid is none of continuous space.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// Explorers of continuous space know only walls that stay where they are.
    #[error(
        "cells of this world close and open as it runs; where bodies of continuous space explore, they cannot"
    )]
    Changing,
    /// Bodies of continuous space see everything, or explore together.
    #[error(
        "units of this world know only what they have seen; bodies of continuous space see everything, or all explore, or look for one thing, and share what they see for good"
    )]
    Unseen,
    /// Errands are of the grid.
    #[error("agent {agent}: it does errands as they come, which no body of continuous space does")]
    Errands {
        /// Who.
        agent: AgentId,
    },
    /// Bodies that explore are none.
    #[error(transparent)]
    Expedition(#[from] ExpeditionError),
    /// Whoever is there to stand in others' way would be a body like any other.
    #[error(
        "agent {agent} has the planner {planner}; bodies of continuous space decide in one way, and none of them bars others"
    )]
    Antagonist {
        /// Who.
        agent: AgentId,
        /// How it is to decide.
        planner: String,
    },
    /// No disc and no wall.
    #[error("agent {agent}: a body of {body}×{body} has no disc: {why}")]
    Body {
        /// Who.
        agent: AgentId,
        /// The side of its body.
        body: u8,
        /// What is wrong with it.
        why: String,
    },
}

/// The same problem in continuous space.
pub fn scene(setup: &Setup) -> Result<Scene, SceneError> {
    let scenario = &setup.scenario;
    if scenario.sight().is_some() || scenario.agents().iter().any(|agent| agent.task.is_search()) {
        return Err(SceneError::Unseen);
    }
    problem(setup)
}

/// What explorers do: how much being nearer to the unknown counts, what draws them there, and what keeps them apart.
pub const FIELDS: Weights = Weights { heat: 100_000, potential: 0, repulsion: 1 };

/// The same problem for units that explore, or look for something, together: the scene as it is, and bodies in it that know what they see.
pub fn expedition(setup: &Setup, weights: Weights) -> Result<(Scene, Expedition), SceneError> {
    let scenario = &setup.scenario;
    let hidden = |agent: &Agent| match agent.task {
        Task::Find(cell) => Some(Some(cell)),
        Task::Explore => Some(None),
        _ => None,
    };
    let mut tasks = scenario.agents().iter().map(hidden);
    let (Some(sight), Some(Some(what))) = (scenario.sight(), tasks.next()) else {
        return Err(SceneError::Unseen);
    };
    if tasks.any(|task| task != Some(what)) || scenario.agents().iter().any(|agent| agent.body != 1) {
        return Err(SceneError::Unseen);
    }
    if !scenario.events().is_empty() {
        return Err(SceneError::Changing);
    }
    let scene = problem(setup)?;
    let bodies = scene.bodies.clone();
    let explorers = Expedition::new(scenario.grid().clone(), sight, what, weights, scene.settings, bodies)?;
    Ok((scene, explorers))
}

/// The same problem, whatever anybody knows of it.
fn problem(setup: &Setup) -> Result<Scene, SceneError> {
    let (scenario, grid) = (&setup.scenario, setup.scenario.grid());
    // Other planners do not matter here, whose ever they are: bodies have their own way of moving.
    let bars =
        |(_, spec): &&(AgentId, String)| spec.split('(').next().is_some_and(|name| name.trim() == BLOCKER);
    if let Some((agent, planner)) = setup.unit_planners.iter().find(bars) {
        return Err(SceneError::Antagonist { agent: *agent, planner: planner.clone() });
    }
    let metric = scenario.rules().timing == Timing::Metric;
    let time = |agent: &Agent| if metric { f64::from(pace(agent)) } else { 1.0 };
    // All times are as those of the fastest unit, so that it looks ahead as far as any other of its size and speed.
    let scale = scenario.agents().iter().map(time).fold(f64::INFINITY, f64::min);
    let scale = if scale.is_finite() { scale } else { 1.0 };
    let usual = Settings::default();
    let settings = Settings {
        step: usual.step * scale,
        forecast: usual.forecast * scale,
        quantum: usual.quantum * scale,
        patience: usual.patience * scale,
        ..usual
    };
    let bodies = scenario.agents().iter().map(|agent| body(agent, 1.0 / time(agent)));
    let (walls, doors, events) = terrain(scenario, settings.step);
    Ok(Scene {
        about: setup.about.clone(),
        ticks: setup.ticks.map(|ticks| (ticks as f64 / settings.step) as u64),
        walls,
        doors,
        events,
        settings,
        bodies: bodies.collect::<Result<_, _>>()?,
        ..Scene::open(scenario.name(), grid.width() as f64, grid.height() as f64)
    })
}

/// Blocked cells as walls, and each of those that ever close or open as a door of its own. A step takes so much of a tick.
fn terrain(scenario: &Scenario, step: f64) -> (Vec<Convex>, Vec<Door>, Vec<DoorEvent>) {
    let mut grid = scenario.grid().clone();
    let ids = |cells: &[Cell]| cells.iter().filter_map(|&cell| scenario.grid().id(cell)).collect::<Vec<_>>();
    let mut cells: Vec<CellId> =
        scenario.events().iter().flat_map(|event| [ids(&event.close), ids(&event.open)]).flatten().collect();
    cells.sort_unstable();
    cells.dedup();
    let mut doors = Vec::new();
    for &id in &cells {
        let Cell { x, y } = grid.cell(id);
        let least = Point::new(f64::from(x), f64::from(y));
        let closed = !grid.is_open_id(id);
        let _ = grid.set_letter(id, b'.');
        doors
            .extend(Convex::rectangle(least, least + Point::new(1.0, 1.0)).map(|wall| Door { wall, closed }));
    }
    let numbers = |list: &[Cell]| {
        ids(list).iter().filter_map(|id| cells.binary_search(id).ok()).map(|door| door as u32).collect()
    };
    let event = |TerrainEvent { at, close, open }: &TerrainEvent| DoorEvent {
        at: (*at as f64 / step).round() as u64,
        close: numbers(close),
        open: numbers(open),
    };
    (walls(&grid), doors, scenario.events().iter().map(event).collect())
}

/// Ticks for a step: at a run, if it can.
fn pace(agent: &Agent) -> u8 {
    match agent.motion {
        Motion::Gaits { run } => run,
        Motion::Steps | Motion::Car { .. } | Motion::Turns { .. } => agent.period,
    }
}

fn body(agent: &Agent, speed: f64) -> Result<NewBody, SceneError> {
    let side = f64::from(agent.body);
    let middle = |cell: Cell| Point::new(f64::from(cell.x) + side / 2.0, f64::from(cell.y) + side / 2.0);
    let shape = Shape::disc(RADIUS * side).map_err(|why| SceneError::Body {
        agent: agent.id,
        body: agent.body,
        why: why.to_string(),
    })?;
    let home = middle(agent.start);
    let errand = match &agent.task {
        Task::Goal(goal) => Errand::Goals(vec![middle(*goal)]),
        Task::Goals(goals) => Errand::Goals(goals.iter().copied().map(middle).collect()),
        Task::Patrol { goal, rounds } => Errand::Patrol { goal: middle(*goal), home, rounds: *rounds },
        // Whoever explores is sent about by what is seen.
        Task::Hold | Task::Explore | Task::Find(_) => Errand::Hold,
        Task::Errands(_) => return Err(SceneError::Errands { agent: agent.id }),
    };
    let Agent { priority, team, .. } = *agent;
    Ok(NewBody { shape, pose: Pose::at(home), speed, turns: false, errand, priority, team })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocker would be a body like any other, and nobody would be told.
    #[test]
    fn antagonists_are_refused() {
        let rivals = throng_worlds::builtin("rivals", 0).unwrap();
        let why = scene(&rivals).unwrap_err().to_string();
        assert!(why.contains("has the planner blocker"), "{why}");
        let office = throng_worlds::builtin("office", 0).unwrap();
        assert!(scene(&office).is_ok());
    }
}
