//! Bodies of several teams, who do not know each other's goals and ways.

use crate::kit::{block, crowd, part, run};
use proptest::prelude::*;
use throng_continuous::{Errand, NewBody, Settings, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Draw as _, Expansions, Unlimited, Unobserved, stream};

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

/// Two rooms and a corridor between them in which nobody gets past anybody: so many of one team want to go east, and so many of another west.
fn files(east: usize, west: usize, width: f64, radii: &[f64], seed: u64) -> World {
    const SIDE: f64 = 7.0;
    const LONG: f64 = 10.0;
    let dice = &mut stream(seed, AgentId(0), 0);
    let low = (SIDE - width) * part(dice);
    let walls = vec![block(SIDE, 0.0, SIDE + LONG, low), block(SIDE, low + width, SIDE + LONG, SIDE)];
    let mut places = |far: bool| -> Vec<(f64, f64)> {
        let mut squares: Vec<u32> = (0..25).collect();
        let mut place = || {
            let square = squares.swap_remove(dice.below(squares.len() as u32) as usize);
            let (x, y) = (0.7 + 1.4 * f64::from(square % 5), 0.7 + 1.4 * f64::from(square / 5));
            (if far { 2.0 * SIDE + LONG - x } else { x }, y)
        };
        (0..east + west).map(|_| place()).collect()
    };
    let (near, far) = (places(false), places(true));
    let bodies = (0..east + west).map(|id| {
        let (team, from, to) = if id < east { (0, near[id], far[id]) } else { (1, far[id], near[id]) };
        let shape = Shape::disc(radii[id % radii.len()]).unwrap();
        NewBody { shape, ..disc(team, from, to) }
    });
    let space = Space::new(Point::ZERO, Point::new(2.0 * SIDE + LONG, SIDE), walls).unwrap();
    World::new(space, Settings::default(), bodies.collect()).unwrap()
}

/// Two against two stood for ever in a corridor, and five against five as well, for two reasons. Those of one team who went in file tied
/// themselves into a knot, in which nobody minds what strangers do: both files made plans of which each held up the other. And
/// whoever had to back out stepped to the side first, as far as walls let it, and back again, so that nobody behind it saw that it had to
/// go back. Now nobody makes plans while it is pushed by a stranger, and steps to the side are for where they lead out of the way.
#[test]
fn strangers_in_file_back_out_of_a_corridor() {
    for (east, west) in [(1, 1), (1, 3), (2, 2), (3, 3), (2, 5), (4, 4), (5, 5)] {
        for width in [1.2, 1.5] {
            let mut world = files(east, west, width, &[0.5], 7);
            run(&mut world, 600.0, &Unlimited);
            assert!(world.is_done(), "{east} against {west}, {width}: {:?}", world.bodies());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// So they do whatever their sizes, also where small ones get past each other and large ones do not.
    #[test]
    fn strangers_of_all_sizes_get_through_a_corridor(
        east in 1..=5usize,
        west in 1..=5usize,
        radii in proptest::collection::vec(0.25..0.55f64, 10),
        width in 1.1..1.7f64,
        seed in any::<u64>(),
    ) {
        let most = radii.iter().copied().fold(0.0, f64::max);
        let mut world = files(east, west, 2.0 * most * width, &radii, seed);
        run(&mut world, 1800.0, &Unlimited);
        prop_assert!(world.is_done(), "{} of {}: {:?}", world.arrived(), east + west, world.bodies());
    }

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
