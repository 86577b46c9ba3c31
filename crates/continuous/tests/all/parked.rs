//! Those who have arrived stay, and those who come later find a place all the same.

use crate::kit::{block, run};
use throng_continuous::{Errand, Event, NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Unlimited, Unobserved};

fn disc(from: (f64, f64), to: (f64, f64)) -> NewBody {
    NewBody::new(Shape::disc(0.5).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1))
}

/// Two with one goal, two with goals that overlap, and a dozen with one goal: the first has it, and the others settle beside it.
#[test]
fn who_finds_its_goal_taken_settles_beside_it() {
    let dozen = (0..12).map(|k| disc((2.0 + 1.5 * f64::from(k), 2.0), (10.0, 12.0)));
    let scenes: [(Vec<NewBody>, f64); 3] = [
        (vec![disc((2.0, 2.0), (8.0, 8.0)), disc((5.0, 5.0), (8.0, 8.0))], 1.3),
        (vec![disc((2.0, 2.0), (8.0, 8.0)), disc((15.0, 5.0), (8.3, 8.4))], 1.3),
        (dozen.collect(), 4.0),
    ];
    for (bodies, near) in scenes {
        let count = bodies.len();
        let goal = |body: &throng_continuous::Body| body.errand().target(0).unwrap();
        let mut world = World::new(Space::open(20.0, 20.0).unwrap(), Settings::default(), bodies).unwrap();
        run(&mut world, 200.0, &Unlimited);
        assert!(world.is_done(), "{} of {count}: {:?}", world.arrived(), world.bodies());
        let far = |body: &throng_continuous::Body| (body.pose().at - goal(body)).length();
        assert!(world.bodies().iter().any(|body| far(body) == 0.0));
        assert!(world.bodies().iter().all(|body| far(body) < near), "{:?}", world.bodies());
    }
}

/// Two goals side by side with hardly a gap between them. Nobody goes round whoever rests as close as that, and who had the one goal made way
/// for who wanted the other, for ever: too near to get there, not near enough to settle.
#[test]
fn goals_with_hardly_a_gap_between_them_are_come_to() {
    for gap in [1e-4, 0.01, 0.03, 0.05, 0.08, 0.1] {
        let starts = [((12.0, 5.0), (1.0, 2.0)), ((2.0, 9.0), (12.0, 1.0)), ((3.0, 1.0), (3.0, 9.0))];
        for (first, second) in starts {
            let bodies = vec![disc(first, (3.0, 4.0)), disc(second, (3.0, 5.0 + gap))];
            let mut world =
                World::new(Space::open(14.0, 10.0).unwrap(), Settings::default(), bodies).unwrap();
            run(&mut world, 200.0, &Unlimited);
            assert!(world.is_done(), "{gap} from {first:?} and {second:?}: {:?}", world.bodies());
        }
    }
}

/// It is told once, and with it that the errand is done.
#[test]
fn who_settles_tells_beside_whom() {
    let bodies = vec![disc((2.0, 2.0), (8.0, 8.0)), disc((8.0, 8.0), (8.0, 8.0))];
    let mut world = World::new(Space::open(20.0, 20.0).unwrap(), Settings::default(), bodies).unwrap();
    let mut told: Vec<Event> = Vec::new();
    while !world.is_done() && world.time() < 100.0 {
        let events = world.step(&Unlimited, &mut Unobserved).iter();
        told.extend(events.filter(|event| matches!(event, Event::Settled { .. } | Event::Finished { .. })));
    }
    let (agent, beside) = (AgentId(0), AgentId(1));
    assert_eq!(told, [Event::Settled { agent, beside }, Event::Finished { agent }]);
}

/// Six that rest in a ring around a place have to let a seventh in, and go back.
#[test]
fn a_ring_of_those_who_rest_opens() {
    for gap in [1.2, 1.6, 1.8] {
        let middle = Point::new(10.0, 10.0);
        // Cosine and sine of sixty degrees.
        let turn = Point::new(0.5, 0.75f64.sqrt());
        let mut way = Point::EAST * gap;
        let mut bodies = vec![disc((2.0, 3.0), (10.0, 10.0))];
        for _ in 0..6 {
            let at = middle + way;
            bodies.push(NewBody::new(Shape::disc(0.5).unwrap(), at, at));
            way = way.turned(turn);
        }
        let mut world = World::new(Space::open(20.0, 20.0).unwrap(), Settings::default(), bodies).unwrap();
        run(&mut world, 300.0, &Unlimited);
        assert!(world.is_done(), "{gap}: {:?}", world.bodies());
        assert_eq!(world.bodies()[0].pose().at, middle);
    }
}

fn holds(radius: f64, at: (f64, f64)) -> NewBody {
    let at = Point::new(at.0, at.1);
    NewBody { errand: Errand::Hold, ..NewBody::new(Shape::disc(radius).unwrap(), at, at) }
}

/// Whoever came to somebody that stays for good, closer than it likes to pass and farther than they touch, slowed down more and more and never
/// got by. New ways led past it as closely, on the right side of a door straight at it, and only the ends of their pieces were held
/// against who stands there. In the open nobody looked for another way at all, and with a bound of 0 nobody ever did.
#[test]
fn who_stays_for_good_is_passed() {
    let door = vec![block(4.0, 0.0, 6.3, 0.2), block(4.0, 3.1, 6.3, 9.0)];
    // A wall of those who hold, with a bay in it.
    let bay = [(10.0, 4.0), (10.0, 5.0), (10.0, 6.0), (9.0, 3.6), (9.0, 6.4), (8.0, 3.4), (8.0, 6.6)];
    let bay: Vec<NewBody> = bay.iter().map(|&at| holds(0.45, at)).collect();
    let rectangle = NewBody { shape: Shape::rectangle(1.4, 0.5).unwrap(), ..disc((2.0, 5.0), (17.0, 5.0)) };
    let cases: [(Vec<_>, Vec<NewBody>); 4] = [
        (door.clone(), vec![disc((8.0, 5.0), (1.2, 0.8)), holds(0.35, (6.5, 1.34))]),
        (Vec::new(), [vec![disc((2.0, 5.0), (17.0, 5.0))], bay.clone()].concat()),
        (Vec::new(), [vec![rectangle], bay].concat()),
        (door, vec![disc((8.0, 5.0), (8.0, 1.0)), holds(0.35, (7.6, 3.0))]),
    ];
    for (walls, bodies) in cases {
        for (step, bound) in [(0.1, 0.5), (0.5, 0.5), (0.1, 1.0), (0.1, 0.0)] {
            let space = Space::new(Point::ZERO, Point::new(20.0, 9.0), walls.clone()).unwrap();
            let settings = Settings { step, bound, ..Settings::default() };
            let mut world = World::new(space, settings, bodies.clone()).unwrap();
            run(&mut world, 150.0, &Unlimited);
            assert!(world.is_done(), "{step} {bound}: {:?}", world.bodies()[0]);
        }
    }
}

/// One end of a patrol is held by somebody for good: it went round that one for ever. It turns back as near to it as it gets.
#[test]
fn a_patrol_turns_before_whoever_holds_its_end() {
    let errand = |goal| Errand::Patrol { goal, home: Point::new(3.0, 3.0), rounds: 2 };
    let patrol = NewBody { errand: errand(Point::new(12.0, 5.2)), ..disc((3.0, 3.0), (12.0, 5.2)) };
    let bodies = vec![patrol, holds(0.4, (12.0, 5.0))];
    let mut world = World::new(Space::open(20.0, 9.0).unwrap(), Settings::default(), bodies).unwrap();
    run(&mut world, 100.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
    assert_eq!(world.bodies()[0].pose().at, Point::new(3.0, 3.0));
}
