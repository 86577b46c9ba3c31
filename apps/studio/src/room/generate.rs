//! Maps that are generated.

use super::draft::Letters;
use crate::Refusal;
use serde_json::{Map, Value, json};
use throng::worlds::generate::{KINDS, Kind, Parameter};

/// What can be generated, for pages.
pub(crate) fn generators() -> Value {
    let parameter = |p: &Parameter| {
        let Parameter { name, about, default, min, max } = *p;
        json!({"name": name, "about": about, "default": default, "range": {"whole": [min, max]}})
    };
    let kind = |kind: &Kind| {
        let parameters: Vec<Value> = kind.parameters.iter().map(parameter).collect();
        json!({"kind": kind.name, "about": kind.about, "parameters": parameters})
    };
    KINDS.iter().map(kind).collect()
}

/// A map of this kind.
pub(crate) fn generate(kind: &str, parameters: &Map<String, Value>, seed: u64) -> Result<Letters, Refusal> {
    let known = || KINDS.map(|kind| kind.name).join(", ");
    let found = KINDS.iter().find(|each| each.name == kind);
    let kind =
        found.ok_or_else(|| Refusal::new(format!("no kind of map {kind:?}: there are {}", known())))?;
    if let Some(name) = parameters.keys().find(|name| kind.parameters.iter().all(|p| p.name != name.as_str()))
    {
        let names: Vec<&str> = kind.parameters.iter().map(|p| p.name).collect();
        return Err(Refusal::new(format!(
            "{}: no parameter {name:?}: there are {}",
            kind.name,
            names.join(", ")
        )));
    }
    let number = |p: &Parameter| match parameters.get(p.name) {
        None | Some(Value::Null) => Ok(p.default),
        Some(value) => value
            .as_u64()
            .and_then(|value| u32::try_from(value).ok())
            .ok_or_else(|| Refusal::new(format!("{} is {value}, expected {} to {}", p.name, p.min, p.max))),
    };
    let numbers = kind.parameters.iter().map(number).collect::<Result<Vec<u32>, _>>()?;
    // Refused before anything so large is made.
    let side = |name: &str| {
        let place = kind.parameters.iter().position(|p| p.name == name);
        place.map_or(1, |place| numbers[place] as usize)
    };
    crate::limits::size(side("width").max(1), side("height").max(1))?;
    Letters::of_grid(&kind.generate(&numbers, seed)?)
}
