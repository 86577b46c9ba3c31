//! Narrow corridors: where two hardly fit side by side, and where one has to walk past its goal to let another by.

use crate::kit::{block, hashes, part, run};
use proptest::prelude::*;
use throng_continuous::{Errand, NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Draw as _, Expansions, Random, Unlimited, Unobserved, stream};

fn disc(radius: f64, from: Point, to: Point, speed: f64) -> NewBody {
    NewBody { speed, ..NewBody::new(Shape::disc(radius).unwrap(), from, to) }
}

/// A corridor between two rooms, and half of the bodies in each of them with a place to go to in the other.
fn between_rooms(pairs: usize, width: f64, dice: &mut Random) -> World {
    const SIDE: f64 = 8.0;
    let long = 10.0 + 14.0 * part(dice);
    let low = 0.2 + (SIDE - width - 0.4) * part(dice);
    let walls = vec![block(SIDE, 0.0, SIDE + long, low), block(SIDE, low + width, SIDE + long, SIDE)];
    let far = 2.0 * SIDE + long;
    let places = |dice: &mut Random, east: bool| -> Vec<Point> {
        let mut squares: Vec<u32> = (0..25).collect();
        let mut place = || {
            let square = squares.swap_remove(dice.below(squares.len() as u32) as usize);
            let (x, y) = (0.8 + 1.5 * f64::from(square % 5), 0.8 + 1.5 * f64::from(square / 5));
            Point::new(if east { far - x } else { x }, y)
        };
        (0..2 * pairs).map(|_| place()).collect()
    };
    let (west, east) = (places(dice, false), places(dice, true));
    let mut speed = || 0.7 + 0.6 * part(dice);
    let bodies = (0..pairs).flat_map(|k| {
        let (one, other) = (speed(), speed());
        [disc(0.5, west[k], east[pairs + k], one), disc(0.5, east[k], west[pairs + k], other)]
    });
    let bodies = bodies.collect();
    let space = Space::new(Point::ZERO, Point::new(far, SIDE), walls).unwrap();
    World::new(space, Settings::default(), bodies).unwrap()
}

/// Nothing but a corridor: bodies begin and end in it, the foremost goes farthest.
fn corridor(pairs: usize, width: f64, dice: &mut Random) -> World {
    let long = 10.0 + 14.0 * part(dice) + 4.0 * pairs as f64;
    let middle = dice.below(2) == 0;
    let mut bodies = Vec::new();
    for k in 0..pairs {
        let (near, far) = (0.8 + 1.5 * k as f64, 0.8 + 1.5 * (pairs - 1 - k) as f64);
        let mut at =
            |x: f64| Point::new(x, if middle { width / 2.0 } else { 0.51 + (width - 1.02) * part(dice) });
        let ways = [(at(near), at(long - far)), (at(long - near), at(far))];
        bodies.extend(ways.map(|(from, to)| disc(0.5, from, to, 0.7 + 0.6 * part(dice))));
    }
    let space = Space::new(Point::ZERO, Point::new(long, width), Vec::new()).unwrap();
    World::new(space, Settings::default(), bodies).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// All of them aim at the middle. Before they kept to the right, two pushed each other to and fro for minutes, and half of
    /// those that met in a corridor 2.1 wide never passed.
    #[test]
    fn who_meets_in_a_corridor_passes(
        width in prop_oneof![Just(2.1), 2.1..3.0f64],
        pairs in prop_oneof![Just(1usize), Just(2), Just(3), Just(5)],
        rooms in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut dice = stream(seed, AgentId(0), 0);
        let make = if rooms { between_rooms } else { corridor };
        let mut world = make(pairs, width, &mut dice);
        run(&mut world, 600.0, &Unlimited);
        prop_assert!(world.is_done(), "{} of {}: {:?}", world.arrived(), 2 * pairs, world.bodies());
    }
}

/// Two that go towards each other in the middle of a corridor hardly lose time.
#[test]
fn who_keeps_right_hardly_loses_time() {
    for width in [2.1, 2.3, 2.6, 3.0] {
        let (west, east) = (Point::new(1.0, width / 2.0), Point::new(29.0, width / 2.0));
        let bodies = vec![disc(0.5, west, east, 1.0), disc(0.5, east, west, 1.0)];
        let space = Space::new(Point::ZERO, Point::new(30.0, width), Vec::new()).unwrap();
        let mut world = World::new(space, Settings::default(), bodies).unwrap();
        run(&mut world, 60.0, &Unlimited);
        assert!(world.is_done() && world.time() < 31.0, "{width}: {}", world.time());
        assert_eq!(world.counts().made_way, 0, "{width}");
    }
}

/// A corridor of single width with a bay near each end. The goals lie in the middle, in the wrong order: one has to walk past its
/// goal to beyond a bay in which the other waits.
fn wrong_order(swapped: bool) -> World {
    let walls = vec![
        block(0.0, 0.0, 13.0, 1.0),
        block(0.0, 1.0, 3.0, 2.0),
        block(4.0, 1.0, 9.0, 2.0),
        block(10.0, 1.0, 13.0, 2.0),
        block(0.0, 3.0, 13.0, 4.0),
        block(0.0, 2.0, 1.0, 3.0),
        block(12.0, 2.0, 13.0, 3.0),
    ];
    let at = |x: f64| Point::new(x, 2.5);
    let mut bodies = vec![disc(0.4, at(1.5), at(7.5), 1.0), disc(0.4, at(11.5), at(5.5), 1.0)];
    if swapped {
        bodies.reverse();
    }
    World::new(Space::new(Point::ZERO, Point::new(13.0, 4.0), walls).unwrap(), Settings::default(), bodies)
        .unwrap()
}

/// Whoever was promoted reached its goal and stood in the other's way, who was promoted in turn: both arrived again and again and
/// never at once. Together they find the order of moves that brings both there.
#[test]
fn goals_in_the_wrong_order_are_reached() {
    for swapped in [false, true] {
        let mut world = wrong_order(swapped);
        run(&mut world, 200.0, &Unlimited);
        assert!(world.is_done(), "{:?}", world.bodies());
    }
}

/// The search for a knot keeps to the budget, whatever it is, and so does all else.
#[test]
fn a_knot_is_searched_for_within_the_budget() {
    for budget in [7, 30, 200] {
        let mut world = wrong_order(false);
        let mut before = 0;
        while !world.is_done() && world.time() < 600.0 {
            world.step(&Expansions(budget), &mut Unobserved);
            let spent = world.counts().expanded - before;
            assert!(spent <= budget, "{spent} of {budget}");
            before = world.counts().expanded;
        }
        assert!(world.is_done(), "{budget}: {:?}", world.bodies());
    }
}

/// Saved at any step, also while a search for a knot is under way or its moves are carried out, the future is the same; so it is
/// on any number of threads.
#[cfg(feature = "serde")]
#[test]
fn knots_are_saved() {
    let budget = Expansions(20);
    let whole = hashes(&mut wrong_order(false), 900, &budget);
    let mut world = wrong_order(false);
    for (step, hash) in whole.into_iter().enumerate() {
        if step % 9 == 0 {
            world = World::resume(&world.save(), 1 + step / 9 % 3).unwrap();
        }
        assert_eq!(world.hash(), hash, "step {step}");
        world.step(&budget, &mut Unobserved);
    }
}

/// Somebody who stands in a bay for good leaves while ways around it are searched for. A world that was taken up again then made
/// its search anew from those who stood there now, and went on otherwise than one that was not saved.
#[cfg(feature = "serde")]
#[test]
fn who_stood_there_when_a_knot_was_tied_is_saved() {
    let budget = Expansions(20);
    let mut world = wrong_order(false);
    let bay = Point::new(3.5, 1.5);
    let holds = NewBody { errand: Errand::Hold, ..disc(0.3, bay, bay, 1.0) };
    let holds = world.add(holds).unwrap();
    let searches =
        |world: &World| world.bodies().iter().any(|body| body.doing() == throng_continuous::Doing::Awaits);
    while !searches(&world) && world.time() < 200.0 {
        world.step(&budget, &mut Unobserved);
    }
    (0..5).for_each(|_| {
        world.step(&budget, &mut Unobserved);
    });
    assert!(searches(&world), "the search is under way");
    world.remove(holds).unwrap();
    let mut again = World::resume(&world.save(), 1).unwrap();
    for step in 0..900 {
        assert_eq!((world.hash(), world.counts()), (again.hash(), again.counts()), "step {step}");
        world.step(&budget, &mut Unobserved);
        again.step(&budget, &mut Unobserved);
    }
    assert!(world.is_done(), "{:?}", world.bodies());
}

/// Four in a corridor of single width without any bay, the goals in the wrong order: nobody can ever get past anybody.
fn no_order() -> World {
    let at = |x: f64| Point::new(x, 0.5);
    let ways = [(1.0, 9.0), (3.0, 13.0), (17.0, 7.0), (19.0, 11.0)];
    let bodies = ways.map(|(from, to)| disc(0.4, at(from), at(to), 1.0)).to_vec();
    World::new(
        Space::new(Point::ZERO, Point::new(20.0, 1.0), Vec::new()).unwrap(),
        Settings::default(),
        bodies,
    )
    .unwrap()
}

/// Where there is no order of moves, the search for one began again as soon as it had ended, for ever. Now they wait twice as
/// long after each.
#[test]
fn a_knot_without_an_order_is_not_searched_for_for_ever() {
    let mut world = no_order();
    let mut before = 0;
    for most in [50_000, 25_000, 25_000] {
        (0..6000).for_each(|_| {
            world.step(&Unlimited, &mut Unobserved);
        });
        let spent = world.counts().expanded - before;
        assert!(!world.is_done());
        assert!(spent <= most, "{spent} of {most}");
        before = world.counts().expanded;
    }
}

/// What was found to be in vain is saved.
#[cfg(feature = "serde")]
#[test]
fn knots_in_vain_are_saved() {
    let whole = hashes(&mut no_order(), 3000, &Unlimited);
    let mut world = no_order();
    for (step, hash) in whole.into_iter().enumerate() {
        if step % 50 == 0 {
            world = World::resume(&world.save(), 1).unwrap();
        }
        assert_eq!(world.hash(), hash, "step {step}");
        world.step(&Unlimited, &mut Unobserved);
    }
}

/// Nobody drifts while it is part of a knot, and who does not looks as it would if all looked around in every step.
#[test]
fn drifting_changes_nothing_in_corridors() {
    let makes: [fn() -> World; 3] = [
        || wrong_order(false),
        || corridor(5, 2.1, &mut stream(3, AgentId(0), 0)),
        || between_rooms(3, 2.4, &mut stream(4, AgentId(0), 0)),
    ];
    for make in makes {
        let (drifting, attentive) = (
            hashes(&mut make(), 1200, &Expansions(300)),
            hashes(&mut make().attentive(), 1200, &Expansions(300)),
        );
        assert_eq!(drifting, attentive);
        assert_eq!(drifting, hashes(&mut make().unpruned(), 1200, &Expansions(300)));
    }
}

/// Who is sent elsewhere, or leaves, is part of a knot no longer, and the other goes on.
#[test]
fn a_knot_falls_apart_when_somebody_leaves() {
    let busy = |world: &mut World| {
        // Until both have been kept for so long that they look for their ways together.
        while world.counts().searches == 0 && world.time() < 200.0 {
            world.step(&Unlimited, &mut Unobserved);
        }
        assert!(!world.is_done());
    };
    let mut world = wrong_order(false);
    busy(&mut world);
    world.remove(AgentId(0)).unwrap();
    run(&mut world, 300.0, &Unlimited);
    assert!(world.is_done());
    let mut world = wrong_order(false);
    busy(&mut world);
    world.send(AgentId(1), Errand::Goals(vec![Point::new(10.5, 2.5)])).unwrap();
    run(&mut world, 300.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
}
