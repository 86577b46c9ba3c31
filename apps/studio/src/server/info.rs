//! What there is: planners, worlds, generators, layers, limits.

use crate::limits;
use crate::room::{generators, layers};
use serde_json::{Value, json};
use throng::planners::registry::{self, Entry, Parameter};
use throng::worlds::BUILTINS;

/// For pages, as JSON.
pub(super) fn info() -> Value {
    let builtin = |(name, about): &(&str, &str)| json!({"name": name, "about": about});
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": 1,
        "planners": registry::all().iter().map(planner).collect::<Vec<_>>(),
        "builtins": BUILTINS.iter().map(builtin).collect::<Vec<_>>(),
        "generators": generators(),
        "layers": layers(),
        "limits": limits::ALL,
    })
}

/// As `throng planners --json` has it.
fn planner(entry: &Entry) -> Value {
    let parameter = |p: &Parameter| json!({"name": p.name, "about": p.about, "default": p.default, "range": p.range.to_string()});
    json!({
        "name": entry.name,
        "about": entry.about,
        "parameters": entry.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "supports": entry.support,
        "guarantees": entry.guarantee,
        "source": entry.source,
    })
}
