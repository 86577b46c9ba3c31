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

use throng_continuous::{Errand, NewBody, Sampling, Scene, Settings};
use throng_core::space::{Convex, Point, Pose, Shape};
use throng_core::{Agent, AgentId, Cell, Grid, Motion, Setup, Task, Timing};

/// The radius of a unit, for each cell of its body's side.
pub const RADIUS: f64 = 0.4;
/// Points to a square of one by one where ways are found over random ones: enough for doors of one cell.
pub const DENSITY: f64 = 24.0;

/// Why a scenario of the grid is none of continuous space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// Walls of continuous space stay where they are.
    #[error("cells of this world close and open as it runs; walls of continuous space cannot")]
    Changing,
    /// Bodies of continuous space see everything.
    #[error("units of this world know only what they have seen; bodies of continuous space see everything")]
    Unseen,
    /// Bodies of continuous space all see each other and decide in one way.
    #[error(
        "units of this world have teams that do not know each other's plans; bodies of continuous space are of one team"
    )]
    Teams,
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
    let (scenario, grid) = (&setup.scenario, setup.scenario.grid());
    if !scenario.events().is_empty() {
        return Err(SceneError::Changing);
    }
    if scenario.sight().is_some() || scenario.agents().iter().any(|agent| agent.task.is_search()) {
        return Err(SceneError::Unseen);
    }
    let mut teams = scenario.agents().iter().map(|agent| agent.team);
    let first = teams.next();
    // Planners do not matter here, whose ever they are: bodies have their own way of moving.
    if teams.any(|team| Some(team) != first) {
        return Err(SceneError::Teams);
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
    Ok(Scene {
        about: setup.about.clone(),
        ticks: setup.ticks.map(|ticks| (ticks as f64 / settings.step) as u64),
        walls: walls(grid),
        settings,
        bodies: bodies.collect::<Result<_, _>>()?,
        ..Scene::open(scenario.name(), grid.width() as f64, grid.height() as f64)
    })
}

/// Ways over random points instead of a lattice's.
#[must_use]
pub const fn random(seed: u64) -> Sampling {
    Sampling::Random { density: DENSITY, seed }
}

/// Ticks for a step: at a run, if it can.
fn pace(agent: &Agent) -> u8 {
    match agent.motion {
        Motion::Gaits { run } => run,
        Motion::Steps | Motion::Car { .. } => agent.period,
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
        // Nobody explores here.
        Task::Hold | Task::Explore | Task::Find(_) => Errand::Hold,
    };
    let Agent { priority, team, .. } = *agent;
    Ok(NewBody { shape, pose: Pose::at(home), speed, turns: false, errand, priority, team })
}

/// Blocked cells as few rectangles: along a row as far as they go, then down as far as all of them do.
fn walls(grid: &Grid) -> Vec<Convex> {
    let (width, height) = (grid.width(), grid.height());
    let mut left: Vec<bool> = (0..height)
        .flat_map(|y| (0..width).map(move |x| !grid.is_open(Cell::new(x as i32, y as i32))))
        .collect();
    let mut walls = Vec::new();
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let run = left[y * width + x..(y + 1) * width].iter().take_while(|&&blocked| blocked).count();
            if run == 0 {
                x += 1;
                continue;
            }
            let full =
                |row: &usize| left[row * width + x..row * width + x + run].iter().all(|&blocked| blocked);
            let rows = (y..height).take_while(full).count();
            for row in y..y + rows {
                left[row * width + x..row * width + x + run].fill(false);
            }
            let corner = |x: usize, y: usize| Point::new(x as f64, y as f64);
            walls.extend(Convex::rectangle(corner(x, y), corner(x + run, y + rows)));
            x += run;
        }
    }
    walls
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocker would be a body like any other, and nobody would be told.
    #[test]
    fn teams_are_refused() {
        let rivals = throng_worlds::builtin("rivals", 0).unwrap();
        assert_eq!(scene(&rivals), Err(SceneError::Teams));
        let office = throng_worlds::builtin("office", 0).unwrap();
        assert!(scene(&office).is_ok());
    }

    #[test]
    fn walls_cover_blocked_cells_and_nothing_else() {
        let rows = ["..@@@..", ".@@@@@.", ".@@@@@.", "@.@...@"];
        let grid = Grid::from_rows(&rows).unwrap();
        let walls = walls(&grid);
        assert_eq!(walls.len(), 6, "{walls:?}");
        for y in 0..4 {
            for x in 0..7 {
                let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let covered = walls.iter().filter(|wall| wall.holds(at)).count();
                assert_eq!(covered, usize::from(!grid.is_open(Cell::new(x, y))), "{x} {y}");
            }
        }
    }
}
