//! Planners that decide where everybody is one step later.

use super::entries::{BASIC, COOPERATES, MEMORY, memory};
use super::{Built, Entry, Parameter, Range};
use crate::lacam::{Lacam, Objective, Settings};
use crate::pibt::Pibt;
use std::sync::Arc;
use throng_core::{Guarantee, Support};

/// Units of one cell that move in whole ticks.
pub(super) const STEPS: Support = Support { metric: false, hold_both: false, ..BASIC };

pub(super) const PIBT: Entry = Entry {
    name: "pibt",
    about: "priority inheritance with backtracking: one step ahead, who has waited longest first",
    source: "Okumura et al., Priority inheritance with backtracking (2022)",
    parameters: &[MEMORY],
    support: Support { closings: true, ..STEPS },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: COOPERATES,
    build: |values, context| {
        Built::Controller(Box::new(Pibt::new(context.seed, memory(values), Arc::clone(&context.workers))))
    },
};

pub(super) const LACAM: Entry = Entry {
    name: "lacam",
    about: "lazy constraints addition: a complete search over placements of everybody",
    source: "Okumura, LaCAM and LaCAM* (2023)",
    parameters: &[
        Parameter {
            name: "objective",
            about: "what improving saves: ticks that units do not rest at their goals, or ticks until all do",
            default: "loss",
            range: Range::Words(&["loss", "makespan"]),
        },
        Parameter {
            name: "improve",
            about: "expansions that go into a better plan once there is one",
            default: "0",
            range: Range::Whole(0, u64::MAX),
        },
        MEMORY,
    ],
    support: Support { lists: false, patrols: false, holding: true, ..STEPS },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { complete: true, ..COOPERATES },
    build: |values, context| {
        let objective = match values.word("objective") {
            "makespan" => Objective::Makespan,
            _ => Objective::Loss,
        };
        let improve = values.whole("improve").unwrap_or_default();
        let settings = Settings { objective, improve, seed: context.seed, memory: memory(values) };
        Built::Planner(Box::new(Lacam::new(settings, Arc::clone(&context.workers))))
    },
};
