//! Random crowds of all shapes: nobody ever touches anybody, and nearly all arrive.

use crate::kit::{crowd, run};
use proptest::prelude::*;
use throng_continuous::{NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{Expansions, Unlimited};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The judge has nothing to object at any step, however dense the crowd, however little is planned.
    #[test]
    fn nobody_ever_touches_anybody(
        seed in any::<u64>(), columns in 2usize..9, rows in 1usize..8, forecast in 0.5f64..6.0,
        bound in 0.0f64..1.0, step in 0.02f64..0.5, budget in 0u64..200,
    ) {
        let bodies = crowd(columns, rows, 3.0, seed);
        let space = Space::open(3.0 * columns as f64, 3.0 * rows as f64).unwrap();
        let forecast = forecast.max(step);
        let settings = Settings { forecast, bound, step, ..Settings::default() };
        let mut world = World::new(space, settings, bodies).unwrap();
        run(&mut world, 25.0, &Expansions(budget));
    }
}

/// With some room between them all arrive.
#[test]
fn a_crowd_with_room_arrives() {
    let (mut arrived, mut all) = (0, 0);
    for seed in 0..6 {
        let bodies = crowd(7, 7, 4.0, seed);
        let mut world = World::new(Space::open(28.0, 28.0).unwrap(), Settings::default(), bodies).unwrap();
        run(&mut world, 300.0, &Unlimited);
        arrived += world.arrived();
        all += world.bodies().len();
    }
    assert!(arrived * 100 >= all * 97, "{arrived} of {all}");
}

/// Who is slowed down is late, and whoever is later goes first: of two that cross, the one that was held up before.
#[test]
fn the_most_delayed_goes_first() {
    let disc = || Shape::disc(0.5).unwrap();
    // Body 0 comes from the left, body 1 from below; both would be in the middle after ten seconds.
    let cross = |late: bool| {
        let mut bodies = vec![
            NewBody::new(disc(), Point::new(2.0, 12.0), Point::new(22.0, 12.0)),
            NewBody::new(disc(), Point::new(12.0, 2.0), Point::new(12.0, 22.0)),
        ];
        if late {
            // Somebody slow goes before body 1 for a while, and then leaves.
            let slow = NewBody::new(disc(), Point::new(12.0, 3.2), Point::new(12.0, 23.4));
            bodies.push(NewBody { speed: 0.2, ..slow });
            bodies[0].pose.at = Point::new(-4.0, 12.0);
        }
        let space = Space::new(Point::new(-10.0, 0.0), Point::new(30.0, 30.0), Vec::new()).unwrap();
        let settings = Settings { bound: 0.0, ..Settings::default() };
        World::new(space, settings, bodies).unwrap()
    };
    let mut world = cross(false);
    run(&mut world, 60.0, &Unlimited);
    let delays = |world: &World| world.bodies().iter().map(|body| body.delay()).collect::<Vec<_>>();
    assert!(world.is_done());
    let mut first = cross(false);
    while first.time() < 12.0 {
        first.step(&Unlimited, &mut throng_core::Unobserved);
    }
    let late = delays(&first);
    assert!(late[0] < 1e-9 && late[1] > 0.5, "the lower number goes first among equals: {late:?}");

    let mut world = cross(true);
    while world.time() < 8.0 {
        world.step(&Unlimited, &mut throng_core::Unobserved);
    }
    world.remove(throng_core::AgentId(2)).unwrap();
    let before = delays(&world);
    assert!(before[1] > 4.0 && before[0] < 1e-9, "{before:?}");
    while world.time() < 25.0 {
        world.step(&Unlimited, &mut throng_core::Unobserved);
    }
    let after = delays(&world);
    assert!(after[1] - before[1] < 0.1, "{before:?} {after:?}");
}
