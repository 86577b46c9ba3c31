//! Ways around walls, on a lattice and on a sampled graph.

use crate::kit::run;
use throng_continuous::{Doing, Errand, Event, NewBody, Sampling, Settings, Space, World};
use throng_core::space::{Convex, Point, Shape};
use throng_core::{AgentId, Unlimited, Unobserved};

const SAMPLINGS: [Sampling; 2] =
    [Sampling::Lattice { spacing: 1.0 }, Sampling::Random { density: 2.0, seed: 7 }];

/// Two rooms and a door between them.
fn rooms(door: f64) -> Space {
    let wall = |y0: f64, y1: f64| Convex::rectangle(Point::new(14.0, y0), Point::new(16.0, y1)).unwrap();
    let (low, high) = (10.0 - door / 2.0, 10.0 + door / 2.0);
    Space::new(Point::ZERO, Point::new(30.0, 20.0), vec![wall(0.0, low), wall(high, 20.0)]).unwrap()
}

fn disc(from: (f64, f64), to: (f64, f64)) -> NewBody {
    NewBody::new(Shape::disc(0.4).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1))
}

/// Discs of both rooms go through the door to the other one.
#[test]
fn a_door_is_passed_from_both_sides() {
    for sampling in SAMPLINGS {
        let mut bodies = Vec::new();
        for k in 0..8 {
            let y = 2.0 + 2.0 * f64::from(k);
            bodies.push(disc((3.0, y), (25.0, y)));
            bodies.push(disc((27.0, y), (5.0, y)));
        }
        let settings = Settings { sampling, ..Settings::default() };
        let mut world = World::new(rooms(4.0), settings, bodies).unwrap();
        run(&mut world, 200.0, &Unlimited);
        assert!(world.is_done(), "{sampling:?}: {} of 16 after {}", world.arrived(), world.time());
    }
}

/// Whoever rests in the only door makes way for those whose way leads around a corner as well: they went to and fro before it for ever, since
/// only who had a straight way pressed.
#[test]
fn who_rests_in_the_only_door_is_pressed_from_around_a_corner() {
    let wall = |y0: f64, y1: f64| Convex::rectangle(Point::new(12.0, y0), Point::new(13.0, y1)).unwrap();
    let space =
        || Space::new(Point::ZERO, Point::new(25.0, 7.0), vec![wall(0.0, 3.0), wall(4.0, 7.0)]).unwrap();
    for (from, to) in [(5.5, 3.5), (0.5, 3.5), (5.5, 0.5), (3.5, 6.5), (6.5, 6.5)] {
        let bodies = vec![disc((0.5, from), (24.5, to)), disc((12.5, 3.5), (12.5, 3.5))];
        let mut world = World::new(space(), Settings::default(), bodies).unwrap();
        run(&mut world, 300.0, &Unlimited);
        assert!(world.is_done(), "from {from} to {to}: {:?}", world.bodies()[0]);
    }
}

/// Where there is no door there is no way, and that is told.
#[test]
fn no_way_is_reported() {
    for sampling in SAMPLINGS {
        let settings = Settings { sampling, ..Settings::default() };
        let bodies = vec![disc((3.0, 3.0), (25.0, 3.0))];
        // Too narrow for the body.
        let mut world = World::new(rooms(0.6), settings, bodies).unwrap();
        let told = world.step(&Unlimited, &mut Unobserved).to_vec();
        assert_eq!(told, [Event::GaveUp { agent: AgentId(0) }], "{sampling:?}");
        assert_eq!(world.bodies()[0].doing(), Doing::Lost);
        assert!(world.is_stuck() && !world.is_done());
        world.send(AgentId(0), Errand::Goals(vec![Point::new(3.0, 15.0)])).unwrap();
        assert!(!world.is_stuck());
        run(&mut world, 60.0, &Unlimited);
        assert!(world.is_done());
    }
}

/// A patrol goes there and back, and who rests in a doorway lets it pass and comes back.
#[test]
fn who_rests_in_the_door_makes_way_and_comes_back() {
    let patrol = Errand::Patrol { goal: Point::new(25.0, 10.0), home: Point::new(4.0, 10.0), rounds: 2 };
    let bodies =
        vec![NewBody { errand: patrol, ..disc((4.0, 10.0), (4.0, 10.0)) }, disc((15.0, 10.0), (15.0, 10.0))];
    let mut world = World::new(rooms(1.4), Settings::default(), bodies).unwrap();
    run(&mut world, 400.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
    assert!(world.counts().made_way > 0, "{:?}", world.counts());
    assert_eq!(world.bodies()[1].pose().at, Point::new(15.0, 10.0));
}

/// Who is to hold its place does, and others go round.
#[test]
fn who_holds_its_place_stays() {
    let bodies = vec![
        disc((2.0, 10.0), (12.0, 10.0)),
        NewBody { errand: Errand::Hold, ..disc((7.0, 10.0), (7.0, 10.0)) },
    ];
    let mut world = World::new(rooms(2.0), Settings::default(), bodies).unwrap();
    run(&mut world, 60.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies()[0]);
    assert_eq!(world.bodies()[1].pose().at, Point::new(7.0, 10.0));
    assert!(world.counts().detours > 0);
}

/// Whoever gives way gets later than the one it gives way to, so that delays alone would have two that meet in a corridor
/// change roles every two seconds, for ever. The one that is promoted pushes the other back to the bay.
#[test]
fn two_that_meet_in_a_corridor_pass_at_the_bay() {
    let block = |x0: f64, y0: f64, x1: f64, y1: f64| {
        Convex::rectangle(Point::new(x0, y0), Point::new(x1, y1)).unwrap()
    };
    // A corridor of 1.2 with a bay in the middle.
    let walls = vec![block(0.0, 1.2, 14.0, 4.0), block(16.0, 1.2, 30.0, 4.0)];
    let space = Space::new(Point::ZERO, Point::new(30.0, 4.0), walls).unwrap();
    for speed in [1.0, 0.8] {
        let east = NewBody { speed, ..disc((2.0, 0.6), (28.0, 0.6)) };
        let mut world =
            World::new(space.clone(), Settings::default(), vec![east, disc((22.0, 0.6), (2.0, 0.6))])
                .unwrap();
        run(&mut world, 300.0, &Unlimited);
        assert!(world.is_done(), "{speed}: {:?}", world.bodies());
        assert!(world.counts().promoted > 0 && world.counts().made_way > 0, "{:?}", world.counts());
    }
}

/// A place of the way where somebody has come to rest is left out, or it would be circled for ever.
#[test]
fn who_rests_on_a_corner_of_the_way_is_passed() {
    let corner = Point::new(13.5, 7.5);
    let mut bodies = vec![disc((2.0, 15.0), (27.0, 2.0)), disc((13.5, 7.5), (13.5, 7.5))];
    bodies[1].errand = Errand::Hold;
    let mut world = World::new(rooms(6.0), Settings::default(), bodies).unwrap();
    run(&mut world, 120.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies()[0]);
    assert_eq!(world.bodies()[1].pose().at, corner);
}
