//! Bodies of several teams, who do not know each other's goals and ways.

use crate::kit::{block, crowd, run};
use proptest::prelude::*;
use throng_continuous::{Errand, NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{Expansions, Unlimited, Unobserved};

fn disc(team: u16, from: (f64, f64), to: (f64, f64)) -> NewBody {
    let body = NewBody::new(Shape::disc(0.4).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1));
    NewBody { team, ..body }
}

/// Whoever comes second to a place that two teams want settles beside it.
#[test]
fn strangers_settle_around_one_goal() {
    let bodies = vec![
        disc(0, (2.0, 5.0), (9.0, 5.0)),
        disc(1, (18.0, 5.0), (9.0, 5.0)),
        disc(2, (9.0, 1.0), (9.0, 5.0)),
    ];
    let mut world = World::new(Space::open(20.0, 10.0).unwrap(), Settings::default(), bodies).unwrap();
    run(&mut world, 120.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
}

/// They back out of a corridor for each other, as those of one team do.
#[test]
fn strangers_that_meet_in_a_corridor_pass_at_the_bay() {
    let walls = vec![block(0.0, 1.2, 14.0, 4.0), block(16.0, 1.2, 30.0, 4.0)];
    let space = Space::new(Point::ZERO, Point::new(30.0, 4.0), walls).unwrap();
    let bodies = vec![disc(0, (2.0, 0.6), (28.0, 0.6)), disc(1, (22.0, 0.6), (2.0, 0.6))];
    let mut world = World::new(space, Settings::default(), bodies).unwrap();
    run(&mut world, 300.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Shapes of all kinds and of three teams change places: nobody touches anybody.
    #[test]
    fn strangers_never_touch(seed in 0..1000u64) {
        let mut bodies = crowd(6, 5, 4.0, seed);
        bodies.iter_mut().zip(0..).for_each(|(body, id)| body.team = id % 3);
        let mut world = World::new(Space::open(24.0, 20.0).unwrap(), Settings::default(), bodies).unwrap();
        run(&mut world, 60.0, &Expansions(2000));
    }

    /// Where a stranger wants to go after its next place is nobody's business: until it has got there, all decide the same whatever that is.
    #[test]
    fn what_strangers_mean_to_do_is_not_known(seed in 0..1000u64, x in 2.0..22.0f64, y in 2.0..18.0f64) {
        let mut bodies = crowd(6, 5, 4.0, seed);
        bodies.iter_mut().zip(0..).for_each(|(body, id)| body.team = id % 2);
        let make = |to: Point| {
            let mut bodies = bodies.clone();
            if let Errand::Goals(goals) = &mut bodies[0].errand {
                goals.push(to);
            }
            World::new(Space::open(24.0, 20.0).unwrap(), Settings::default(), bodies).unwrap()
        };
        let (mut one, mut other) = (make(Point::new(x, y)), make(Point::new(24.0 - x, 20.0 - y)));
        while one.bodies()[0].leg() == 0 && one.time() < 60.0 {
            one.step(&Unlimited, &mut Unobserved);
            other.step(&Unlimited, &mut Unobserved);
            if one.bodies()[0].leg() == 0 {
                prop_assert_eq!(one.hash(), other.hash());
            }
        }
    }
}
