//! Who drifts does exactly what it would have done if it had looked around in every step.

use crate::kit::{crowd, part};
use proptest::prelude::*;
use throng_continuous::{Errand, NewBody, Sampling, Settings, Space, World, builtin};
use throng_core::space::{Convex, Point, Pose, Shape};
use throng_core::{AgentId, Draw as _, Expansions, Unobserved, stream};

/// Steps a world and one where nobody ever drifts, and compares them after each step. Now and then, if there is a seed for that,
/// somebody is sent elsewhere, taken out or put in. Answers how many decided, for each body that could have.
fn same(make: impl Fn() -> World, steps: u64, budget: u64, orders: Option<u64>) -> f64 {
    let (mut drifting, mut looking) = (make(), make().attentive());
    for step in 0..steps {
        if let Some(seed) = orders
            && step % 17 == 16
        {
            let mut dice = stream(seed, AgentId(0), step);
            let any = |dice: &mut throng_core::Random| dice.below(drifting.bodies().len() as u32);
            let (who, other) = (any(&mut dice), any(&mut dice));
            let to = drifting.bodies()[other as usize].pose().at;
            let start = Point::new(1.0 + 20.0 * part(&mut dice), 1.0 + 20.0 * part(&mut dice));
            let new = NewBody::new(Shape::disc(0.3).unwrap(), start, to);
            let kind = dice.below(4);
            let mut told = Vec::new();
            for world in [&mut drifting, &mut looking] {
                told.push(match kind {
                    0 => world.remove(AgentId(who)).map_err(|why| why.to_string()),
                    1 => world.add(new.clone()).map(drop).map_err(|why| why.to_string()),
                    _ => world.send(AgentId(who), Errand::Goals(vec![to])).map_err(|why| why.to_string()),
                });
            }
            assert_eq!(told[0], told[1]);
        }
        let budget = Expansions(budget);
        let (a, b) = (drifting.step(&budget, &mut Unobserved), looking.step(&budget, &mut Unobserved));
        assert_eq!(a, b, "step {step}");
        assert_eq!(drifting.hash(), looking.hash(), "step {step}");
    }
    assert_eq!(drifting.counts(), looking.counts());
    assert_eq!(drifting.bodies(), looking.bodies());
    drifting.work().decided as f64 / looking.work().decided as f64
}

/// Discs that cross a wide place, sent to and fro: most of them drift.
fn wide(n: u32, side: f64, seed: u64) -> World {
    let mut dice = stream(seed, AgentId(1), 0);
    let columns = (side / 2.0) as u32;
    let mut squares: Vec<u32> = (0..columns * columns).collect();
    let mut place = || {
        let square = squares.swap_remove(dice.below(squares.len() as u32) as usize);
        Point::new(f64::from(square % columns) + 0.5, f64::from(square / columns) + 0.5) * 2.0
    };
    let body = |from: Point, to: Point, k: u32| NewBody {
        speed: 0.8 + 0.2 * f64::from(k % 4),
        ..NewBody::new(Shape::disc(0.2 + 0.1 * f64::from(k % 3)).unwrap(), from, to)
    };
    let bodies = (0..n).map(|k| body(place(), place(), k)).collect();
    World::new(Space::open(side, side).unwrap(), Settings::default(), bodies).unwrap()
}

#[test]
fn in_a_wide_place_most_drift_and_nothing_changes() {
    for (n, side) in [(60, 200.0), (150, 100.0)] {
        let decided = same(|| wide(n, side, 3), 600, u64::MAX, None);
        assert!(decided < 0.3, "{n} in {side}: {decided}");
    }
}

#[test]
fn drifting_changes_nothing_in_the_builtin_worlds() {
    for name in ["circle-swap", "four-way"] {
        for budget in [u64::MAX, 20] {
            same(|| World::of(builtin(name, 1).unwrap()).unwrap(), 700, budget, None);
        }
    }
}

/// Around walls, on both kinds of roadmaps.
#[test]
fn drifting_changes_nothing_around_walls() {
    let wall = |y0: f64, y1: f64| Convex::rectangle(Point::new(14.0, y0), Point::new(16.0, y1)).unwrap();
    for sampling in [Sampling::Lattice { spacing: 1.0 }, Sampling::Random { density: 2.0, seed: 7 }] {
        let make = || {
            let space =
                Space::new(Point::ZERO, Point::new(30.0, 24.0), vec![wall(0.0, 9.0), wall(12.0, 24.0)])
                    .unwrap();
            let body = |k: u32| {
                let (west, east) =
                    (Point::new(3.0, 2.0 * f64::from(k) + 1.0), Point::new(26.0, 2.0 * f64::from(k) + 1.0));
                let (from, to) = if k.is_multiple_of(2) { (west, east) } else { (east, west) };
                NewBody::new(Shape::disc(0.4).unwrap(), from, to)
            };
            World::new(space, Settings { sampling, ..Settings::default() }, (0..11).map(body).collect())
                .unwrap()
        };
        same(make, 1200, 200, Some(5));
    }
}

/// Looking through everybody finds whom squares find.
#[test]
fn pruning_changes_nothing() {
    let (mut pruned, mut unpruned) = (wide(80, 60.0, 4), wide(80, 60.0, 4).unpruned());
    for step in 0..400 {
        pruned.step(&Expansions(u64::MAX), &mut Unobserved);
        unpruned.step(&Expansions(u64::MAX), &mut Unobserved);
        assert_eq!(pruned.hash(), unpruned.hash(), "step {step}");
    }
    assert!(pruned.work().looked * 10 < unpruned.work().looked, "{:?} {:?}", pruned.work(), unpruned.work());
}

/// The same bodies in more room.
fn spread(seed: u64, apart: f64, settings: Settings) -> World {
    let wider = |body: NewBody| NewBody {
        pose: Pose { at: body.pose.at * (apart / 2.5), ..body.pose },
        errand: match body.errand {
            Errand::Goals(goals) => Errand::Goals(goals.iter().map(|&goal| goal * (apart / 2.5)).collect()),
            other => other,
        },
        ..body
    };
    let bodies = crowd(6, 6, 2.5, seed).into_iter().map(wider).collect();
    World::new(Space::open(6.0 * apart, 6.0 * apart).unwrap(), settings, bodies).unwrap()
}

/// A forecast shorter than five steps makes everybody who is under way press for room at once. Who pressed while it drifted woke
/// nobody, and those who rested in its way did not make way.
#[test]
fn drifting_changes_nothing_under_short_forecasts() {
    let settings = |forecast, bound, step| Settings { forecast, bound, step, ..Settings::default() };
    let one = settings(0.857_604_055_802_987_4, 0.0, 0.200_589_028_429_247_8);
    let other = settings(0.844_176_930_016_025_5, 0.428_579_598_007_362_1, 0.241_538_592_955_303_9);
    for (seed, apart, settings) in [
        (4_679_620_348_859_916_050, 8.369_873_972_646_852, one),
        (11_906_599_029_000_628_419, 6.034_272_330_349_625_5, other),
    ] {
        same(|| spread(seed, apart, settings), 300, 300, Some(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// All shapes and settings, while bodies come, go and are sent elsewhere.
    #[test]
    fn drifting_changes_nothing(
        seed in any::<u64>(), forecast in 0.5f64..6.0, bound in 0.0f64..1.0, step in 0.02f64..0.5, apart in 2.5f64..9.0,
    ) {
        let settings = Settings { forecast: forecast.max(step), bound, step, ..Settings::default() };
        same(|| spread(seed, apart, settings), 300, 300, Some(seed));
    }
}
