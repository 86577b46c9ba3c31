//! Scenes and traces of continuous space: what is written is read again, what is wrong has a line.

use proptest::prelude::*;
use throng_core::AgentId;
use throng_core::space::{
    Convex, Door, DoorChange, DoorEvent, Errand, NewBody, Point, Pose, Sampling, Scene, Settings, Shape,
    SpaceTrace,
};
use throng_formats::space::trace::{self, SpaceTraceFile};
use throng_formats::{FormatError, space};

const DOOR: &str = "\
name = 'door'
ticks = 500

[space]
size = [30, 20]

[[wall]]
rectangle = [14, 0, 16, 8]

[[body]]
disc = 0.5
start = [3, 10]
goal = [27, 10]
";

#[test]
fn a_scene_has_everything_by_default_but_its_size() {
    assert!(space::is_space(DOOR) && !space::is_space("map = '..'") && !space::is_space("[space"));
    let (scene, lines) = space::parse(DOOR).unwrap();
    assert_eq!((lines.space, lines.bodies), (4, vec![10]));
    assert_eq!((scene.name.as_str(), scene.ticks, scene.settings), ("door", Some(500), Settings::default()));
    let disc = Shape::disc(0.5).unwrap();
    assert_eq!(scene.bodies, [NewBody::new(disc, Point::new(3.0, 10.0), Point::new(27.0, 10.0))]);
}

#[test]
fn what_is_wrong_has_a_line() {
    let told = |from: &str, to: &str| space::parse(&DOOR.replace(from, to)).unwrap_err().to_string();
    assert_eq!(told("disc = 0.5", "disc = inf"), "line 11: radius inf: expected 0.001 to 10000");
    assert_eq!(told("disc = 0.5", "disc = 0"), "line 11: radius 0: expected 0.001 to 10000");
    let none = "line 10: expected one of `disc`, `rectangle` and `corners` in a body, found none";
    assert_eq!(told("disc = 0.5", ""), none);
    assert!(told("disc = 0.5", "disc = 1\nrectangle = [1, 1]").ends_with("found several"));
    assert!(told("disc = 0.5", "corners = [[0,0],[1,0]]").starts_with("line 11: 2 corners, expected 3 to"));
    let flat = "corners = [[-1, 0], [0, 0], [1, 0]]";
    assert!(told("disc = 0.5", flat).starts_with("line 11: the outline encloses an area of 0"));
    assert!(told("[14, 0, 16, 8]", "[14, 0, 14, 8]").starts_with("line 8: the outline encloses"));
    assert!(told("[14, 0, 16, 8]", "[14, nan, 16, 8]").starts_with("line 8: corner 0 is not a point"));
    assert!(told("[14, 0, 16, 8]", "[14, 0, 16]").starts_with("line 8: 3 numbers, expected four"));
    assert!(told("[3, 10]", "[3]").starts_with("line 12: 1 numbers, expected two: x and y"));
    assert!(told("goal = [27, 10]", "").ends_with("in a body, found none"));
    assert!(told("goal = [27, 10]", "goal = [1, 1]\nhold = true").ends_with("found goal and hold"));
    assert!(told("goal =", "rounds = 2\ngoal =").ends_with("only with `patrol`, found `rounds`"));
    assert!(told("size = [30, 20]", "").starts_with("line 4: expected one of `size` and `corners`"));
    assert!(told("size", "spacing = 1\nsampling = 'random'\nsize").contains("only with sampling"));
    assert!(told("size", "density = 1\nsize").ends_with("found `density`"));
    assert!(told("goal", "heading = [0, 0]\ngoal").contains("a heading that leads somewhere"));
    assert!(told("goal", "gaol").contains("line 13: unknown key `gaol`"));
}

/// The reader of TOML tells of f64, u32, sequences and structs, which are no words of whoever writes a file.
#[test]
fn no_error_tells_of_the_types_of_the_program() {
    let told = |from: &str, to: &str| space::parse(&DOOR.replace(from, to)).unwrap_err().to_string();
    assert_eq!(told("disc = 0.5", "disc = 'wide'"), "line 11: expected a number, found \"wide\"");
    assert_eq!(told("disc = 0.5", "disc = true"), "line 11: expected a number, found true");
    assert_eq!(told("disc = 0.5", "disc = [1]"), "line 11: expected a number, found a list");
    assert_eq!(told("[3, 10]", "3"), "line 12: expected a list, found 3");
    assert_eq!(told("[3, 10]", "{ x = 3 }"), "line 12: expected a list, found a table");
    assert_eq!(told("ticks = 500", "ticks = -5"), "line 2: expected a whole number, 0 or more, found -5");
    assert_eq!(told("ticks = 500", "ticks = 0.5"), "line 2: expected a whole number, 0 or more, found 0.5");
    assert_eq!(told("ticks = 500", "seed = 'x'"), "line 2: expected a whole number, found \"x\"");
    assert_eq!(told("name = 'door'", "name = 5"), "line 1: expected text in quotes, found 5");
    assert_eq!(told("size", "nearest = -1\nsize"), "line 5: expected a whole number, 0 or more, found -1");
    let sampling = told("size", "sampling = 'some'\nsize");
    assert_eq!(sampling, "line 5: expected `lattice` or `random`, found `some`");
    assert_eq!(told("size", "sampling = 3\nsize"), "line 5: expected a word in quotes");
    assert_eq!(told("goal", "hold = 'yes'\ngoal"), "line 13: expected true or false, found \"yes\"");
    let rounds = "line 13: expected a whole number from 0 to 4294967295, found -2";
    assert_eq!(told("goal", "rounds = -2\ngoal"), rounds);
    assert_eq!(
        told("goal", "team = 65536\ngoal"),
        "line 13: expected a whole number from 0 to 65535, found 65536"
    );
    let priority = "line 13: expected a whole number from -2147483648 to 2147483647, found 3000000000";
    assert_eq!(told("goal", "priority = 3000000000\ngoal"), priority);
    assert_eq!(
        told("[[wall]]\nrectangle = [14, 0, 16, 8]", "[wall]\n"),
        "line 7: expected a list, found a table"
    );
    let text = "wall = [7]\n[space]\nsize = [9, 9]";
    assert_eq!(space::parse(text).unwrap_err().to_string(), "line 1: expected a table, found 7");
    assert_eq!(told("start = [3, 10]", ""), "line 10: missing key `start`");
}

/// The line is that of the value, also where the table has other lines above it.
#[test]
fn values_are_blamed_by_their_own_line() {
    let text = DOOR.replace("disc = 0.5\n", "").replace("goal =", "disc = 0\ngoal =");
    assert!(space::parse(&text).unwrap_err().to_string().starts_with("line 12: radius 0"));
    let told = |from: &str, to: &str| space::parse(&DOOR.replace(from, to)).unwrap_err().to_string();
    assert!(told("goal", "heading = [0, 0]\ngoal").starts_with("line 13: "));
    assert!(told("goal", "home = [0, 0]\ngoal").starts_with("line 13: "));
    assert!(
        told("size = [30, 20]", "size = [1, 1]\nspacing = 1\nsampling = 'random'").starts_with("line 6: ")
    );
    assert!(told("size = [30, 20]", "size = [1, 1]\ncorners = [0, 0, 1, 1]").starts_with("line 6: "));
    let inline = "[space]\nsize = [9, 9]\n[[body]]\ndisc = 1\nstart = [1, 1]\nhold = true\n[[body]]\nstart = [5, 5]\nhold = true\n\ndisc = -1\n";
    assert!(space::parse(inline).unwrap_err().to_string().starts_with("line 11: radius -1"));
    assert_eq!(throng_formats::line_of(inline, "body", 1, &["goal", "hold"]), Some(9));
    assert_eq!(throng_formats::line_of(inline, "body", 2, &["hold"]), None);
    assert_eq!(throng_formats::line_of(inline, "space", 0, &["size"]), Some(2));
    assert_eq!(throng_formats::line_of(inline, "space", 0, &["corners"]), None);
}

#[test]
fn doors_and_what_happens_to_them() {
    let door = format!(
        "{DOOR}[[door]]\nrectangle = [14, 8, 16, 20]\nclosed = true\n[[event]]\nat = 40\nopen = [0]\n"
    );
    let (scene, _) = space::parse(&door).unwrap();
    assert!(scene.doors.len() == 1 && scene.doors[0].closed);
    assert_eq!(scene.events, [DoorEvent { at: 40, close: vec![], open: vec![0] }]);
    let told = |from: &str, to: &str| space::parse(&door.replace(from, to)).unwrap_err().to_string();
    let none = "line 19: expected 0, the number of the only [[door]], found 1";
    assert_eq!(told("open = [0]", "open = [1]"), none);
    let two = told("open = [0]", "open = [1, 2]\n[[door]]\nrectangle = [1, 1, 2, 2]");
    assert_eq!(two, "line 19: expected the number of a [[door]], from 0 to 1, found 2");
    let shut = format!("{DOOR}[[event]]\nat = 40\nclose = [0]\n");
    let none = "line 16: expected a [[door]] to close and open, found none in this file";
    assert_eq!(space::parse(&shut).unwrap_err().to_string(), none);
    let back = "line 15: the rectangle goes from (16.000, 8.000) back to (14.000, 20.000): expected least x and y first, then most x and y";
    assert_eq!(told("[14, 8, 16, 20]", "[16, 8, 14, 20]"), back);
    assert!(told("[14, 8, 16, 20]", "[14, 20, 16, 8]").starts_with("line 15: the rectangle goes from"));
    assert!(told("[14, 0, 16, 8]", "[16, 8, 14, 0]").starts_with("line 8: the rectangle goes from"));
    assert!(
        told("open = [0]", "").ends_with("expected doors to `close` or to `open` in an event, found none")
    );
    assert!(told("rectangle = [14, 8, 16, 20]\n", "").starts_with("line 14: expected one of `rectangle`"));
    assert!(told("at = 40", "at = -1").starts_with("line 18: "));
}

fn point() -> impl Strategy<Value = Point> {
    (-1e6f64..1e6, -1e6f64..1e6).prop_map(|(x, y)| Point::new(x, y))
}

fn body() -> impl Strategy<Value = NewBody> {
    let shape = prop_oneof![
        (0.01f64..5.0).prop_map(|radius| Shape::disc(radius).unwrap()),
        (0.1f64..5.0, 0.1f64..5.0).prop_map(|(length, width)| Shape::rectangle(length, width).unwrap()),
    ];
    let errand = prop_oneof![
        prop::collection::vec(point(), 1..4).prop_map(Errand::Goals),
        (point(), point(), 1u32..9).prop_map(|(goal, home, rounds)| Errand::Patrol { goal, home, rounds }),
        Just(Errand::Hold),
    ];
    let heading = (0.1f64..1.0, -1f64..1.0).prop_map(|(x, y)| Point::new(x, y).unit().unwrap());
    (shape, point(), heading, 0.01f64..9.0, any::<bool>(), errand, any::<i32>(), any::<u16>()).prop_map(
        |(shape, at, heading, speed, turns, errand, priority, team)| {
            let pose = Pose { at, heading };
            NewBody { shape, pose, speed, turns, errand, priority, team }
        },
    )
}

fn scene() -> impl Strategy<Value = Scene> {
    let sampling = prop_oneof![
        (0.1f64..9.0).prop_map(|spacing| Sampling::Lattice { spacing }),
        (0.1f64..9.0, any::<u64>()).prop_map(|(density, seed)| Sampling::Random { density, seed }),
    ];
    let wall = || {
        (point(), 0.1f64..9.0)
            .prop_map(|(at, side)| Convex::rectangle(at, at + Point::new(side, 2.0 * side)).unwrap())
    };
    let doors = prop::collection::vec((wall(), any::<bool>()), 0..4);
    let event = (0u64..1 << 62, prop::collection::vec(0u32..4, 0..3), prop::collection::vec(0u32..4, 0..3));
    let terrain = (prop::collection::vec(wall(), 0..4), doors, prop::collection::vec(event, 0..4));
    let bodies = prop::collection::vec(body(), 0..5);
    (".{0,9}", any::<u64>(), prop::option::of(0u64..1 << 62), point(), sampling, terrain, bodies).prop_map(
        |(name, seed, ticks, least, sampling, (walls, doors, events), bodies)| {
            let known = |list: Vec<u32>| list.into_iter().filter(|&id| (id as usize) < doors.len()).collect();
            let events =
                events.into_iter().map(|(at, a, b)| DoorEvent { at, close: known(a), open: known(b) });
            let mut events: Vec<_> = events.filter(|e| !e.close.is_empty() || !e.open.is_empty()).collect();
            events.sort_by_key(|event| event.at);
            let doors = doors.into_iter().map(|(wall, closed)| Door { wall, closed }).collect();
            let settings = Settings { sampling, forecast: 3.25, ..Settings::default() };
            let most = least + Point::new(7.0, 9.5);
            let about = name.to_uppercase();
            Scene { name, about, seed, ticks, least, most, walls, doors, events, settings, bodies }
        },
    )
}

/// A trace in which body `k` of a step moves, or not, as the list says. Discs face east.
fn traced(scene: &Scene, moves: &[Vec<bool>]) -> SpaceTrace {
    let faced = |body: &NewBody, at: Point| {
        let heading = if body.shape.is_disc() { Point::EAST } else { body.pose.heading };
        Pose { at, heading }
    };
    let start = |(id, body): (usize, &NewBody)| (id != 1).then(|| faced(body, body.pose.at));
    let mut trace = SpaceTrace::new(scene.bodies.iter().enumerate().map(start).collect());
    for (step, list) in moves.iter().enumerate() {
        for (id, body) in scene.bodies.iter().enumerate().filter(|(id, _)| *list.get(*id).unwrap_or(&false)) {
            trace.push(AgentId(id as u32), faced(body, body.pose.at + Point::new(0.1, 0.3) * step as f64));
        }
        let change = |(door, _)| DoorChange { tick: step as u64, door, open: step % 2 == 0 };
        trace.changes.extend((0..).zip(&scene.doors).map(change).take(step % 3));
        trace.end_tick();
    }
    trace
}

proptest! {
    #[test]
    fn scenes_come_back(scene in scene()) {
        let text = space::write(&scene);
        prop_assert!(space::is_space(&text));
        prop_assert_eq!(space::parse(&text).unwrap().0, scene, "{}", text);
    }

    #[test]
    fn traces_come_back_and_damage_never_panics(
        scene in scene(), moves in prop::collection::vec(prop::collection::vec(any::<bool>(), 0..5), 0..9),
        state_hash in any::<u64>(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let trace = traced(&scene, &moves);
        let file = SpaceTraceFile { scene, state_hash, trace };
        let bytes = trace::write(&file);
        prop_assert_eq!(trace::parse(&bytes).unwrap(), file);
        let place = at.index(bytes.len());
        prop_assert!(trace::parse(&bytes[..place]).is_err());
        let mut damaged = bytes;
        damaged[place] = byte;
        let _ = trace::parse(&damaged);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        let _ = space::parse(&text);
        let _ = space::parse(&format!("{DOOR}{text}"));
    }
}

#[test]
fn what_is_no_trace_is_refused() {
    assert_eq!(trace::parse(b"THRONG-TRACE"), Err(FormatError::NotATrace));
    let mut bytes = trace::MAGIC.to_vec();
    bytes.extend([1, 4, b'a', b' ', b'=', b' ']);
    assert!(matches!(trace::parse(&bytes), Err(FormatError::InTrace { .. })));
    bytes[trace::MAGIC.len()] = 9;
    assert_eq!(trace::parse(&bytes), Err(FormatError::NotATrace));
}
