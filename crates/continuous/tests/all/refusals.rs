//! What is no world, no body and no order is refused with its reason.

use throng_continuous::{Door, Errand, NewBody, Sampling, Scene, Settings, Space, SpaceError, World};
use throng_core::AgentId;
use throng_core::space::{Convex, Point, Pose, Shape};

fn body(x: f64, y: f64) -> NewBody {
    NewBody::new(Shape::disc(0.5).unwrap(), Point::new(x, y), Point::new(5.0, 5.0))
}

fn refused(bodies: Vec<NewBody>) -> SpaceError {
    World::new(Space::open(10.0, 10.0).unwrap(), Settings::default(), bodies).unwrap_err()
}

#[test]
fn bodies_that_are_none_are_refused() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for (x, y) in [(nan, 1.0), (1.0, nan), (inf, 1.0), (1.0, -inf), (1e300, 1.0)] {
        assert!(matches!(refused(vec![body(x, y)]), SpaceError::NoPoint { role: "start", .. }), "{x} {y}");
        let to = NewBody::new(Shape::disc(0.5).unwrap(), Point::new(2.0, 2.0), Point::new(x, y));
        assert!(matches!(refused(vec![to]), SpaceError::NoPoint { role: "goal", .. }), "{x} {y}");
    }
    for speed in [0.0, -1.0, nan, inf, 1e-12, 1e9] {
        let error = refused(vec![body(2.0, 2.0), NewBody { speed, ..body(4.0, 2.0) }]);
        assert!(matches!(error, SpaceError::BadSpeed { agent: AgentId(1), .. }), "{speed}: {error}");
    }
    for heading in [Point::ZERO, Point::new(1.0, 1.0), Point::new(nan, 0.0)] {
        let pose = Pose { heading, at: Point::new(2.0, 2.0) };
        let error = refused(vec![NewBody { pose, ..body(2.0, 2.0) }]);
        assert!(matches!(error, SpaceError::BadHeading { .. }), "{heading}: {error}");
    }
    let errand = |errand| refused(vec![NewBody { errand, ..body(2.0, 2.0) }]);
    assert!(matches!(errand(Errand::Goals(Vec::new())), SpaceError::NoGoals { .. }));
    let at = Point::new(2.0, 2.0);
    assert!(matches!(errand(Errand::Patrol { goal: at, home: at, rounds: 0 }), SpaceError::NoRounds { .. }));
}

#[test]
fn bodies_that_overlap_or_touch_a_wall_are_refused() {
    let error = refused(vec![body(2.0, 2.0), body(7.0, 7.0), body(2.9, 2.0)]);
    assert_eq!(error.to_string(), "bodies 0 and 2 overlap at the start, near (2.900, 2.000)");
    assert!(
        matches!(refused(vec![body(2.0, 2.0), body(3.0, 2.0)]), SpaceError::Overlap { .. }),
        "they touch"
    );
    let car = NewBody { shape: Shape::rectangle(4.0, 0.5).unwrap(), ..body(5.0, 2.0) };
    let error = refused(vec![car, body(6.9, 2.5)]);
    assert!(matches!(error, SpaceError::Overlap { first: AgentId(0), agent: AgentId(1), .. }), "{error}");
    assert!(matches!(refused(vec![body(0.4, 2.0)]), SpaceError::InWall { role: "start", .. }));
    let wall = Convex::rectangle(Point::new(4.0, 4.0), Point::new(6.0, 6.0)).unwrap();
    let space = Space::new(Point::ZERO, Point::new(10.0, 10.0), vec![wall]).unwrap();
    let goal = World::new(space, Settings::default(), vec![body(2.0, 2.0)]).unwrap_err();
    assert!(matches!(goal, SpaceError::InWall { role: "goal", agent: AgentId(0), .. }), "{goal}");
}

#[test]
fn spaces_and_settings_that_are_none_are_refused() {
    for (w, h) in [(0.0, 5.0), (5.0, -1.0), (f64::NAN, 5.0), (f64::INFINITY, 5.0), (1e9, 5.0)] {
        assert!(matches!(Space::open(w, h), Err(SpaceError::BadBorder { .. })), "{w} {h}");
    }
    let usual = Settings::default();
    let bad = [
        ("step", Settings { step: 0.0, ..usual }),
        ("step", Settings { step: f64::NAN, ..usual }),
        ("forecast", Settings { forecast: 0.01, ..usual }),
        ("forecast", Settings { forecast: f64::INFINITY, ..usual }),
        ("bound", Settings { bound: -0.1, ..usual }),
        ("bound", Settings { bound: 1.1, ..usual }),
        ("nearest", Settings { nearest: 0, ..usual }),
        ("quantum", Settings { quantum: 0.0, ..usual }),
        ("patience", Settings { patience: -1.0, ..usual }),
        ("spacing", Settings { sampling: Sampling::Lattice { spacing: 0.0 }, ..usual }),
        ("density", Settings { sampling: Sampling::Random { density: f64::NAN, seed: 0 }, ..usual }),
    ];
    for (name, settings) in bad {
        let error = World::new(Space::open(5.0, 5.0).unwrap(), settings, Vec::new()).unwrap_err();
        assert!(matches!(error, SpaceError::BadSetting { setting, .. } if setting == name), "{error}");
    }
}

/// A door beside the space, or inside a wall, would close and open for nobody.
#[test]
fn doors_that_let_nobody_through_are_refused() {
    let rectangle = |x0, y0, x1, y1| Convex::rectangle(Point::new(x0, y0), Point::new(x1, y1)).unwrap();
    let wall = rectangle(4.0, 0.0, 6.0, 8.0);
    let scene = |door: Convex| {
        let free = Door { wall: rectangle(4.0, 8.0, 6.0, 10.0), closed: true };
        let doors = vec![free, Door { wall: door, closed: false }];
        Scene { walls: vec![wall.clone()], doors, ..Scene::open("doors", 10.0, 10.0) }
    };
    let outside = [
        rectangle(11.0, 1.0, 12.0, 2.0),
        rectangle(10.0, 1.0, 12.0, 2.0),
        rectangle(-3.0, -3.0, 0.0, 0.0),
        // The box around it overlaps the space; the door does not.
        Convex::new(vec![Point::new(9.0, 12.0), Point::new(12.0, 9.0), Point::new(12.0, 12.0)]).unwrap(),
    ];
    for door in outside {
        assert_eq!(World::of(scene(door)).unwrap_err(), SpaceError::DoorOutside { door: 1 });
    }
    for door in [rectangle(4.5, 1.0, 5.5, 2.0), wall.clone()] {
        assert_eq!(World::of(scene(door)).unwrap_err(), SpaceError::DoorInWall { door: 1, wall: 0 });
    }
    for door in
        [rectangle(9.0, 9.0, 12.0, 12.0), rectangle(3.0, 1.0, 7.0, 2.0), rectangle(4.0, 7.0, 6.0, 9.0)]
    {
        assert!(World::of(scene(door)).is_ok());
    }
}
