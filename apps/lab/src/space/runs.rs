//! One case after the other, with the judge watching.

use super::{Continuous, How};
use crate::{Experiment as _, LabError, trial};
use serde::{Deserialize, Serialize};
use throng::check::space::SpaceJudge;
use throng::continuous::{BUILTINS, NewBody, Sampling, Scene, SpaceError, World, builtin};
use throng::core::space::{Point, Shape};
use throng::core::{AgentId, Draw as _, Unlimited, Unobserved, stream};
use throng::{space, worlds};

/// Radius and speed of the discs of an arena.
const DISC: f64 = 0.35;
const SPEED: f64 = 1.4;
/// Random points to a square of one by one: so many that ways over them are hardly longer than they have to be.
const DENSITY: f64 = 24.0;
/// Steps of the built-in worlds that tell whether bodies behave as they did.
const PROBE: u64 = 150;

/// What a case came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The world, or how dense an arena is.
    pub(crate) world: String,
    /// `arena`, `scene`, or where a scenario of the grid ran.
    pub(crate) how: String,
    pub(crate) seed: u64,
    pub(crate) agents: usize,
    pub(crate) arrived: usize,
    /// Ticks of the grid, or as many seconds.
    pub(crate) time: f64,
    pub(crate) collisions: u64,
    pub(crate) distance: f64,
    /// Moves that were stopped or failed.
    pub(crate) stops: u64,
    pub(crate) expanded: u64,
    pub(crate) promoted: u64,
    /// Steps that were measured, and others who were looked at in them.
    pub(crate) steps: u64,
    pub(crate) looked: u64,
}

/// A number that changes when bodies behave otherwise.
pub(super) fn behaviour() -> String {
    let world = |name| builtin(name, 0).and_then(|scene| World::of(scene).ok());
    let hashes = BUILTINS.iter().filter_map(|(name, _)| world(name)).map(|mut world| {
        for _ in 0..PROBE {
            world.step(&Unlimited, &mut Unobserved);
        }
        format!("{:016x}", world.hash())
    });
    hashes.collect::<Vec<_>>().join(" ")
}

/// The planners that the scenarios name themselves.
pub(super) fn planners(names: &[String]) -> Vec<String> {
    let mut specs: Vec<String> =
        names.iter().filter_map(|name| worlds::builtin(name, 0).ok()?.planner).collect();
    specs.sort();
    specs.dedup();
    specs
}

fn world(scene: Scene) -> Result<World, LabError> {
    let wrong = |why: SpaceError| LabError::Settings { experiment: Continuous::NAME, why: why.to_string() };
    World::of(scene).map_err(wrong)
}

/// Goes on until all have arrived, or for so many steps, with a judge.
fn go(world: &mut World, judge: &mut SpaceJudge, steps: u64) {
    let until = world.steps() + steps;
    while !world.is_done() && world.steps() < until {
        world.step(&Unlimited, &mut Unobserved);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(world.settings().step, &world.poses());
    }
}

fn row(world: &World, judge: &SpaceJudge, name: &str, how: &str, seed: u64) -> Row {
    let counts = world.counts();
    Row {
        world: name.to_owned(),
        how: how.to_owned(),
        seed,
        agents: world.bodies().len(),
        arrived: world.arrived(),
        time: world.time(),
        collisions: judge.report().total,
        distance: counts.distance,
        stops: counts.stops,
        expanded: counts.expanded,
        promoted: counts.promoted,
        steps: world.steps(),
        looked: world.work().looked,
    }
}

/// Discs from anywhere to anywhere in one square: as many steps to get going, and then those that are measured.
pub(super) fn arena(kind: &str, discs: usize, side: f64, steps: u64) -> Result<Row, LabError> {
    let mut scene = Scene::open(kind, side, side);
    let disc = Shape::disc(DISC)
        .map_err(|why| LabError::Settings { experiment: Continuous::NAME, why: why.to_string() })?;
    // One to a square at most, so that neither starts nor goals overlap.
    let squares = (side / (3.0 * DISC)) as u32;
    let mut taken = vec![false; (squares * squares) as usize];
    let mut dice = stream(1, AgentId(0), 0);
    if discs * 4 > taken.len() {
        let why = format!("{discs} discs have no room in a square of {side}");
        return Err(LabError::Settings { experiment: Continuous::NAME, why });
    }
    let mut places = Vec::with_capacity(2 * discs);
    while places.len() < 2 * discs {
        let (x, y) = (dice.below(squares), dice.below(squares));
        if !std::mem::replace(&mut taken[(y * squares + x) as usize], true) {
            places.push(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5) * (side / f64::from(squares)));
        }
    }
    for (&at, &to) in places.iter().zip(&places[discs..]) {
        scene.bodies.push(NewBody { speed: SPEED, ..NewBody::new(disc.clone(), at, to) });
    }
    let mut world = world(scene)?;
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    go(&mut world, &mut judge, steps);
    let before = (world.steps(), world.work().looked);
    go(&mut world, &mut judge, steps);
    let mut row = row(&world, &judge, kind, "arena", 1);
    (row.steps, row.looked) = (row.steps - before.0, row.looked - before.1);
    Ok(row)
}

/// A built-in world to its end.
pub(super) fn scene(name: &str, seed: u64) -> Result<Row, LabError> {
    let unknown = || LabError::Settings { experiment: Continuous::NAME, why: format!("no world {name}") };
    let scene = builtin(name, seed).ok_or_else(unknown)?;
    let limit = scene.ticks.unwrap_or(10_000);
    let mut world = world(scene)?;
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    go(&mut world, &mut judge, limit);
    Ok(row(&world, &judge, name, "scene", seed))
}

/// A scenario of the grid, on the grid or in continuous space.
pub(super) fn both(name: &str, seed: u64, how: How, ticks: u64) -> Result<Row, LabError> {
    let setup = worlds::builtin(name, seed)?;
    if how == How::Grid {
        let planner = setup.planner.clone().unwrap_or_default();
        let counts = trial::run(&setup.scenario, &planner, seed, ticks, &Unlimited, &mut Unobserved)?;
        return Ok(Row {
            world: name.to_owned(),
            how: how.name().to_owned(),
            seed,
            agents: counts.agents,
            arrived: counts.arrived,
            time: counts.ticks as f64,
            collisions: counts.collisions,
            distance: counts.steps,
            stops: counts.failed_moves,
            expanded: counts.main + counts.backwards,
            promoted: 0,
            steps: counts.ticks,
            looked: 0,
        });
    }
    let wrong =
        |why: space::SceneError| LabError::Settings { experiment: Continuous::NAME, why: why.to_string() };
    let mut scene = space::scene(&setup).map_err(wrong)?;
    if how == How::Random {
        scene.settings.sampling = Sampling::Random { density: DENSITY, seed };
    }
    let mut world = world(scene)?;
    let steps = (ticks as f64 / world.settings().step) as u64;
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    go(&mut world, &mut judge, steps);
    Ok(row(&world, &judge, name, how.name(), seed))
}
