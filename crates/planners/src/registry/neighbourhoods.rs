//! Planners that make the plans of others better.

use super::entries::{COOPERATES, MEMORY, memory};
use super::placements::{OBJECTIVE, STEPS, objective};
use super::{Built, Context, Entry, Parameter, Range, build, support};
use crate::neighbourhoods::{First, Neighbourhoods, Settings};
use std::sync::Arc;
use throng_core::Support;

pub(super) const LNS: Entry = Entry {
    name: "lns",
    about: "large neighbourhood search: a plan of any other planner is repaired and made better, a few units at a time",
    source: "Li et al., MAPF-LNS (2021) and MAPF-LNS2 (2022)",
    parameters: &[
        Parameter {
            name: "from",
            about: "who makes the first plan; none: everybody goes as if alone, and collisions are repaired",
            default: "lacam",
            range: Range::WordsOrPlanner(&["none"]),
        },
        OBJECTIVE,
        Parameter {
            name: "size",
            about: "units that plan anew together",
            default: "8",
            range: Range::Whole(1, 256),
        },
        Parameter {
            name: "patience",
            about: "rounds of eight groups without a gain after which it ends; all: not before the budget does",
            default: "64",
            range: Range::WordsOrWhole(&["all"], 0, 1 << 40),
        },
        MEMORY,
    ],
    support: Support { lists: false, patrols: false, holding: true, ..STEPS },
    narrow: |values, own| match values.word("from") {
        "none" => own,
        first => support(first).map_or(own, |first| own.and(first)),
    },
    fits: |values, scenario, levels| match values.word("from") {
        "none" => Ok(()),
        first => super::fits_levels(first, scenario, levels),
    },
    guarantee: COOPERATES,
    build: |values, context| {
        let settings = Settings {
            objective: objective(values),
            size: values.whole("size").unwrap_or(8) as usize,
            patience: values.whole("patience"),
            seed: context.seed,
            memory: memory(values),
        };
        let first = match (&context.plan, values.word("from")) {
            (Some(plan), _) => First::Plan(Arc::clone(plan)),
            (None, "none") => First::Nothing,
            (None, spec) => first(spec, context),
        };
        Built::Planner(Box::new(Neighbourhoods::new(settings, first, Arc::clone(&context.workers))))
    },
};

/// Whoever makes the first plan. A controller needs somebody who can run a world; without, everybody goes as if alone.
fn first(spec: &str, context: &Context) -> First {
    match (build(spec, context), context.roll_out) {
        (Ok(Built::Planner(planner)), _) => First::Planner(planner),
        (Ok(Built::Controller(_)), Some(roll_out)) => First::Planner(roll_out(spec, context)),
        _ => First::Nothing,
    }
}
