//! From objects and properties to a scenario file, so that they mean what they mean there.

use super::model::{Map, Object, Property, TERRAIN, Value, property};
use crate::FormatError;
use std::fmt::Write as _;

/// The classes of objects that count.
const SPAWN: &str = "spawn";
const GOAL: &str = "goal";

/// Keys of a unit that are places, and keys that say what it is to do.
const PLACES: [&str; 3] = ["goal", "patrol", "find"];
const TASKS: [&str; 7] = ["goal", "goals", "patrol", "find", "hold", "explore", "errands"];

/// A scenario file, and what in the map its lines come from.
pub(super) struct Made {
    pub(super) text: String,
    /// Where the lines of each part begin, from 1, in order.
    parts: Vec<(usize, String)>,
    lines: usize,
}

impl Made {
    fn begin(&mut self, place: String) {
        self.parts.push((self.lines + 1, place));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
    }

    /// What in the map is wrong.
    pub(super) fn blame(&self, why: &FormatError) -> FormatError {
        let message = why.to_string();
        let Some(line) = why.line() else { return FormatError::in_map("this map", message) };
        let at = self.parts.partition_point(|&(begin, _)| begin <= line);
        let place = at.checked_sub(1).map_or("this map", |at| &self.parts[at].1);
        let message = message.strip_prefix(&format!("line {line}: ")).unwrap_or(&message);
        FormatError::in_map(place, message)
    }
}

pub(super) fn as_scenario(map: &Map, letters: &[u8]) -> Result<Made, FormatError> {
    let mut made = Made { text: String::with_capacity(letters.len() + 1024), parts: Vec::new(), lines: 0 };
    for own in map.properties.iter().filter(|own| own.name != TERRAIN) {
        let place = format!("property {:?} of the map", own.name);
        made.begin(place.clone());
        made.line(&format!("{} = {}", key(&place, &own.name)?, value(&place, own)?));
    }
    made.begin("this map".into());
    made.line("map = '''");
    for row in letters.chunks(map.width) {
        made.line(&String::from_utf8_lossy(row));
    }
    made.line("'''");
    let goals = Goals::of(map);
    for spawn in map.objects(SPAWN) {
        unit(map, spawn, &goals, &mut made)?;
    }
    Ok(made)
}

/// A property's name as a key, with dots between those of tables.
fn key<'a>(place: &str, name: &'a str) -> Result<&'a str, FormatError> {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    match name.split('.').all(part) {
        true => Ok(name),
        false => Err(FormatError::in_map(place, "expected a key of scenario files")),
    }
}

fn value(place: &str, own: &Property) -> Result<String, FormatError> {
    match &own.value {
        Value::Text(text) => Ok(toml::Value::String(text.clone()).to_string().replace('\n', "\\n")),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Int(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(toml::Value::Float(*number).to_string()),
        Value::Object(_) | Value::Other => {
            let message = format!("{:?}: expected a string, a number or true and false", own.name);
            Err(FormatError::in_map(place, message))
        }
    }
}

/// Objects that are places to go to.
struct Goals<'a> {
    all: Vec<&'a Object>,
}

impl<'a> Goals<'a> {
    fn of(map: &'a Map) -> Self {
        Self { all: map.objects(GOAL).collect() }
    }

    fn named(&self, name: &str) -> Option<&'a Object> {
        self.all.iter().copied().find(|goal| !name.is_empty() && goal.name == name)
    }

    /// The one that a property tells.
    fn told(&self, spawn: &Object, key: &str, value: &Value) -> Result<&'a Object, FormatError> {
        let (found, what) = match value {
            Value::Text(name) => (self.named(name), format!("{name:?}")),
            Value::Object(id) => {
                (self.all.iter().copied().find(|goal| goal.id == *id), format!("object {id}"))
            }
            _ => (None, "no name".into()),
        };
        found.ok_or_else(|| {
            let message = format!("{key} is {what}: expected an object of class `{GOAL}`");
            FormatError::in_map(spawn.place(), message)
        })
    }
}

fn unit(map: &Map, spawn: &Object, goals: &Goals<'_>, made: &mut Made) -> Result<(), FormatError> {
    let place = spawn.place();
    made.begin(place.clone());
    made.line("[[unit]]");
    made.line(&format!("start = {}", cell(map, spawn)?));
    let has_task = TASKS.iter().any(|task| property(&spawn.properties, task).is_some());
    if !has_task {
        let own = goals.named(&spawn.name).ok_or_else(|| {
            let message = format!(
                "expected a property {}, or an object of class `{GOAL}` and the same name",
                TASKS.map(|task| format!("`{task}`")).join(" or ")
            );
            FormatError::in_map(&place, message)
        })?;
        made.line(&format!("goal = {}", cell(map, own)?));
    }
    for own in &spawn.properties {
        let (key, line) = (key(&place, &own.name)?, &mut String::new());
        match (key, &own.value) {
            (key, told) if PLACES.contains(&key) => {
                let _ = write!(line, "{key} = {}", cell(map, goals.told(spawn, key, told)?)?);
            }
            ("goals", Value::Text(names)) => {
                let cells: Result<Vec<_>, _> = names
                    .split(',')
                    .map(|name| goals.told(spawn, key, &Value::Text(name.trim().to_owned())))
                    .map(|goal| cell(map, goal?))
                    .collect();
                let _ = write!(line, "goals = [{}]", cells?.join(", "));
            }
            _ => {
                let _ = write!(line, "{key} = {}", value(&place, own)?);
            }
        }
        made.line(line);
    }
    Ok(())
}

/// The cell that an object lies in.
fn cell(map: &Map, object: &Object) -> Result<String, FormatError> {
    let [x, y] = [object.at.0 / map.tile.0, object.at.1 / map.tile.1].map(f64::floor);
    if (0.0..map.width as f64).contains(&x) && (0.0..map.height as f64).contains(&y) {
        return Ok(format!("[{x}, {y}]"));
    }
    let message = format!("it lies at cell ({x},{y}), expected one of the {}×{}", map.width, map.height);
    Err(FormatError::in_map(object.place(), message))
}
