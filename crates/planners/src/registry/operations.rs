//! The planner that looks several actions ahead.

use super::entries::{COOPERATES, MEMORY, memory};
use super::placements::STEPS;
use super::{Built, Entry, Parameter, Range};
use crate::operations::{LONGEST, Operations, Settings};
use std::sync::Arc;
use throng_core::Support;

pub(super) const EPIBT: Entry = Entry {
    name: "epibt",
    about: "priority inheritance with backtracking, several actions ahead: for units that turn where they stand",
    source: "Yukhnevich and Andreychuk, Enhancing PIBT via multi-action operations (2025)",
    parameters: &[
        Parameter {
            name: "depth",
            about: "ticks of an operation",
            default: "3",
            range: Range::Whole(1, LONGEST as u64),
        },
        Parameter {
            name: "revisits",
            about: "how often a unit may be asked to make way in a tick",
            default: "10",
            range: Range::Whole(1, 255),
        },
        MEMORY,
    ],
    support: Support { eight: false, turns: true, errands: true, closings: true, ..STEPS },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: COOPERATES,
    build: |values, context| {
        let whole = |name| values.whole(name).unwrap_or(1);
        let settings = Settings {
            depth: whole("depth") as usize,
            revisits: whole("revisits").min(255) as u8,
            memory: memory(values),
        };
        Built::Controller(Box::new(Operations::new(settings, context.seed, Arc::clone(&context.workers))))
    },
};
