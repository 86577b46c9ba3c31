//! The registry of planners as data, for whoever shows it to people or to other programs.

use serde::Serialize;
use throng_core::{Guarantee, Support};
use throng_planners::registry::{self, Entry};

/// A planner, what it can be told, what it supports and promises.
#[derive(Clone, Debug, Serialize)]
pub struct PlannerInfo {
    /// Its name, as specs begin with it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What it can be told.
    pub parameters: Vec<ParameterInfo>,
    /// What it supports.
    pub supports: Support,
    /// What it promises.
    pub guarantees: Guarantee,
    /// Where it comes from.
    pub source: &'static str,
}

/// Something that a planner can be told.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterInfo {
    /// Its key in specs.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Its value if nobody says otherwise.
    pub default: &'static str,
    /// What it may be.
    pub range: String,
}

/// All planners, in the order of the registry.
///
/// ```
/// let all = throng::catalogue();
/// assert!(all.iter().any(|planner| planner.name == "whca" && planner.parameters[0].name == "window"));
/// ```
#[must_use]
pub fn catalogue() -> Vec<PlannerInfo> {
    registry::all().iter().map(info).collect()
}

fn info(entry: &Entry) -> PlannerInfo {
    let parameter = |p: &registry::Parameter| ParameterInfo {
        name: p.name,
        about: p.about,
        default: p.default,
        range: p.range.to_string(),
    };
    PlannerInfo {
        name: entry.name,
        about: entry.about,
        parameters: entry.parameters.iter().map(parameter).collect(),
        supports: entry.support,
        guarantees: entry.guarantee,
        source: entry.source,
    }
}
