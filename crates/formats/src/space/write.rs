//! From a scene to TOML.

use core::fmt::Write as _;
use throng_core::space::{Door, DoorEvent, Errand, NewBody, Point, Sampling, Scene, Settings};

/// Writes a scene so that [`parse`](super::parse) gives it back, to the last bit.
#[must_use]
pub fn write(scene: &Scene) -> String {
    let Scene { name, about, seed, ticks, least, most, walls, doors, events, settings, bodies } = scene;
    let mut out = String::new();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    for (key, text) in [("name", name), ("about", about)] {
        if !text.is_empty() {
            line(&mut out, key, &quoted(text));
        }
    }
    if *seed != 0 {
        line(&mut out, "seed", &seed.cast_signed().to_string());
    }
    if let Some(ticks) = ticks {
        line(&mut out, "ticks", &ticks.to_string());
    }
    out += "\n[space]\n";
    if *least == Point::ZERO {
        line(&mut out, "size", &point(*most));
    } else {
        line(&mut out, "corners", &format!("[{:?}, {:?}, {:?}, {:?}]", least.x, least.y, most.x, most.y));
    }
    let Settings { step, forecast, bound, nearest, quantum, patience, sampling } = settings;
    for (key, value) in [
        ("step", step),
        ("forecast", forecast),
        ("bound", bound),
        ("quantum", quantum),
        ("patience", patience),
    ] {
        line(&mut out, key, &format!("{value:?}"));
    }
    line(&mut out, "nearest", &nearest.to_string());
    match sampling {
        Sampling::Lattice { spacing } => line(&mut out, "spacing", &format!("{spacing:?}")),
        Sampling::Random { density, seed } => {
            line(&mut out, "sampling", "\"random\"");
            line(&mut out, "density", &format!("{density:?}"));
            line(&mut out, "seed", &seed.cast_signed().to_string());
        }
    }
    for wall in walls {
        out += "\n[[wall]]\n";
        line(&mut out, "corners", &list(wall.corners()));
    }
    for Door { wall, closed } in doors {
        out += "\n[[door]]\n";
        line(&mut out, "corners", &list(wall.corners()));
        if *closed {
            line(&mut out, "closed", "true");
        }
    }
    for DoorEvent { at, close, open } in events {
        out += "\n[[event]]\n";
        // The numbers of TOML end here.
        line(&mut out, "at", &(*at).min(i64::MAX as u64).to_string());
        for (key, doors) in [("close", close), ("open", open)] {
            if !doors.is_empty() {
                line(&mut out, key, &format!("{doors:?}"));
            }
        }
    }
    bodies.iter().for_each(|body| write_body(&mut out, body));
    out
}

fn write_body(out: &mut String, body: &NewBody) {
    let NewBody { shape, pose, speed, turns, errand, priority, team } = body;
    *out += "\n[[body]]\n";
    if shape.is_disc() {
        line(out, "disc", &format!("{:?}", shape.round()));
    } else {
        line(out, "corners", &list(shape.corners()));
    }
    line(out, "start", &point(pose.at));
    if pose.heading != Point::EAST {
        line(out, "heading", &point(pose.heading));
    }
    match errand {
        Errand::Goals(goals) if goals.len() == 1 => line(out, "goal", &point(goals[0])),
        Errand::Goals(goals) => line(out, "goals", &list(goals)),
        Errand::Patrol { goal, home, rounds } => {
            line(out, "patrol", &point(*goal));
            if *home != pose.at {
                line(out, "home", &point(*home));
            }
            line(out, "rounds", &rounds.to_string());
        }
        Errand::Hold => line(out, "hold", "true"),
    }
    line(out, "speed", &format!("{speed:?}"));
    if *turns == shape.is_disc() {
        line(out, "turns", &turns.to_string());
    }
    if *priority != 0 {
        line(out, "priority", &priority.to_string());
    }
    if *team != 0 {
        line(out, "team", &team.to_string());
    }
}

fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

/// Rust's shortest decimal form reads back as the same number.
fn point(at: Point) -> String {
    format!("[{:?}, {:?}]", at.x, at.y)
}

fn list(points: &[Point]) -> String {
    format!("[{}]", points.iter().map(|&at| point(at)).collect::<Vec<_>>().join(", "))
}
