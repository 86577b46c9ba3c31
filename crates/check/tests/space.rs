//! The judge of continuous space against dense sampling, and each of its reasons.

use proptest::prelude::*;
use throng_check::space::{Closest, Mover, Solid, SpaceJudge, SpaceViolation, check_space_trace, closest};
use throng_core::AgentId;
use throng_core::space::{Convex, Door, DoorEvent, NewBody, Point, Pose, Scene, Shape, SpaceTrace};

/// Moments at which a step is sampled.
const SAMPLES: u32 = 400;

fn point(range: std::ops::Range<f64>) -> impl Strategy<Value = Point> {
    (range.clone(), range).prop_map(|(x, y)| Point::new(x, y))
}

/// Discs, rectangles, and polygons with corners on a circle.
fn shape() -> impl Strategy<Value = Shape> {
    let disc = (0.1..2.0).prop_map(|radius| Shape::disc(radius).unwrap());
    let rectangle = (0.2..3.0, 0.2..3.0).prop_map(|(l, w)| Shape::rectangle(l, w).unwrap());
    // Quarters of a circle each hold a corner, so that the middle is inside.
    let round = (prop::array::uniform4(0.05f64..0.95), 0.3f64..2.0).prop_map(|(parts, radius)| {
        let corner = |(quarter, part): (usize, f64)| {
            let angle = (quarter as f64 + part) * std::f64::consts::FRAC_PI_2;
            Point::new(radius * angle.cos(), radius * angle.sin())
        };
        Convex::new(parts.into_iter().enumerate().map(corner).collect()).and_then(Shape::polygon)
    });
    prop_oneof![disc, rectangle, round.prop_filter_map("the middle is outside", Result::ok)]
}

fn heading() -> impl Strategy<Value = Point> {
    (0.0..std::f64::consts::TAU).prop_map(|angle: f64| Point::new(angle.cos(), angle.sin()))
}

/// How far apart two solids are that stand, by all pairs of their edges' ends and edges; 0 if a point of one is in the
/// other.
fn apart(a: &Solid, b: &Solid, (at, bt): (Point, Point)) -> f64 {
    let place = |solid: &Solid, at: Point| -> Vec<Point> { solid.points.iter().map(|&p| p + at).collect() };
    let (p, q) = (place(a, at), place(b, bt));
    let edges = |points: &[Point]| -> Vec<(Point, Point)> {
        (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()])).collect()
    };
    let inside = |point: Point, points: &[Point]| {
        points.len() > 2 && edges(points).iter().all(|&(a, b)| (b - a).cross(point - a) >= 0.0)
    };
    let crosses = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        let side = |p: Point, q: Point, r: Point| (q - p).cross(r - p) > 0.0;
        a != b && c != d && side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
    };
    let to_edge = |point: Point, (a, b): (Point, Point)| {
        let way = b - a;
        let part =
            if way.dot(way) > 0.0 { ((point - a).dot(way) / way.dot(way)).clamp(0.0, 1.0) } else { 0.0 };
        (a + way * part - point).length()
    };
    let touches = p.iter().any(|&x| inside(x, &q))
        || q.iter().any(|&x| inside(x, &p))
        || edges(&p).iter().any(|&e| edges(&q).iter().any(|&f| crosses(e, f)));
    let far = |points: &[Point], others: &[Point]| {
        let of = |&x: &Point| edges(others).into_iter().map(move |edge| to_edge(x, edge));
        points.iter().flat_map(of).fold(f64::INFINITY, f64::min)
    };
    let core = if touches { 0.0 } else { far(&p, &q).min(far(&q, &p)) };
    core - a.round - b.round
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// No sample is closer than the closest approach, and some sample is nearly as close.
    #[test]
    fn closest_is_the_least_of_all_samples(
        a in shape(), b in shape(), ha in heading(), hb in heading(),
        from in (point(-6.0..6.0), point(-6.0..6.0)), by in (point(-8.0..8.0), point(-8.0..8.0)),
    ) {
        let (a, b) = (Solid::facing(&a, ha), Solid::facing(&b, hb));
        let Closest { time, gap } = closest(&a, &b, from, by);
        let at = |t: f64| apart(&a, &b, (from.0 + by.0 * t, from.1 + by.1 * t));
        let samples = (0..=SAMPLES).map(|k| at(f64::from(k) / f64::from(SAMPLES)));
        let least = samples.fold(f64::INFINITY, f64::min);
        let between = (by.0 - by.1).length() / f64::from(SAMPLES);
        prop_assert!(least >= gap - 1e-9, "sampled {least}, closest {gap}");
        prop_assert!(least <= gap + between + 1e-9, "sampled {least}, closest {gap}");
        prop_assert!((0.0..=1.0).contains(&time) && (at(time) - gap).abs() < 1e-9, "{} at {time}, {gap}", at(time));
    }

    /// What a body covers at any angle of a turn is in what the judge says it holds.
    #[test]
    fn a_turn_holds_every_angle(shape in shape(), from in heading(), turn in -1.57f64..1.57, probe in point(-3.0..3.0)) {
        let to = from.turned(Point::new(turn.cos(), turn.sin()));
        let held = Solid::turning(&shape, from, to).unwrap();
        let dot = Solid { points: vec![probe], round: 0.0 };
        let gap = |solid: &Solid| closest(solid, &dot, (Point::ZERO, Point::ZERO), (Point::ZERO, Point::ZERO)).gap;
        for k in 0..=32 {
            let part = turn * f64::from(k) / 32.0;
            let facing = Solid::facing(&shape, from.turned(Point::new(part.cos(), part.sin())));
            prop_assert!(gap(&held) <= gap(&facing) + 1e-9, "angle {part}");
        }
    }
}

fn judge(shapes: &[Shape], walls: &[Convex], starts: &[(f64, f64)]) -> SpaceJudge {
    let movers = shapes.iter().map(|shape| Mover { shape: shape.clone(), speed: 1.0 }).collect();
    SpaceJudge::new(movers, walls, poses(starts))
}

fn poses(at: &[(f64, f64)]) -> Vec<Option<Pose>> {
    at.iter().map(|&(x, y)| Some(Pose::at(Point::new(x, y)))).collect()
}

#[test]
fn each_reason_is_given() {
    let disc = Shape::disc(0.5).unwrap();
    let two = [disc.clone(), disc.clone()];
    // They pass through each other and are apart before and after: only the time between tells.
    let mut through = judge(&two, &[], &[(0.0, 0.0), (1.6, 0.0)]);
    through.step(2.0, &poses(&[(1.6, 0.0), (0.0, 0.0)]));
    let report = through.report();
    assert_eq!((report.total, report.collisions), (1, 1));
    let SpaceViolation::Touch { first, second, time, .. } = report.violations[0] else { panic!("{report}") };
    assert_eq!((first, second, time), (AgentId(0), AgentId(1), 0.5));

    let mut fast = judge(&two, &[], &[(0.0, 0.0), (5.0, 0.0)]);
    fast.step(1.0, &poses(&[(1.5, 0.0), (5.0, 0.0)]));
    assert!(matches!(fast.report().violations[..], [SpaceViolation::TooFast { agent: AgentId(0), .. }]));
    fast.step(1.0, &poses(&[(1.5, 0.0), (f64::NAN, 0.0)]));
    assert!(matches!(fast.report().violations[1], SpaceViolation::Nowhere { step: 1, agent: AgentId(1) }));

    let wall = Convex::rectangle(Point::new(1.0, -1.0), Point::new(2.0, 1.0)).unwrap();
    let mut walled = judge(&two[..1], &[wall], &[(0.0, 0.0)]);
    walled.step(1.0, &poses(&[(0.45, 0.0)]));
    assert!(walled.report().is_valid(), "{}", walled.report());
    walled.step(1.0, &poses(&[(0.55, 0.0)]));
    assert!(matches!(walled.report().violations[..], [SpaceViolation::Wall { step: 1, wall: 0, .. }]));

    let car = Shape::rectangle(2.0, 1.0).unwrap();
    let mut turned = judge(&[car], &[], &[(0.0, 0.0)]);
    turned.step(1.0, &[Some(Pose { at: Point::ZERO, heading: Point::new(-1.0, 0.0) })]);
    assert!(matches!(turned.report().violations[..], [SpaceViolation::TurnsTooFar { .. }]));
    turned.step(1.0, &[]);
    assert!(matches!(
        turned.report().violations[1],
        SpaceViolation::WrongCount { found: 0, expected: 1, .. }
    ));
}

/// A car that turns on the spot beside another: free before and after, and not in between.
#[test]
fn turning_needs_room_all_the_way() {
    let car = Shape::rectangle(2.0, 2.0).unwrap();
    let turn = |gap: f64| {
        let mut judge = judge(&[car.clone(), car.clone()], &[], &[(0.0, 0.0), (2.0 + gap, 0.0)]);
        let north = Pose { at: Point::ZERO, heading: Point::new(0.0, 1.0) };
        judge.step(1.0, &[Some(north), Some(Pose::at(Point::new(2.0 + gap, 0.0)))]);
        judge.report().is_valid()
    };
    assert!(!turn(0.1), "half way its corner is 0.41 beyond its side");
    assert!(turn(1.1));
}

/// Who has left is in nobody's way, and who has joined is.
#[test]
fn bodies_come_and_go() {
    let disc = Shape::disc(0.5).unwrap();
    let mut judge = judge(&[disc.clone(), disc.clone()], &[], &[(0.0, 0.0), (2.0, 0.0)]);
    judge.step(1.0, &[poses(&[(0.5, 0.0)])[0], None]);
    judge.step(1.0, &[poses(&[(1.5, 0.0)])[0], None]);
    assert!(judge.report().is_valid(), "{}", judge.report());
    judge.join(Mover { shape: disc, speed: 1.0 }, Pose::at(Point::new(1.0, 0.0)));
    judge.step(1.0, &[poses(&[(1.5, 0.0)])[0], None, poses(&[(1.0, 0.0)])[0]]);
    assert_eq!(judge.report().collisions, 1);
}

/// A door that closes at step 2: who is in it may keep it open, nobody may go through it afterwards, and it does nothing else.
#[test]
fn doors_are_held_against_what_is_in_store() {
    let wall = Convex::rectangle(Point::new(4.0, 0.0), Point::new(5.0, 9.0)).unwrap();
    let body = NewBody::new(Shape::disc(0.5).unwrap(), Point::new(1.0, 4.0), Point::new(8.0, 4.0));
    let scene = Scene {
        doors: vec![Door { wall, closed: false }],
        events: vec![DoorEvent { at: 2, close: vec![0], open: vec![] }],
        bodies: vec![NewBody { speed: 10.0, ..body }],
        ..Scene::open("door", 9.0, 9.0)
    };
    let told = |places: &[f64], changes: &[(usize, u32, bool)]| {
        let mut judge = SpaceJudge::of(&scene, poses(&[(places[0], 4.0)]));
        for (step, &x) in places[1..].iter().enumerate() {
            for &(_, door, open) in changes.iter().filter(|change| change.0 == step) {
                judge.change(door, open);
            }
            judge.step(1.0, &poses(&[(x, 4.0)]));
        }
        judge.report().violations.clone()
    };
    let close = [(2, 0, false)];
    assert!(told(&[1.0, 1.0, 1.0, 1.0, 1.0], &close).is_empty());
    assert!(told(&[1.0, 6.0, 6.0, 6.0, 6.0], &close).is_empty());
    let missed = SpaceViolation::Missed { step: 2, door: 0, open: false };
    assert_eq!(told(&[1.0, 1.0, 1.0, 1.0, 1.0], &[]), [missed]);
    assert!(matches!(
        told(&[1.0, 1.0, 1.0, 6.0], &close)[..],
        [SpaceViolation::Door { step: 2, door: 0, .. }]
    ));
    // In the door when it is to close: it has to wait, and then it has to close.
    assert!(told(&[1.0, 4.0, 4.0, 4.0, 6.0, 6.0], &[(4, 0, false)]).is_empty());
    assert!(matches!(told(&[1.0, 4.0, 4.0, 4.0], &close)[..], [SpaceViolation::Door { step: 2, .. }]));
    let late = told(&[1.0, 4.0, 4.0, 6.0, 6.0, 6.0], &[]);
    assert_eq!(late, [SpaceViolation::Missed { step: 3, door: 0, open: false }]);
    let early = told(&[1.0, 1.0, 1.0, 1.0], &[(1, 0, false)]);
    assert_eq!(early, [SpaceViolation::NotInStore { step: 1, door: 0, open: false }]);
    assert_eq!(told(&[1.0, 1.0], &[(0, 7, true)]), [SpaceViolation::NoDoor { step: 0, door: 7 }]);
}

/// Everybody is where the scene has it in the beginning, facing as it does: a trace in which bodies appear at their goals, or never, was
/// valid before.
#[test]
fn nobody_appears_out_of_nowhere() {
    let plank = Shape::rectangle(2.0, 0.5).unwrap();
    let body = NewBody::new(plank, Point::new(2.0, 4.0), Point::new(7.0, 4.0));
    let scene = Scene { bodies: vec![body], ..Scene::open("one", 9.0, 9.0) };
    let there = Pose::at(Point::new(7.0, 4.0));
    let told = |starts: Vec<Option<Pose>>, to: Option<Pose>| {
        let mut trace = SpaceTrace::new(starts);
        to.into_iter().for_each(|to| trace.push(AgentId(0), to));
        trace.end_tick();
        check_space_trace(&scene, &trace).report.violations
    };
    let start = scene.bodies[0].pose;
    assert_eq!(told(vec![Some(start)], None), []);
    let missing = SpaceViolation::NoStart { agent: AgentId(0), expected: start.at };
    assert_eq!(told(vec![None], Some(there)), [missing]);
    assert_eq!(told(vec![None], None), [missing]);
    let turned = Pose { heading: Point::new(0.0, 1.0), ..start };
    let expected = start.heading;
    let heading = SpaceViolation::WrongHeading { agent: AgentId(0), found: turned.heading, expected };
    assert_eq!(told(vec![Some(turned)], None), [heading]);
    assert!(matches!(told(vec![], None)[..], [SpaceViolation::WrongCount { .. }, ..]));
}
