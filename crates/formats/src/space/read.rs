//! From TOML to a scene.

use super::wire::{self, At};
use crate::lines::line_at;
use crate::{FormatError, document};
use std::borrow::Cow;
use throng_core::Task;
use throng_core::space::{
    Convex, Door, DoorEvent, Errand, NewBody, Point, Pose, Sampling, Scene, Settings, Shape, ShapeError,
};

/// Where in a file things stand, for errors that show only when it is run. Lines count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Of the space and its settings.
    pub space: usize,
    /// Of each body.
    pub bodies: Vec<usize>,
}

/// Whether a scenario file is about continuous space; a file that cannot be read is not.
#[must_use]
pub fn is_space(text: &str) -> bool {
    toml::from_str::<wire::Kind>(text).is_ok_and(|kind| kind.space.is_some())
}

/// Reads a scenario file about continuous space, and where everything in it stands. Shapes are checked; whether bodies have
/// room where they are is for whoever makes a world of it.
pub fn parse(text: &str) -> Result<(Scene, Lines), FormatError> {
    let file: wire::File = document::read(text)?;
    let lines = Lines {
        space: line_at(text, file.space.span().start),
        bodies: file.body.iter().map(|body| line_at(text, body.span().start)).collect(),
    };
    let space = file.space.get_ref();
    let wrong = |table: &'static str, place: usize, line: usize| {
        move |Wrong { keys, why }: Wrong| {
            let line = document::line_of(text, table, place, keys).unwrap_or(line);
            why.at(line)
        }
    };
    let (least, most) = match (space.size, space.corners) {
        (Some(At(size)), None) => Ok((Point::ZERO, size)),
        (None, Some(wire::Corners(least, most))) => Ok((least, most)),
        (size, _) => {
            Err(Wrong::one_of("one of `size` and `corners` in [space]", &["corners"], size.is_some()))
        }
    }
    .map_err(wrong("space", 0, lines.space))?;
    let settings = settings(space, file.seed as u64).map_err(wrong("space", 0, lines.space))?;
    let line = |span: core::ops::Range<usize>| line_at(text, span.start);
    let wall =
        |(place, found): (usize, &toml::Spanned<wire::Wall>)| {
            let wire::Wall { rectangle, corners } = found.get_ref();
            outline(*rectangle, corners.as_deref(), "one of `rectangle` and `corners` in a wall")
                .map_err(wrong("wall", place, line(found.span())))
        };
    let walls = file.wall.iter().enumerate().map(wall).collect::<Result<_, _>>()?;
    let door = |(place, found): (usize, &toml::Spanned<wire::Door>)| {
        let wire::Door { rectangle, corners, closed } = found.get_ref();
        let wall = outline(*rectangle, corners.as_deref(), "one of `rectangle` and `corners` in a door")
            .map_err(wrong("door", place, line(found.span())))?;
        Ok(Door { wall, closed: *closed })
    };
    let doors = file.door.iter().enumerate().map(door).collect::<Result<Vec<_>, FormatError>>()?;
    let event = |(place, found): (usize, &toml::Spanned<wire::Event>)| {
        event(found.get_ref(), doors.len()).map_err(wrong("event", place, line(found.span())))
    };
    let mut events = file.event.iter().enumerate().map(event).collect::<Result<Vec<_>, _>>()?;
    events.sort_by_key(|event| event.at);
    let bodies = file.body.iter().zip(&lines.bodies).enumerate();
    let bodies =
        bodies.map(|(place, (found, &line))| body(found.get_ref()).map_err(wrong("body", place, line)));
    let bodies = bodies.collect::<Result<_, _>>()?;
    let wire::File { name, about, seed, ticks, .. } = file;
    Ok((
        Scene { name, about, seed: seed as u64, ticks, least, most, walls, doors, events, settings, bodies },
        lines,
    ))
}

/// What is wrong with a part of the file, and the keys to blame: the first that it has.
struct Wrong {
    keys: &'static [&'static str],
    why: Why,
}

enum Why {
    Expected(Cow<'static, str>, String),
    Shape(ShapeError),
}

impl Wrong {
    fn expected(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<String>,
        keys: &'static [&'static str],
    ) -> Self {
        Self { keys, why: Why::Expected(expected.into(), found.into()) }
    }

    fn one_of(expected: &'static str, keys: &'static [&'static str], both: bool) -> Self {
        Self::expected(expected, if both { "both" } else { "none" }, keys)
    }

    /// For [`Result::map_err`].
    fn shape(keys: &'static [&'static str]) -> impl Fn(ShapeError) -> Self {
        move |why| Self { keys, why: Why::Shape(why) }
    }
}

impl Why {
    fn at(self, line: usize) -> FormatError {
        match self {
            Self::Expected(expected, found) => FormatError::Expected { line, expected, found },
            Self::Shape(why) => FormatError::Shape { line, why: why.to_string() },
        }
    }
}

fn settings(space: &wire::Space, seed: u64) -> Result<Settings, Wrong> {
    let usual = Settings::default();
    let sampling = match space.sampling.unwrap_or(wire::Sampling::Lattice) {
        wire::Sampling::Lattice if space.density.is_some() || space.seed.is_some() => {
            let found = if space.density.is_some() { "`density`" } else { "`seed`" };
            let expected = "`density` and `seed` only with sampling = \"random\"";
            return Err(Wrong::expected(expected, found, &["density", "seed"]));
        }
        wire::Sampling::Random if space.spacing.is_some() => {
            let expected = "`spacing` only with sampling = \"lattice\"";
            return Err(Wrong::expected(expected, "`spacing`", &["spacing"]));
        }
        wire::Sampling::Lattice => Sampling::Lattice { spacing: space.spacing.unwrap_or(1.0) },
        wire::Sampling::Random => Sampling::Random {
            density: space.density.unwrap_or(Sampling::DENSITY),
            seed: space.seed.map_or(seed, |own| own as u64),
        },
    };
    Ok(Settings {
        step: space.step.unwrap_or(usual.step),
        forecast: space.forecast.unwrap_or(usual.forecast),
        bound: space.bound.unwrap_or(usual.bound),
        nearest: space.nearest.unwrap_or(usual.nearest),
        quantum: space.quantum.unwrap_or(usual.quantum),
        patience: space.patience.unwrap_or(usual.patience),
        sampling,
    })
}

fn points(list: &[At]) -> Vec<Point> {
    list.iter().map(|at| at.0).collect()
}

fn outline(
    rectangle: Option<wire::Corners>,
    corners: Option<&[At]>,
    expected: &'static str,
) -> Result<Convex, Wrong> {
    match (rectangle, corners) {
        (Some(wire::Corners(least, most)), None) => {
            Convex::rectangle(least, most).map_err(Wrong::shape(&["rectangle"]))
        }
        (None, Some(corners)) => Convex::new(points(corners)).map_err(Wrong::shape(&["corners"])),
        (rectangle, _) => Err(Wrong::one_of(expected, &["corners"], rectangle.is_some())),
    }
}

/// What closes and opens, of so many doors.
fn event(event: &wire::Event, doors: usize) -> Result<DoorEvent, Wrong> {
    let wire::Event { at, close, open } = event;
    if close.is_empty() && open.is_empty() {
        return Err(Wrong::expected("doors to `close` or to `open` in an event", "none", &[]));
    }
    let lists: [(&[u32], &'static [&'static str]); 2] = [(close, &["close"]), (open, &["open"])];
    for (list, key) in lists {
        let Some(door) = list.iter().find(|&&door| door as usize >= doors) else { continue };
        let expected: Cow<'static, str> = match doors {
            0 => return Err(Wrong::expected("a [[door]] to close and open", "none in this file", key)),
            1 => "0, the number of the only [[door]]".into(),
            _ => format!("the number of a [[door]], from 0 to {}", doors - 1).into(),
        };
        return Err(Wrong::expected(expected, door.to_string(), key));
    }
    Ok(DoorEvent { at: *at, close: close.clone(), open: open.clone() })
}

fn body(body: &wire::Body) -> Result<NewBody, Wrong> {
    let shape = match (body.disc, body.rectangle, &body.corners) {
        (Some(radius), None, None) => Shape::disc(radius).map_err(Wrong::shape(&["disc"]))?,
        (None, Some(At(size)), None) => {
            Shape::rectangle(size.x, size.y).map_err(Wrong::shape(&["rectangle"]))?
        }
        (None, None, Some(corners)) => {
            Convex::new(points(corners)).and_then(Shape::polygon).map_err(Wrong::shape(&["corners"]))?
        }
        (disc, rectangle, corners) => {
            let given = [disc.is_some(), rectangle.is_some(), corners.is_some()];
            let several = given.iter().any(|&is| is);
            let found = if several { "several" } else { "none" };
            return Err(Wrong::expected("one of `disc`, `rectangle` and `corners` in a body", found, &[]));
        }
    };
    let errand = errand(body)?;
    let heading = match body.heading {
        None => Point::EAST,
        Some(At(heading)) if (Pose { at: Point::ZERO, heading }).is_sound() => heading,
        // Any length will do; one that leads nowhere is no heading.
        Some(At(heading)) => heading.unit().ok_or_else(|| {
            Wrong::expected("a heading that leads somewhere", heading.to_string(), &["heading"])
        })?,
    };
    Ok(NewBody {
        turns: body.turns.unwrap_or(!shape.is_disc()),
        shape,
        pose: Pose { at: body.start.0, heading },
        speed: body.speed.unwrap_or(1.0),
        errand,
        priority: body.priority,
        team: body.team,
    })
}

/// The one errand of a body.
fn errand(body: &wire::Body) -> Result<Errand, Wrong> {
    if body.patrol.is_none() && (body.rounds.is_some() || body.home.is_some()) {
        let found = if body.rounds.is_some() { "`rounds`" } else { "`home`" };
        return Err(Wrong::expected("`rounds` and `home` only with `patrol`", found, &["rounds", "home"]));
    }
    match (body.goal, &body.goals, body.patrol, body.hold) {
        (Some(At(goal)), None, None, false) => Ok(Errand::Goals(vec![goal])),
        (None, Some(goals), None, false) => Ok(Errand::Goals(points(goals))),
        (None, None, Some(At(goal)), false) => {
            let home = body.home.unwrap_or(body.start).0;
            Ok(Errand::Patrol { goal, home, rounds: body.rounds.unwrap_or(Task::DEFAULT_ROUNDS) })
        }
        (None, None, None, true) => Ok(Errand::Hold),
        (goal, goals, patrol, hold) => {
            let given = [
                ("goal", goal.is_some()),
                ("goals", goals.is_some()),
                ("patrol", patrol.is_some()),
                ("hold", hold),
            ];
            let found: Vec<_> = given.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
            let found = if found.is_empty() { "none".into() } else { found.join(" and ") };
            Err(Wrong::expected("one of `goal`, `goals`, `patrol` and `hold` in a body", found, &[]))
        }
    }
}
