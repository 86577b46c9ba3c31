//! Small rooms with doors between them, and bodies of all kinds that want to be somewhere else.

use crate::kit::{block, part, run};
use throng_continuous::{Errand, NewBody, Sampling, Settings, Space, World};
use throng_core::space::{Convex, Point, Shape};
use throng_core::{AgentId, Draw as _, Random, Unlimited, stream};

/// Places that are taken, and how far around them.
type Taken = Vec<(Point, f64)>;

fn between(dice: &mut Random, least: f64, most: f64) -> f64 {
    least + (most - least) * part(dice)
}

/// A wall from a corner on, so thick and so long, with a door in it from one place to another. It goes along y if `upright`.
fn wall_with_door(at: Point, (thick, long): (f64, f64), door: (f64, f64), upright: bool) -> [Convex; 2] {
    let turned = |x0: f64, y0: f64, x1: f64, y1: f64| {
        if upright {
            block(at.x + x0, at.y + y0, at.x + x1, at.y + y1)
        } else {
            block(at.x + y0, at.y + x0, at.x + y1, at.y + x1)
        }
    };
    [turned(0.0, 0.0, thick, door.0), turned(0.0, door.1, thick, long)]
}

/// A disc, a rectangle or a regular polygon that fits into a circle.
fn shape(dice: &mut Random, reach: f64) -> Shape {
    match dice.below(4) {
        0 | 1 => Shape::disc(reach).unwrap(),
        2 => {
            let wide = between(dice, 0.3, 0.95);
            Shape::rectangle(2.0 * reach * (1.0 - wide * wide).sqrt(), 2.0 * reach * wide).unwrap()
        }
        _ => {
            let corners = [(1.0, 0.0), (0.3, 0.95), (-0.8, 0.6), (-0.8, -0.6), (0.3, -0.95)];
            let corners = corners.iter().map(|&(x, y)| Point::new(x, y) * reach).collect();
            Shape::polygon(Convex::new(corners).unwrap()).unwrap()
        }
    }
}

/// Up to three by two rooms, each of which has a door to those beside it that everybody fits through, and up to four bodies to a room.
fn rooms(seed: u64) -> World {
    let dice = &mut stream(seed, AgentId(0), 0);
    let (columns, rows) = (1 + dice.below(3), 1 + dice.below(2));
    let (side, thick, most) = (between(dice, 4.0, 7.0), between(dice, 0.2, 1.5), between(dice, 0.3, 0.8));
    let corner = |x: u32, y: u32| Point::new(f64::from(x), f64::from(y)) * (side + thick);
    let mut walls = Vec::new();
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        for upright in [true, false] {
            let width = 2.0 * most * between(dice, 1.11, 2.5);
            let low = between(dice, 0.05, side - width - 0.05);
            let (there, by) = if upright { (x > 0, (thick, 0.0)) } else { (y > 0, (0.0, thick)) };
            if there {
                let at = corner(x, y) - Point::new(by.0, by.1);
                walls.extend(wall_with_door(at, (thick, side), (low, low + width), upright));
            }
        }
        if x > 0 && y > 0 {
            let Point { x, y } = corner(x, y);
            walls.push(block(x - thick, y - thick, x, y));
        }
    }
    let teams = 1 + dice.below(3);
    let (mut starts, mut goals) = (Taken::new(), Taken::new());
    let mut bodies = Vec::new();
    for _ in 0..2 + dice.below(4 * columns * rows - 1) {
        let reach = most * between(dice, 0.4, 1.0);
        let mut place = |taken: &mut Taken| {
            let free = (0..300).find_map(|_| {
                let room = corner(dice.below(columns), dice.below(rows));
                let mut inside = || between(dice, reach + 0.05, side - reach - 0.05);
                let at = room + Point::new(inside(), inside());
                let apart = |&(other, room): &(Point, f64)| (at - other).length() > reach + room + 0.05;
                taken.iter().all(apart).then_some(at)
            });
            taken.extend(free.map(|at| (at, reach)));
            free
        };
        let (Some(from), Some(to)) = (place(&mut starts), place(&mut goals)) else { break };
        let body = NewBody::new(shape(dice, reach), from, to);
        let patrol = Errand::Patrol { goal: to, home: from, rounds: 2 };
        let errand = if dice.below(10) == 0 { patrol } else { body.errand };
        let turns = body.turns && dice.below(3) > 0;
        let speed = [0.5, 1.0, 1.0, 2.0][dice.below(4) as usize];
        bodies.push(NewBody { errand, turns, speed, team: dice.below(teams) as u16, ..body });
    }
    let sampling =
        if dice.below(2) == 0 { Sampling::Lattice { spacing: 1.0 } } else { Sampling::random(seed) };
    let size = corner(columns, rows) - Point::new(thick, thick);
    let space = Space::new(Point::ZERO, size, walls).unwrap();
    World::new(space, Settings { sampling, ..Settings::default() }, bodies).unwrap()
}

/// One scene in seventy had somebody stand for ever, mostly polygons: pushed off their ways they came so near to a wall that they could not
/// turn, and went straight for a place that was behind a corner by then. Who turns keeps the room for it, and whoever is kept
/// by a wall looks for another way at once.
#[test]
fn everybody_gets_through_rooms_and_doors() {
    for seed in 0..120 {
        let mut world = rooms(seed);
        run(&mut world, 600.0, &Unlimited);
        assert!(world.is_done(), "{seed}: {} of {}", world.arrived(), world.bodies().len());
    }
}

/// Three cars that are parked along walls or the border, closer than they could turn: one was told that it had no way, and another
/// went at the wall for ever.
#[test]
fn who_is_parked_along_a_wall_drives_off() {
    let wall = block(10.0, 8.0, 20.0, 12.0);
    let car = |from: (f64, f64), to: (f64, f64)| {
        let shape = Shape::rectangle(4.0, 1.6).unwrap();
        NewBody::new(shape, Point::new(from.0, from.1), Point::new(to.0, to.1))
    };
    let bodies = vec![
        car((3.0, 1.0), (26.0, 15.0)),
        car((13.0, 13.0), (5.0, 5.0)),
        car((17.0, 7.0), (15.0, 16.0)),
        car((27.0, 19.1), (27.0, 3.0)),
    ];
    let space = Space::new(Point::ZERO, Point::new(30.0, 20.0), vec![wall]).unwrap();
    let mut world = World::new(space, Settings::default(), bodies).unwrap();
    run(&mut world, 60.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
}

/// Somebody rests where a patrol turns round, so near that both do not fit: it went to and fro before the other, always too slowly to
/// be patient again, and pushes were for the patient. Now it pushes by turns, the other makes way, and comes back.
#[test]
fn a_patrol_whose_home_is_taken_is_let_in() {
    let disc = |radius: f64, from: (f64, f64), to: (f64, f64)| {
        NewBody::new(Shape::disc(radius).unwrap(), Point::new(from.0, from.1), Point::new(to.0, to.1))
    };
    let rests = NewBody { speed: 0.5, ..disc(0.246, (3.0, 2.0), (0.683, 4.388)) };
    let patrol = disc(0.253, (0.658, 4.254), (5.175, 0.343));
    let (home, goal) = (patrol.pose.at, Point::new(5.175, 0.343));
    let patrol = NewBody { errand: Errand::Patrol { goal, home, rounds: 2 }, ..patrol };
    let mut world =
        World::new(Space::open(6.3, 6.3).unwrap(), Settings::default(), vec![patrol, rests]).unwrap();
    run(&mut world, 300.0, &Unlimited);
    assert!(world.is_done(), "{:?}", world.bodies());
}
