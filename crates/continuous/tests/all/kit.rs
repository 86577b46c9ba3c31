//! What tests share: worlds, and a run with the judge watching.

use throng_check::space::{SpaceJudge, SpaceReport};
use throng_continuous::{NewBody, World};
use throng_core::space::{Convex, Point, Pose, Shape};
use throng_core::{AgentId, Budget, Draw as _, Random, Unobserved, stream};

/// A judge of a world as it is now.
pub(crate) fn judge(world: &World) -> SpaceJudge {
    SpaceJudge::of(&world.scene(), world.poses())
}

/// Runs until all have arrived or `time` is over. The judge watches every step and must have nothing to object.
pub(crate) fn run(world: &mut World, time: f64, budget: &dyn Budget) -> SpaceReport {
    let mut judge = judge(world);
    while !world.is_done() && world.time() < time {
        world.step(budget, &mut Unobserved);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(world.settings().step, &world.poses());
        assert!(judge.report().is_valid(), "{}", judge.report());
    }
    judge.report().clone()
}

/// The hash after every step.
pub(crate) fn hashes(world: &mut World, steps: u64, budget: &dyn Budget) -> Vec<u64> {
    let mut all = vec![world.hash()];
    for _ in 0..steps {
        world.step(budget, &mut Unobserved);
        all.push(world.hash());
    }
    all
}

/// A number from 0 to 1.
pub(crate) fn part(dice: &mut Random) -> f64 {
    f64::from(dice.below(1 << 24)) / f64::from(1 << 24)
}

/// A rectangle from one corner to the one opposite.
pub(crate) fn block(x0: f64, y0: f64, x1: f64, y1: f64) -> Convex {
    Convex::rectangle(Point::new(x0, y0), Point::new(x1, y1)).unwrap()
}

/// Discs, rectangles and triangles of several sizes, speeds and headings, one to a square of `side`, from there to the
/// square of another.
pub(crate) fn crowd(columns: usize, rows: usize, side: f64, seed: u64) -> Vec<NewBody> {
    let mut dice = stream(seed, AgentId(0), 0);
    let count = columns * rows;
    let mut goals: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        goals.swap(last, dice.below(last as u32 + 1) as usize);
    }
    let middle =
        |square: usize| Point::new((square % columns) as f64 + 0.5, (square / columns) as f64 + 0.5) * side;
    (0..count)
        .map(|square| {
            let size = side * (0.15 + 0.2 * part(&mut dice));
            let triangle = || {
                let corners = [(1.0, 0.0), (-0.5, 0.8), (-0.5, -0.8)];
                let corners = corners.iter().map(|&(x, y)| Point::new(x, y) * size).collect();
                Shape::polygon(Convex::new(corners).unwrap())
            };
            let shape = match dice.below(4) {
                0 => Shape::rectangle(1.6 * size, size),
                1 => triangle(),
                _ => Shape::disc(size),
            };
            let body = NewBody::new(shape.unwrap(), middle(square), middle(goals[square]));
            let heading =
                Point::new(part(&mut dice) - 0.5, part(&mut dice) - 0.5).unit().unwrap_or(Point::EAST);
            let pose = Pose { heading, ..body.pose };
            NewBody { pose, speed: side * (0.2 + 0.4 * part(&mut dice)), turns: dice.below(3) > 0, ..body }
        })
        .collect()
}
