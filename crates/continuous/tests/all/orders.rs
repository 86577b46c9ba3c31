//! Bodies come, go and get other errands while the world runs.

use crate::kit::judge;
use throng_check::space::Mover;
use throng_continuous::{Errand, NewBody, Settings, Space, SpaceError, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Unlimited, Unobserved};

#[test]
fn bodies_come_and_go_and_change_their_minds() {
    let disc = Shape::disc(0.5).unwrap();
    let body = |x: f64, to: f64| NewBody::new(disc.clone(), Point::new(x, 5.0), Point::new(to, 5.0));
    let settings = Settings::default();
    let mut world = World::new(Space::open(40.0, 10.0).unwrap(), settings, vec![body(2.0, 38.0)]).unwrap();
    let mut judge = judge(&world);
    let mut step = |world: &mut World| {
        world.step(&Unlimited, &mut Unobserved);
        judge.step(world.settings().step, &world.poses());
        assert!(judge.report().is_valid(), "{}", judge.report());
    };
    (0..50).for_each(|_| step(&mut world));
    let hash = world.hash();
    let taken = world.bodies()[0].pose().at;
    let error = world.add(NewBody::new(disc.clone(), taken + Point::new(0.9, 0.0), taken)).unwrap_err();
    assert!(matches!(error, SpaceError::Overlap { first: AgentId(0), agent: AgentId(1), .. }), "{error}");
    assert_eq!(world.hash(), hash, "the world is as it was");
    let second = world.add(body(30.0, 3.0)).unwrap();
    assert_eq!(second, AgentId(1));
    judge.join(Mover { shape: disc.clone(), speed: 1.0 }, world.bodies()[1].pose());
    let mut step = |world: &mut World| {
        world.step(&Unlimited, &mut Unobserved);
        judge.step(world.settings().step, &world.poses());
        assert!(judge.report().is_valid(), "{}", judge.report());
    };
    (0..100).for_each(|_| step(&mut world));
    world.send(AgentId(0), Errand::Goals(vec![Point::new(2.0, 2.0), Point::new(8.0, 8.0)])).unwrap();
    (0..400).for_each(|_| step(&mut world));
    assert_eq!(world.bodies()[0].pose().at, Point::new(8.0, 8.0));
    world.remove(AgentId(1)).unwrap();
    assert_eq!(world.remove(AgentId(1)), Err(SpaceError::Unknown { agent: AgentId(1) }));
    assert_eq!(world.send(AgentId(7), Errand::Hold), Err(SpaceError::Unknown { agent: AgentId(7) }));
    (0..10).for_each(|_| step(&mut world));
    assert!(world.is_done() && world.arrived() == 1);
}
