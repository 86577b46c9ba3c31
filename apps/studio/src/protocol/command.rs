//! Commands: what pages ask for, as JSON.

use crate::Refusal;
use crate::limits;
use crate::room::{At, EventDraft, SourceDraft, UnitDraft};
use serde::Deserialize;
use serde_json::{Map, Value};
use throng::formats::plain;

/// One command. Names and keys that do not exist are errors that list what does.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Command {
    Open {
        toml: Option<String>,
        builtin: Option<String>,
        seed: Option<u64>,
        map: Option<String>,
        file: Option<String>,
    },
    Files {},
    Save {
        file: String,
        #[serde(default)]
        overwrite: bool,
    },
    New {
        width: usize,
        height: usize,
    },
    Resize {
        width: usize,
        height: usize,
        #[serde(default)]
        x: i64,
        #[serde(default)]
        y: i64,
    },
    Generate {
        kind: String,
        #[serde(default)]
        parameters: Map<String, Value>,
        #[serde(default)]
        seed: u64,
        #[serde(default)]
        preview: bool,
    },
    Roads {
        generate: Map<String, Value>,
        #[serde(default)]
        seed: u64,
        #[serde(default)]
        preview: bool,
    },
    Paint {
        cells: Vec<At>,
        letter: char,
    },
    Fill {
        x: i64,
        y: i64,
        letter: char,
    },
    Unit {
        add: Option<Box<UnitDraft>>,
        index: Option<usize>,
        set: Option<Map<String, Value>>,
        #[serde(default)]
        remove: bool,
    },
    Settings {
        set: Map<String, Value>,
    },
    Event {
        add: Option<EventDraft>,
        index: Option<usize>,
        set: Option<Map<String, Value>>,
        #[serde(default)]
        remove: bool,
    },
    Source {
        add: Option<SourceDraft>,
        index: Option<usize>,
        set: Option<Map<String, Value>>,
        #[serde(default)]
        remove: bool,
    },
    Directions {
        text: Option<String>,
        #[serde(default)]
        remove: bool,
    },
    Undo {},
    Redo {},
    Document {},
    Start {
        #[serde(default)]
        run: usize,
        planner: Option<String>,
        seed: Option<u64>,
        budget: Option<u64>,
        #[serde(default)]
        acts: Vec<Map<String, Value>>,
    },
    Acts {
        #[serde(default)]
        run: usize,
    },
    Stop {
        #[serde(default = "second")]
        run: usize,
    },
    Play {
        speed: Option<f64>,
    },
    Pause {},
    Step {
        #[serde(default = "one")]
        ticks: u64,
    },
    Seek {
        tick: u64,
    },
    Close {
        cells: Vec<At>,
    },
    Reopen {
        cells: Vec<At>,
    },
    Order {
        unit: u32,
        task: TaskDraft,
    },
    Place {
        unit: u32,
        cell: At,
    },
    Priority {
        unit: u32,
        value: i32,
    },
    Inspect {
        #[serde(default)]
        run: usize,
        unit: Option<u32>,
        cell: Option<At>,
    },
    Find {
        #[serde(default)]
        run: usize,
        text: String,
    },
    Layers {
        #[serde(default)]
        run: usize,
        names: Vec<String>,
        #[serde(default)]
        ahead: i64,
        unit: Option<u32>,
        #[serde(default = "one")]
        level: u64,
    },
    View {
        frames: i64,
    },
    Charts {
        #[serde(default)]
        from: u64,
    },
    Summary {},
    State {},
}

/// What a unit is to do: one of these keys.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TaskDraft {
    pub(crate) goal: Option<At>,
    pub(crate) goals: Option<Vec<At>>,
    pub(crate) patrol: Option<At>,
    pub(crate) rounds: Option<u32>,
    pub(crate) hold: bool,
    pub(crate) errands: bool,
    pub(crate) explore: bool,
    pub(crate) find: Option<At>,
}

const fn second() -> usize {
    1
}

const fn one() -> u64 {
    1
}

/// Reads a message: its number, if it has one, and the command in it.
pub(crate) fn parse(text: &str) -> (Value, Result<Command, Refusal>) {
    if let Err(why) = limits::at_most("bytes in a message", text.len(), limits::MESSAGE) {
        return (Value::Null, Err(why));
    }
    let mut message: Map<String, Value> = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(why) => {
            return (Value::Null, Err(Refusal::new(format!("not a command: {}", plain(&why.to_string())))));
        }
    };
    let id = match message.remove("id") {
        Some(id @ (Value::Number(_) | Value::String(_))) => id,
        _ => Value::Null,
    };
    (id, command(message))
}

/// The command of a message without its number.
pub(crate) fn command(mut message: Map<String, Value>) -> Result<Command, Refusal> {
    let name = match message.remove("do") {
        Some(Value::String(name)) => name,
        Some(other) => return Err(Refusal::new(format!("`do` is {other}, expected the name of a command"))),
        None => return Err(Refusal::new("no command: expected `do` with its name")),
    };
    let whole = Value::Object(Map::from_iter([(name.clone(), Value::Object(message))]));
    serde_json::from_value(whole).map_err(|why| Refusal::new(format!("{name}: {}", plain(&why.to_string()))))
}

/// The answer to a message.
pub(crate) fn answer(id: &Value, outcome: &Result<Value, Refusal>) -> String {
    let mut answer = Map::new();
    answer.insert("id".to_owned(), id.clone());
    match outcome {
        Ok(value) => answer.insert("ok".to_owned(), value.clone()),
        Err(why) => answer.insert("error".to_owned(), serde_json::json!(why)),
    };
    Value::Object(answer).to_string()
}
