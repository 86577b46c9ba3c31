//! Bodies in continuous space: two that change places, one more that comes and goes, a save, and the judge.

use throng::check::space::SpaceJudge;
use throng::continuous::{Errand, NewBody, Scene, World};
use throng::core::space::{Point, Shape};
use throng::core::{Expansions, Unobserved};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (west, east) = (Point::new(2.0, 5.0), Point::new(18.0, 5.0));
    let car = NewBody { speed: 1.5, ..NewBody::new(Shape::rectangle(1.6, 0.8)?, east, west) };
    let bodies = vec![NewBody::new(Shape::disc(0.5)?, west, east), car];
    let mut world = World::of(Scene { bodies, ..Scene::open("pass", 20.0, 10.0) })?;

    // Somebody on top of another is refused, and nothing has changed.
    let twin = NewBody::new(Shape::disc(0.5)?, west, east);
    println!("{}", world.add(twin).unwrap_err());

    let third = world.add(NewBody::new(Shape::disc(0.5)?, Point::new(10.0, 8.0), Point::new(10.0, 2.0)))?;
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    while !world.is_done() && world.time() < 60.0 {
        if world.steps() == 50 {
            world.send(third, Errand::Goals(vec![Point::new(10.0, 8.0)]))?;
            // The same future again.
            world = World::resume(&world.save(), 2)?;
        }
        // Planning takes no more than 100 expansions of a step; the rest waits for the next.
        world.step(&Expansions(100), &mut Unobserved);
        judge.step(world.settings().step, &world.poses());
    }
    println!("all there after {:.1} s, {}", world.time(), judge.report());
    assert!(world.is_done() && judge.report().is_valid());
    Ok(())
}
