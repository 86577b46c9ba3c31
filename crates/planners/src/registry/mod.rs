//! Every planner by name: its parameters, what it supports and promises, and how to build it.

mod ahead;
mod conflicts;
mod directions;
mod entries;
mod explore;
mod mending;
mod neighbourhoods;
mod operations;
mod parameter;
mod placements;
mod rescue;
mod spec;

pub use parameter::{Parameter, Range, Values};
pub use spec::{Spec, SpecError};

use crate::refinement::Levels;
use std::sync::Arc;
use throng_core::{Controller, Directions, Guarantee, Plan, Planner, Scenario, Support};
use throng_search::Workers;

/// What a planner may use that is not a parameter of its own.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Seed of all random streams.
    pub seed: u64,
    /// Threads to work on.
    pub workers: Arc<Workers>,
    /// Coarser levels of the map, so that whoever asks for them in [`fits`] does not build them for itself alone.
    pub levels: Levels,
    /// What whoever keeps a direction map begins with.
    pub directions: Option<Arc<Directions>>,
    /// What whoever makes plans better begins with, instead of making one itself.
    pub plan: Option<Arc<Plan>>,
    /// How the controller of a spec becomes one that plans everything at once.
    pub roll_out: Option<RollOut>,
}

/// Makes a planner of a controller: whoever can run a world can do that.
pub type RollOut = fn(&str, &Context) -> Box<dyn Planner + Send>;

/// A planner of either kind.
pub enum Built {
    /// One shot.
    Planner(Box<dyn Planner + Send>),
    /// Tick by tick.
    Controller(Box<dyn Controller + Send>),
}

impl std::fmt::Debug for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Planner(_) => "Planner",
            Self::Controller(_) => "Controller",
        })
    }
}

/// What the registry knows of a planner.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in specs.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// What it can be told.
    pub parameters: &'static [Parameter],
    /// What it supports, unless its parameters say otherwise.
    pub support: Support,
    /// What is left of that with these parameters.
    narrow: fn(&Values, Support) -> Support,
    /// Whether a world has what these parameters ask of it.
    fits: fn(&Values, &Scenario, &Levels) -> Result<(), SpecError>,
    /// What it promises.
    pub guarantee: Guarantee,
    build: fn(&Values, &Context) -> Built,
}

impl Entry {
    /// Whether it makes plans of others better: it may be given one to begin with ([`Context::plan`]).
    #[must_use]
    pub fn takes_plans(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.range, Range::WordsOrPlanner(_)))
    }
}

/// All planners, in the order in which they are listed.
#[must_use]
pub fn all() -> &'static [Entry] {
    entries::ALL
}

/// The entry for a spec, whose parameters are checked.
///
/// ```
/// use throng_planners::registry;
/// assert_eq!(registry::find("whca(window=8)")?.name, "whca");
/// assert!(registry::find("wcha").unwrap_err().to_string().contains("whca"));
/// # Ok::<(), registry::SpecError>(())
/// ```
pub fn find(spec: &str) -> Result<&'static Entry, SpecError> {
    lookup(spec).map(|(entry, _)| entry)
}

/// What the planner of a spec supports with its parameters.
///
/// ```
/// use throng_planners::registry;
/// assert!(registry::support("whca")?.uniform);
/// assert!(!registry::support("whca(grain=4)")?.uniform, "where moves take one tick there is nothing to coarsen");
/// # Ok::<(), registry::SpecError>(())
/// ```
pub fn support(spec: &str) -> Result<Support, SpecError> {
    let (entry, values) = lookup(spec)?;
    Ok((entry.narrow)(&values, entry.support))
}

/// Whether `scenario` has what the parameters of a spec ask of it, as levels of abstraction.
pub fn fits(spec: &str, scenario: &Scenario, context: &Context) -> Result<(), SpecError> {
    fits_levels(spec, scenario, &context.levels)
}

fn fits_levels(spec: &str, scenario: &Scenario, levels: &Levels) -> Result<(), SpecError> {
    let (entry, values) = lookup(spec)?;
    (entry.fits)(&values, scenario, levels)
}

/// Builds what a spec describes.
pub fn build(spec: &str, context: &Context) -> Result<Built, SpecError> {
    let (entry, values) = lookup(spec)?;
    Ok((entry.build)(&values, context))
}

fn lookup(spec: &str) -> Result<(&'static Entry, Values), SpecError> {
    let spec = Spec::parse(spec)?;
    let Some(entry) = all().iter().find(|e| e.name == spec.name) else {
        let known = all().iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
        return Err(SpecError::UnknownPlanner { name: spec.name, known });
    };
    let values = Values::of(entry.name, entry.parameters, &spec)?;
    Ok((entry, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planner_builds_with_its_defaults() {
        for entry in all() {
            assert!(build(entry.name, &Context::default()).is_ok(), "{}", entry.name);
            let spelled: Vec<_> =
                entry.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            let spec = format!("{}({})", entry.name, spelled.join(","));
            assert!(build(&spec, &Context::default()).is_ok(), "{spec}");
        }
    }

    #[test]
    fn errors_list_what_exists() {
        let text = |spec: &str| find(spec).unwrap_err().to_string();
        assert!(text("nope").contains("lra, dlite, pra, ca, hca, whca, cpra, dm"));
        assert!(text("whca(windo=3)").contains("window (auto or 1 to"));
        assert!(text("whca(window=0)").contains("expected auto or 1 to"));
        assert!(text("whca(window=3,window=4)").contains("twice"));
        assert!(text("lra(x=1)").contains("agitation"));
        assert!(text("dm(alpha=1.5)").contains("alpha=1.5: expected 0 to 1,"));
        assert!(text("dm(wmax=-1)").contains("expected 0 to 100,"));
        assert!(text("dm(neighbour=2)").contains("expected auto or 0 to 1,"));
    }
}
