//! Doors that close and open: nobody is walled in, nobody passes one that is closed, and ways are mended.

use crate::kit::{block, judge, run};
use proptest::prelude::*;
use throng_continuous::{
    Doing, Door, DoorEvent, Errand, Event, NewBody, Sampling, Scene, Settings, SpaceError, World,
};
use throng_core::space::{Point, Shape};
use throng_core::{Expansions, Unlimited, Unobserved};

fn disc(from: (f64, f64), to: (f64, f64)) -> NewBody {
    NewBody::new(Shape::disc(0.4).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1))
}

fn event(at: u64, close: &[u32], open: &[u32]) -> DoorEvent {
    DoorEvent { at, close: close.to_vec(), open: open.to_vec() }
}

/// Two rooms of ten by ten with two doors between them: 0 in the south, 1 in the north.
fn rooms(closed: [bool; 2], events: Vec<DoorEvent>, bodies: Vec<NewBody>) -> Scene {
    let doors = [block(10.0, 1.0, 11.0, 3.0), block(10.0, 7.0, 11.0, 9.0)];
    let doors = doors.into_iter().zip(closed).map(|(wall, closed)| Door { wall, closed }).collect();
    let walls = vec![block(10.0, 0.0, 11.0, 1.0), block(10.0, 3.0, 11.0, 7.0), block(10.0, 9.0, 11.0, 10.0)];
    Scene { walls, doors, events, bodies, ..Scene::open("rooms", 21.0, 10.0) }
}

/// A goal in a door that is closed has no way to it: whoever was sent there pushed at the door for ever, since every way out of a wall is free.
#[test]
fn a_goal_in_a_closed_door_is_none() {
    for (closed, events) in [(true, vec![]), (false, vec![event(20, &[0], &[])])] {
        let mut world =
            World::of(rooms([closed, true], events, vec![disc((2.0, 2.0), (10.5, 2.0))])).unwrap();
        run(&mut world, 30.0, &Unlimited);
        assert_eq!((world.bodies()[0].doing(), world.is_stuck()), (Doing::Lost, true), "{closed}");
        world.open(0).unwrap();
        run(&mut world, 60.0, &Unlimited);
        assert!(world.is_done(), "{closed}: {:?}", world.bodies());
    }
}

#[test]
fn a_way_that_closes_is_left_for_another() {
    let scene = rooms([false; 2], vec![event(40, &[0], &[])], vec![disc((2.0, 2.0), (19.0, 2.0))]);
    let mut world = World::of(scene.clone()).unwrap();
    assert_eq!(world.scene(), scene);
    run(&mut world, 60.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
    // By the other door, and back down.
    assert!(world.counts().distance > 20.0, "{:?}", world.counts());
    let doors: Vec<bool> = world.doors().map(|door| door.closed).collect();
    assert_eq!(doors, [true, false]);
}

/// Who has no way stays, says so, and goes on when there is one; nobody is stuck as long as something is to open.
#[test]
fn who_has_no_way_waits_for_one() {
    let events = vec![event(20, &[0], &[]), event(200, &[], &[1])];
    let scene = rooms([false, true], events, vec![disc((2.0, 2.0), (19.0, 2.0))]);
    let mut world = World::of(scene).unwrap();
    run(&mut world, 19.0, &Unlimited);
    assert_eq!((world.bodies()[0].doing(), world.is_stuck()), (Doing::Lost, false));
    run(&mut world, 100.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());

    let scene = rooms([false, true], vec![event(20, &[0], &[])], vec![disc((2.0, 2.0), (19.0, 2.0))]);
    let mut world = World::of(scene).unwrap();
    run(&mut world, 19.0, &Unlimited);
    assert!(world.is_stuck());
    world.open(0).unwrap();
    assert!(!world.is_stuck());
    let mut judge = judge(&world);
    while !world.is_done() && world.time() < 60.0 {
        world.step(&Unlimited, &mut Unobserved);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(0.1, &world.poses());
    }
    assert!(world.is_done() && judge.report().is_valid(), "{}", judge.report());
    assert_eq!(world.close(2), Err(SpaceError::NoDoor { door: 2, doors: 2 }));
}

/// A door closes behind whoever is in it when it is to close, unless it is to open again before that.
#[test]
fn a_door_waits_for_who_is_in_it() {
    let holds = NewBody { errand: Errand::Hold, ..disc((10.5, 2.0), (10.5, 2.0)) };
    let bodies = vec![disc((9.0, 8.0), (19.0, 8.0)), holds];
    let events = vec![event(15, &[0, 1], &[]), event(60, &[], &[0])];
    let mut world = World::of(rooms([false; 2], events, bodies)).unwrap();
    let mut judge = judge(&world);
    let mut told = Vec::new();
    while world.steps() < 120 {
        world.step(&Unlimited, &mut Unobserved);
        told.extend(world.changes());
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(0.1, &world.poses());
    }
    assert!(judge.report().is_valid(), "{}", judge.report());
    // One of them had to wait for the first body, which was through in time; the other one never could.
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].door == 1 && !told[0].open && told[0].tick > 15, "{told:?}");
    assert!(world.is_done());
}

/// Who goes a long way round turns back when the near door opens.
#[test]
fn a_shorter_way_is_taken_when_it_opens() {
    let time = |events| {
        let mut world = World::of(rooms([true, false], events, vec![disc((2.0, 1.0), (19.0, 1.0))])).unwrap();
        run(&mut world, 60.0, &Unlimited);
        assert!(world.is_done());
        world.steps()
    };
    let (round, short) = (time(Vec::new()), time(vec![event(10, &[], &[0])]));
    assert!(short + 15 < round, "{short} {round}");
}

/// A wish that nobody has in store: the judge would not let it pass.
#[test]
fn the_judge_knows_what_is_in_store() {
    let scene = rooms([false; 2], vec![event(5, &[0], &[])], vec![disc((2.0, 5.0), (5.0, 5.0))]);
    let told = |scene: &Scene, by_hand: bool| {
        let mut world = World::of(scene.clone()).unwrap();
        let mut judge = judge(&world);
        let mut other = World::of(Scene { events: Vec::new(), ..scene.clone() }).unwrap();
        for step in 0..20 {
            if step == 9 && by_hand {
                world.open(0).unwrap();
            }
            world.step(&Unlimited, &mut Unobserved);
            other.step(&Unlimited, &mut Unobserved);
            let watched = if by_hand { &world } else { &other };
            watched.changes().for_each(|change| judge.change(change.door, change.open));
            judge.step(0.1, &watched.poses());
        }
        judge.report().to_string()
    };
    assert_eq!(told(&scene, true), "step 9: door 0 opens, of which the scene says nothing");
    assert_eq!(told(&scene, false), "step 5: door 0 does not close, as the scene has it in store");
}

/// A world of cells, one to a letter: `@` a wall, `+` a door. Doors are numbered as they come.
fn maze(rows: &[&str], events: Vec<DoorEvent>, bodies: Vec<NewBody>, sampling: Sampling) -> Scene {
    let (mut walls, mut doors) = (Vec::new(), Vec::new());
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let (x, y) = (x as f64, y as f64);
            let wall = block(x, y, x + 1.0, y + 1.0);
            match letter {
                '@' => walls.push(wall),
                '+' => doors.push(Door { wall, closed: false }),
                _ => {}
            }
        }
    }
    let settings = Settings { sampling, ..Settings::default() };
    let size = (rows[0].len() as f64, rows.len() as f64);
    Scene { walls, doors, events, bodies, settings, ..Scene::open("maze", size.0, size.1) }
}

const ROOMS: [&str; 11] = [
    "......@.....@......",
    "......+.....+......",
    "......@.....@......",
    "......@.....@......",
    "@@+@@@@@@+@@@@@@+@@",
    "......@.....@......",
    "......+.....+......",
    "......@.....@......",
    "@@+@@@@@@+@@@@@@+@@",
    "......+.....+......",
    "......@.....@......",
];

/// Whether a way leads from one cell to another by the walls and doors of a world as they are.
fn leads(world: &World, from: Point, to: Point) -> bool {
    let cell = |at: Point| (at.x.floor() as i32, at.y.floor() as i32);
    let closed = |(x, y): (i32, i32)| {
        let middle = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        !(0..19).contains(&x)
            || !(0..11).contains(&y)
            || world.space().walls().iter().any(|wall| wall.holds(middle))
    };
    let (mut seen, mut next) = (vec![cell(from)], 0);
    while let Some(&(x, y)) = seen.get(next) {
        next += 1;
        for beside in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if !closed(beside) && !seen.contains(&beside) {
                seen.push(beside);
            }
        }
    }
    seen.contains(&cell(to))
}

fn samplings() -> impl Strategy<Value = Sampling> {
    prop_oneof![
        Just(Sampling::Lattice { spacing: 1.0 }),
        (0.4..1.5).prop_map(|spacing| Sampling::Lattice { spacing }),
        (6.0..24.0, 0..1000u64).prop_map(|(density, seed)| Sampling::Random { density, seed }),
    ]
}

/// Places in the middle of rooms, each of its own, from where and to where.
fn travellers() -> impl Strategy<Value = Vec<NewBody>> {
    let spots: Vec<(f64, f64)> = [2.0, 9.5, 16.0]
        .iter()
        .flat_map(|&x| [1.5, 6.5].iter().flat_map(move |&y| [(x - 0.6, y), (x + 0.6, y)]))
        .collect();
    (Just(spots.clone()).prop_shuffle(), Just(spots).prop_shuffle(), 1usize..7).prop_map(
        |(from, to, count)| from.iter().zip(&to).map(|(from, to)| disc(*from, *to)).take(count).collect(),
    )
}

/// Doors close and open; in half of all cases all are open in the end.
fn events() -> impl Strategy<Value = Vec<DoorEvent>> {
    let doors = || prop::collection::vec(0..11u32, 0..5);
    let one = (0..500u64, doors(), doors()).prop_map(|(at, close, open)| DoorEvent { at, close, open });
    (prop::collection::vec(one, 1..12), any::<bool>()).prop_map(|(mut events, opens)| {
        events.sort_by_key(|event| event.at);
        events.extend(opens.then(|| event(500, &[], &(0..11).collect::<Vec<_>>())));
        events
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Nobody touches a wall, a closed door or anybody (the judge sees to that, and that doors do what they are to do). In the end whoever
    /// says that it has no way has none; and if nobody stands about for that reason, all have arrived.
    #[test]
    fn everybody_who_can_arrives(
        sampling in samplings(), events in events(), bodies in travellers(), budget in prop_oneof![Just(u64::MAX), 40..200u64],
    ) {
        let mut world = World::of(maze(&ROOMS, events, bodies, sampling)).unwrap();
        let mut judge = judge(&world);
        while !world.is_done() && !world.is_stuck() && world.time() < 400.0 {
            world.step(&Expansions(budget), &mut Unobserved);
            world.changes().for_each(|change| judge.change(change.door, change.open));
            judge.step(world.settings().step, &world.poses());
        }
        prop_assert!(judge.report().is_valid(), "{}", judge.report());
        let lost: Vec<_> = world.bodies().iter().filter(|body| body.doing() == Doing::Lost).collect();
        for body in &lost {
            let to = body.errand().target(body.leg()).unwrap();
            prop_assert!(!leads(&world, body.pose().at, to), "{} at {}", world.time(), body.pose().at);
        }
        prop_assert!(world.is_done() || !lost.is_empty(), "{:?}", world.bodies());
    }

    /// Saved and taken up again, where all roadmaps are made anew, and with everybody looking around in every step: the same.
    #[test]
    fn the_future_is_the_same(
        sampling in samplings(), events in events(), bodies in travellers(), budget in prop_oneof![Just(u64::MAX), 10..60u64], at in 0..400u64,
    ) {
        let scene = maze(&ROOMS, events, bodies, sampling);
        let mut world = World::of(scene.clone()).unwrap();
        let mut attentive = World::of(scene).unwrap().attentive();
        let mut again = None;
        for step in 0..500 {
            if step == at {
                again = Some(World::resume(&world.save(), 2).unwrap());
            }
            for other in again.iter_mut().chain([&mut attentive]) {
                other.step(&Expansions(budget), &mut Unobserved);
            }
            world.step(&Expansions(budget), &mut Unobserved);
            prop_assert_eq!(attentive.hash(), world.hash(), "step {}", step);
            if let Some(again) = &again {
                prop_assert_eq!(again.hash(), world.hash(), "step {}, saved at {}", step, at);
            }
        }
        prop_assert_eq!(again.unwrap().save(), world.save());
    }
}

/// Who has been pushed away from where it rested, and finds a door closed on its way back, stays where it is.
#[test]
fn who_cannot_get_back_rests_where_it_is() {
    // It rests in the corridor's only door; another one comes through.
    let rows = ["........", "@@@+@@@@", "@@@.@@@@", "@@@+@@@@", "........"];
    let bodies = vec![disc((3.5, 0.5), (3.5, 4.5)), disc((3.5, 2.5), (3.5, 2.5))];
    let scene = maze(&rows, Vec::new(), bodies, Sampling::Lattice { spacing: 1.0 });
    let mut world = World::of(scene).unwrap();
    let mut closed = false;
    while world.time() < 60.0 {
        let told = world.step(&Unlimited, &mut Unobserved).to_vec();
        closed |= told.iter().any(|event| matches!(event, Event::Closed { .. }));
        if world.bodies()[1].pose().at.y > 4.0 && !closed {
            world.close(1).unwrap();
        }
    }
    assert!(closed && world.bodies()[1].pose().at.y > 4.0, "{:?}", world.bodies());
    assert!(world.bodies()[1].has_arrived(), "{:?}", world.bodies()[1]);
}
