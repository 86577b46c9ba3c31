//! Doors and tunnels that a body just fits through, wherever they are.

use crate::kit::run;
use proptest::prelude::*;
use throng_continuous::{Doing, NewBody, Sampling, Settings, Space, World};
use throng_core::space::{Convex, Point, Shape};
use throng_core::{Expansions, Unlimited, Unobserved};

fn samplings() -> impl Strategy<Value = Sampling> {
    prop_oneof![
        (0.3..3.0).prop_map(|spacing| Sampling::Lattice { spacing }),
        (0.3..4.0, 0..1000u64).prop_map(|(density, seed)| Sampling::Random { density, seed }),
    ]
}

/// A body that goes from one side of walls to the other.
fn pass(size: (f64, f64), walls: Vec<Convex>, body: NewBody, sampling: Sampling) -> World {
    let space = Space::new(Point::ZERO, Point::new(size.0, size.1), walls).unwrap();
    let settings = Settings { sampling, ..Settings::default() };
    let mut world = World::new(space, settings, vec![body]).unwrap();
    run(&mut world, 120.0, &Unlimited);
    world
}

/// Doors wider than a body that lie between the points of a lattice: each was said to be no way.
#[test]
fn doors_between_the_points_of_a_lattice() {
    let lattice = Sampling::Lattice { spacing: 1.0 };
    let rectangle = |x0, y0, x1, y1| Convex::rectangle(Point::new(x0, y0), Point::new(x1, y1)).unwrap();
    let body = |from: (f64, f64), to: (f64, f64)| {
        NewBody::new(Shape::disc(0.5).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1))
    };
    let small = vec![rectangle(5.0, 0.0, 6.0, 4.0), rectangle(5.0, 6.0, 6.0, 10.0)];
    assert!(pass((10.0, 10.0), small, body((2.0, 2.0), (8.0, 8.0)), lattice).is_done());
    for (low, high) in [(9.01, 10.99), (9.1, 10.9), (9.55, 10.75)] {
        let walls = vec![rectangle(14.0, 0.0, 16.0, low), rectangle(14.0, high, 16.0, 20.0)];
        let world = pass((30.0, 20.0), walls, body((3.0, 5.0), (27.0, 5.0)), lattice);
        assert!(world.is_done(), "{low} to {high}: {:?}", world.bodies());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Two walls that lean, with a door between them that is a tenth wider than the body.
    #[test]
    fn every_door_a_tenth_wider_than_the_body_is_passed(
        sampling in samplings(),
        radius in 0.2..2.0f64,
        width in 1.1..3.0f64,
        door in 8.0..22.0f64,
        thick in 0.1..6.0f64,
        lean in -4.0..4.0f64,
        offset in -0.9..0.9f64,
        polygon in any::<bool>(),
    ) {
        // The door's own width is measured across it, and walls that lean leave less.
        let across = (1.0 + (lean / 30.0) * (lean / 30.0)).sqrt();
        let half = width * radius * across;
        let x = |y: f64| 20.0 + lean * (y - 15.0) / 30.0;
        // The second wall stands a little farther on, by less than both overlap.
        let on = offset * thick * 0.5;
        let wall = |y0: f64, y1: f64, on: f64| {
            let corners = [(x(y0), y0), (x(y0) + thick, y0), (x(y1) + thick, y1), (x(y1), y1)];
            Convex::new(corners.iter().map(|&(x, y)| Point::new(x + on, y)).collect()).unwrap()
        };
        let walls = vec![wall(0.0, door - half, 0.0), wall(door + half, 30.0, on)];
        let shape = if polygon {
            Shape::rectangle(1.6 * radius, 1.2 * radius).unwrap()
        } else {
            Shape::disc(radius).unwrap()
        };
        let body = NewBody::new(shape, Point::new(5.0, 5.0), Point::new(40.0, 25.0));
        let world = pass((45.0, 30.0), walls, body, sampling);
        prop_assert!(world.is_done(), "{:?}", world.bodies());
    }

    /// A tunnel with a bend in it.
    #[test]
    fn tunnels_are_passed(sampling in samplings(), radius in 0.2..1.0f64, width in 1.1..2.0f64, at in 8.0..20.0f64) {
        let across = 2.0 * radius * width;
        let rectangle =
            |x0, y0, x1, y1| Convex::rectangle(Point::new(x0, y0), Point::new(x1, y1)).unwrap();
        // In from the left at the height `at`, up in the middle, and out to the right.
        let walls = vec![
            rectangle(10.0, 0.0, 20.0 + across, at),
            rectangle(10.0, at + across, 20.0, 30.0),
            rectangle(20.0 + across, 0.0, 30.0, at + 6.0),
            rectangle(20.0, at + 6.0 + across, 30.0, 30.0),
        ];
        let body = NewBody::new(Shape::disc(radius).unwrap(), Point::new(4.0, 4.0), Point::new(36.0, 26.0));
        let world = pass((40.0, 30.0), walls, body, sampling);
        prop_assert!(world.is_done(), "{:?}", world.bodies());
    }
}

/// A world of a square kilometre: what a step expands is what it works out, and no step does more than the budget. Nobody waits for
/// points that no search asks for.
#[test]
fn points_are_worked_out_when_a_search_comes_there() {
    let wall = Convex::rectangle(Point::new(490.0, 100.0), Point::new(510.0, 900.0)).unwrap();
    let body = |y: f64, radius: f64| {
        NewBody::new(Shape::disc(radius).unwrap(), Point::new(485.0, y), Point::new(515.0, y))
    };
    let space = Space::new(Point::ZERO, Point::new(1000.0, 1000.0), vec![wall]).unwrap();
    let bodies = (0..60).map(|k| body(840.0 + 2.0 * f64::from(k % 20), 0.3 + 0.002 * f64::from(k)));
    let bodies = bodies.enumerate().map(|(k, mut body)| {
        body.pose.at.x -= 3.0 * (k / 20) as f64;
        body
    });
    let mut world = World::new(space, Settings::default(), bodies.collect()).unwrap();
    for _ in 0..20 {
        world.step(&Expansions(100), &mut Unobserved);
    }
    assert_eq!(world.counts().expanded, 2000);
    // One lattice of a million points for each radius would be sixty million; only squares that searches came to were looked at.
    assert!(world.worked_out() < 40_000, "{}", world.worked_out());
    assert!(world.bodies().iter().any(|body| body.doing() == Doing::Awaits));
}
