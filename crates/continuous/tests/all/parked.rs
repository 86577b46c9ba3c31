//! Those who have arrived stay, and those who come later find a place all the same.

use crate::kit::run;
use throng_continuous::{Event, NewBody, Settings, Space, World};
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
